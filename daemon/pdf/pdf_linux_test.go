//go:build !race

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
	refuses  string // to keep documents of this kind
}

func newDesk(t *testing.T) *desk {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	d := &desk{t: t, kept: map[string][]byte{}}
	d.s = New(Options{Documents: d, Scratch: filepath.Join(t.TempDir(), "scratch"), Now: clock.Now, NewID: clock.NewID,
		Record: func(_ context.Context, fn func(journal.Writer) error) error { return fn(d) }, Secrets: secrets(t),
		Classes: []string{"email", "iban", "phone", "card"}})
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
	if n.Kind == d.refuses {
		return wire.Document{}, fault.New(fault.StoreReadOnly, "no room")
	}
	prefix := "art_"
	if n.Kind == wire.DocumentUploaded {
		prefix = "doc_"
	}
	x := wire.Document{Ref: fmt.Sprint(prefix, len(d.kept))}
	d.kept[x.Ref] = b
	return x, err
}

func (d *desk) Delete(_ context.Context, _ document.Owner, ref string) (wire.Document, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.kept[ref]; !ok {
		return wire.Document{}, fault.New(fault.NotFound, "none")
	}
	delete(d.kept, ref)
	return wire.Document{Ref: ref}, nil
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

// encrypted encrypts a document.
func encrypted(t *testing.T, doc []byte, password string, more ...string) []byte {
	dir := t.TempDir()
	plain, locked := filepath.Join(dir, "a.pdf"), filepath.Join(dir, "b.pdf")
	os.WriteFile(plain, doc, 0o600)
	args := append(append([]string{"--encrypt", password, "owner", "256"}, more...), "--", plain, locked)
	if b, err := exec.Command("qpdf", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, b)
	}
	b, _ := os.ReadFile(locked)
	return b
}

func TestAPasswordOpensAndIsNowhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const password = `pass "word' $(x)`
	long := pdftest.New()
	for range 1500 { // qpdf is at work for a while
		long.Page((&pdftest.Page{}).Text(72, 700, "Ada Lovelace"))
	}
	from := d.give(encrypted(t, long.Bytes(), password))
	from.PageRange = "1"
	if _, _, err := d.text(from); reason(err) != "password_required" {
		t.Error(reason(err))
	}
	from.Password = "wrong"
	if _, _, err := d.text(from); reason(err) != "password_wrong" {
		t.Error(reason(err))
	}
	from.Password = password
	seen := watched(t, d.s.o.Scratch, password)
	out, _, err := d.text(from)
	if err != nil || !strings.Contains(out.Pages[0].Text, "Lovelace") {
		t.Errorf("%+v %v", out, err)
	}
	if seen() == 0 {
		t.Error("no process was looked at while qpdf ran")
	}
	if strings.Contains(strings.Join(d.recorded, ""), "pass") {
		t.Error("the password is recorded")
	}
	open := d.give(form())
	open.Password = "not needed"
	if _, _, err := d.text(open); err != nil {
		t.Error(err)
	}
}

// watched looks for a text in the arguments and variables of all processes and in the files of a folder, until it is asked
// how often it found qpdf running.
func watched(t *testing.T, dir, text string) (end func() int) {
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				done <- n
				return
			default:
			}
			names, _ := filepath.Glob("/proc/[0-9]*")
			for _, p := range names {
				args, _ := os.ReadFile(p + "/cmdline")
				env, err := os.ReadFile(p + "/environ")
				if bytes.HasPrefix(args, []byte("qpdf\x00")) && bytes.Contains(args, []byte("--decrypt")) && err == nil && len(env) > 0 {
					n++
				}
				if bytes.Contains(args, []byte(text)) || bytes.Contains(env, []byte(text)) {
					t.Errorf("a process has the password: %.40q", args)
				}
			}
			_ = filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					if b, _ := os.ReadFile(name); bytes.Contains(b, []byte(text)) {
						t.Errorf("%s has the password", name)
					}
				}
				return nil
			})
		}
	}()
	return func() int { close(stop); return <-done }
}

