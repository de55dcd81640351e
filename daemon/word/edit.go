package word

import (
	"slices"
	"strings"

	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// cut makes a run begin at a place in the paragraph's text as it is now. At a barrier or between runs there is nothing to do.
func (a *additions) cut(p *para, at int) error {
	for _, x := range p.pieces() {
		if x.deleted || x.run == nil || at < x.from || at >= x.from+max(len(x.text), 1) {
			continue
		}
		n := x.node
		if at > x.from {
			rest, err := a.shell(n)
			if err == nil {
				err = a.charge(0, 1)
			}
			if err != nil {
				return err
			}
			setText(n, x.text[:at-x.from])
			setText(rest, x.text[at-x.from:])
			n.After(rest)
			n = rest
		}
		return a.splitRun(x.run, n)
	}
	return nil
}

// setText gives a text element another text.
func setText(n *ooxml.Node, s string) {
	n.Clear()
	n.With(ooxml.NewText(s))
	n.SetAttr("xml:space", "preserve")
}

// splitRun cuts a run before one of its children, unless nothing but its properties stands before that.
func (a *additions) splitRun(run, n *ooxml.Node) error {
	i := n.Index()
	if !slices.ContainsFunc(run.Kids[:i], func(k *ooxml.Node) bool { return k.Element() && !k.Is("rPr") }) {
		return nil
	}
	rest, err := a.shell(run)
	if err != nil {
		return err
	}
	if pr := run.Child("rPr"); pr != nil {
		c, err := a.copied(pr)
		if err != nil {
			return err
		}
		rest.With(c)
	}
	moved := slices.Clone(run.Kids[i:])
	run.Kids = run.Kids[:i:i]
	rest.With(moved...)
	run.After(rest)
	return nil
}

// splitAfter cuts the tracked insertions around a node behind it, so that something else can stand there.
func (d *Document) splitAfter(n *ooxml.Node) (*ooxml.Node, error) {
	for n.Parent.Is("ins", "moveTo") {
		p := n.Parent
		i := n.Index()
		if i+1 < len(p.Kids) {
			rest, err := d.added.shell(p)
			if err != nil {
				return nil, err
			}
			if _, ok := rest.Attr("id"); ok {
				d.nextID++
				rest.SetAttr(prefixed(rest, "id"), number(d.nextID))
			}
			moved := slices.Clone(p.Kids[i+1:])
			p.Kids = p.Kids[: i+1 : i+1]
			rest.With(moved...)
			p.After(rest)
		}
		n = p
	}
	return n, nil
}

func prefixed(n *ooxml.Node, local string) string {
	if p := n.Prefix(); p != "" {
		return p + ":" + local
	}
	return local
}

// run makes a run with a text, and the properties of another one.
func (a *additions) newRun(like *ooxml.Node, properties *ooxml.Node, text string) (*ooxml.Node, error) {
	r := ooxml.New(like, "r")
	if err := a.charge(r.Size()); err != nil {
		return nil, err
	}
	if properties != nil {
		pr, err := a.copied(properties)
		if err != nil {
			return nil, err
		}
		for _, k := range slices.Clone(pr.Kids) {
			if k.Is("rPrChange", "ins", "del", "moveFrom", "moveTo") {
				k.Remove()
			}
		}
		r.With(pr)
	}
	return r, a.fillRun(r, text)
}

// fillRun appends a text to a run; tabs and line breaks are elements of their own.
func (a *additions) fillRun(r *ooxml.Node, text string) error {
	if err := a.chargeText(text); err != nil {
		return err
	}
	for text != "" {
		i := strings.IndexAny(text, "\t\n")
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			t := ooxml.New(r, "t")
			setText(t, text[:i])
			r.With(t)
			text = text[i:]
			continue
		}
		if text[0] == '\t' {
			r.With(ooxml.New(r, "tab"))
		} else {
			r.With(ooxml.New(r, "br"))
		}
		text = text[1:]
	}
	return nil
}

