package routes

import (
	"context"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/strict"
)

type rawRequest struct {
	w http.ResponseWriter
	r *http.Request
}

// multipartRoute adds an operation whose body is multipart/form-data, read as it arrives. form describes it in the document.
func multipartRoute[R any](g *engine.Engine, o engine.Op, form func(*engine.Document) *huma.Schema,
	handle func(ctx context.Context, d *engine.Document, raw rawRequest) (R, error)) {
	engine.RegisterForm(g, o, form, func(w http.ResponseWriter, r *http.Request, d *engine.Document) (*engine.Reply[R], error) {
		return engine.Answered(handle(r.Context(), d, rawRequest{w, r}))
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
