package acceptance_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/pdf/pdftest"
	"showhow/internal/fault"
)

func handIn(t *testing.T, c *client.Client, b []byte) client.PDFSource {
	t.Helper()
	d := got(c.UploadDocument(t.Context(), "a.pdf", "application/pdf", bytes.NewReader(b)))(t)
	return client.PDFSourceOf(d.Ref)
}

// The text of a document comes back by reference, to its caller alone, and is in nothing that Showhow keeps or says.
func TestAcrobat_TextIsReadAndNowhereElse(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	const canary = "quillwort47"
	b := pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "the total is "+canary)).Bytes()
	scribe, other := w.agent("scribe"), w.agent("other")
	from := handIn(t, scribe, b)
	r := got(scribe.ExtractText(ctx, client.PDFAskText{AcrobatSourceRef: from}))(t)
	var text client.PDFText
	must(t, scribe.PDFResult(ctx, r, &text))
	if r.Status != "ok" || len(text.Pages) != 1 || !strings.Contains(text.Pages[0].Text, canary) {
		t.Errorf("%+v %+v", r, text)
	}
	_, err := other.ExtractText(ctx, client.PDFAskText{AcrobatSourceRef: from})
	refused(t, err, fault.AcrobatNotFound)
	_, err = other.Document(ctx, r.OutputRef)
	refused(t, err, fault.NotFound)
	broken := handIn(t, scribe, append(bytes.Clone(b[:200]), canary...))
	_, err = scribe.ExtractText(ctx, client.PDFAskText{AcrobatSourceRef: broken})
	refused(t, err, fault.AcrobatFailed)
	if strings.Contains(err.Error()+toJSON(t, fault.From(err)), canary) {
		t.Errorf("the error quotes the document: %v", err)
	}
	w.stop()
	if strings.Contains(w.log.String(), canary) {
		t.Error("the log has the text")
	}
	for _, root := range []string{w.o.Roots.Data, w.o.Roots.State} {
		must(t, filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if b, _ := os.ReadFile(p); bytes.Contains(b, []byte(canary)) || bytes.Contains(b, []byte("%PDF-")) {
				t.Errorf("%s has the document", p)
			}
			return nil
		}))
	}
}

// acrobat_health_blocks_buttons: what is missing is named with the command that installs it, and actions fail with a code.
func TestAcrobat_health_blocks_buttons(t *testing.T) {
	w := newWorld(t)
	t.Setenv("PATH", onlyBubblewrap(t))
	must(t, w.start())
	h := got(w.c.PDFHealth(t.Context()))(t)
	if h.AdapterState != "missing" || len(h.Supported) != 0 || !strings.Contains(h.Install, "poppler-utils") || h.ReasonCode == "" {
		t.Errorf("%+v", h)
	}
	from := handIn(t, w.c, []byte("%PDF-1.7"))
	_, err := w.c.ExtractText(t.Context(), client.PDFAskText{AcrobatSourceRef: from})
	refused(t, err, fault.AcrobatUnavailable)
}

// onlyBubblewrap is a PATH without programs that read documents.
func onlyBubblewrap(t *testing.T) string {
	dir := t.TempDir()
	must(t, os.Symlink("/usr/bin/bwrap", filepath.Join(dir, "bwrap")))
	return dir
}
