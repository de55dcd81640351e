package ooxml

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of one part, but for maxNodes: all parts that are read share it.
const (
	maxDepth  = 256
	maxNodes  = 1_500_000
	maxTag    = 256 << 10 // bytes of one start tag
	maxScopes = 32        // elements around one another that each bind prefixes anew
)

// Node is an element, a text, a comment or a processing instruction. What nobody changes is written as it was read.
type Node struct {
	Parent *Node
	Kids   []*Node
	Tag    string // an element's name as it is written, with its prefix; "" for all else
	Space  string // the namespace of an element
	Local  string // its name without the prefix
	open   string // an element's start tag, all else as it is written
	close  string // the end tag; "" if the start tag closes the element
	scope  *scope
}

// scope is what an element binds prefixes to, and those around it.
type scope struct {
	up    *scope
	depth int
	bound []binding // by prefix
}

type binding struct{ prefix, uri string }

func (b binding) compare(prefix string) int { return strings.Compare(b.prefix, prefix) }

func (s *scope) find(prefix string) (string, bool) {
	for ; s != nil; s = s.up {
		if i, ok := slices.BinarySearchFunc(s.bound, prefix, binding.compare); ok {
			return s.bound[i].uri, true
		}
	}
	return "", prefix == ""
}

// with is the scope inside of an element with these attributes. What is bound already is not bound again.
func (s *scope) with(list []attr) *scope {
	var bound []binding
	for _, a := range list {
		prefix, ok := strings.CutPrefix(a.name, "xmlns:")
		if a.name == "xmlns" {
			prefix, ok = "", true
		}
		if !ok {
			continue
		}
		uri := a.value()
		if have, ok := s.find(prefix); !ok || have != uri {
			bound = append(bound, binding{prefix, uri})
		}
	}
	if bound == nil {
		return s
	}
	slices.SortFunc(bound, func(a, b binding) int { return a.compare(b.prefix) })
	return &scope{s, s.depth + 1, bound}
}

// XML is a part of a document as a tree.
type XML struct {
	before, after string
	Root          *Node
	nodes         int
}

// syntaxError is what is wrong with a part, without any of its text.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

const (
	errSyntax   = syntaxError("a part is not well-formed XML")
	errEncoding = syntaxError("a part is not UTF-8")
	errDTD      = syntaxError("a part declares entities or a document type")
	errSize     = syntaxError("a part is too deep or has too many elements")
)

type parser struct {
	s     string
	at    int
	nodes int
	most  int // nodes
}

// ParseXML reads a part. Document types are refused, so there are no entities but the five of XML itself.
func ParseXML(data []byte) (*XML, error) { return parse(data, maxNodes) }

func parse(data []byte, most int) (*XML, error) {
	if !utf8.Valid(data) {
		return nil, errEncoding
	}
	p := &parser{s: string(data), most: most}
	for _, r := range p.s {
		if !legal(r) {
			return nil, errSyntax
		}
	}
	x := &XML{}
	p.at = len(p.s) - len(strings.TrimPrefix(p.s, "\ufeff"))
	if err := p.declaration(); err != nil {
		return nil, err
	}
	if err := p.misc(); err != nil {
		return nil, err
	}
	x.before = p.s[:p.at]
	root, err := p.tree()
	if err != nil {
		return nil, err
	}
	x.Root, x.nodes = root, p.nodes
	end := p.at
	if err := p.misc(); err != nil {
		return nil, err
	}
	if p.at != len(p.s) {
		return nil, errSyntax
	}
	x.after = p.s[end:]
	return x, nil
}

func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000
}

func (p *parser) rest() string { return p.s[p.at:] }

