package word

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/word/ooxml"
)

// identity tells blocks, and what in a paragraph is no text, apart by what they are: the signs of a formula, the bytes of
// a picture, the target of a link, the instruction of a field. The numbers and names that a document gives them, which
// every program that writes it gives anew, do not count.
type identity struct {
	d      *Document
	parts  map[string]string // hashes of parts
	rels   map[string]map[string]ooxml.Relation
	blocks map[*ooxml.Node]block
}

func newIdentity(d *Document) *identity {
	return &identity{d: d, parts: map[string]string{}, rels: map[string]map[string]ooxml.Relation{}, blocks: map[*ooxml.Node]block{}}
}

// object is something in a paragraph that is no text, or a link or field around text.
type object struct {
	is, covers string
}

// objects lists what in a paragraph is no text, as it is with all changes accepted.
func (i *identity) objects(part string, p *ooxml.Node) (out []object) {
	for _, x := range (&para{node: p}).pieces() {
		if x.barrier && !x.deleted {
			out = append(out, object{is: i.of(part, x.node)})
		}
	}
	p.All(func(n *ooxml.Node) bool {
		switch {
		case n.Is("hyperlink", "fldSimple"):
			out = append(out, object{i.of(part, n.Shell()), said((&para{node: n}).pieces(), false)})
		case n.Is("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo"):
		default:
			return false
		}
		return true
	})
	return out
}

// of is a hash of an element.
func (i *identity) of(part string, n *ooxml.Node) string {
	var b strings.Builder
	n.Write(&b, func(n *ooxml.Node, space, local, value string) string {
		switch {
		case space == ooxml.RelTransitional || space == ooxml.RelStrict:
			return i.target(part, value)
		case strings.HasPrefix(local, "rsid"), n.Local == "docPr" && local == "id", local == "anchorId", local == "editId", local == "paraId",
			local == "textId":
			return ""
		case local == "id" && n.Is("footnoteReference", "endnoteReference"):
			return i.note(strings.TrimSuffix(n.Local, "Reference")+"s", value)
		}
		return value
	})
	return fmt.Sprintf("%x", sha256.Sum256([]byte(b.String())))
}

// target is what a relationship leads to: the content of a part, or an address.
func (i *identity) target(part, id string) string {
	if i.rels[part] == nil {
		i.rels[part] = map[string]ooxml.Relation{}
		list, _ := i.d.pkg.Relations(part) // without them all that is known of it is its name
		for _, r := range list {
			i.rels[part][r.ID] = r
		}
	}
	r, ok := i.rels[part][id]
	switch {
	case !ok:
		return id
	case r.External || !i.d.pkg.Has(r.Target):
		return r.Type + " " + r.Target
	}
	if _, ok := i.parts[r.Target]; !ok {
		data, err := i.d.pkg.Part(r.Target)
		if err != nil {
			data = []byte(r.Target)
		}
		i.parts[r.Target] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return i.parts[r.Target]
}

// note is what a note says.
func (i *identity) note(story, id string) string {
	s := i.d.story(story)
	if s == nil {
		return id
	}
	for _, n := range s.root.Kids {
		if have, _ := n.Attr("id"); have == id && n.Element() {
			room := maxShown * 100
			return textBelow(n, &room)
		}
	}
	return id
}

// paragraph is the key of a paragraph.
func (i *identity) paragraph(part string, p *ooxml.Node) string {
	var is, covers []string
	for _, x := range i.objects(part, p) {
		is, covers = append(is, x.is), append(covers, fmt.Sprintf("%q", x.covers))
	}
	return "p" + (&para{node: p}).text() + "\x00" + strings.Join(is, " ") + "\x00" + strings.Join(covers, " ")
}

// sameContent reports whether two keys of paragraphs differ at most in what text links and fields are around.
func sameContent(a, b string) bool {
	return a[:strings.LastIndexByte(a, 0)] == b[:strings.LastIndexByte(b, 0)]
}

// story lists the keys of all paragraphs of a story.
func (i *identity) story(s *story) (out []string) {
	for _, p := range s.paras {
		out = append(out, i.paragraph(s.part, p.node))
	}
	return out
}

// same reports whether two paragraphs have the same things that are no text, whatever the text is that a link is around.
func same(a, b []object) bool {
	return slices.EqualFunc(a, b, func(a, b object) bool { return a.is == b.is })
}

// block is what a container has one after the other: paragraphs, tables, and what is neither.
type block struct {
	node  *ooxml.Node
	text  string // of a paragraph
	rows  [][]*ooxml.Node
	other bool // neither
	key   string
}

// list lists what a container has.
func (i *identity) list(part string, in *ooxml.Node) (out []block) {
	for _, k := range in.Kids {
		switch {
		case !k.Element():
		case k.Is("sdt"):
			if c := k.Child("sdtContent"); c != nil {
				out = append(out, i.list(part, c)...)
			}
		case k.Is("customXml", "ins", "moveTo"):
			out = append(out, i.list(part, k)...)
		case k.Is("p", "tbl", "altChunk"), !k.Is(k.Local):
			b, ok := i.blocks[k]
			if !ok {
				b = i.block(part, k)
				i.blocks[k] = b
			}
			out = append(out, b)
		}
	}
	return out
}

func (i *identity) block(part string, k *ooxml.Node) block {
	if k.Is("p") {
		return block{node: k, text: (&para{node: k}).text(), key: i.paragraph(part, k)}
	}
	b := block{node: k}
	if !k.Is("tbl") {
		b.other, b.key = true, "o"+i.of(part, k)
		return b
	}
	b.rows = [][]*ooxml.Node{}
	k.All(func(n *ooxml.Node) bool {
		switch {
		case n.Is("tr"):
			b.rows = append(b.rows, nil)
		case n.Is("tc") && len(b.rows) > 0:
			b.rows[len(b.rows)-1] = append(b.rows[len(b.rows)-1], n)
			return false
		}
		return !n.Is("tcPr", "trPr", "tblPr")
	})
	h := sha256.New()
	for _, r := range b.rows {
		fmt.Fprint(h, "\nr")
		for _, c := range r {
			fmt.Fprint(h, "\tc")
			for _, x := range i.list(part, c) {
				fmt.Fprintf(h, "%d %s", len(x.key), x.key)
			}
		}
	}
	b.key = fmt.Sprintf("t%x", h.Sum(nil))
	return b
}
