//go:build !race

package pdf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/pdf/pdftest"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// scan makes pictures of a document's pages, as a scanner does, and a document of them.
func scan(t *testing.T, doc []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.pdf"), doc, 0o600); err != nil {
		t.Fatal(err)
	}
	draw := exec.Command("pdftoppm", "-gray", "-r", "150", filepath.Join(dir, "a.pdf"), filepath.Join(dir, "p"))
	if b, err := draw.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, b)
	}
	out := pdftest.New()
	names, _ := filepath.Glob(filepath.Join(dir, "p*.pgm"))
	for _, name := range names {
		b, _ := os.ReadFile(name)
		var width, height int
		if _, err := fmt.Sscanf(string(b[:20]), "P5\n%d %d\n255", &width, &height); err != nil {
			t.Fatal(err)
		}
		out.Picture(width, height, b[len(b)-width*height:])
	}
	return out.Bytes()
}

func (d *desk) ocr(from wire.AcrobatSourceRef, languages string) (out wire.PDFRecognised, r wire.AcrobatOperationResponse, err error) {
	d.t.Helper()
	r, err = d.s.OCR(d.t.Context(), ada, wire.AcrobatOCRRequest{AcrobatSourceRef: from, LanguageHint: languages})
	if err == nil {
		err = json.Unmarshal(d.kept[r.OutputRef], &out)
	}
	return out, r, err
}

// What a scanner made is recognised, each word with its confidence and where it stands.
func TestAScanIsRecognised(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	page := (&pdftest.Page{}).Text(72, 700, "The invoice has the number 4711").Text(72, 688, "and the sum of 250 crowns")
	from := d.give(scan(t, pdftest.New().Page(page).Bytes()))
	out, r, err := d.ocr(from, "en")
	if err != nil || r.Status != "ok" || fmt.Sprint(out.Languages) != "[eng]" || len(out.Pages) != 1 {
		t.Fatalf("%+v %+v %v", r, out, err)
	}
	p := out.Pages[0]
	if p.Text != "The invoice has the number 4711\nand the sum of 250 crowns\n" || p.Confidence < 60 || len(p.Words) != 12 {
		t.Fatalf("%+v", p)
	}
	if w := p.Words[5]; w.Text != "4711" || w.Confidence < 60 || math.Abs(w.Place.X-211) > 3 ||
		math.Abs(w.Place.Y-(792-700-8)) > 3 || w.Place.Height > 12 {
		t.Errorf("%+v", w)
	}
	text, err := d.s.ReadText(t.Context(), ada, wire.AcrobatExtractTextRequest{AcrobatSourceRef: from, OCRFallback: true})
	if err != nil || !text.Pages[0].Recognised || text.Pages[0].Text != p.Text || len(text.Warnings) != 0 {
		t.Errorf("%+v %v", text, err)
	}
	for language, pkg := range map[string]string{"tlh": "tesseract-ocr-tlh", "eng+zh-Hant": "tesseract-ocr-chi-tra",
		"sq": "tesseract-ocr-sqi"} {
		_, _, err := d.ocr(from, language)
		if f := fault.From(err); f == nil || f.Code != fault.AcrobatOCR || f.Details["package"] != pkg || !strings.Contains(f.Hint, pkg) {
			t.Errorf("%s: %+v", language, f)
		}
	}
	for _, language := range []string{"../etc", "-psm", "$(id)", "++", "eng,deu,fra,ita"} {
		if _, _, err := d.ocr(from, language); !fault.Is(err, fault.AcrobatOCR) && !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: %v", language, err)
		}
	}
}

// Without tesseract, recognition says how to install it, and text says which pages it would have been for.
func TestWithoutTesseract(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.s.o.Look = func(program string) (string, error) {
		if program == "tesseract" {
			return "", errors.New("none")
		}
		return "/usr/bin/" + program, nil
	}
	from := d.give(pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "text")).Page(&pdftest.Page{}).Bytes())
	_, _, err := d.ocr(from, "")
	if f := fault.From(err); f == nil || f.Code != fault.AcrobatOCR || f.Hint != "sudo apt-get install tesseract-ocr" {
		t.Errorf("%+v", f)
	}
	text, err := d.s.ReadText(t.Context(), ada, wire.AcrobatExtractTextRequest{AcrobatSourceRef: from, OCRFallback: true})
	if err != nil ||
		fmt.Sprint(text.Warnings) != "[{ocr_unavailable 2 sudo apt-get install tesseract-ocr} {pages_without_text 2 }]" {
		t.Errorf("%+v %v", text, err)
	}
	h, err := d.s.Health(t.Context())
	if err != nil || h.AdapterState != "degraded" || h.Install != "sudo apt-get install tesseract-ocr" {
		t.Errorf("%+v %v", h, err)
	}
}

// A page as large as a house is a picture of a bounded size, and what tesseract says is bounded too.
func TestAGiganticPageIsAPictureOfABoundedSize(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "small")).Bytes()
	for _, size := range []string{"14000 14000", "99999 0.01"} {
		big := bytes.Replace(b, []byte("612 792"), []byte(size), 1)
		if _, _, err := d.ocr(d.give(big), "eng"); err != nil {
			t.Errorf("%s: %v", size, err)
		}
	}
	hostile := "5\t1\t1\t1\t1\t1\tNaN\t1\t1\t1\t90\tx\n5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t-1\tx\n5\t1\n5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t90\t\u202e\n"
	if lines, sure := recognised([]byte(hostile+strings.Repeat("x", 2<<20)), 1); len(lines) != 0 || len(sure) != 0 {
		t.Errorf("%+v %v", lines, sure)
	}
}