func (p *parser) declaration() error {
	if !strings.HasPrefix(p.rest(), "<?xml") || len(p.rest()) < 6 || !blank(p.rest()[5]) {
		return nil
	}
	end := strings.Index(p.rest(), "?>")
	if end < 0 {
		return errSyntax
	}
	if text := p.rest()[:end]; strings.Contains(text, "encoding") {
		_, v, _ := strings.Cut(text, "encoding")
		v = strings.TrimLeft(v, " \t\r\n=")
		if len(v) < 2 || !strings.HasPrefix(strings.ToLower(v[1:]), "utf-8") && !strings.HasPrefix(strings.ToLower(v[1:]), "us-ascii") {
			return errEncoding
		}
	}
	p.at += end + 2
	return nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// misc passes blanks, comments and processing instructions outside of the root.
func (p *parser) misc() error {
	for {
		p.at = len(p.s) - len(strings.TrimLeft(p.rest(), " \t\r\n"))
		n, err := p.aside()
		if err != nil || n == "" {
			return err
		}
	}
}

// aside passes a comment or a processing instruction, if there is one.
func (p *parser) aside() (string, error) {
	s := p.rest()
	switch {
	case strings.HasPrefix(s, "<!DOCTYPE"):
		return "", errDTD
	case strings.HasPrefix(s, "<!--"):
		end := strings.Index(s[4:], "--")
		if end < 0 || !strings.HasPrefix(s[4+end:], "-->") {
			return "", errSyntax
		}
		p.at += 4 + end + 3
		return s[:4+end+3], nil
	case strings.HasPrefix(s, "<?"):
		end := strings.Index(s, "?>")
		if end < 3 || nameEnd(s[2:]) == 0 || strings.EqualFold(s[2:2+nameEnd(s[2:])], "xml") {
			return "", errSyntax
		}
		p.at += end + 2
		return s[:end+2], nil
	}
	return "", nil
}

// tree reads the root element without recursion, so depth costs no stack.
func (p *parser) tree() (*Node, error) {
	root, open, err := p.startTag(nil)
	if err != nil {
		return nil, err
	}
	at, depth := root, 1
	if !open {
		return root, nil
	}
	for {
		if p.nodes > p.most {
			return nil, errSize
		}
		s := p.rest()
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return nil, errSyntax
		}
		if i > 0 {
			if !goodText(s[:i]) {
				return nil, errSyntax
			}
			p.add(at, s[:i])
			p.at += i
			continue
		}
		switch {
		case strings.HasPrefix(s, "</"):
			end := strings.IndexByte(s, '>')
			if end < 0 || strings.TrimRight(s[2:end], " \t\r\n") != at.Tag {
				return nil, errSyntax
			}
			at.close = s[:end+1]
			p.at += end + 1
			if depth--; depth == 0 {
				return root, nil
			}
			at = at.Parent
		case strings.HasPrefix(s, "<![CDATA["):
			end := strings.Index(s, "]]>")
			if end < 0 {
				return nil, errSyntax
			}
			p.add(at, s[:end+3])
			p.at += end + 3
		case strings.HasPrefix(s, "<!"), strings.HasPrefix(s, "<?"):
			raw, err := p.aside()
			if err != nil {
				return nil, err
			}
			if raw == "" {
				return nil, errSyntax
			}
			p.add(at, raw)
		default:
			n, open, err := p.startTag(at)
			if err != nil {
				return nil, err
			}
			if open {
				if at, depth = n, depth+1; depth > maxDepth {
					return nil, errSize
				}
			}
		}
	}
}

func (p *parser) add(parent *Node, raw string) *Node {
	p.nodes++
	n := &Node{Parent: parent, open: raw}
	parent.Kids = append(parent.Kids, n)
	return n
}

// startTag reads a start tag, and says whether an end tag must follow.
func (p *parser) startTag(parent *Node) (*Node, bool, error) {
	s := p.rest()
	end := tagEnd(s)
	if end < 0 {
		return nil, false, errSyntax
	}
	n := &Node{Parent: parent, open: s[:end+1]}
	p.at += end + 1
	p.nodes++
	if parent != nil {
		parent.Kids = append(parent.Kids, n)
		n.scope = parent.scope
	} else {
		n.scope = &scope{bound: []binding{{"xml", "http://www.w3.org/XML/1998/namespace"}}}
	}
	n.Tag = s[1 : 1+nameEnd(s[1:])]
	if !goodName(n.Tag) {
		return nil, false, errSyntax
	}
	list, ok := attrs(n.open)
	if !ok {
		return nil, false, errSyntax
	}
	if twice(list) {
		return nil, false, errSyntax
	}
	if n.scope = n.scope.with(list); n.scope.depth > maxScopes {
		return nil, false, errSize
	}
	if !n.resolve(list) {
		return nil, false, errSyntax
	}
	return n, !strings.HasSuffix(n.open, "/>"), nil
}

// twice reports whether an attribute is there twice.
func twice(list []attr) bool {
	if len(list) < 2 {
		return false
	}
	seen := make(map[string]bool, len(list))
	for _, a := range list {
		if seen[a.name] {
			return true
		}
		seen[a.name] = true
	}
	return false
}