// change replaces a piece of the paragraph's text as it is now. With tracked, what was there is marked as deleted and what
// is new as inserted; else it is as if it had always been so.
func (d *Document) change(p *para, from, to int, text string, tracked bool) error {
	was := p.text()
	if strings.Contains(was[from:to], barrier) {
		return refused("a picture, a note, a field or another object stands in between")
	}
	if p.fallback {
		return refused("it is in a text box that is stored a second time for older programs")
	}
	if p.instruction(from) {
		return errInstruction()
	}
	if err := d.spent.edit(p); err != nil {
		return err
	}
	for _, at := range []int{from, to} {
		if err := d.added.cut(p, at); err != nil {
			return err
		}
	}
	var place, properties *ooxml.Node // the new text comes behind place
	var covered []*ooxml.Node
	for _, x := range p.pieces() {
		if x.deleted {
			continue
		}
		end := x.from + len(x.text)
		if x.run == nil { // such as a formula: what comes behind it in the text comes behind it in the paragraph
			if end <= from {
				place, properties = x.node, nil
			}
		} else if x.from >= from && end <= to && from < to && len(x.text) > 0 {
			if len(covered) == 0 || covered[len(covered)-1] != x.run {
				covered = append(covered, x.run)
			}
		} else if end <= from {
			place = x.run
			if properties = x.run.Child("rPr"); x.barrier {
				properties = nil
			}
		}
	}
	if len(covered) > 0 {
		properties = covered[0].Child("rPr")
		if place = d.drop(covered, tracked); place == nil {
			return nil
		}
	}
	if text == "" {
		tidy(place, tracked)
		return nil
	}
	r, err := d.added.newRun(p.node, properties, text)
	if err != nil {
		return err
	}
	add := r
	if tracked {
		add = d.mark(p.node, "ins").With(r)
	}
	switch {
	case place != nil && tracked:
		behind, err := d.splitAfter(place)
		if err != nil {
			return err
		}
		behind.After(add)
	case place != nil:
		place.After(add)
	default:
		i := 0
		if pr := p.node.Child("pPr"); pr != nil {
			i = pr.Index() + 1
		}
		p.node.Insert(i, add)
	}
	tidy(place, tracked)
	return nil
}

// maxWork bounds what edits of one document look at, so that many edits of a long paragraph end.
const maxWork = 400_000

// effort is what edits of one document have looked at, in steps of the size of a piece of text.
type effort int

// edit counts an edit of a paragraph.
func (e *effort) edit(p *para) error {
	list := p.pieces()
	n := len(list)
	for _, x := range list {
		n += len(x.text) / 256
	}
	return e.add(n + len(p.node.Parent.Kids)/64)
}

func (e *effort) add(n int) error {
	if *e += effort(n); *e > maxWork {
		return fault.New(fault.WordTooLarge, "the document is too large: too many places in long paragraphs are changed at once").
			WithHint("change one part or paragraph at a time")
	}
	return nil
}

func errInstruction() error { return refused("it is in the instruction of a field") }

// tidy removes the empty run that untracked changes leave as a place.
func tidy(place *ooxml.Node, tracked bool) {
	if !tracked && place != nil && place.Is("r") && !slices.ContainsFunc(place.Kids, func(k *ooxml.Node) bool {
		return k.Element() && !k.Is("rPr")
	}) {
		place.Remove()
	}
}

// drop marks runs as deleted, neighbours together, or empties them, and returns the last node of what is left of them.
func (d *Document) drop(runs []*ooxml.Node, tracked bool) (place *ooxml.Node) {
	if !tracked {
		for _, r := range runs {
			for _, k := range slices.Clone(r.Kids) {
				if text, _ := textOf(k); k.Element() && text != "" {
					k.Remove()
				}
			}
		}
		for _, r := range runs[1:] {
			tidy(r, false)
		}
		return runs[0]
	}
	for i := 0; i < len(runs); {
		j := i
		for j+1 < len(runs) && runs[j+1].Parent == runs[i].Parent && runs[j+1].Index() == runs[j].Index()+1 {
			j++
		}
		for _, r := range runs[i : j+1] {
			for _, k := range r.Kids {
				if k.Is("t") {
					k.Rename("delText")
				}
			}
		}
		place = d.mark(runs[i], "del")
		runs[i].Wrap(runs[j], place)
		i = j + 1
	}
	return place
}

// properties is the paragraph's properties, made if there are none.
func (p *para) properties() *ooxml.Node {
	pr := p.node.Child("pPr")
	if pr == nil {
		pr = ooxml.New(p.node, "pPr")
		p.node.Insert(0, pr)
	}
	return pr
}

