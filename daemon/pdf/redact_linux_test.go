//go:build !race

package pdf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/capture/redact"
	"showhow/daemon/document"
	"showhow/daemon/pdf/pdftest"
	"showhow/daemon/pdf/table"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

var me = document.Owner{Person: true}

func secrets(t *testing.T) func(string) []Secret {
	rules, err := redact.Load()
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) (out []Secret) {
		for _, s := range rules.Find(text) {
			out = append(out, Secret{s.Start, s.End, string(s.Kind)})
		}
		return out
	}
}

func (d *desk) redact(from wire.AcrobatSourceRef, patterns ...string) (out wire.PDFRedaction, marked []byte, err error) {
	d.t.Helper()
	r, err := d.s.Redact(d.t.Context(), me, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: from, PatternSet: patterns}, false)
	if err == nil {
		err = json.Unmarshal(d.kept[r.OutputRef], &out)
	}
	return out, d.kept[out.MarkedCopyRef], err
}

// judge has qpdf check a copy, and has pdftotext read what stands at each place.
func judge(t *testing.T, copied []byte, list wire.PDFRedaction, password string) (said []string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "marked.pdf")
	if err := os.WriteFile(name, copied, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := exec.Command("qpdf", "--password="+password, "--check", name).CombinedOutput(); err != nil {
		t.Errorf("%v %s", err, b)
	}
	if password != "" && exec.Command("qpdf", "--requires-password", name).Run() != nil {
		t.Error("the copy opens without the password")
	}
	b, err := exec.Command("pdftotext", "-upw", password, "-cropbox", "-bbox", name, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(string(b), "<page ")
	for _, p := range list.Places {
		var text []string
		for _, at := range p.Places {
			for line := range strings.Lines(pages[p.Page]) {
				var x0, y0, x1, y1 float64
				place, word, _ := strings.Cut(strings.TrimSpace(line), ">")
				if _, err := fmt.Sscanf(place, `<word xMin="%g" yMin="%g" xMax="%g" yMax="%g"`, &x0, &y0, &x1, &y1); err == nil {
					if x, y := (x0+x1)/2, (y0+y1)/2; x > at.X && x < at.X+at.Width && y > at.Y && y < at.Y+at.Height {
						text = append(text, strings.TrimSuffix(word, "</word>"))
					}
				}
			}
		}
		said = append(said, fmt.Sprintf("%d %s=%s", p.Page, p.Pattern, strings.Join(text, " ")))
	}
	return said
}

func letter(more func(*pdftest.Page)) []byte {
	d := pdftest.New()
	note := d.Add("<</Type/Annot/Subtype/Text/Rect[500 20 520 40]/Contents(a note)>>")
	list := d.Add(fmt.Sprintf("[%d 0 R]", note))
	pages := []*pdftest.Page{{Extra: fmt.Sprintf("/Annots %d 0 R", list)}, {Rotate: 90, Extra: "/CropBox[50 60 560 740]"}, {Rotate: 180},
		{Rotate: 270, Extra: fmt.Sprintf("/Annots[%d 0 R]", note)}}
	for _, p := range pages {
		p.Text(72, 700, "Dear Ada Lovelace, write to ada@corp.example or pay")
		p.Text(72, 686, "DE89 3704 0044 0532 0130 00 to Ada")
		p.Text(72, 672, "Lovelace, not to Blacklovelace of Ada Love-").Text(72, 658, "lace Ltd.")
		if more != nil {
			more(p)
		}
		d.Page(p)
	}
	return d.Bytes()
}

// Why a redaction cannot be prepared is said before anybody is asked: also what only the opened document tells, or the program
// that makes the copy. Nothing of that is recorded.
func TestWhetherARedactionCanBePrepared(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	bad := hostile()
	locked := encrypted(t, letter(nil), "sesame")
	for name, x := range map[string]struct {
		doc            []byte
		password, want string
	}{
		"sound":       {letter(nil), "", ""},
		"cut":         {bad["cut"].doc, "", "damaged"},
		"scripts":     {bad["scripts"].doc, "", "scripted"},
		"locked":      {locked, "", "password_required"},
		"another key": {locked, "basil", "password_wrong"},
		"unlocked":    {locked, "sesame", ""},
		"no PDF":      {[]byte("Dear Ada"), "", "not_pdf"},

		"only poppler opens it": {bytes.Replace(letter(nil), []byte("]/Count"), []byte(" 2 0 R]/Count"), 1), "", "damaged"},
	} {
		from := d.give(x.doc)
		from.Password = x.password
		err := d.s.CanRedact(t.Context(), ada, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: from, PatternSet: []string{"Ada"}})
		if got := reason(err); got != x.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	beyond := d.give(letter(nil))
	beyond.PageRange = "9"
	err := d.s.CanRedact(t.Context(), ada, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: beyond})
	if !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
	gone := wire.AcrobatSourceRef{SourceRefKind: wire.RefOfDocument, SourceRef: "doc_gone"}
	err = d.s.CanRedact(t.Context(), ada, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: gone})
	if !fault.Is(err, fault.AcrobatNotFound) || len(d.recorded) != 0 {
		t.Errorf("%v, recorded %v", err, d.recorded)
	}
}

