package word

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Where says what of the text is meant: matches of a text, or whole paragraphs.
type Where struct {
	Text       string
	IgnoreCase bool
	Word       bool   // only whole words
	At         string // a paragraph such as body/12, or a part such as header1
	Number     int    // only this match, from 1
}

type match struct {
	p        *para
	from, to int
	number   int
}

// maxMatches bounds the matches of one search.
const maxMatches = 20000

// find lists the matches.
func (d *Document) find(w Where) (out []match, err error) {
	if w.Text == "" && w.At == "" {
		return nil, fault.New(fault.InvalidRequest, "neither a text nor a paragraph is given").WithHint("give one of them")
	}
	if w.Text != "" && (!utf8.ValidString(w.Text) || strings.Contains(w.Text, barrier)) {
		return nil, badText("the text")
	}
	n, known := 0, w.At == ""
	for _, s := range d.texts() {
		for _, p := range s.paras {
			if w.At != "" && w.At != p.at() && w.At != s.name {
				continue
			}
			known = true
			text := p.text()
			if w.Text == "" {
				n++
				out = append(out, match{p, 0, len(text), n})
				continue
			}
			for _, m := range matches(text, w) {
				if n++; w.Number == 0 || w.Number == n {
					out = append(out, match{p, m[0], m[1], n})
				}
				if len(out) > maxMatches {
					return nil, tooOften("the text occurs", "give a longer text, or one part or paragraph at a time")
				}
			}
		}
	}
	if !known {
		return nil, noMatch("there is no such paragraph or part", "`showhow word read FILE` lists them; for example body/12 or header1")
	}
	if w.Number > 0 {
		out = slices.DeleteFunc(out, func(m match) bool { return m.number != w.Number })
	}
	if len(out) == 0 {
		return nil, noMatch("the text does not occur there", "`showhow word search FILE TEXT` shows what does; a match is within one paragraph")
	}
	return out, nil
}

func tooOften(what, hint string) error {
	return fault.New(fault.WordTooLarge, what+" too often").WithHint(hint)
}

// matches finds a text in another, without overlaps.
func matches(text string, w Where) (out [][2]int) {
	for at := 0; at < len(text); {
		from, to := index(text[at:], w)
		if from < 0 {
			return out
		}
		from, to = from+at, to+at
		if !w.Word || edge(text, from) && edge(text, to) {
			out = append(out, [2]int{from, to})
			at = to
			continue
		}
		_, n := utf8.DecodeRuneInString(text[from:])
		at = from + n
	}
	return out
}

// index is where a text begins and ends.
func index(text string, w Where) (int, int) {
	if !w.IgnoreCase {
		i := strings.Index(text, w.Text)
		return i, i + len(w.Text)
	}
	for i := range text {
		if n := foldPrefix(text[i:], w.Text); n > 0 {
			return i, i + n
		}
	}
	return -1, -1
}

// foldPrefix is how long the beginning of a text is that is the same as part but for case; 0 if it is not.
func foldPrefix(text, part string) int {
	at := 0
	for _, r := range part {
		if at >= len(text) {
			return 0
		}
		c, n := utf8.DecodeRuneInString(text[at:])
		if c != r && unicode.ToLower(c) != unicode.ToLower(r) && !strings.EqualFold(string(c), string(r)) {
			return 0
		}
		at += n
	}
	return at
}

// edge reports whether a word begins or ends at a place.
func edge(text string, at int) bool {
	a, _ := utf8.DecodeLastRuneInString(text[:at])
	b, _ := utf8.DecodeRuneInString(text[at:])
	return !letter(a) || !letter(b)
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_'
}

// printable reports whether a text can be written into a document, and is read in the order in which it is written.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == 0xfffc || r == 0xfffe || r == 0xffff
	})
}

func badText(what string) error {
	return fault.New(fault.InvalidRequest, what+" is empty, or has characters that a document cannot hold, or that change the order of text").
		WithHint("use plain text; tabs and line breaks are fine")
}

