package acceptance_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	kept "showhow/daemon/document"
	"showhow/internal/fault"
)

// A document is handed in, read again by who handed it in, sealed on the disk, gone after a day, and in purge's reach.
func TestDocuments_SealedForADayAndForOneCaller(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	const words = "the heron owes 4711 crowns"
	give := func(c *client.Client) client.Document {
		t.Helper()
		return got(c.UploadDocument(ctx, "/home/me/heron.pdf", "application/pdf", strings.NewReader(words)))(t)
	}
	read := func(c *client.Client, ref string) (string, error) {
		in, err := c.DocumentContent(ctx, ref)
		if err != nil {
			return "", err
		}
		defer in.Close()
		b, err := io.ReadAll(in)
		return string(b), err
	}
	scribe, other := w.agent("scribe"), w.agent("other")
	mine, theirs := give(w.c), give(scribe)
	if mine.RefKind != "document_ref" || mine.OriginalFilename != "heron.pdf" || mine.ByteSize != int64(len(words)) {
		t.Errorf("%+v", mine)
	}
	if text, err := read(scribe, theirs.Ref); err != nil || text != words {
		t.Errorf("%q %v", text, err)
	}
	if text, err := read(w.c, theirs.Ref); err != nil || text != words {
		t.Errorf("%q %v", text, err)
	}
	for _, c := range []*client.Client{scribe, other} {
		_, err := read(c, mine.Ref)
		refused(t, err, fault.NotFound)
	}
	_, err := other.Document(ctx, theirs.Ref)
	refused(t, err, fault.NotFound)
	refused(t, other.DeleteDocument(ctx, theirs.Ref), fault.NotFound)
	if l := got(other.Documents(ctx))(t); len(l.Documents) != 0 {
		t.Errorf("%+v", l)
	}
	if l := got(w.c.Documents(ctx))(t); len(l.Documents) != 2 {
		t.Errorf("%+v", l)
	}
	a := w.send("GET", "/api/documents/..%2fkeys", "", false)
	if a.status != 404 {
		t.Errorf("a path: %d %s", a.status, a.body)
	}
	early := give(w.c)
	if purged := got(w.c.PurgeData(ctx))(t); purged.Documents != 3 {
		t.Errorf("%+v", purged)
	}
	_, err = read(w.c, early.Ref)
	refused(t, err, fault.NotFound)
	theirs = give(scribe)
	w.stop()
	must(t, w.start())
	if text, err := read(scribe, theirs.Ref); err != nil || text != words {
		t.Errorf("after a start: %q %v", text, err)
	}
	must(t, filepath.WalkDir(w.o.Roots.Data, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, _ := os.ReadFile(p)
		if strings.Contains(string(b), words) {
			t.Errorf("%s has the document's text", p)
		}
		return nil
	}))
	must(t, scribe.DeleteDocument(ctx, theirs.Ref))
	late := give(scribe)
	w.forward(kept.Life)
	_, err = read(scribe, late.Ref)
	refused(t, err, fault.NotFound)
	if left, _ := os.ReadDir(filepath.Join(w.o.Roots.Data, "documents")); len(left) != 0 {
		t.Errorf("%d files are left", len(left))
	}
}