// The copy is sound, its marks are over what was looked for, and nothing is gone from it.
func TestRedactionIsPreparedInACopy(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	from := d.give(letter(nil))
	list, copied, err := d.redact(from, "words:ada  LOVELACE", "class:email", "class:iban")
	if err != nil || len(list.Warnings) != 0 {
		t.Fatalf("%+v %v", list, err)
	}
	want := ""
	for page := range 4 {
		want += fmt.Sprintf("%[1]d class:email=ada@corp.example\n%[1]d class:iban=DE89 3704 0044 0532 0130 00\n"+
			"%[1]d words:ada  LOVELACE=Ada Lovelace,\n%[1]d words:ada  LOVELACE=Ada Lovelace,\n%[1]d words:ada  LOVELACE=Ada Love- lace\n", page+1)
	}
	if got := strings.Join(judge(t, copied, list, ""), "\n") + "\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if list.Patterns[2].Places != 12 || bytes.Count(copied, []byte("/Redact")) != 20 || bytes.Count(copied, []byte("(a note)")) != 1 {
		t.Errorf("%+v", list.Patterns)
	}
	if b, _ := json.Marshal(list); bytes.Contains(b, []byte("corp.example")) || strings.Contains(strings.Join(d.recorded, ""), "Lovelace") {
		t.Error("the list, or a record, quotes the document")
	}
	before, _, _ := d.text(from)
	after, _, err := d.text(d.give(copied))
	if err != nil || fmt.Sprint(before.Pages) != fmt.Sprint(after.Pages) {
		t.Errorf("the copy reads otherwise: %v", err)
	}
	if list, copied, err := d.redact(from, "Babbage"); err != nil || copied != nil || len(list.Places) != 0 || list.Patterns[0].Places != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if list, _, err := d.redact(from); err != nil || len(list.Places) != 8 || len(list.Patterns) != 4 {
		t.Errorf("%+v %v", list, err)
	}
	for _, bad := range []string{"class:nothing", "x", "words:", "  "} {
		if _, _, err := d.redact(from, bad); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A copy whose list cannot be kept does not stay: nobody would learn its reference.
func TestNoMarkedCopyWithoutItsList(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	from := d.give(letter(nil))
	d.refuses = wire.DocumentRedaction
	_, _, err := d.redact(from, "class:email")
	if !fault.Is(err, fault.StoreReadOnly) || len(d.kept) != 1 || d.kept[from.SourceRef] == nil {
		t.Errorf("%d documents, %v", len(d.kept), err)
	}
}

// An encrypted document has an encrypted copy; what is dangerous or broken has a reason.
func TestRedactionOfDocumentsThatAreSpecial(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	from := d.give(encrypted(t, letter(nil), "secret word"))
	if _, _, err := d.redact(from, "Ada"); reason(err) != "password_required" {
		t.Error(err)
	}
	from.Password = "secret word"
	from.PageRange = "2"
	list, copied, err := d.redact(from, "class:email")
	if err != nil || fmt.Sprint(judge(t, copied, list, "secret word")) != "[2 class:email=ada@corp.example]" {
		t.Errorf("%+v %v", list, err)
	}
	twice := pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "Ada")).Page((&pdftest.Page{}).Text(72, 700, "Ada")).Bytes()
	for name, c := range map[string]struct {
		doc  []byte
		want string
	}{
		"scripts":            {hostile()["scripts"].doc, "scripted"},
		"a page that is two": {bytes.Replace(twice, []byte("/Kids[5 0 R 7 0 R]"), []byte("/Kids[5 0 R 5 0 R]"), 1), "self_referring"},
		"a tree in itself":   {bytes.Replace(twice, []byte("/Kids[5 0 R 7 0 R]"), []byte("/Kids[5 0 R 2 0 R]"), 1), "damaged"},
	} {
		if _, _, err := d.redact(d.give(c.doc), "Ada", "scripted"); reason(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	closed := bytes.Replace(letter(nil), []byte("/Annots 5 0 R"), []byte("/Annots /Name "), 1) // no page of it can be opened
	if list, copied, err := d.redact(d.give(closed), "Ada"); err != nil || copied != nil ||
		fmt.Sprint(list.Warnings) != "[{pages_unreadable 1-4 }]" {
		t.Errorf("%+v %v", list, err)
	}
	_, err = d.s.Redact(t.Context(), ada, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: from}, false)
	if !fault.Is(err, fault.AcrobatNeedsConsent) {
		t.Errorf("an agent may: %v", err)
	}
}

