package word

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Bounds of an answer.
const (
	maxParagraphs = 20000
	maxText       = 8 << 20
	maxComments   = 10000
)

// Read is what the document says.
func (d *Document) Read() wire.WordDocument {
	out := wire.WordDocument{Paragraphs: []wire.WordParagraph{}, Tables: []wire.WordTable{}, Changes: []wire.WordChange{},
		Warnings: d.warnings(), Comments: d.comments(), Fields: d.Placeholders()}
	size, hidden := 0, false
	for _, s := range d.texts() {
		for _, p := range s.paras {
			w := d.paragraph(p)
			if size += len(w.Text) + 60; len(out.Paragraphs) >= maxParagraphs || size > maxText {
				out.Truncated = true
				break
			}
			hidden = hidden || w.Hidden
			out.Paragraphs = append(out.Paragraphs, w)
		}
		out.Tables = append(out.Tables, s.tables()...)
	}
	for _, r := range d.revisions() {
		if len(out.Changes) < maxParagraphs {
			out.Changes = append(out.Changes, r.WordChange)
		}
	}
	out.Warnings = append(out.Warnings, d.Active()...)
	if hidden {
		out.Warnings = append(out.Warnings, "some of the text is hidden from readers")
	}
	return out
}

func (d *Document) paragraph(p *para) wire.WordParagraph {
	list := p.pieces()
	w := wire.WordParagraph{At: p.at(), Text: shown(said(list, false)), Table: p.table, Row: p.row, Column: p.column}
	id := p.style()
	w.Style, w.Level = id, d.styles.level(id)
	if s, ok := d.styles[id]; ok && s.name != "" {
		w.Style = s.name
	}
	if v := p.node.Path("pPr", "outlineLvl").Val(); v != "" {
		var n int
		if fmt.Sscan(v, &n); n >= 0 && n < 9 {
			w.Level = n + 1
		}
	}
	num := p.node.Path("pPr", "numPr")
	if num == nil {
		num = d.styles[id].node.Path("pPr", "numPr")
	}
	if id := num.Child("numId").Val(); id != "" && id != "0" {
		n := 0
		fmt.Sscan(num.Child("ilvl").Val(), &n)
		w.List = min(max(n, 0), 8) + 1
	}
	w.Hidden = slices.ContainsFunc(list, func(x piece) bool {
		return !x.deleted && !x.barrier && strings.TrimSpace(x.text) != "" && d.styles.hidden(x.run, id)
	})
	return w
}

// tables are the tables of a story: rows of cells, each with its paragraphs.
func (s *story) tables() []wire.WordTable {
	var out []wire.WordTable
	at := map[int]int{}
	cells := map[[3]int][]string{}
	for _, p := range s.paras {
		if p.table == 0 || p.row == 0 || p.column == 0 {
			continue
		}
		i, ok := at[p.table]
		if !ok {
			i = len(out)
			at[p.table] = i
			out = append(out, wire.WordTable{Number: p.table, Part: s.name, Rows: [][]string{}})
		}
		t := &out[i]
		for len(t.Rows) < p.row {
			t.Rows = append(t.Rows, []string{})
		}
		row := &t.Rows[p.row-1]
		for len(*row) < p.column {
			*row = append(*row, "")
		}
		cell := [3]int{p.table, p.row, p.column}
		cells[cell] = append(cells[cell], shown(p.text()))
	}
	for _, t := range out {
		for r, row := range t.Rows {
			for c := range row {
				row[c] = strings.Join(cells[[3]int{t.Number, r + 1, c + 1}], "\n")
			}
		}
	}
	return out
}

// comments lists the comments, with what they are about.
func (d *Document) comments() []wire.WordComment {
	out := []wire.WordComment{}
	s := d.story("comments")
	if s == nil {
		return out
	}
	type place struct {
		at    string
		quote strings.Builder
		room  int // runes that the quote may still have
	}
	about := map[string]*place{}
	for _, t := range d.texts() {
		open := map[string]*place{} // of those whose quote is not full
		for _, p := range t.paras {
			p.node.All(func(n *ooxml.Node) bool {
				switch {
				case n.Is("commentRangeStart"):
					id, _ := n.Attr("id")
					about[id] = &place{at: p.at(), room: maxShown + 1}
					open[id] = about[id]
				case n.Is("commentRangeEnd"):
					id, _ := n.Attr("id")
					delete(open, id)
				case n.Is("commentReference"):
					id, _ := n.Attr("id")
					if about[id] == nil {
						about[id] = &place{at: p.at()}
					}
				case n.Is("t") && len(open) > 0 && !inside(n, "del", "moveFrom"):
					text := []rune(plain.Cut(n.Text(), maxShown+1))
					if len(text) == 0 {
						break
					}
					for id, a := range open {
						take := min(len(text), a.room)
						a.quote.WriteString(string(text[:take]))
						if a.room -= take; a.room == 0 {
							delete(open, id)
						}
					}
				}
				return !n.Is("p")
			})
		}
	}
	lines := map[*ooxml.Node][]string{}
	for _, p := range s.paras {
		for n := p.node; n != nil; n = n.Parent {
			if n.Is("comment") && n.Parent == s.root {
				lines[n] = append(lines[n], shown(p.text()))
			}
		}
	}
	for _, n := range s.root.Kids {
		if !n.Is("comment") {
			continue
		}
		var c wire.WordComment
		c.ID, _ = n.Attr("id")
		c.Author, _ = n.Attr("author")
		c.Date, _ = n.Attr("date")
		c.Text = strings.Join(lines[n], "\n")
		if a := about[c.ID]; a != nil {
			c.At, c.Quote = a.at, cutText(a.quote.String())
		}
		out = append(out, c)
	}
	return out
}

