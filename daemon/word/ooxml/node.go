package ooxml

import (
	"slices"
	"strings"
)

// The namespaces of word-processing elements and of relationships, each in the two forms of the standard.
const (
	Transitional    = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	Strict          = "http://purl.oclc.org/ooxml/wordprocessingml/main"
	RelTransitional = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	RelStrict       = "http://purl.oclc.org/ooxml/officeDocument/relationships"
)

// Is reports whether it is a word-processing element of this name.
func (n *Node) Is(local ...string) bool {
	return n != nil && n.Tag != "" && (n.Space == Transitional || n.Space == Strict) && slices.Contains(local, n.Local)
}

// Element reports whether it is an element at all.
func (n *Node) Element() bool { return n.Tag != "" }

// Prefix is the prefix of its name.
func (n *Node) Prefix() string {
	p, _ := split(n.Tag)
	return p
}

// Attr is the value of the attribute with this local name, in the element's own namespace or in none.
func (n *Node) Attr(local string) (string, bool) {
	list, _ := attrs(n.open)
	for _, a := range list {
		p, l := split(a.name)
		if l != local || p == "xmlns" {
			continue
		}
		if uri, _ := n.scope.find(p); p == "" || uri == n.Space {
			return a.value(), true
		}
	}
	return "", false
}

// AttrIn is the value of an attribute in one of these namespaces.
func (n *Node) AttrIn(local string, spaces ...string) string {
	list, _ := attrs(n.open)
	for _, a := range list {
		if p, l := split(a.name); l == local && p != "" {
			if uri, _ := n.scope.find(p); slices.Contains(spaces, uri) {
				return a.value()
			}
		}
	}
	return ""
}

// Val is the attribute val.
func (n *Node) Val() string {
	if n == nil {
		return ""
	}
	v, _ := n.Attr("val")
	return v
}

// SetAttr sets an attribute by its name as it is written; all else of the start tag stays.
func (n *Node) SetAttr(name, value string) {
	list, _ := attrs(n.open)
	for _, a := range list {
		if a.name == name {
			n.open = n.open[:a.to-len(a.raw)-1] + Escape(value) + n.open[a.to-1:]
			return
		}
	}
	end := len(n.open) - 1
	if strings.HasSuffix(n.open, "/>") {
		end--
	}
	n.open = n.open[:end] + " " + name + `="` + Escape(value) + `"` + n.open[end:]
}

