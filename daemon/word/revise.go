package word

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/plain"
)

func number(n int) string { return strconv.Itoa(n) }

// revision is a tracked change.
type revision struct {
	wire.WordChange
	story *story
	node  *ooxml.Node
	cut   bool // there is more text than it shows
}

// kinds are the elements of tracked changes that are decided on; what they are depends on where they stand.
var kinds = map[string]string{"ins": "insertion", "del": "deletion", "moveFrom": "moved_from", "moveTo": "moved_to",
	"rPrChange": "format", "pPrChange": "format", "sectPrChange": "format", "tblPrChange": "format", "tblGridChange": "format",
	"trPrChange": "format", "tcPrChange": "format", "tblPrExChange": "format", "numberingChange": "format",
	"cellIns": "cell_inserted", "cellDel": "cell_deleted", "cellMerge": "cell_merged"}

// revisions lists the tracked changes of all parts, in order.
func (d *Document) revisions() (out []revision) {
	room := maxBelow
	for _, s := range d.stories {
		paras := map[*ooxml.Node]*para{}
		for _, p := range s.paras {
			paras[p.node] = p
		}
		s.root.All(func(n *ooxml.Node) bool {
			kind := kinds[n.Local]
			if kind == "" || !n.Is(n.Local) {
				return true
			}
			switch {
			case n.Is("rPrChange"):
			case n.Parent.Is("rPr"):
				if !n.Parent.Parent.Is("pPr") { // of a formula's sign, which is decided on with its run
					return true
				}
				if kind = "paragraph_inserted"; n.Is("del", "moveFrom") {
					kind = "paragraph_deleted"
				}
			case n.Parent.Is("trPr") && n.Is("ins"):
				kind = "row_inserted"
			case n.Parent.Is("trPr") && n.Is("del"):
				kind = "row_deleted"
			case n.Parent.Is("numPr"):
				if !n.Is("ins", "numberingChange") {
					return true
				}
				kind = "format"
			}
			r := revision{story: s, node: n}
			r.ID, r.Kind = number(len(out)+1), kind
			for k := n; k != nil; k = k.Parent {
				if p := paras[k]; p != nil {
					r.At = p.at()
					break
				}
			}
			r.Author, _ = n.Attr("author")
			r.Date, _ = n.Attr("date")
			text := textBelow(n, &room)
			r.Text = cutText(text)
			r.cut = r.Text != text || room <= 0
			out = append(out, r)
			return true
		})
	}
	return out
}

// textBelow is the text in an element, or more of it than is shown. Changes within one another have the same text, so
// all of them share a number of bytes that may be looked at.
func textBelow(n *ooxml.Node, room *int) string {
	var b strings.Builder
	n.All(func(k *ooxml.Node) bool {
		if *room--; *room < 0 || b.Len() > maxShown*utf8.UTFMax {
			return false
		}
		if k.Is("r") {
			for _, c := range k.Kids {
				if c.Element() && *room > 0 && b.Len() <= maxShown*utf8.UTFMax {
					text, _ := textOf(c)
					*room -= len(text)
					b.WriteString(plain.Cut(shown(text), maxShown+1))
				}
			}
			return false
		}
		return true
	})
	return b.String()
}

// maxBelow bounds the text that a list of changes looks at.
const maxBelow = 128 << 20

// Choice says which tracked changes are meant; without anything all of them.
type Choice struct {
	IDs    []string
	Author string
}

func (c Choice) has(r revision) bool {
	return (len(c.IDs) == 0 || slices.Contains(c.IDs, r.ID)) && (c.Author == "" || c.Author == r.Author)
}

// Chosen is a tracked change that is meant.
type Chosen struct {
	wire.WordChange
	Cut bool // there is more text than it shows
}

// Chosen lists the tracked changes that are meant.
func (d *Document) Chosen(c Choice) []Chosen {
	var out []Chosen
	for _, r := range d.revisions() {
		if c.has(r) {
			out = append(out, Chosen{r.WordChange, r.cut})
		}
	}
	return out
}