// markOf is the properties of the paragraph's end, made if there are none.
func (p *para) markOf() *ooxml.Node {
	pr := p.properties()
	r := pr.Child("rPr")
	if r == nil {
		r = ooxml.New(pr, "rPr")
		i := len(pr.Kids)
		if later := pr.Child("sectPr", "pPrChange"); later != nil {
			i = later.Index()
		}
		pr.Insert(i, r)
	}
	return r
}

// endMarked reports whether the end of the paragraph is already inserted or deleted by a tracked change.
func (p *para) endMarked() bool {
	return p.node.Path("pPr", "rPr").Child("ins", "del", "moveFrom", "moveTo") != nil
}

// next and previous are the neighbours among the elements of its container.
func neighbour(n *ooxml.Node, step int) *ooxml.Node {
	for i := n.Index() + step; i >= 0 && i < len(n.Parent.Kids); i += step {
		if k := n.Parent.Kids[i]; k.Element() && !anchor(k) {
			return k
		}
	}
	return nil
}

// anchor reports elements without content of their own that stand between paragraphs.
func anchor(n *ooxml.Node) bool {
	return n.Is("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "proofErr", "permStart", "permEnd",
		"moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd", "customXmlInsRangeStart", "customXmlInsRangeEnd",
		"customXmlDelRangeStart", "customXmlDelRangeEnd", "customXmlMoveFromRangeStart", "customXmlMoveFromRangeEnd",
		"customXmlMoveToRangeStart", "customXmlMoveToRangeEnd")
}

// insertAfter adds a paragraph behind p as a tracked change. It looks like p; style gives it another style.
func (d *Document) insertAfter(p *para, text, style string) error {
	if p.fallback {
		return refused("it is in a text box that is stored a second time for older programs")
	}
	if p.wentWithBefore() && p.textDeleted() {
		return refused("it is deleted already, together with the end of the paragraph before it")
	}
	_, err := d.insert(p.node.Parent, p.node, p.node, text, style)
	return err
}

// wentWithBefore reports whether the last paragraph of its container is empty, and a tracked change deletes the end before
// it: that is how the last one is deleted.
func (p *para) wentWithBefore() bool {
	before := neighbour(p.node, -1)
	return p.text() == "" && !neighbour(p.node, 1).Is("p") && before.Is("p") && before.Path("pPr", "rPr", "del") != nil
}

// insert adds a paragraph to a container, behind one of its elements or at its beginning.
func (d *Document) insert(in, behind, like *ooxml.Node, text, style string) (*ooxml.Node, error) {
	if behind.Is("p") && behind.Path("pPr", "rPr").Child("del", "moveFrom") != nil {
		return nil, refused("the end of the paragraph before is deleted by a tracked change")
	}
	if s := storyOf(d.stories, in); s != nil && behind.Is("p") && s.after(behind).instruction() {
		return nil, errInstruction()
	}
	if err := d.spent.add(1 + len(in.Kids)/64); err != nil {
		return nil, err
	}
	n := ooxml.New(like, "p")
	if err := d.added.charge(n.Size()); err != nil {
		return nil, err
	}
	q := &para{node: n}
	pr := like.Child("pPr")
	if pr != nil {
		c, err := d.added.copied(pr)
		if err != nil {
			return nil, err
		}
		for _, k := range slices.Clone(c.Kids) {
			if k.Is("pPrChange", "rPr", "sectPr") {
				k.Remove()
			}
		}
		n.With(c)
	}
	if err := d.insertText(n, pr, text); err != nil {
		return nil, err
	}
	if behind == nil {
		i := 0
		for i < len(in.Kids) && (!in.Kids[i].Element() || in.Kids[i].Is("tcPr") || anchor(in.Kids[i])) {
			i++
		}
		in.Insert(i, n)
	} else {
		behind.After(n)
	}
	// The end that is new is that of the paragraph before, if none follows: rejecting it joins the two again.
	ended := q
	if neighbour(n, 1).Is("p") {
		if style != "" {
			setStyle(q.properties(), style)
		}
	} else {
		before := &para{node: behind}
		if !behind.Is("p") || before.endMarked() || behind.Path("pPr", "sectPr") != nil {
			n.Remove()
			return nil, refused("no paragraph follows there that could take its place")
		}
		ended = before
		if style != "" && style != before.style() && d.by.foreign(behind.Path("pPr", "pPrChange")) {
			n.Remove()
			return nil, refused("somebody else changed the format of the paragraph before")
		}
		n.Clear()
		if pr := behind.Child("pPr"); pr != nil {
			c, err := d.added.copied(pr)
			if err != nil {
				return nil, err
			}
			if x := c.Child("pPrChange"); x != nil { // rejecting it must change what takes the paragraph's place, too
				d.nextID++
				x.SetAttr(prefixed(x, "id"), number(d.nextID))
			}
			n.With(c)
		}
		if err := d.insertText(n, pr, text); err != nil {
			return nil, err
		}
		if style != "" && style != q.style() { // rejected, it is the paragraph before that ends here, in its own style
			if err := d.restyle(q, style); err != nil {
				return nil, err
			}
		}
	}
	m := ended.markOf()
	m.Insert(0, d.mark(m, "ins"))
	return n, nil
}

