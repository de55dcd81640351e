package daemon

import (
	"bytes"
	"context"
	"time"

	"showhow/daemon/capability/binding"
	"showhow/daemon/document"
	"showhow/daemon/m365"
	"showhow/daemon/wire"
	"showhow/daemon/word"
	"showhow/internal/clock"
)

// microsoft does the operations of Microsoft 365, with the person's projects and the documents that are kept here.
func microsoft(now func() clock.Time, projects func() *binding.Service, documents func() *document.Service) *m365.Service {
	return m365.New(m365.Options{Now: now, NewID: clock.NewID,
		Binding: func(ctx context.Context, name string) (wire.ProjectBinding, bool, error) {
			id, err := projects().Bound(ctx, name)
			if err != nil || id == "" {
				return wire.ProjectBinding{}, false, err
			}
			all, err := projects().List(ctx)
			for _, b := range all.Bindings {
				if b.ProjectID == id {
					return b, true, err
				}
			}
			return wire.ProjectBinding{}, false, err
		},
		Keep: func(ctx context.Context, owner m365.Owner, name string, content []byte) (string, error) {
			x, err := documents().Keep(ctx, document.Owner{Key: owner.Key, Name: owner.Name},
				document.New{Kind: wire.DocumentUploaded, Name: name, Type: "application/octet-stream"}, bytes.NewReader(content))
			return x.Ref, err
		},
		Comments: func(content []byte) ([]m365.Comment, error) {
			doc, err := word.Open(content, word.Author{Name: "Showhow", Now: time.Now()})
			if err != nil {
				return nil, err
			}
			out := []m365.Comment{}
			for _, c := range doc.Read().Comments {
				at := c.Date
				if _, err := time.Parse(time.RFC3339, at); err != nil {
					at = "" // Word stores times without a zone, too
				}
				out = append(out, m365.Comment{CommentID: c.ID, Author: c.Author, CreatedAt: at, Preview: c.Text})
			}
			return out, nil
		}})
}