// Decide accepts or rejects tracked changes.
func (d *Document) Decide(c Choice, accept bool) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	all := d.revisions()
	for _, id := range c.IDs {
		if !slices.ContainsFunc(all, func(r revision) bool { return r.ID == id }) {
			return out, noMatch("there is no tracked change with one of these ids", "`showhow word read FILE` lists them")
		}
	}
	var chosen []revision
	for _, r := range all {
		if c.has(r) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 && (len(c.IDs) > 0 || c.Author != "") {
		return out, noMatch("no tracked change fits", "`showhow word read FILE` lists them")
	}
	named := map[*ooxml.Node]bool{} // what is left
	var ends []*ooxml.Node          // paragraphs whose end goes
	for _, r := range chosen {
		if !attached(r.node, r.story.root) {
			out.Changed++ // it went with what it stood in
			continue
		}
		if r.Kind == "cell_merged" {
			out.Left = append(out.Left, "change "+r.ID+": cells that were merged or split")
			named[r.node] = true
			continue
		}
		if r.node.Is("numberingChange") && !accept {
			out.Left = append(out.Left, "change "+r.ID+": the numbers of a list, which are written only as they were shown")
			named[r.node] = true
			continue
		}
		if p := d.decide(r, accept); p != nil {
			ends = append(ends, p)
		}
		out.Changed++
	}
	for _, p := range ends {
		join(p)
	}
	for _, s := range d.stories {
		if len(c.IDs) == 0 && c.Author == "" {
			dropRanges(s.root)
		}
		s.list()
		if len(c.IDs) == 0 {
			out.Left = append(out.Left, s.undecided(c.Author, named)...)
		}
	}
	return out, nil
}

// undecided names what is marked as somebody's change and was not decided on.
func (s *story) undecided(author string, named map[*ooxml.Node]bool) (out []string) {
	n := 0
	walk := func(k *ooxml.Node, at string) {
		by, ok := k.Attr("author")
		if !ok || !k.Is(k.Local) || k.Is("comment") || author != "" && by != author || named[k] {
			return
		}
		if n++; n <= 20 {
			out = append(out, at+": a tracked change of a kind that is not accepted or rejected here")
		}
	}
	paras := map[*ooxml.Node]string{}
	for _, p := range s.paras {
		paras[p.node] = p.at()
	}
	var down func(k *ooxml.Node, at string)
	down = func(k *ooxml.Node, at string) {
		if a, ok := paras[k]; ok {
			at = a
		}
		for _, x := range k.Kids {
			if x.Element() {
				walk(x, at)
				down(x, at)
			}
		}
	}
	down(s.root, s.name)
	if n > 20 {
		out = append(out, fmt.Sprintf("%s: %d more tracked changes of such kinds", s.name, n-20))
	}
	return out
}

func attached(n, root *ooxml.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == root {
			return true
		}
	}
	return false
}

// decide carries one decision out. It returns the paragraph whose end goes by it.
func (d *Document) decide(r revision, accept bool) *ooxml.Node {
	n := r.node
	switch r.Kind {
	case "insertion", "moved_to":
		keep(n, accept)
	case "deletion", "moved_from":
		if !accept {
			restore(n)
		}
		keep(n, !accept)
	case "paragraph_inserted", "paragraph_deleted":
		p := n.Parent.Parent.Parent
		emptied(n, "rPr", "pPr")
		if accept == (r.Kind == "paragraph_deleted") && p.Is("p") {
			return p
		}
	case "row_inserted", "row_deleted":
		row := n.Parent.Parent
		emptied(n, "trPr")
		if accept == (r.Kind == "row_deleted") {
			dropRow(row)
		}
	case "cell_inserted", "cell_deleted":
		cell := n.Parent.Parent
		emptied(n, "tcPr")
		if accept == (r.Kind == "cell_deleted") {
			dropCell(cell)
		}
	case "format":
		if now := n.Parent; now.Is("numPr") { // the paragraph became one of a list
			if emptied(n, "numPr", "pPr"); !accept && now.Parent != nil {
				emptied(now, "pPr")
			}
			return nil
		}
		if !accept {
			asBefore(n)
		}
		emptied(n, "rPr", "pPr")
	}
	return nil
}

// keep unwraps what stays, and removes what goes.
func keep(n *ooxml.Node, stays bool) {
	if stays {
		n.Unwrap()
	} else {
		n.Remove()
	}
}

// restore makes deleted text text again, but not what another deletion inside keeps.
func restore(n *ooxml.Node) {
	n.All(func(k *ooxml.Node) bool {
		switch {
		case k.Is("delText"):
			k.Rename("t")
		case k.Is("delInstrText"):
			k.Rename("instrText")
		}
		return !k.Is("del")
	})
}

