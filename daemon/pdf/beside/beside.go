// Package beside finds values in a document by the words that stand beside or above them, and finds such words for a
// value.
//
// Guarantees: pure functions; the work is bounded whatever a document holds. A place means one text or none: what could
// be several is an error, never a guess. Every place that Find returns leads Read back to the value.
//
// Not guaranteed: that words which name a value in one document name it in another. A text that wraps is not found.
//
// Package pdf calls it. Test it with words and their places.
package beside

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"showhow/daemon/pdf/table"
	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// Bounds of what is looked at.
const (
	maxLabel  = 6  // words of a label
	maxPlaces = 48 // of a value
	maxValue  = 200
)

// Document is a document's words by page and line.
type Document struct{ pages []page }

type page struct{ lines [][]chunk }

// chunk is what stands together: a label, a value, or a label with its value.
type chunk struct {
	table.Rect
	words []string
}

// New makes a document of its pages' words, in the order of the pages.
func New(pages [][]table.Word) *Document {
	d := &Document{}
	for _, words := range pages {
		var p page
		for _, l := range table.Chunks(words) {
			if line := chunksOf(l); len(line) > 0 {
				p.lines = append(p.lines, line)
			}
		}
		d.pages = append(d.pages, p)
	}
	return d
}

// chunksOf cuts a line also at leaders ("Total ....... 12.00"), which are no words.
func chunksOf(line []table.Chunk) (out []chunk) {
	for _, c := range line {
		open := false
		for _, w := range c.Words {
			if leader(w.Text) {
				open = false
				continue
			}
			if !open {
				out = append(out, chunk{Rect: w.Rect})
				open = true
			}
			last := &out[len(out)-1]
			last.words = append(last.words, w.Text)
			last.X0, last.X1 = min(last.X0, w.X0), max(last.X1, w.X1)
			last.Y0, last.Y1 = min(last.Y0, w.Y0), max(last.Y1, w.Y1)
		}
	}
	return out
}

// leader reports whether a word only leads the eye from a label to its value.
func leader(w string) bool {
	return strings.Trim(w, ".:_·…-–—=|") == "" && (len([]rune(w)) >= 3 || w == ":" || w == "|" || w == "…")
}

// spot is where a text stands: words of a chunk, from one on.
type spot struct{ page, line, chunk, from int }

func (d *Document) chunk(s spot) *chunk { return &d.pages[s.page].lines[s.line][s.chunk] }

func (d *Document) text(s spot) string { return strings.Join(d.chunk(s).words[s.from:], " ") }

