package daemon

import (
	"context"
	"path/filepath"

	"showhow/daemon/document"
	"showhow/daemon/journal"
	"showhow/daemon/pdf"
	"showhow/internal/clock"
	"showhow/store"
	"showhow/store/keys"
)

func documentOptions(data string, ring *keys.Ring, now func() clock.Time) document.Options {
	return document.Options{Dir: filepath.Join(data, "documents"), Now: now, NewID: clock.NewID,
		Key:     func(ctx context.Context) ([]byte, error) { return ring.Key(ctx, document.KeyTarget) },
		DropKey: func(ctx context.Context) error { return ring.Destroy(ctx, document.KeyTarget) }}
}

func pdfOptions(documents *document.Service, st *store.Store, scratch string, now func() clock.Time) pdf.Options {
	return pdf.Options{Documents: documents, Scratch: scratch, Now: now, NewID: clock.NewID,
		Record: func(ctx context.Context, fn func(journal.Writer) error) error {
			return st.Update(ctx, func(tx *store.Tx) error { return fn(tx) })
		}}
}