// emptied removes a node, and elements of these names around it that are empty then.
func emptied(n *ooxml.Node, names ...string) {
	for {
		p := n.Parent
		n.Remove()
		if !p.Is(names...) || p.Parent == nil || slices.ContainsFunc(p.Kids, (*ooxml.Node).Element) {
			return
		}
		n = p
	}
}

// dropCell removes a cell, and with its last one the row.
func dropCell(cell *ooxml.Node) {
	row := cell.Parent
	cell.Remove()
	for row != nil && !row.Is("tr") {
		row = row.Parent
	}
	cells := row == nil
	if row != nil {
		row.All(func(k *ooxml.Node) bool { cells = cells || k.Is("tc"); return !cells })
	}
	if !cells && row.Parent != nil {
		dropRow(row)
	}
}

func dropRow(row *ooxml.Node) {
	t := row.Parent
	row.Remove()
	for t != nil && !t.Is("tbl") {
		t = t.Parent
	}
	if t == nil || t.Parent == nil {
		return
	}
	rows := false
	t.All(func(k *ooxml.Node) bool { rows = rows || k.Is("tr"); return !rows })
	if !rows {
		t.Remove()
	}
}

// asBefore puts back the properties that a change of formats keeps. What is no part of them stays.
func asBefore(change *ooxml.Node) {
	now := change.Parent
	stays := map[string][]string{"pPr": {"rPr", "sectPr"}, "rPr": {"ins", "del", "moveFrom", "moveTo"},
		"sectPr": {"headerReference", "footerReference"}, "trPr": {"ins", "del"}, "tcPr": {"cellIns", "cellDel", "cellMerge"}}[now.Local]
	var old *ooxml.Node
	for _, k := range change.Kids {
		if k.Is(now.Local) {
			old = k
		}
	}
	first := -1
	for _, k := range slices.Clone(now.Kids) {
		if k != change && !k.Is(stays...) {
			k.Remove()
		}
	}
	if old == nil {
		return
	}
	for i, k := range now.Kids {
		if k == change || now.Is("pPr") { // the old ones come before what stayed of a paragraph's, else behind it
			first = i
			break
		}
	}
	now.Insert(max(first, 0), slices.Clone(old.Kids)...)
}

// dropRanges removes the marks around what was moved, when nothing of it is left to decide.
func dropRanges(root *ooxml.Node) {
	var gone []*ooxml.Node
	root.All(func(n *ooxml.Node) bool {
		if n.Is("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd") {
			gone = append(gone, n)
		}
		return true
	})
	for _, n := range gone {
		n.Remove()
	}
}

// join removes the end of a paragraph: what is in it comes to the beginning of the next one.
func join(p *ooxml.Node) {
	if p.Parent == nil || p.Path("pPr", "sectPr") != nil {
		return
	}
	next := neighbour(p, 1)
	if !next.Is("p") {
		before := neighbour(p, -1)
		if content(p) || before == nil || next == nil && !before.Is("p") || next.Is("tbl") && before.Is("tbl") {
			return // it has to stay
		}
		moveAll(p, p.Parent, p.Index()+1)
		p.Remove()
		return
	}
	// What stands between the two comes along.
	for p.Parent.Kids[p.Index()+1] != next {
		k := p.Parent.Kids[p.Index()+1]
		k.Remove()
		if k.Element() {
			p.With(k)
		}
	}
	i := 0
	if pr := next.Child("pPr"); pr != nil {
		i = pr.Index() + 1
	}
	moveAll(p, next, i)
	if !next.HasAttrs() { // what was inserted by a tracked change has none; the paragraph that comes back had
		next.TakeTag(p)
	}
	p.Remove()
}

// moveAll moves what is in a paragraph, but its properties.
func moveAll(p, to *ooxml.Node, at int) {
	var kids []*ooxml.Node
	for _, k := range p.Kids {
		if k.Element() && !k.Is("pPr") {
			kids = append(kids, k)
		}
	}
	p.Clear()
	to.Insert(at, kids...)
}

// content reports whether a paragraph has something that is seen.
func content(p *ooxml.Node) bool {
	return slices.ContainsFunc(p.Kids, func(k *ooxml.Node) bool { return k.Element() && !k.Is("pPr") && !anchor(k) })
}

// cutText is a text as lists show it.
func cutText(s string) string { return plain.Clip(s, maxShown) }

// maxShown is how many runes of a text a list shows.
const maxShown = 300
