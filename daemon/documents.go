package daemon

import (
	"context"
	"path/filepath"

	"showhow/capture/secret"
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

func pdfOptions(documents *document.Service, st *store.Store, rules redactor, scratch string, now func() clock.Time) pdf.Options {
	return pdf.Options{Documents: documents, Scratch: scratch, Now: now, NewID: clock.NewID, Classes: printedClasses(),
		Secrets: func(text string) (out []pdf.Secret) {
			for _, s := range rules.Find(text) {
				out = append(out, pdf.Secret{Start: s.Start, End: s.End, Class: string(s.Kind)})
			}
			return out
		},
		Record: recordIn(st)}
}

// recordIn commits receipts and their events together.
func recordIn(st *store.Store) func(ctx context.Context, fn func(journal.Writer) error) error {
	return func(ctx context.Context, fn func(journal.Writer) error) error {
		return st.Update(ctx, func(tx *store.Tx) error { return fn(tx) })
	}
}

// printedClasses are the kinds of secrets that can be recognised in a document's text.
func printedClasses() (out []string) {
	for _, k := range secret.Kinds {
		if k != secret.Secret && k != secret.Name && k != secret.Withheld { // of fields, of whoever signed in, of no text
			out = append(out, string(k))
		}
	}
	return out
}