const commentsType = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"

// commentsStory is the part with the comments, made if there is none.
func (d *Document) commentsStory() (*story, error) {
	if s := d.story("comments"); s != nil {
		return s, nil
	}
	main, err := d.pkg.XML(d.pkg.Main)
	if err != nil {
		return nil, err
	}
	rel := ooxml.RelTransitional
	if main.Root.Space == ooxml.Strict {
		rel = ooxml.RelStrict
	}
	name := d.pkg.Fresh(path.Join(path.Dir(d.pkg.Main), "comments.xml"))
	content := `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" + `<w:comments xmlns:w="` + main.Root.Space + `"></w:comments>`
	if err := d.pkg.Add(d.pkg.Main, name, commentsType, rel+"/comments", []byte(content)); err != nil {
		return nil, err
	}
	x, err := d.pkg.XML(name)
	if err != nil {
		return nil, err
	}
	s := &story{name: "comments", part: name, root: x.Root}
	d.stories = append(d.stories, s)
	return s, nil
}

// Comment writes a comment about a match, or about a whole paragraph.
func (d *Document) Comment(where Where, text string) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	if strings.TrimSpace(text) == "" || !printable(text) {
		return out, badText("the comment")
	}
	found, err := d.find(where)
	if err != nil {
		return out, err
	}
	id, seen := 0, 0 // of the next comment; how many are looked at for it
	for _, m := range found {
		if m.p.story.name != "body" || m.p.fallback {
			out.Left = append(out.Left, m.p.at()+": comments are only in the body of a document")
			continue
		}
		if err := d.spent.edit(m.p); err != nil {
			return out, err
		}
		s, err := d.commentsStory()
		if err != nil {
			return out, err
		}
		if d.spent += effort(len(s.paras)); d.spent > maxWork || len(s.root.Kids) > maxComments {
			return out, fault.New(fault.WordTooLarge, "the document is too large: it would have too many comments").
				WithHint("comment on fewer places")
		}
		for _, n := range s.root.Kids[seen:] {
			if n.Is("comment") {
				var have int
				v, _ := n.Attr("id")
				fmt.Sscan(v, &have)
				id = max(id, have+1)
			}
		}
		seen = len(s.root.Kids)
		c := ooxml.New(s.root, "comment", "id", number(id), "author", d.by.Name, "date", d.by.date(), "initials", initials(d.by.Name))
		if err := d.added.charge(c.Size()); err != nil {
			return out, err
		}
		for line := range strings.SplitSeq(text, "\n") {
			r := ooxml.New(c, "r")
			if err := d.added.fillRun(r, line); err != nil {
				return out, err
			}
			c.With(ooxml.New(c, "p").With(r))
		}
		s.root.With(c)
		s.list()
		if err := d.anchor(m, number(id)); err != nil {
			return out, err
		}
		out.Changed++
	}
	return out, nil
}

// anchor puts a comment's marks around a match.
func (d *Document) anchor(m match, id string) error {
	p := m.p
	start, end := ooxml.New(p.node, "commentRangeStart", "id", id), ooxml.New(p.node, "commentRangeEnd", "id", id)
	ref := ooxml.New(p.node, "r").With(ooxml.New(p.node, "commentReference", "id", id))
	for _, at := range []int{m.from, m.to} {
		if err := d.added.cut(p, at); err != nil {
			return err
		}
	}
	var first, last *ooxml.Node
	for _, x := range p.pieces() {
		if x.run != nil && !x.deleted && x.from >= m.from && x.from+len(x.text) <= m.to && m.from < m.to {
			if first == nil {
				first = x.run
			}
			last = x.run
		}
	}
	if first == nil {
		i := 0
		if pr := p.node.Child("pPr"); pr != nil {
			i = pr.Index() + 1
		}
		p.node.Insert(i, start)
		p.node.With(end, ref)
		return nil
	}
	for first.Parent != p.node { // the marks stand in the paragraph itself
		first = first.Parent
	}
	for last.Parent != p.node {
		last = last.Parent
	}
	first.Before(start)
	last.After(end, ref)
	return nil
}

func initials(name string) string {
	var b strings.Builder
	for _, w := range strings.Fields(name) {
		for _, r := range w {
			b.WriteRune(r)
			break
		}
	}
	return cutText(b.String())
}