// resolve finds the namespace of an element and checks those of its attributes: no prefix without one.
func (n *Node) resolve(list []attr) bool {
	var ok bool
	prefix, local := split(n.Tag)
	n.Local = local
	if n.Space, ok = n.scope.find(prefix); !ok {
		return false
	}
	for _, a := range list {
		if !goodName(a.name) {
			return false
		}
		if p, _ := split(a.name); p != "" && p != "xmlns" {
			if _, ok := n.scope.find(p); !ok {
				return false
			}
		}
	}
	return true
}

func split(name string) (prefix, local string) {
	if p, l, ok := strings.Cut(name, ":"); ok {
		return p, l
	}
	return "", name
}

// tagEnd is where the > of a start tag is.
func tagEnd(s string) int {
	var quote byte
	for i := 1; i < len(s) && i < maxTag; i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '<' {
				return -1
			}
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		case c == '<':
			return -1
		}
	}
	return -1
}

func nameEnd(s string) int {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '=', '>', '/', '<', '"', '\'', '?', '&', '!':
			return i
		}
	}
	return len(s)
}

func goodName(s string) bool {
	prefix, local, two := strings.Cut(s, ":")
	if !two {
		return goodPart(s)
	}
	return goodPart(prefix) && goodPart(local)
}

func goodPart(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 && r != 0xd7 && r != 0xf7
		if !letter && (i == 0 || r != '-' && r != '.' && r != 0xb7 && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

// goodText reports whether every & begins a reference, and ]]> does not occur.
func goodText(s string) bool {
	if strings.Contains(s, "]]>") {
		return false
	}
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			return true
		}
		s = s[i:]
		end := strings.IndexByte(s[:min(len(s), 12)], ';')
		if end < 0 {
			return false
		}
		if _, ok := reference(s[1:end]); !ok {
			return false
		}
		s = s[end:]
	}
}

// reference is the character that is meant by what stands between & and ;.
func reference(s string) (string, bool) {
	switch s {
	case "lt":
		return "<", true
	case "gt":
		return ">", true
	case "amp":
		return "&", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	}
	digits, base := strings.TrimPrefix(s, "#"), 10
	if digits == s {
		return "", false
	}
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune || !legal(rune(n)) || strings.HasPrefix(digits, "+") {
		return "", false
	}
	return string(rune(n)), true
}

func decode(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		end := i + strings.IndexByte(s[i:], ';')
		c, _ := reference(s[i+1 : end])
		b.WriteString(c)
		s = s[end+1:]
	}
}

// attr is an attribute: where its name begins and its value ends in the start tag.
type attr struct {
	name     string
	raw      string // the value as it is written, without quotes
	from, to int
}

func (a attr) value() string {
	return decode(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\r", " ").Replace(a.raw))
}

// attrs are the attributes of a start tag.
func attrs(tag string) (out []attr, ok bool) {
	i := 1 + nameEnd(tag[1:])
	end := len(tag) - 1
	if strings.HasSuffix(tag, "/>") {
		end--
	}
	for {
		from := i
		for i < end && blank(tag[i]) {
			i++
		}
		if i >= end {
			return out, true
		}
		if from == i {
			return nil, false // no blank before it
		}
		n := nameEnd(tag[i:end])
		a := attr{name: tag[i : i+n], from: from}
		i += n
		for i < end && blank(tag[i]) {
			i++
		}
		if n == 0 || i >= end || tag[i] != '=' {
			return nil, false
		}
		i++
		for i < end && blank(tag[i]) {
			i++
		}
		if i >= end || tag[i] != '"' && tag[i] != '\'' {
			return nil, false
		}
		n = strings.IndexByte(tag[i+1:end], tag[i])
		if n < 0 {
			return nil, false
		}
		a.raw = tag[i+1 : i+1+n]
		if !goodText(strings.ReplaceAll(a.raw, "]]>", "")) {
			return nil, false
		}
		i += n + 2
		a.to = i
		out = append(out, a)
	}
}

// Bytes writes the part.
func (x *XML) Bytes() []byte {
	b := append(make([]byte, 0, x.Size()), x.before...)
	return append(x.Root.write(b), x.after...)
}

// Size is how many bytes Bytes writes.
func (x *XML) Size() int {
	n, _ := x.Root.Size()
	return len(x.before) + n + len(x.after)
}

func (n *Node) write(b []byte) []byte {
	b = append(b, n.open...)
	for _, k := range n.Kids {
		b = k.write(b)
	}
	return append(b, n.close...)
}
