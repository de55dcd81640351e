package client

import (
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

type (
	Document  = wire.Document
	Documents = wire.Documents
)

// DocumentService is the part of the API about documents that are kept for a day.
type DocumentService struct{ t *transport }

const documentsPath = "/api/documents"

// UploadDocument hands in a document.
func (c DocumentService) UploadDocument(ctx context.Context, filename, mediaType string, file io.Reader) (Document, error) {
	var out wire.DocumentUploadResponse
	err := sendForm(ctx, c.t, documentsPath, &out, func(form *multipart.Writer) error {
		h := textproto.MIMEHeader{"Content-Type": {mediaType}}
		h.Set("Content-Disposition", multipart.FileContentDisposition("document", filename))
		p, err := form.CreatePart(h)
		if err == nil {
			_, err = io.Copy(p, file)
		}
		return err
	})
	return out.Document, err
}

// Documents lists the kept documents, newest first.
func (c DocumentService) Documents(ctx context.Context) (Documents, error) {
	return get[Documents](ctx, c.t, documentsPath, nil)
}

// Document is what is known of a document.
func (c DocumentService) Document(ctx context.Context, ref string) (Document, error) {
	return get[Document](ctx, c.t, at(documentsPath+"/", ref), nil)
}

// DocumentContent returns a document's bytes. The caller closes it.
func (c DocumentService) DocumentContent(ctx context.Context, ref string) (io.ReadCloser, error) {
	res, err := c.t.open(ctx, &call{method: http.MethodGet, path: at(documentsPath+"/", ref, "/content"), header: http.Header{}}, nil)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// DeleteDocument deletes a document before its time.
func (c DocumentService) DeleteDocument(ctx context.Context, ref string) error {
	_, err := c.t.Raw(ctx, http.MethodDelete, at(documentsPath+"/", ref), nil)
	return err
}

// sendForm sends multipart/form-data as write produces it.
func sendForm(ctx context.Context, t *transport, path string, out any, write func(*multipart.Writer) error) error {
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := write(form)
		if err == nil {
			err = form.Close()
		}
		w.CloseWithError(err)
	}()
	err := t.answered(ctx, path, form.FormDataContentType(), r, out)
	r.CloseWithError(io.ErrClosedPipe) // an early response ends the upload
	<-done
	return err
}

// answered posts a body of another type than JSON.
func (c *transport) answered(ctx context.Context, path, contentType string, body io.Reader, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, body)
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the request's path is not valid")
	}
	req.Header = c.headers.Clone()
	req.Header.Set("Content-Type", contentType)
	res, err := c.http.Do(req)
	if err != nil {
		return unreachable(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return failure(res)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return unreachable(ctx, err)
	}
	if c.record != nil {
		*c.record = b
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fault.Wrap(err, fault.VersionMismatch,
			"the daemon's answer is not one that this version knows").WithHint("`showhow daemon restart`")
	}
	return nil
}
