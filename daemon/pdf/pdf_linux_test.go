package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon/document"
	"showhow/daemon/journal"
	"showhow/daemon/pdf/pdftest"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

var ada = document.Owner{Key: "agent/ada", Name: "ada"}

// desk keeps documents in memory and notes what is recorded.
type desk struct {
	journal.Writer
	t        *testing.T
	s        *Service
	mu       sync.Mutex
	kept     map[string][]byte
	recorded []string
}

func newDesk(t *testing.T) *desk {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	d := &desk{t: t, kept: map[string][]byte{}}
	d.s = New(Options{Documents: d, Scratch: filepath.Join(t.TempDir(), "scratch"), Now: clock.Now, NewID: clock.NewID,
		Record: func(_ context.Context, fn func(journal.Writer) error) error { return fn(d) }})
	t.Cleanup(func() {
		if left, _ := os.ReadDir(d.s.o.Scratch); len(left) > 0 {
			t.Errorf("%d documents are left where they were read", len(left))
		}
	})
	return d
}

func (d *desk) AddReceipt(r journal.Receipt) error { return d.note(r) }
func (d *desk) Emit(e journal.Event) error         { return d.note(e) }

func (d *desk) note(v any) error {
	b, err := json.Marshal(v)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recorded = append(d.recorded, string(b))
	return err
}

func (d *desk) Open(_ context.Context, _ document.Owner, ref string) (wire.Document, io.ReadCloser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.kept[ref]
	if !ok {
		return wire.Document{}, nil, fault.New(fault.NotFound, "none")
	}
	return wire.Document{Ref: ref}, io.NopCloser(bytes.NewReader(b)), nil
}

func (d *desk) Keep(_ context.Context, _ document.Owner, n document.New, body io.Reader) (wire.Document, error) {
	b, err := io.ReadAll(body)
	d.mu.Lock()
	defer d.mu.Unlock()
	prefix := "art_"
	if n.Kind == wire.DocumentUploaded {
		prefix = "doc_"
	}
	x := wire.Document{Ref: fmt.Sprint(prefix, len(d.kept))}
	d.kept[x.Ref] = b
	return x, err
}

func (d *desk) give(b []byte) wire.AcrobatSourceRef {
	x, _ := d.Keep(d.t.Context(), ada, document.New{Kind: wire.DocumentUploaded}, bytes.NewReader(b))
	return wire.AcrobatSourceRef{SourceRefKind: wire.RefOfDocument, SourceRef: x.Ref}
}

func (d *desk) text(from wire.AcrobatSourceRef) (wire.PDFText, wire.AcrobatOperationResponse, error) {
	d.t.Helper()
	r, err := d.s.Text(d.t.Context(), ada, wire.AcrobatExtractTextRequest{AcrobatSourceRef: from})
	var out wire.PDFText
	if err == nil {
		err = json.Unmarshal(d.kept[r.OutputRef], &out)
	}
	return out, r, err
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	f := fault.From(err)
	if f.Code != fault.AcrobatFailed {
		return fmt.Sprint(err)
	}
	return fmt.Sprint(f.Details["reason"])
}

func form() []byte {
	d := pdftest.New()
	field := d.Add("<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[72 600 300 620]/DA(/F1 12 Tf 0 g)/F 4>>")
	d.Catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 3 0 R>>>>>>", field)
	p := (&pdftest.Page{Extra: fmt.Sprintf("/Annots[%d 0 R]", field)}).Text(72, 700, "left one").Text(320, 700, "right one").
		Text(72, 686, "left two").Text(320, 686, "right two")
	return d.Page(p).Page((&pdftest.Page{Rotate: 90}).Text(72, 700, "a rotated page")).Bytes()
}

func TestTextIsInReadingOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	out, r, err := d.text(d.give(form()))
	if err != nil || r.Status != "ok" || len(out.Pages) != 2 {
		t.Fatalf("%+v %+v %v", r, out, err)
	}
	words := strings.Join(strings.Fields(out.Pages[0].Text), " ")
	if words != "left one left two Ada Lovelace right one right two" || strings.TrimSpace(out.Pages[1].Text) != "a rotated page" {
		t.Errorf("%q, %q", words, out.Pages[1].Text)
	}
	if all := strings.Join(d.recorded, "\n"); !strings.Contains(all, r.OperationID) || strings.Contains(all, "Lovelace") {
		t.Errorf("recorded: %s", all)
	}
}

func TestPageRanges(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New()
	for i := range 12 {
		doc.Page((&pdftest.Page{}).Text(72, 700, fmt.Sprint("page ", i+1)))
	}
	from := d.give(doc.Bytes())
	from.PageRange = "1-2,5,11-"
	out, _, err := d.text(from)
	said := ""
	for _, p := range out.Pages {
		said += fmt.Sprint(p.Page, "=", strings.TrimSpace(p.Text), ";")
	}
	if err != nil || said != "1=page 1;2=page 2;5=page 5;11=page 11;12=page 12;" || out.PagesInAll != 12 {
		t.Errorf("%q %v", said, err)
	}
	for _, bad := range []string{"0", "3-1", "1,1", "x", "1-2-3", "13", "--", "-3", strings.Repeat("1,", 60)} {
		from.PageRange = bad
		if _, _, err := d.text(from); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAPasswordOpensAndIsNowhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dir := t.TempDir()
	plain, locked := filepath.Join(dir, "a.pdf"), filepath.Join(dir, "b.pdf")
	os.WriteFile(plain, form(), 0o600)
	const password = `pass "word' $(x)`
	if b, err := exec.Command("qpdf", "--encrypt", password, "owner", "256", "--", plain, locked).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, b)
	}
	b, _ := os.ReadFile(locked)
	from := d.give(b)
	if _, _, err := d.text(from); reason(err) != "password_required" {
		t.Error(reason(err))
	}
	from.Password = "wrong"
	if _, _, err := d.text(from); reason(err) != "password_wrong" {
		t.Error(reason(err))
	}
	from.Password = password
	out, _, err := d.text(from)
	if err != nil || !strings.Contains(out.Pages[0].Text, "Lovelace") {
		t.Errorf("%+v %v", out, err)
	}
	if strings.Contains(strings.Join(d.recorded, ""), "pass") {
		t.Error("the password is recorded")
	}
}

// hostile are documents that are broken or made to do harm, by what becomes of them: "" is read, maybe with nothing in it.
func hostile() map[string]struct {
	doc  []byte
	want string
} {
	type c = struct {
		doc  []byte
		want string
	}
	out := map[string]c{}
	good := form()
	out["no pdf"] = c{[]byte("#!/bin/sh\nid"), "not_pdf"}
	out["only a head"] = c{[]byte("%PDF-1.7\n"), "damaged"}
	out["cut"] = c{good[:len(good)/3], "damaged"}
	out["no table of objects"] = c{good[:bytes.LastIndex(good, []byte("xref\n0"))], "damaged"}

	pages := pdftest.New().Page(&pdftest.Page{})
	loop := bytes.Replace(pages.Bytes(), []byte("/Kids[5 0 R]"), []byte("/Kids[2 0 R]"), 1)
	out["pages that hold themselves"] = c{loop, ""}
	self := pdftest.New()
	self.Add(pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</X 4 0 R>>>>", "/X Do /X Do"))
	drawn := (&pdftest.Page{Extra: "/Resources<</XObject<</X 4 0 R>>>>"}).Content("/X Do")
	out["a drawing that draws itself"] = c{self.Page(drawn).Bytes(), ""}

	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, 9)
	text := bytes.Repeat([]byte("BT /F1 11 Tf 72 700 Td (bomb bomb bomb bomb bomb bomb) Tj ET\n"), 1<<14)
	for range 300 {
		w.Write(text) // 300 MB
	}
	w.Close()
	bomb := pdftest.New()
	n := bomb.Add(pdftest.Stream("/Filter/FlateDecode", z.String()))
	out["a bomb"] = c{bytes.Replace(bomb.Page(&pdftest.Page{}).Bytes(), []byte("/Contents 5 0 R"), fmt.Appendf(nil, "/Contents %d 0 R", n), 1),
		"bounded"}

	script := pdftest.New()
	script.Catalog = "/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1:9/'\\))>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>"
	out["scripts"] = c{script.Page((&pdftest.Page{}).Text(72, 700, "scripted")).Bytes(), ""}
	return out
}