// Search lists where a text occurs.
func (d *Document) Search(w Where) ([]wire.WordMatch, error) {
	found, err := d.find(w)
	if err != nil {
		return nil, err
	}
	out := []wire.WordMatch{}
	var in *para
	text, room := "", maxText
	for _, m := range found {
		if m.p != in {
			in, text = m.p, m.p.text()
		}
		from, to := max(0, m.from-120), min(len(text), m.to+120)
		for from < m.from && !utf8.RuneStart(text[from]) {
			from++
		}
		for to < len(text) && to > m.to && !utf8.RuneStart(text[to]) {
			to--
		}
		if room -= to - from; room < 0 {
			return nil, fault.New(fault.WordTooLarge, "what was found is too much text").WithHint("search one part or paragraph at a time")
		}
		before, after := text[from:m.from], text[m.to:to]
		out = append(out, wire.WordMatch{At: m.p.at(), Number: m.number, Before: shown(before), Text: shown(text[m.from:m.to]),
			After: shown(after)})
	}
	return out, nil
}

// Replace replaces matches, or the text of paragraphs, as tracked changes. What words stay the same stay.
func (d *Document) Replace(w Where, text string) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	if !printable(text) {
		return out, badText("the new text")
	}
	found, err := d.find(w)
	if err != nil {
		return out, err
	}
	list := words(text)
	for _, m := range slices.Backward(found) { // the last first, so that the places of the others stay
		if err := d.rewrite(m, text, list); fault.Is(err, fault.WordTooLarge) {
			return out, err
		} else if err != nil {
			out.Left = append(out.Left, fmt.Sprintf("%s, match %d: %s", m.p.at(), m.number, fault.From(err).Message))
			continue
		}
		out.Changed++
	}
	slices.Reverse(out.Left)
	return out, oneLeft(out, err)
}

// oneLeft is the error when nothing could be changed.
func oneLeft(e wire.WordEdited, err error) error {
	if err == nil && e.Changed == 0 && len(e.Left) > 0 {
		return refused(e.Left[0]).WithDetail("left", e.Left)
	}
	return err
}

// rewrite replaces a match by a text of these words, and leaves the first and last words that stay the same.
func (d *Document) rewrite(m match, text string, b []string) error {
	was := m.p.text()[m.from:m.to]
	if was == text {
		return nil
	}
	a := words(was)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	head, tail := 0, 0
	for _, w := range a[:i] {
		head += len(w)
	}
	for _, w := range a[len(a)-j:] {
		tail += len(w)
	}
	return d.change(m.p, m.from+head, m.to-tail, text[head:len(text)-tail], true)
}

// words cuts a text into words and what is between them.
func words(s string) (out []string) {
	kind := func(r rune) int {
		switch {
		case letter(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	start, last := 0, -1
	for i, r := range s {
		k := kind(r)
		if i > 0 && (k == 0 || k != last) {
			out = append(out, s[start:i])
			start = i
		}
		last = k
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// Insert adds a paragraph behind another one; Delete deletes paragraphs. Both are tracked.
func (d *Document) Insert(at, text, styleName string) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	if !printable(text) {
		return out, badText("the new text")
	}
	id := ""
	if styleName != "" {
		var err error
		if id, err = d.styleID(styleName, "paragraph"); err != nil {
			return out, err
		}
	}
	found, err := d.find(Where{At: at})
	if err != nil {
		return out, err
	}
	if err := d.insertAfter(found[len(found)-1].p, text, id); err != nil {
		return out, err
	}
	found[0].p.story.list()
	out.Changed = 1
	return out, nil
}

// Delete deletes paragraphs as tracked changes.
func (d *Document) Delete(at string) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	found, err := d.find(Where{At: at})
	if err != nil {
		return out, err
	}
	for _, m := range found {
		if _, err := d.deleteParagraph(m.p); d.added.full != nil {
			return out, d.added.full
		} else if err != nil {
			out.Left = append(out.Left, m.p.at()+": "+fault.From(err).Message)
			continue
		}
		out.Changed++
	}
	return out, oneLeft(out, nil)
}

// styleID is the id of a style by its name or id.
func (d *Document) styleID(name, kind string) (string, error) {
	for _, id := range slices.Sorted(maps.Keys(d.styles)) { // always the same one, should two have the name
		if s := d.styles[id]; s.kind == kind && (strings.EqualFold(s.name, name) || id == name) {
			return id, nil
		}
	}
	return "", noMatch("the document has no such style", "`showhow word read FILE` shows the styles in use")
}
