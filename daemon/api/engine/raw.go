package engine

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/api/strict"
	"showhow/internal/fault"
)

type rawKey struct{}

// RegisterRaw adds a POST whose handler gets the body byte for byte and checks it itself, because others wrote its
// contract. Access, parameters, media type and size are checked as usual; schema only describes the body in the
// document.
func RegisterRaw[P, R any](g *Engine, o Op, schema func(*Document) *huma.Schema,
	handle func(ctx context.Context, p *P, body []byte) (*Reply[R], error)) {
	if o.Access.Presence != "" || o.Method != http.MethodPost || o.Body == 0 {
		panic("operation " + o.ID + " cannot take its body as it comes")
	}
	answer := func(ctx context.Context, p *P) (*Reply[R], error) {
		body, ok := ctx.Value(rawKey{}).([]byte)
		if !ok {
			return nil, g.Failed(ctx, o, fault.New(fault.Internal, "the body was not read"))
		}
		r, err := handle(ctx, p, body)
		if err != nil {
			return nil, g.Failed(ctx, o, err)
		}
		return r, nil
	}
	g.Add(o, func(d *Document) {
		h := d.Describe(&o, reflect.TypeFor[None]())
		h.Middlewares = append(h.Middlewares, func(c huma.Context, next func(huma.Context)) {
			r, w := humago.Unwrap(c)
			http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
			body, err := strict.Raw(w, r, o.Body)
			http.NewResponseController(w).SetReadDeadline(time.Time{})
			if err != nil {
				g.Failed(r.Context(), o, err)
				g.WriteFault(w, r, err)
				return
			}
			next(huma.WithContext(c, context.WithValue(c.Context(), rawKey{}, body)))
		})
		huma.Register(d.API, *h, answer)
		// Only now, because with a schema huma would read the body.
		d.API.OpenAPI().Paths[o.Path].Post.RequestBody = &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"application/json": {Schema: schema(d)}}}
	})
}

// OneOf is the schema of a body that is one of several types.
func (d *Document) OneOf(types ...reflect.Type) *huma.Schema {
	s := &huma.Schema{}
	for _, t := range types {
		s.OneOf = append(s.OneOf, d.Schema(t, ""))
	}
	return s
}
