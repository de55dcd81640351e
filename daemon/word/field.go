package word

import (
	"slices"
	"strings"

	"showhow/daemon/word/ooxml"
)

// fields are the fields that are open at a place, the inner ones last, each with what its instruction says so far. A field
// is begun, told what to do, separated from its result, and ended; all of that may stand in several paragraphs.
type fields []field

type field struct {
	result  bool
	code    string
	nested  bool // another field makes a part of the instruction
	unknown bool // that field comes first, so only it knows what the instruction is
}

// maxCode is how much of an instruction is looked at.
const maxCode = 2000

// instruction reports whether a place is in what a field is told to do, and not in what it shows.
func (f fields) instruction() bool {
	return slices.ContainsFunc(f, func(x field) bool { return !x.result })
}

// pass is what is open behind an element of a run. Of a field that has got its whole instruction, told hears.
func (f fields) pass(n *ooxml.Node, told func(field)) fields {
	top := len(f) - 1
	switch {
	case n.Is("fldChar"):
		switch kind, _ := n.Attr("fldCharType"); kind {
		case "begin":
			f = slices.Clone(f)
			if top >= 0 && !f[top].result {
				f[top].nested = true
				f[top].unknown = f[top].unknown || !strings.Contains(strings.TrimLeft(f[top].code, " \t\r\n"), " ")
			}
			if len(f) < 100 {
				f = append(f, field{})
			}
		case "separate":
			if top >= 0 && !f[top].result {
				f = slices.Clone(f)
				f[top].result = true
				told(f[top])
			}
		case "end":
			if top >= 0 {
				if !f[top].result {
					told(f[top])
				}
				f = f[:top:top]
			}
		}
	case n.Is("instrText", "delInstrText") && top >= 0 && !f[top].result && len(f[top].code) < maxCode:
		f = slices.Clone(f)
		s := n.Text()
		f[top].code += s[:min(len(s), maxCode)]
	}
	return f
}

// openFields finds which fields are open where paragraphs begin. A text box has its own fields.
func (s *story) openFields(told func(field)) map[*ooxml.Node]fields {
	begin := map[*ooxml.Node]fields{}
	at := map[*ooxml.Node]fields{} // by the paragraph around, nil for the story
	for _, p := range s.paras {
		outer := p.node.Parent
		for outer != nil && !outer.Is("p") {
			outer = outer.Parent
		}
		now := at[outer]
		if len(now) > 0 {
			begin[p.node] = now
		}
		for _, x := range p.pieces() {
			now = now.pass(x.node, told)
		}
		at[outer] = now
	}
	return begin
}

// before are the fields that are open where a paragraph begins; after those where it ends.
func (s *story) before(p *ooxml.Node) fields {
	if s.fields == nil {
		s.fields = s.openFields(func(field) {})
	}
	return s.fields[p]
}

func (s *story) after(p *ooxml.Node) fields {
	now := s.before(p)
	for _, x := range (&para{node: p}).pieces() {
		now = now.pass(x.node, func(field) {})
	}
	return now
}

// instruction reports whether a place in the text is in what a field is told to do.
func (p *para) instruction(at int) bool {
	now := p.story.before(p.node)
	for _, x := range p.pieces() {
		if x.from >= at {
			break
		}
		now = now.pass(x.node, func(field) {})
	}
	return now.instruction()
}