func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.s.o.Time = 3 * time.Second
	for name, c := range hostile() {
		began := time.Now()
		_, r, err := d.text(d.give(c.doc))
		took := time.Since(began)
		switch {
		case c.want == "bounded":
			if err != nil && reason(err) != "time" && reason(err) != "size" && reason(err) != "memory" {
				t.Errorf("%s: %v", name, err)
			}
		case c.want == "" && err != nil, c.want != "" && reason(err) != c.want:
			t.Errorf("%s: %v, %v", name, reason(err), err)
		}
		if name == "scripts" && !strings.Contains(fmt.Sprint(r.WarningCodes), "scripts_ignored") {
			t.Errorf("%+v", r)
		}
		t.Logf("%-32s %8v %s", name, took.Round(time.Millisecond), reason(err))
	}
}

// Every document that is cut at any place, or has bytes turned, ends in a text or in a code.
func TestBrokenDocumentsEndInACode(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	good := form()
	for i := range 14 {
		b := bytes.Clone(good)
		if i%2 == 0 {
			b = b[:len(b)*(i+2)/18]
		} else {
			for k := i * 7; k < len(b); k += 41 {
				b[k] ^= byte(1 << (i % 8))
			}
		}
		if _, _, err := d.text(d.give(b)); err != nil && !fault.Is(err, fault.AcrobatFailed) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestTenThousandPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New()
	for i := range 10_000 {
		doc.Page((&pdftest.Page{}).Text(72, 700, fmt.Sprint("page ", i+1)))
	}
	began := time.Now()
	out, r, err := d.text(d.give(doc.Bytes()))
	if err != nil || len(out.Pages) != MaxPages || out.PagesInAll != 10_000 || r.Status != "degraded" || r.WarningCodes[0] != "pages_cut" {
		t.Fatalf("%d pages, %+v %v", len(out.Pages), r, err)
	}
	t.Logf("%d of 10,000 pages in %v", len(out.Pages), time.Since(began))
}

func TestWhatIsNotInstalledIsNamed(t *testing.T) {
	d := newDesk(t)
	d.s.o.Look = func(program string) (string, error) {
		if program == "pdftotext" || program == "qpdf" {
			return "", errors.New("none")
		}
		return "/usr/bin/" + program, nil
	}
	h, err := d.s.Health(t.Context())
	if err != nil || h.AdapterState != "missing" || h.Install != "sudo apt-get install poppler-utils qpdf" || len(h.Supported) != 0 {
		t.Errorf("%+v %v", h, err)
	}
	_, _, err = d.text(d.give(form()))
	if f := fault.From(err); f.Code != fault.AcrobatUnavailable || f.Hint != "sudo apt-get install poppler-utils" {
		t.Errorf("%+v", f)
	}
}

func TestAReferenceIsNeeded(t *testing.T) {
	d := newDesk(t)
	from := d.give(form())
	for _, x := range []wire.AcrobatSourceRef{{SourceRefKind: "document_ref", SourceRef: "/etc/passwd"}, {SourceRefKind: "document_ref",
		SourceRef: "doc_nothing"}, {SourceRefKind: "materialized_bundle", SourceRef: from.SourceRef},
		{SourceRefKind: "temp_artifact_ref", SourceRef: from.SourceRef}} {
		if _, _, err := d.text(x); !fault.Is(err, fault.AcrobatNotFound) {
			t.Errorf("%+v: %v", x, err)
		}
	}
}