// Escape writes a text so that it can stand in an element or in an attribute. Other white space than blanks is written as
// references where it would be lost.
func Escape(s string) string {
	if !strings.ContainsAny(s, "&<>\"\r\n\t") {
		return s
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#13;", "\n", "&#10;", "\t", "&#9;").Replace(s)
}

// Text is the text directly in it.
func (n *Node) Text() string {
	if len(n.Kids) == 1 && !n.Kids[0].Element() {
		return n.Kids[0].text()
	}
	var b strings.Builder
	for _, k := range n.Kids {
		b.WriteString(k.text())
	}
	return b.String()
}

func (n *Node) text() string {
	switch {
	case n.Tag != "", strings.HasPrefix(n.open, "<!--"), strings.HasPrefix(n.open, "<?"):
		return ""
	case strings.HasPrefix(n.open, "<![CDATA["):
		s := strings.TrimSuffix(strings.TrimPrefix(n.open, "<![CDATA["), "]]>")
		return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return decode(n.open)
}

// New makes an element of the same namespace as like, with attributes (name, value) that get like's prefix, unless they
// have one.
func New(like *Node, local string, attributes ...string) *Node {
	prefix := like.Prefix()
	qualified := func(name string) string {
		if prefix == "" || strings.Contains(name, ":") {
			return name
		}
		return prefix + ":" + name
	}
	n := &Node{Tag: qualified(local), Space: like.Space, Local: local, scope: like.scope}
	var b strings.Builder
	b.WriteString("<" + n.Tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + qualified(attributes[i]) + `="` + Escape(attributes[i+1]) + `"`)
	}
	b.WriteString("/>")
	n.open = b.String()
	return n
}

// NewText makes a text.
func NewText(s string) *Node { return &Node{open: Escape(s)} }

// With appends children and returns the element.
func (n *Node) With(kids ...*Node) *Node {
	n.Insert(len(n.Kids), kids...)
	return n
}

// Insert puts children before the one at i.
func (n *Node) Insert(i int, kids ...*Node) {
	if len(kids) == 0 {
		return
	}
	n.unclose()
	for _, k := range kids {
		k.Parent = n
	}
	n.Kids = slices.Insert(n.Kids, i, kids...)
}

// unclose gives an element that its start tag closes an end tag.
func (n *Node) unclose() {
	if s, ok := strings.CutSuffix(n.open, "/>"); ok && n.Tag != "" && n.close == "" {
		n.open, n.close = strings.TrimRight(s, " \t\r\n")+">", "</"+n.Tag+">"
	}
}

// Index is its place among its parent's children.
func (n *Node) Index() int { return slices.Index(n.Parent.Kids, n) }

// Remove takes it out of its parent.
func (n *Node) Remove() {
	if n.Parent == nil {
		return
	}
	i := n.Index()
	n.Parent.Kids = slices.Delete(n.Parent.Kids, i, i+1)
	n.Parent = nil
}

// Before puts others before it; After behind it.
func (n *Node) Before(others ...*Node) { n.Parent.Insert(n.Index(), others...) }

// After puts others behind it.
func (n *Node) After(others ...*Node) { n.Parent.Insert(n.Index()+1, others...) }

// Unwrap puts its children in its place.
func (n *Node) Unwrap() {
	kids := n.Kids
	n.Kids = nil
	n.After(kids...)
	n.Remove()
}

// Wrap puts an element around it and the siblings up to last.
func (n *Node) Wrap(last, around *Node) {
	p, from, to := n.Parent, n.Index(), last.Index()
	inner := slices.Clone(p.Kids[from : to+1])
	p.Kids = slices.Replace(p.Kids, from, to+1, around)
	around.Parent = p
	around.With(inner...)
}

// Clear removes its children.
func (n *Node) Clear() { n.Kids = nil }

// Clone copies it, without its parent.
func (n *Node) Clone() *Node {
	c := *n
	c.Parent, c.Kids = nil, nil
	for _, k := range n.Kids {
		x := k.Clone()
		x.Parent = &c
		c.Kids = append(c.Kids, x)
	}
	return &c
}

// Size is in how many bytes it is written, and how many nodes it is.
func (n *Node) Size() (bytes, nodes int) {
	bytes, nodes = len(n.open)+len(n.close), 1
	for _, k := range n.Kids {
		b, all := k.Size()
		bytes, nodes = bytes+b, nodes+all
	}
	return bytes, nodes
}

// Shell copies an element without its children.
func (n *Node) Shell() *Node {
	c := *n
	c.Parent, c.Kids = nil, nil
	return &c
}

// Rename gives it another local name; the attributes stay.
func (n *Node) Rename(local string) {
	name := local
	if p := n.Prefix(); p != "" {
		name = p + ":" + local
	}
	n.open = "<" + name + n.open[1+len(n.Tag):]
	if n.close != "" {
		n.close = "</" + name + ">"
	}
	n.Tag, n.Local = name, local
}

// HasAttrs reports whether it has attributes.
func (n *Node) HasAttrs() bool {
	list, _ := attrs(n.open)
	return len(list) > 0
}

// TakeTag gives it the start tag of another element of the same name.
func (n *Node) TakeTag(from *Node) {
	if n.Tag == from.Tag {
		n.open, n.close, n.scope = from.open, "", from.scope
		n.unclose()
		n.close = "</" + n.Tag + ">"
	}
}

// Child is the first child with one of these names.
func (n *Node) Child(local ...string) *Node {
	if n != nil {
		for _, k := range n.Kids {
			if k.Is(local...) {
				return k
			}
		}
	}
	return nil
}

// Path follows names of children.
func (n *Node) Path(local ...string) *Node {
	for _, l := range local {
		n = n.Child(l)
	}
	return n
}

// All calls see for every element below it, in order, until it returns false for one whose children are not of interest.
func (n *Node) All(see func(*Node) bool) {
	for _, k := range slices.Clone(n.Kids) {
		if k.Tag != "" && see(k) {
			k.All(see)
		}
	}
}

// Canonical writes an element so that two that mean the same are written alike: namespaces instead of prefixes, attributes
// in order, references resolved, no white space between elements.
func (n *Node) Canonical(b *strings.Builder) {
	n.Write(b, func(_ *Node, _, _, value string) string { return value })
}

// Write is Canonical with attributes as see gives them: "" leaves one out if it was not empty.
func (n *Node) Write(b *strings.Builder, see func(n *Node, space, local, value string) string) {
	if n.Tag == "" {
		if !strings.HasPrefix(n.open, "<!--") && !strings.HasPrefix(n.open, "<?") {
			b.WriteString(Escape(n.text()))
		}
		return
	}
	b.WriteString("<{" + n.Space + "}" + n.Local)
	list, _ := attrs(n.open)
	var out []string
	for _, a := range list {
		p, l := split(a.name)
		if p == "xmlns" || a.name == "xmlns" {
			continue
		}
		uri := ""
		if p != "" {
			uri, _ = n.scope.find(p)
		}
		value := a.value()
		if shown := see(n, uri, l, value); shown != "" || value == "" {
			out = append(out, " {"+uri+"}"+l+`="`+Escape(shown)+`"`)
		}
	}
	slices.Sort(out)
	b.WriteString(strings.Join(out, "") + ">")
	mixed := slices.ContainsFunc(n.Kids, func(k *Node) bool { return k.Tag != "" })
	for _, k := range n.Kids {
		if mixed && k.Tag == "" && strings.TrimSpace(k.text()) == "" {
			continue
		}
		k.Write(b, see)
	}
	b.WriteString("</>")
}
