package routes

import (
	"context"
	"mime/multipart"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/strict"
)

type rawKey struct{}

type rawRequest struct {
	w http.ResponseWriter
	r *http.Request
}

// multipartRoute adds an operation whose body is multipart/form-data, read as it arrives. form describes it in the document.
func multipartRoute[R any](g *engine.Engine, o engine.Op, form func(*engine.Document) *huma.Schema,
	handle func(ctx context.Context, d *engine.Document, raw rawRequest) (R, error)) {
	g.Add(o, func(d *engine.Document) {
		h := d.Describe(&o, reflect.TypeFor[engine.None]())
		schema := form(d)
		h.Middlewares = append(h.Middlewares, func(c huma.Context, next func(huma.Context)) {
			r, w := humago.Unwrap(c)
			next(huma.WithContext(c, context.WithValue(c.Context(), rawKey{}, rawRequest{w, r})))
		})
		huma.Register(d.API, *h, func(ctx context.Context, _ *struct{}) (*engine.Reply[R], error) {
			out, err := handle(ctx, d, ctx.Value(rawKey{}).(rawRequest))
			if err != nil {
				return nil, g.Failed(ctx, o, err)
			}
			return engine.Answer(out), nil
		})
		// Only now, because with a schema huma would read the whole body into memory.
		d.API.OpenAPI().Paths[o.Path].Post.RequestBody = &huma.RequestBody{
			Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: schema}}}
	})
}

// parts gives the body longer than usual to arrive and reads its parts; the caller calls done.
func (raw rawRequest) parts() (r *multipart.Reader, done func(), err error) {
	control := http.NewResponseController(raw.w)
	control.SetReadDeadline(time.Now().Add(uploadTime))
	done = func() { control.SetReadDeadline(time.Time{}) }
	if r, err = raw.r.MultipartReader(); err != nil {
		err = strict.Malformed("the body must be multipart/form-data")
	}
	return r, done, err
}
