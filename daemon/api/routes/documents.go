package routes

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/strict"
	"showhow/daemon/document"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagDocuments = "documents"

// Documents keeps documents for a day; *document.Service implements it.
type Documents interface {
	Keep(ctx context.Context, by document.Owner, n document.New, body io.Reader) (wire.Document, error)
	List(ctx context.Context, by document.Owner) (wire.Documents, error)
	Get(ctx context.Context, by document.Owner, ref string) (wire.Document, error)
	Open(ctx context.Context, by document.Owner, ref string) (wire.Document, io.ReadCloser, error)
	Delete(ctx context.Context, by document.Owner, ref string) (wire.Document, error)
}

// DocumentRoutes are the routes of documents and artifacts (DOC3 0.2F, decisions K0).
type DocumentRoutes struct{ Documents Documents }

type documentPath struct {
	Ref string `path:"ref" maxLength:"240" pattern:"^(doc|art)_[a-z2-7]{14}$"`
}

// owner is the caller as the documents know it.
func owner(ctx context.Context) document.Owner {
	c := caller.Of(ctx)
	return document.Owner{Person: c.Kind == access.User, Key: c.Owner(), Name: c.Agent()}
}

// Register adds the routes. An agent reaches what it handed in and what was made of it, the person everything.
func (rs DocumentRoutes) Register(g *engine.Engine) {
	ds := rs.Documents
	form := func(*engine.Document) *huma.Schema {
		return &huma.Schema{Type: huma.TypeObject, Required: []string{"document"}, Properties: map[string]*huma.Schema{
			"document": {Type: huma.TypeString, Format: "binary", Description: "the file, at most 64 MB"}}}
	}
	multipartRoute(g, engine.Post("upload-document", "/api/documents", tagDocuments,
		"Hand in a document; it is kept sealed for 24 hours and named by its reference", engine.AnybodyActs, fault.DocumentsFull), form,
		rs.upload)
	engine.Register(g, engine.Get("list-documents", "/api/documents", tagDocuments,
		"The documents that are kept, newest first; an agent sees its own", engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Documents], error) {
			return engine.Answered(ds.List(ctx, owner(ctx)))
		})
	engine.Register(g, engine.Get("get-document", "/api/documents/{ref}", tagDocuments, "What is known of a document",
		engine.AnybodyReads, fault.NotFound),
		func(ctx context.Context, p *documentPath, _ *engine.None) (*engine.Reply[wire.Document], error) {
			return engine.Answered(ds.Get(ctx, owner(ctx), p.Ref))
		})
	engine.Register(g, engine.Op{ID: "delete-document", Method: http.MethodDelete, Path: "/api/documents/{ref}", Tag: tagDocuments,
		Summary: "Delete a document before its time", Access: engine.AnybodyActs, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *documentPath, _ *engine.None) (*engine.Reply[wire.DocumentDeleted], error) {
			d, err := ds.Delete(ctx, owner(ctx), p.Ref)
			return engine.Answered(wire.DocumentDeleted{Deleted: err == nil, Ref: d.Ref, SchemaVersion: 1}, err)
		})
	rs.content(g)
}

func (rs DocumentRoutes) upload(ctx context.Context, _ *engine.Document, raw rawRequest) (out wire.DocumentUploadResponse, err error) {
	parts, done, err := raw.parts()
	defer done()
	if err != nil {
		return out, err
	}
	p, err := nextPart(parts)
	if err != nil {
		return out, err
	}
	if p == nil || p.FormName() != "document" || p.FileName() == "" {
		return out, fault.New(fault.InvalidRequest, "there is no part named document with a file").
			WithHint("send the file as the part `document`, and nothing else")
	}
	n := document.New{Kind: wire.DocumentUploaded, Name: p.FileName(), Type: "application/octet-stream"}
	if t := p.Header.Get("Content-Type"); t == "application/pdf" {
		n.Type = t
	}
	d, err := rs.Documents.Keep(ctx, owner(ctx), n, p)
	if err != nil {
		return out, err
	}
	if more, err := nextPart(parts); err != nil || more != nil {
		_, gone := rs.Documents.Delete(ctx, owner(ctx), d.Ref)
		return out, errors.Join(fault.New(fault.InvalidRequest, "the upload has more than one part").
			WithHint("hand in one document at a time"), gone)
	}
	return wire.DocumentUploadResponse{Document: d, Accepted: true, SchemaVersion: 1}, nil
}

// nextPart is the next part, nil at the end.
func nextPart(parts *multipart.Reader) (*multipart.Part, error) {
	p, err := parts.NextRawPart()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, strict.Malformed("the multipart body could not be read")
	}
	return p, nil
}

// content is the operation that answers a document's bytes.
func (rs DocumentRoutes) content(g *engine.Engine) {
	o := engine.Get("get-document-content", "/api/documents/{ref}/content", tagDocuments, "A document's bytes, as a download",
		engine.AnybodyReads, fault.NotFound)
	g.Add(o, func(d *engine.Document) {
		h := d.Describe(&o, reflect.TypeFor[engine.None]())
		h.Responses["200"] = &huma.Response{Description: "the bytes", Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}
		d.Serve(o, h, reflect.TypeFor[documentPath](), func(w http.ResponseWriter, r *http.Request, p any) error {
			_, in, err := rs.Documents.Open(r.Context(), owner(r.Context()), p.(*documentPath).Ref)
			if err != nil {
				return err
			}
			defer in.Close()
			w.Header().Set("Content-Type", "application/octet-stream") // never shown in a page: a document is foreign
			w.Header().Set("Content-Disposition", "attachment")
			w.Header().Set("Cache-Control", "no-store")
			if _, err := io.Copy(w, in); err != nil {
				panic(http.ErrAbortHandler) // half of a document must not look like the whole
			}
			return nil
		})
	})
}