// insertText gives a new paragraph its text, as the end of a paragraph with these properties looks.
func (d *Document) insertText(n, pr *ooxml.Node, text string) error {
	if text == "" {
		return nil
	}
	r, err := d.added.newRun(n, pr.Child("rPr"), text)
	if err != nil {
		return err
	}
	n.With(d.mark(n, "ins").With(r))
	return nil
}

func setStyle(pr *ooxml.Node, id string) {
	s := pr.Child("pStyle")
	if s == nil {
		s = ooxml.New(pr, "pStyle")
		pr.Insert(0, s)
	}
	s.SetAttr(prefixed(s, "val"), id)
}

// emptyAt reports whether an element is a paragraph without text whose end no tracked change deletes.
func (s *story) emptyAt(n *ooxml.Node) bool {
	if !n.Is("p") || n.Path("pPr", "rPr", "del") != nil || n.Path("pPr", "sectPr") != nil {
		return false
	}
	i := slices.IndexFunc(s.paras, func(p *para) bool { return p.node == n })
	return i >= 0 && s.paras[i].text() == ""
}

// textDeleted reports whether a tracked change deletes text of the paragraph.
func (p *para) textDeleted() (is bool) {
	p.node.All(func(n *ooxml.Node) bool {
		is = is || n.Is("delText")
		return !is
	})
	return is
}

// deleteParagraph deletes a paragraph as a tracked change: its text, and one end. stays says that the paragraph
// has to stay without its text.
func (d *Document) deleteParagraph(p *para) (stays bool, err error) {
	if p.fallback || p.node.Path("pPr", "sectPr") != nil {
		return false, refused("a section or a text box ends with this paragraph")
	}
	text, ended := p.text(), p.node.Path("pPr", "rPr", "del") != nil
	if strings.Contains(text, barrier) {
		return false, refused("a picture, a note, a field or another object stands in the paragraph")
	}
	if text == "" && ended || p.wentWithBefore() {
		return false, refused("it is empty, and it or the paragraph before it is deleted already")
	}
	if p.story.before(p.node).instruction() {
		return false, errInstruction()
	}
	if err := d.change(p, 0, len(text), "", true); err != nil {
		return false, err
	}
	// The last one of its container has no end that could go, nor has one whose end went with the next; the end before goes.
	end := p.node
	if next := neighbour(end, 1); ended && p.story.emptyAt(next) && neighbour(next, 1).Is("p") {
		end = next // the two are one already, and its end is this one's
	} else if ended || !next.Is("p") {
		i := end.Index()
		for end = nil; i > 0; {
			i--
			if end = p.node.Parent.Kids[i]; end.Element() && !anchor(end) && !(end.Is("p") && end.Path("pPr", "rPr", "del") != nil) {
				break
			}
			end = nil
		}
		if !end.Is("p") || end.Path("pPr", "sectPr") != nil {
			return true, nil
		}
	}
	m := (&para{node: end}).markOf()
	i := 0
	if in := m.Child("ins"); in != nil {
		i = in.Index() + 1
	}
	m.Insert(i, d.mark(m, "del"))
	return false, nil
}