// normal is a label as it is compared: without its case and the colon behind it.
func normal(words ...string) string {
	s := strings.ToLower(strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	return strings.TrimRight(s, " :.…")
}

func colon(word string) bool { return strings.HasSuffix(word, ":") }

// each goes through all chunks from top to bottom.
func (d *Document) each(f func(s spot, c *chunk)) {
	for p := range d.pages {
		for l := range d.pages[p].lines {
			for c := range d.pages[p].lines[l] {
				f(spot{p, l, c, 0}, &d.pages[p].lines[l][c])
			}
		}
	}
}

// labels lists where a label stands: what is exactly it counts before what only begins with it. from is the word behind
// it, 0 if nothing is.
func (d *Document) labels(label string) []spot {
	var sure, begun []spot
	label = normal(label)
	if label == "" {
		return nil
	}
	d.each(func(s spot, c *chunk) {
		if normal(c.words...) == label {
			sure = append(sure, s)
			return
		}
		for n := 1; n < min(len(c.words), maxLabel+1); n++ {
			if normal(c.words[:n]...) != label {
				continue
			}
			s.from = n
			if colon(c.words[n-1]) {
				sure = append(sure, s)
			} else {
				begun = append(begun, s)
			}
			return
		}
	})
	if len(sure) > 0 {
		return sure
	}
	return begun
}

// right is what stands to the right of a label on its line.
func (d *Document) right(at spot) (spot, bool) {
	if at.from > 0 {
		return at, true
	}
	if at.chunk+1 >= len(d.pages[at.page].lines[at.line]) {
		return at, false
	}
	return spot{at.page, at.line, at.chunk + 1, 0}, true
}

// far is how much lower a value may be below its label, in heights of the label.
const far = 3.0

// below is what stands directly below a label.
func (d *Document) below(at spot) (spot, bool) {
	if at.from > 0 {
		return at, false
	}
	label, lines := d.chunk(at), d.pages[at.page].lines
	for l := at.line + 1; l < len(lines); l++ {
		var found []int
		for c := range lines[l] {
			if overlap(label.Rect, lines[l][c].Rect) {
				found = append(found, c)
			}
		}
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 || lines[l][found[0]].Y0-label.Y1 > far*(label.Y1-label.Y0) {
			return at, false
		}
		return spot{at.page, l, found[0], 0}, true
	}
	return at, false
}

// cell is what stands on the line of one label in the column of another.
func (d *Document) cell(row, column spot) (spot, bool) {
	if row.page != column.page || column.line >= row.line || column.from > 0 || row.from > 0 {
		return row, false
	}
	var found []int
	for c, x := range d.pages[row.page].lines[row.line] {
		if c > row.chunk && overlap(d.chunk(column).Rect, x.Rect) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return row, false
	}
	return spot{row.page, row.line, found[0], 0}, true
}

// overlap reports whether two chunks stand in one column.
func overlap(a, b table.Rect) bool {
	return min(a.X1, b.X1)-max(a.X0, b.X0) > 0.25*min(a.X1-a.X0, b.X1-b.X0)
}

// spots lists what a place may mean.
func (d *Document) spots(at wire.DocumentPlace) (out []spot) {
	add := func(s spot, ok bool) {
		if ok && !d.isLabel(s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	switch {
	case at.Beside != "" && at.Under != "":
		columns := d.labels(at.Under)
		for _, row := range d.labels(at.Beside) {
			if column, ok := nearest(columns, row); ok {
				add(d.cell(row, column))
			}
		}
	case at.Beside != "":
		for _, label := range d.labels(at.Beside) {
			add(d.right(label))
		}
	case at.Under != "":
		for _, label := range d.labels(at.Under) {
			add(d.below(label))
		}
	}
	return out
}

// nearest is the lowest of the labels above a row on its page.
func nearest(columns []spot, row spot) (out spot, ok bool) {
	for _, c := range columns {
		if c.page == row.page && c.line < row.line && (!ok || c.line >= out.line) {
			if ok && c.line == out.line {
				return c, false // two columns of one name
			}
			out, ok = c, true
		}
	}
	return out, ok
}

// isLabel reports whether a text has a label in it: it is no value, or more than one.
func (d *Document) isLabel(s spot) bool {
	return slices.ContainsFunc(d.chunk(s).words[s.from:], colon)
}

// Why there is no value at a place.
var (
	ErrAbsent    = errors.New("beside: nothing stands there")
	ErrAmbiguous = errors.New("beside: several texts stand there")
	ErrForm      = errors.New("beside: what stands there has another form")
)

// Read is the text at a place.
func (d *Document) Read(at wire.DocumentPlace) (string, error) {
	var texts []string
	other := false
	for _, s := range d.spots(at) {
		switch text, ok := formed(d.text(s), at.As); {
		case !ok:
			other = true
		case !slices.Contains(texts, text):
			texts = append(texts, text)
		}
	}
	switch {
	case len(texts) > 1 || other && len(texts) > 0:
		return "", ErrAmbiguous
	case other:
		return "", ErrForm
	case len(texts) == 0:
		return "", ErrAbsent
	}
	return texts[0], nil
}

// Place is one of the places of a value. Places of one spot in the document have the same number.
type Place struct {
	wire.DocumentPlace
	Spot int
}

// Shows returns a place with the form in which a value stands there. Without a form of its own, the likeliest counts.
func (d *Document) Shows(at wire.DocumentPlace, value string) (wire.DocumentPlace, bool) {
	value = plain.Squeeze(value)
	if !telling(value) {
		return at, false
	}
	try := []string{at.As}
	if at.As == "" {
		try = forms(value)
	}
	for _, at.As = range try {
		if text, err := d.Read(at); err == nil && text == value {
			return at, true
		}
	}
	return at, false
}

// telling reports whether a value is long enough that its equality with a text of a document is no chance.
func telling(value string) bool {
	return len(value) <= maxValue && plain.Letters(value)+plain.Digits(value) >= 3
}

// Find lists the places of a value, the plainest of a spot first.
func (d *Document) Find(value string) (out []Place) {
	value = plain.Squeeze(value)
	if !telling(value) {
		return out
	}
	n := 0
	d.each(func(s spot, c *chunk) {
		froms := map[string]int{}
		for _, as := range forms(value) {
			if from := holds(c.words, value, as); from >= 0 {
				froms[as] = from
			}
		}
		if len(froms) == 0 {
			return
		}
		n++
		for _, as := range forms(value) {
			from, ok := froms[as]
			if !ok {
				continue
			}
			s.from = from
			for _, at := range d.candidates(s) {
				at.As = as
				if text, err := d.Read(at); err == nil && text == value && len(out) < maxPlaces {
					out = append(out, Place{DocumentPlace: at, Spot: n})
				}
			}
		}
	})
	slices.SortStableFunc(out, func(a, b Place) int { // a currency before a number hardly names it
		return cmp.Compare(currency(a.Beside), currency(b.Beside))
	})
	return out
}

func currency(label string) int {
	if label != "" && unit(label) {
		return 1
	}
	return 0
}

// forms are the forms that a value may have in a document, the likeliest first: who typed a plain number meant one.
func forms(value string) []string {
	if strings.Count(value, ".") == 1 && strings.Trim(value, "0123456789.-") == "" {
		return []string{wire.AsNumber, "", wire.AsFigure}
	}
	return []string{"", wire.AsFigure, wire.AsNumber}
}

// holds returns the first word from which on words are a value in a form; -1 if they are not.
func holds(words []string, value, as string) int {
	for i := range words {
		if text, ok := formed(strings.Join(words[i:], " "), as); ok && text == value {
			return i
		}
	}
	return -1
}

// candidates lists the places that may lead to a spot, the best first: its label beside it, above it, its row and column.
func (d *Document) candidates(s spot) (out []wire.DocumentPlace) {
	c, line := d.chunk(s), d.pages[s.page].lines[s.line]
	add := func(at wire.DocumentPlace) {
		if !slices.Contains(out, at) && (at.Beside == "" || names(at.Beside)) && (at.Under == "" || names(at.Under)) {
			out = append(out, at)
		}
	}
	if s.from > 0 {
		add(wire.DocumentPlace{Beside: label(c.words[:s.from])})
		return out
	}
	if s.chunk > 0 {
		add(wire.DocumentPlace{Beside: label(line[s.chunk-1].words)})
	}
	var heads []string
	for l := s.line - 1; l >= 0 && len(heads) < 8; l-- {
		for _, x := range d.pages[s.page].lines[l] {
			if overlap(x.Rect, c.Rect) {
				heads = append(heads, label(x.words))
			}
		}
	}
	if len(heads) > 0 {
		add(wire.DocumentPlace{Under: heads[0]})
	}
	for _, row := range line[:s.chunk] {
		for _, head := range heads {
			add(wire.DocumentPlace{Beside: label(row.words), Under: head})
		}
	}
	return out
}

func label(words []string) string {
	return strings.TrimRight(strings.Join(words, " "), " :")
}

// names reports whether words can be a label: mostly letters.
func names(s string) bool {
	return len(strings.Fields(s)) <= maxLabel && plain.Letters(s) >= 2 && plain.Letters(s) >= plain.Digits(s) && len(s) <= 80
}
