package word

import (
	"fmt"
	"strings"

	"showhow/daemon/word/ooxml"
)

// para is a paragraph.
type para struct {
	story              *story
	node               *ooxml.Node
	number             int
	table, row, column int
	fallback           bool // it stands a second time in the document, for older programs
}

func (p *para) at() string { return fmt.Sprint(p.story.name, "/", p.number) }

const markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"

// list finds the paragraphs of a story, in order, and the tables they are in.
func (s *story) list() {
	s.paras, s.fields = nil, nil
	tables := 0
	var walk func(n *ooxml.Node, table, row, column int, double bool)
	walk = func(n *ooxml.Node, table, row, column int, double bool) {
		rows, cells := 0, 0
		for _, k := range n.Kids {
			switch {
			case !k.Element(), k.Space == markup && k.Local == "Fallback":
			case k.Space == markup && k.Local == "AlternateContent":
				walk(k, table, row, column, true)
			case k.Is("p"):
				s.paras = append(s.paras, &para{s, k, len(s.paras) + 1, table, row, column, double})
				walk(k, 0, 0, 0, double)
			case k.Is("tbl"):
				tables++
				walk(k, tables, 0, 0, double)
			case k.Is("tr"):
				rows++
				walk(k, table, rows, 0, double)
			case k.Is("tc"):
				cells++
				walk(k, table, row, cells, double)
			case k.Is("sdt", "sdtContent", "customXml", "ins", "del", "smartTag") && table > 0 && column == 0:
				walk(k, table, row, column, double) // around rows or cells; their numbers are as in a plain table of them alone
			default:
				walk(k, table, row, column, double)
			}
		}
	}
	walk(s.root, 0, 0, 0, false)
}

// piece is a part of a run that stands for some text.
type piece struct {
	run, node *ooxml.Node
	text      string
	deleted   bool // by a tracked change
	barrier   bool // something that is no text and must not be taken apart
	from      int  // in the text of the paragraph as it is now; of what is deleted, where it would stand
}

const barrier = "\ufffc"

// pieces lists what a paragraph's runs hold, in order.
func (p *para) pieces() (out []piece) {
	at := 0
	add := func(run, n *ooxml.Node, text string, deleted, stop bool) {
		out = append(out, piece{run, n, text, deleted, stop, at})
		if !deleted {
			at += len(text)
		}
	}
	var walk func(n *ooxml.Node, deleted bool)
	walk = func(n *ooxml.Node, deleted bool) {
		for _, k := range n.Kids {
			switch {
			case !k.Element():
			case k.Is("r"):
				for _, c := range k.Kids {
					if c.Element() {
						text, stop := textOf(c)
						if text != "" || stop {
							add(k, c, text, deleted, stop)
						}
					}
				}
			case k.Is("del", "moveFrom"):
				walk(k, true)
			case k.Is("ins", "moveTo", "hyperlink", "smartTag", "customXml", "sdt", "sdtContent", "fldSimple", "dir", "bdo"):
				walk(k, deleted)
			case k.Is("pPr", "sdtPr", "sdtEndPr", "customXmlPr", "smartTagPr"):
			case k.Is("subDoc"), k.Space != ooxml.Transitional && k.Space != ooxml.Strict:
				add(nil, k, barrier, deleted, true)
			}
		}
	}
	walk(p.node, false)
	return out
}

// textOf is the text that a child of a run stands for. What is neither text nor without width is a barrier.
func textOf(n *ooxml.Node) (text string, stop bool) {
	if n.Space != ooxml.Transitional && n.Space != ooxml.Strict {
		return barrier, true
	}
	switch n.Local {
	case "t", "delText":
		text = n.Text()
		if trimmed := strings.Trim(text, " \t\r\n"); trimmed != text && n.AttrIn("space", "http://www.w3.org/XML/1998/namespace") != "preserve" {
			text = trimmed
		}
		return text, false
	case "tab":
		return "\t", false
	case "br":
		if kind, _ := n.Attr("type"); kind == "page" || kind == "column" {
			return barrier, true
		}
		return "\n", false
	case "cr":
		return "\n", false
	case "noBreakHyphen":
		return "\u2011", false
	case "softHyphen":
		return "\u00ad", false
	case "rPr", "lastRenderedPageBreak", "commentReference", "annotationRef", "footnoteRef", "endnoteRef", "separator",
		"continuationSeparator":
		return "", false
	}
	return barrier, true
}

// text is the paragraph's text as it is now, with barriers.
func (p *para) text() string { return said(p.pieces(), false) }

// shown is a text without barriers.
func shown(s string) string { return strings.ReplaceAll(s, barrier, "") }

// said is the text of pieces: as it is now, or as it was before the tracked changes in the paragraph.
func said(list []piece, before bool) string {
	var b strings.Builder
	for _, x := range list {
		if before && !inside(x.node, "ins", "moveTo") || !before && !x.deleted {
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// inside is the nearest element around a node, below its paragraph, with one of these names; nil if there is none.
func around(n *ooxml.Node, local ...string) *ooxml.Node {
	for n = n.Parent; n != nil && !n.Is("p"); n = n.Parent {
		if n.Is(local...) {
			return n
		}
	}
	return nil
}

func inside(n *ooxml.Node, local ...string) bool { return around(n, local...) != nil }

// style is the paragraph's style.
func (p *para) style() string { return p.node.Path("pPr", "pStyle").Val() }

// hidden reports whether a run's text is not shown.
func (all styles) hidden(run *ooxml.Node, style string) bool {
	if run == nil {
		return false
	}
	if v := run.Path("rPr", "vanish"); v != nil {
		return on(v)
	}
	if id := run.Path("rPr", "rStyle").Val(); id != "" && all.hides(id) {
		return true
	}
	return all.hides(style)
}

// hides reports whether a style, or one that it is based on, hides text.
func (all styles) hides(id string) bool {
	for range maxStyles {
		s := all[id]
		if s.node == nil {
			return false
		}
		if v := s.node.Path("rPr", "vanish"); v != nil {
			return on(v)
		}
		id = s.based
	}
	return false
}
