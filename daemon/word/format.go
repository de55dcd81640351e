package word

import (
	"fmt"
	"slices"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// Look is how text is to look; nil stays as it is.
type Look struct {
	Bold, Italic, Underline *bool
	Style                   string // of the paragraph
}

// order is how the standard orders the properties of a run; what is not in it comes behind.
var order = []string{"rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "outline", "shadow", "emboss",
	"imprint", "noProof", "snapToGrid", "vanish", "webHidden", "color", "spacing", "w", "kern", "position", "sz", "szCs", "highlight", "u"}

// Format changes how matches look, as tracked changes.
func (d *Document) Format(w Where, look Look) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	if look == (Look{}) {
		return out, fault.New(fault.InvalidRequest, "nothing is to be changed").WithHint("give bold, italic, underline or a style")
	}
	id := ""
	if look.Style != "" {
		var err error
		if id, err = d.styleID(look.Style, "paragraph"); err != nil {
			return out, err
		}
	}
	found, err := d.find(w)
	if err != nil {
		return out, err
	}
	for _, m := range found {
		if m.p.fallback {
			out.Left = append(out.Left, fmt.Sprintf("%s, match %d: it is in a text box", m.p.at(), m.number))
			continue
		}
		if err := d.spent.edit(m.p); err != nil {
			return out, err
		}
		if look.over(m, id, d.by) { // a second change of the format would not be tracked
			out.Left = append(out.Left, fmt.Sprintf("%s, match %d: somebody else's change of the format has to be accepted or rejected first",
				m.p.at(), m.number))
			continue
		}
		if id != "" && m.p.style() != id {
			if err := d.restyle(m.p, id); err != nil {
				return out, err
			}
		}
		for _, at := range []int{m.from, m.to} {
			if err := d.added.cut(m.p, at); err != nil {
				return out, err
			}
		}
		var runs []*ooxml.Node
		for _, x := range m.p.pieces() {
			if x.run != nil && !x.deleted && !x.barrier && x.from >= m.from && x.from+len(x.text) <= m.to && !slices.Contains(runs, x.run) {
				runs = append(runs, x.run)
			}
		}
		for _, r := range runs {
			if err := d.look(r, look); err != nil {
				return out, err
			}
		}
		out.Changed++
	}
	return out, oneLeft(out, nil)
}

// over reports whether somebody else already changed, as a tracked change, the format that is to be changed.
func (look Look) over(m match, id string, by Author) bool {
	if id != "" && m.p.style() != id && by.foreign(m.p.node.Path("pPr", "pPrChange")) {
		return true
	}
	text := look.Bold != nil || look.Italic != nil || look.Underline != nil
	return text && slices.ContainsFunc(m.p.pieces(), func(x piece) bool {
		return x.run != nil && !x.deleted && x.from < m.to && x.from+len(x.text) > m.from && by.foreign(x.run.Path("rPr", "rPrChange"))
	})
}

// restyle gives a paragraph another style and keeps what it had.
func (d *Document) restyle(p *para, id string) error {
	pr := p.properties()
	if pr.Child("pPrChange") == nil {
		old := ooxml.New(pr, "pPr")
		for _, k := range pr.Kids {
			if k.Element() && !k.Is("rPr", "sectPr") {
				c, err := d.added.copied(k)
				if err != nil {
					return err
				}
				old.With(c)
			}
		}
		pr.With(d.mark(pr, "pPrChange").With(old))
	}
	setStyle(pr, id)
	return nil
}

// look changes a run's properties and keeps what they were.
func (d *Document) look(run *ooxml.Node, look Look) error {
	pr := run.Child("rPr")
	if pr == nil {
		pr = ooxml.New(run, "rPr")
		run.Insert(0, pr)
	}
	old := ooxml.New(pr, "rPr") // nil if the run keeps already what it was
	if pr.Child("rPrChange") != nil {
		old = nil
	}
	for _, k := range pr.Kids {
		if old != nil && k.Element() {
			c, err := d.added.copied(k)
			if err != nil {
				return err
			}
			old.With(c)
		}
	}
	changed := false
	for _, s := range []struct {
		local string
		want  *bool
	}{{"b", look.Bold}, {"i", look.Italic}} {
		if have := pr.Child(s.local); s.want != nil && (have == nil || on(have) != *s.want) {
			val := "1"
			if !*s.want {
				val = "0"
			}
			setProperty(pr, s.local, val)
			changed = true
		}
	}
	if look.Underline != nil {
		val := "none"
		if *look.Underline {
			val = "single"
		}
		if have := pr.Child("u"); have == nil || have.Val() != val {
			setProperty(pr, "u", val)
			changed = true
		}
	}
	if changed && old != nil {
		pr.With(d.mark(pr, "rPrChange").With(old))
	}
	if !slices.ContainsFunc(pr.Kids, (*ooxml.Node).Element) {
		pr.Remove()
	}
	return nil
}

// setProperty sets a property of a run at its place in the standard's order.
func setProperty(pr *ooxml.Node, local, val string) {
	if have := pr.Child(local); have != nil {
		have.SetAttr(prefixed(have, "val"), val)
		return
	}
	rank := slices.Index(order, local)
	at := len(pr.Kids)
	for i, k := range pr.Kids {
		if r := slices.Index(order, k.Local); k.Element() && (r < 0 || r > rank) {
			at = i
			break
		}
	}
	pr.Insert(at, ooxml.New(pr, local, "val", val))
}