// Letters of a document stand for ends of pages and lines: no page or word moves.
func TestADocumentDoesNotMoveItsPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New().Means(map[byte]string{'#': "0041000C0042", '$': "0043000A0035000900310009003100090031"})
	doc.Page((&pdftest.Page{}).Text(72, 700, "one#first")).Page((&pdftest.Page{}).Text(72, 700, "two$second")).
		Page((&pdftest.Page{}).Text(72, 700, "three"))
	b := doc.Bytes()
	gone := bytes.Replace(b, []byte("/Kids[6 0 R 8 0 R 10 0 R]"), []byte("/Kids[6 0 R 8 0 R 99 0 R]"), 1)
	if bytes.Equal(b, gone) {
		t.Fatal("the third page is still there")
	}
	for name, doc := range map[string][]byte{"whole": b, "without the third page": gone} {
		out, r, err := d.text(d.give(doc))
		if err != nil || len(out.Pages) != 3 {
			t.Fatalf("%s: %+v %v", name, out, err)
		}
		if one, two := out.Pages[0].Text, out.Pages[1].Text; !strings.Contains(one, "first") || !strings.Contains(two, "second") ||
			strings.Contains(two, "first") {
			t.Errorf("%s: %q, %q", name, one, two)
		}
		if name != "whole" && (len(out.Warnings) == 0 || out.Warnings[0].Pages != "3" || len(r.WarningCodes) == 0) {
			t.Errorf("%s: %+v", name, out.Warnings)
		}
		tables, err := d.tables(d.give(doc), "layout_preserving")
		if err != nil || len(tables.Tables) < 2 || !strings.Contains(tables.Tables[0].CSV, "first") || tables.Tables[1].Page != 2 ||
			tables.Tables[1].Rows != 1 || !strings.Contains(tables.Tables[1].CSV, "second") {
			t.Errorf("%s: %+v %v", name, tables.Tables, err)
		}
	}
}

func TestWhatTheAuthorForbidsIsReadAndPagesBeyondAreNamed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	from := d.give(encrypted(t, form(), "", "--extract=n"))
	from.PageRange = "2-9"
	out, r, err := d.text(from)
	if err != nil || len(out.Pages) != 1 || strings.TrimSpace(out.Pages[0].Text) != "a rotated page" ||
		fmt.Sprint(r.WarningCodes) != "[pages_absent]" {
		t.Errorf("%+v %+v %v", out, r, err)
	}
}

func TestRightToLeftTextIsInLogicalOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	// The letters of shalom, from left to right as they stand on the page.
	doc := pdftest.New().Means(map[byte]string{'a': "05DD", 'b': "05D5", 'c': "05DC", 'd': "05E9"})
	doc.Page((&pdftest.Page{}).Text(72, 700, "abcd"))
	out, _, err := d.text(d.give(doc.Bytes()))
	if err != nil || strings.TrimSpace(out.Pages[0].Text) != "\u05e9\u05dc\u05d5\u05dd" {
		t.Errorf("%+v %v", out, err)
	}
}

// A program that was taken over leaves a pipe, a link or much in place of what it was to make.
func TestWhatAProgramMakesIsNotTrusted(t *testing.T) {
	t.Parallel()
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	box, err := sandbox.Open(t.Context(), sandbox.Spec{Dir: filepath.Join(dir, "box"), Shell: "sh"})
	if err != nil {
		t.Skip(err)
	}
	defer box.Close()
	os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600)
	w := &work{box: box, left: 10}
	r, err := box.Run(t.Context(), "mkfifo pipe; ln -s ../secret link; mkdir folder; echo good > file", ".", nil)
	if err != nil || r.ExitCode != 0 {
		t.Fatalf("%+v %v", r, err)
	}
	got := ""
	read := func(in io.Reader) error { b, err := io.ReadAll(in); got += string(b); return err }
	for _, name := range []string{"pipe", "link", "folder", "nothing"} {
		if err := w.made(name, read); !fault.Is(err, fault.NotFound) || got != "" {
			t.Errorf("%s: %v %q", name, err, got)
		}
	}
	if err := w.made("file", read); err != nil || got != "good\n" {
		t.Errorf("%v %q", err, got)
	}
	if _, err := w.exec(t.Context(), sandbox.Command{Args: []string{"sh", "-c", "echo 123456"}}); err != nil {
		t.Error(err)
	}
	if _, err := w.exec(t.Context(), sandbox.Command{Args: []string{"sh", "-c", "echo 123456"}}); reason(err) != "size" {
		t.Errorf("two programs say more than one may: %v", err)
	}
}

// Many rows of pages that each take long end in one bound, and what is not there does not wait.
func TestAnOperationHasOneDeadline(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.s.o.Time = time.Second
	slow := &pdftest.Page{}
	for i := range 30_000 {
		slow.Text(float64(i%600), float64(i/100), "slow words")
	}
	doc := pdftest.New()
	for range 40 {
		doc.Page(slow)
	}
	from := d.give(doc.Bytes())
	from.PageRange = "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39"
	began, ended := time.Now(), make(chan error)
	go func() {
		_, _, err := d.text(from)
		ended <- err
	}()
	for range 3 * mostWaiting {
		if _, err := d.s.Text(t.Context(), ada, wire.AcrobatExtractTextRequest{AcrobatSourceRef: wire.AcrobatSourceRef{
			SourceRefKind: wire.RefOfDocument, SourceRef: "doc_invented"}}); !fault.Is(err, fault.AcrobatNotFound) {
			t.Error(err)
		}
	}
	if err := <-ended; reason(err) != "time" || time.Since(began) > 40*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
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
	for name, c := range hostile() {
		began := time.Now()
		if d.s.o.Time = time.Minute; c.want == "bounded" { // the others end by themselves
			d.s.o.Time = 2 * time.Second
		}
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
		if program == "pdftotext" || program == "pdftoppm" || program == "qpdf" {
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