// A scan is searched as far as it can be recognised, and its marks are where the words stand.
func TestRedactionOfAScan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	plain := pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "Dear Ada Lovelace, the invoice is here")).Bytes()
	list, copied, err := d.redact(d.give(scan(t, plain)), "Ada Lovelace")
	if err != nil || len(list.Places) != 1 || !list.Places[0].Recognised || len(copied) == 0 {
		t.Fatalf("%+v %v", list, err)
	}
	if said := judge(t, plain, list, ""); said[0] != "1 words:Ada Lovelace=Ada Lovelace," {
		t.Error(said)
	}
}

func TestWhatIsLookedForIsFound(t *testing.T) {
	say := func(lines ...string) (out []line) {
		for i, l := range lines {
			x := line{block: 1}
			for k, w := range strings.Fields(l) {
				at := table.Rect{X0: float64(k), Y0: float64(i), X1: float64(k) + 0.5, Y1: float64(i + 1)}
				x.words = append(x.words, table.Word{Text: w, Rect: at})
			}
			out = append(out, x)
		}
		return out
	}
	for _, c := range []struct {
		want  int
		words string
		lines []string
	}{
		{1, "Stra\u00dfe", []string{"die STRASSE ist"}}, {1, "caf\u00e9", []string{"im Cafe\u0301."}},
		{1, "\u6771\u4eac", []string{"\u79c1\u306f\u6771\u4eac\u306b"}},
		{0, "art", []string{"party start art2"}}, {2, "art", []string{"art (art)"}}, {1, "one two three", []string{"x one", "two", "three y"}},
		{1, "co-operate", []string{"to co-operate"}}, {1, "cooperate", []string{"to co-", "operate"}},
		{1, "co-operate", []string{"to co- operate", "co-operate"}},
		{1, "well-to-do", []string{"a we\u00adll\u2010to\u2013do", "man"}}, {1, "d'Arc", []string{"Jeanne d\u2019Arc"}},
		{1, "harbourmaster", []string{"the harbour\u00ad", "master"}}, {1, "harbour-master", []string{"the harbour\u2010", "master"}},
		{1, "harbourmaster", []string{"the \ufeffhar\u200bbour\u200dmaster"}},
		{1, "north-east by east", []string{"the north-", "ea-", "st by", "east"}},
		{1, "desk@harbour.example", []string{"to desk@", "harbour.", "example"}}, {0, "together", []string{"to get her", "to", "gether"}},
		{1, "said \"aye\"", []string{"he said \u201caye\u201d"}}, {0, "tide", []string{"a t", "ide"}},
	} {
		p, err := patternsOf([]string{c.words}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := p.find(say(c.lines...), nil); len(got) != c.want {
			t.Errorf("%q in %q: %+v", c.words, c.lines, got)
		}
	}
	p := patterns{classes: []string{"email"}}
	if _, judged := p.find(say("x"), func(s string) []Secret { return []Secret{{0, len(s), withheld}} }); judged {
		t.Error("what the redactor withholds counts as judged")
	}
}
