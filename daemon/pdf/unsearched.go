package pdf

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unmapped says whether a letter is one that a font gives no meaning.
func unmapped(r rune) bool { return unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar }

// fewestTurned is how many letters that stand as on stairs are text at an angle.
const fewestTurned = 3

// atAnAngle says whether letters, each read as a word, stand as on stairs.
func (x run) atAnAngle() bool {
	n := 0
	for i, w := range x.words {
		if !oneLetter(x.text[i]) {
			continue
		}
		high := w.Y1 - w.Y0
		if slices.ContainsFunc(x.words, func(o placed) bool {
			near := o.X0 <= w.X1+0.1*high && o.X1 >= w.X0-0.1*high
			both := min(w.Y1, o.Y1) - max(w.Y0, o.Y0)
			return near && both > 0.3*high && math.Abs(w.Y0+w.Y1-o.Y0-o.Y1) > 0.3*high
		}) {
			n++
		}
	}
	return n >= fewestTurned
}

// tree is the objects of a document with its pages and fields, as qpdf tells them.
type tree struct {
	objectsJSON
	Form struct {
		Fields []struct {
			Page       int             `json:"pageposfrom1"`
			Value      json.RawMessage `json:"value"`
			Choices    []any           `json:"choices"`
			Annotation struct {
				Flags int `json:"annotationflags"`
			} `json:"annotation"`
		} `json:"fields"`
	} `json:"acroform"`
	all map[string]json.RawMessage
}

// value is what a value is, or what it refers to.
func (t tree) value(raw json.RawMessage) json.RawMessage {
	for range 8 {
		ref := refIn(raw)
		if ref == "" {
			return raw
		}
		raw = t.all[ref]
	}
	return nil
}

func (t tree) dict(raw json.RawMessage) (out map[string]json.RawMessage) {
	_ = json.Unmarshal(t.value(raw), &out)
	return out
}

func (t tree) list(raw json.RawMessage) (out []json.RawMessage) {
	_ = json.Unmarshal(t.value(raw), &out)
	return out
}

// unsearched warns of what a document has beside the text that was searched. shown is that text of each page.
func (w *work) unsearched(ctx context.Context, shown map[int]string) error {
	var t tree
	left := w.left
	err := w.objects(ctx, "all.json", &t, "--json-key=pages", "--json-key=acroform", "--json-key=qpdf")
	w.left = left // nothing of it is kept
	if err != nil {
		if ctx.Err() != nil {
			return over(ctx)
		}
		w.warns("beside_unknown")
		return nil
	}
	objects, _ := t.byName()
	t.all = map[string]json.RawMessage{}
	for name, o := range objects {
		t.all[strings.TrimPrefix(name, "obj:")] = o.Value
	}
	for _, raw := range t.all {
		layers := t.dict(t.dict(raw)["/OCProperties"])
		usual := t.dict(layers["/D"])
		if len(t.list(usual["/OFF"])) > 0 || string(t.value(usual["/BaseState"])) == `"/OFF"` {
			w.warns("layers_off")
		}
	}
	for i, p := range t.Pages {
		if _, ok := shown[i+1]; !ok {
			continue
		}
		for _, a := range t.list(t.dict(t.all[p.Object])["/Annots"]) {
			if len(t.dict(t.dict(a)["/A"])["/URI"]) > 0 {
				w.warns("links_not_searched", i+1)
				break
			}
		}
	}
	for _, f := range t.Form.Fields {
		text, ok := shown[f.Page]
		if !ok {
			continue
		}
		const hidden, noView = 1 << 1, 1 << 5
		if f.Annotation.Flags&(hidden|noView) != 0 || len(f.Choices) > 1 || !shows(text, f.Value) {
			w.warns("fields_not_searched", f.Page)
		}
	}
	return nil
}

// shows says whether the value of a field stands in a text without blanks. A name, as of a box that is ticked, is no text.
func shows(text string, value json.RawMessage) bool {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return true
	}
	said, is := strings.CutPrefix(s, "u:")
	if !is {
		return !strings.HasPrefix(s, "b:")
	}
	return strings.Contains(text, compact(said))
}

// compact is the normal form of a text, folded and without blanks.
func compact(s string) string { return strings.Join(strings.Fields(fold(normal(s))), "") }

func compactLines(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, w := range l.words {
			b.WriteString(compact(w.Text))
		}
	}
	return b.String()
}

// unreadFonts warns of pages with fonts that do not say which letters theirs are.
func (w *work) unreadFonts(ctx context.Context, x span) error {
	r, err := w.poppler(ctx, "pdffonts", x, w.file)
	if err != nil || !unreadFont(string(r.Stdout)) {
		return err
	}
	for n := x.from; n <= x.to; n++ {
		if r, err = w.poppler(ctx, "pdffonts", span{n, n}, w.file); err != nil {
			return err
		}
		if unreadFont(string(r.Stdout)) {
			w.warns("letters_unknown", n)
		}
	}
	return nil
}

// unreadFont says whether pdffonts lists a font with an encoding of its own and without a Unicode map.
func unreadFont(said string) bool {
	_, fonts, _ := strings.Cut(said, "\n---")
	for l := range strings.SplitSeq(fonts, "\n") {
		f := strings.Fields(l)
		if n := len(f); n >= 7 && f[n-3] == "no" && (f[n-6] == "Custom" || f[n-6] == "Identity-H" || f[n-6] == "Identity-V" ||
			f[n-6] == "Builtin" && f[n-5] == "yes") {
			return true
		}
	}
	return false
}

// mostTiny is about how many letters of a page poppler reads that are narrower than tiny points; it drops the rest.
const (
	mostTiny = 49_000
	tiny     = 3
)

// tinyLetters are the letters of lines that are tiny, with a blank after each word.
func tinyLetters(lines []line) (n int) {
	for _, l := range lines {
		for _, w := range l.words {
			n++
			if letters := utf8.RuneCountInString(w.Text); w.X1-w.X0 < tiny*float64(letters) {
				n += letters
			}
		}
	}
	return n
}

// warnsOf warns of what the lines of a page show of letters that were not read as words.
func (w *work) warnsOf(page int, lines []line) {
	if x := runOf(lines); x.byLetters() || x.atAnAngle() {
		w.warns("read_by_letters", page)
	}
	if tinyLetters(lines) >= mostTiny {
		w.warns("words_cut", page)
	}
}
