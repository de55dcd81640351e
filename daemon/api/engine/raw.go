package engine

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/api/strict"
)

// RegisterRaw adds a POST whose handler gets the body byte for byte and checks it itself, because others wrote its
// contract. Access, parameters, media type and size are checked as usual; schema only describes the body in the
// document.
func RegisterRaw[P, R any](g *Engine, o Op, schema func(*Document) *huma.Schema,
	handle func(ctx context.Context, p *P, body []byte) (*Reply[R], error)) {
	if o.Access.Presence != "" || o.Method != http.MethodPost || o.Body == 0 {
		panic("operation " + o.ID + " cannot take its body as it comes")
	}
	answer := func(w http.ResponseWriter, r *http.Request, p any) error {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		body, err := strict.Raw(w, r, o.Body)
		http.NewResponseController(w).SetReadDeadline(time.Time{})
		if err != nil {
			return err
		}
		out, err := handle(r.Context(), p.(*P), body)
		if err != nil {
			return err
		}
		g.write(w, o, out.Body, out.ETag)
		return nil
	}
	g.Add(o, func(d *Document) {
		h := d.Describe(&o, reflect.TypeFor[None]())
		d.Serve(o, h, reflect.TypeFor[P](), answer)
		d.replies(o, h, reflect.TypeFor[Reply[R]]())
		h.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema(d)}}}
	})
}

// RegisterForm adds an operation whose body is multipart/form-data, which its handler reads as it arrives; form only describes it
// in the document.
func RegisterForm[R any](g *Engine, o Op, form func(*Document) *huma.Schema,
	handle func(w http.ResponseWriter, r *http.Request, d *Document) (*Reply[R], error)) {
	g.Add(o, func(d *Document) {
		h := d.Describe(&o, reflect.TypeFor[None]())
		schema := form(d)
		d.Serve(o, h, reflect.TypeFor[None](), func(w http.ResponseWriter, r *http.Request, _ any) error {
			out, err := handle(w, r, d)
			if err != nil {
				return err
			}
			g.write(w, o, out.Body, out.ETag)
			return nil
		})
		d.replies(o, h, reflect.TypeFor[Reply[R]]())
		h.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: schema}}}
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
