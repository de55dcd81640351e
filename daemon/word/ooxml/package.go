package ooxml

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"showhow/internal/fault"
)

// Bounds of a document.
const (
	MaxFile    = 64 << 20
	maxParts   = 5000
	maxPart    = 48 << 20
	maxTotal   = 256 << 20
	maxRatio   = 400 // how often larger than packed a part may be that is larger than a megabyte
	smallParts = 1 << 20
)

// Package is an opened document.
type Package struct {
	zip    *zip.Reader
	parts  map[string]*zip.File
	xml    map[string]*XML
	fresh  map[string][]byte // parts that are new
	read   int64
	nodes  int    // of all parts that were read as trees
	Main   string // the part with the text
	types  *XML
	signed bool
}

const contentTypes = "[Content_Types].xml"

func unreadable(why string) *fault.Error {
	return fault.New(fault.WordUnreadable, "the file is no Word document that can be read: "+why).
		WithHint("open it in a word processor, save it as .docx, then try again")
}

func tooLarge(what string) *fault.Error {
	return fault.New(fault.WordTooLarge, "the document is too large: "+what).WithHint("split it, or take pictures out of it")
}

// Open opens a document that lies in memory.
func Open(data []byte) (*Package, error) {
	if len(data) > MaxFile {
		return nil, tooLarge("it has more than 64 MiB")
	}
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
		return nil, fault.New(fault.WordEncrypted, "the document has a password, or the format of Word before 2007").
			WithHint("open it in a word processor and save it as .docx without a password")
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, unreadable("it is no zip file")
	}
	if len(z.File) > maxParts {
		return nil, tooLarge("it has more than 5000 parts")
	}
	p := &Package{zip: z, parts: map[string]*zip.File{}, xml: map[string]*XML{}, fresh: map[string][]byte{}}
	for _, f := range z.File {
		name := strings.ToLower(f.Name) // names of parts are the same whatever their case
		if p.parts[name] != nil {
			return nil, unreadable("two of its parts have the same name")
		}
		if f.Flags&1 != 0 || f.Method != zip.Store && f.Method != zip.Deflate {
			return nil, unreadable("a part is encrypted or packed in an unknown way")
		}
		if strings.HasPrefix(f.Name, "/") || slices.Contains(strings.Split(f.Name, "/"), "..") || strings.ContainsAny(f.Name, "\\\x00") {
			return nil, unreadable("a part's name leads out of it")
		}
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64+f.CompressedSize64 > 0 {
			return nil, unreadable("a folder in it has content of its own")
		}
		p.parts[name] = f
		p.signed = p.signed || strings.HasPrefix(name, "_xmlsignatures/")
	}
	if err := apart(z.File, len(data)); err != nil {
		return nil, err
	}
	return p, p.findMain()
}

// apart checks that every part has bytes of its own: else a copy would be many times as large as the file.
func apart(files []*zip.File, size int) error {
	type span struct{ from, to int64 }
	var all []span
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(size) || from+int64(f.CompressedSize64) > int64(size) {
			return unreadable("a part of it is damaged")
		}
		all = append(all, span{from, from + int64(f.CompressedSize64)})
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for i := 1; i < len(all); i++ {
		if all[i].from < all[i-1].to {
			return unreadable("two of its parts lie in the same place")
		}
	}
	return nil
}

// findMain finds the part with the text, which the package's relationships name.
func (p *Package) findMain() error {
	types, err := p.XML(contentTypes)
	if err != nil {
		return err
	}
	p.types = types
	rels, err := p.Relations("")
	if err != nil {
		return err
	}
	for _, r := range rels {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			p.Main = r.Target
		}
	}
	if p.Main == "" || !p.Has(p.Main) {
		return unreadable("it does not say where its text is")
	}
	x, err := p.XML(p.Main)
	if err != nil {
		return err
	}
	if !x.Root.Is("document") || x.Root.Child("body") == nil {
		return unreadable("it is another kind of office document")
	}
	return nil
}

// Signed reports whether the document has digital signatures, which do not survive a change.
func (p *Package) Signed() bool { return p.signed }

// HasMacros reports whether a part is a project of macros, by its type or by the name that such a part has.
func (p *Package) HasMacros() bool {
	for name := range p.parts {
		if path.Base(name) == "vbaproject.bin" {
			return true
		}
	}
	return slices.ContainsFunc(p.types.Root.Kids, func(k *Node) bool {
		if !k.Element() {
			return false
		}
		kind, _ := k.Attr("ContentType")
		return strings.Contains(kind, "vbaProject") || strings.Contains(kind, "macroEnabled")
	})
}

// Has reports whether there is a part of this name.
func (p *Package) Has(name string) bool {
	return p.parts[strings.ToLower(name)] != nil || p.fresh[name] != nil
}

// Part is the content of a part.
func (p *Package) Part(name string) ([]byte, error) {
	if b, ok := p.fresh[name]; ok {
		return b, nil
	}
	f := p.parts[strings.ToLower(name)]
	if f == nil {
		return nil, unreadable("a part of it is missing")
	}
	if f.UncompressedSize64 > maxPart || f.UncompressedSize64 > smallParts && f.UncompressedSize64/maxRatio > f.CompressedSize64 {
		return nil, tooLarge("a part of it grows too much")
	}
	r, err := f.Open()
	if err != nil {
		return nil, unreadable("a part of it is damaged")
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxPart+1))
	if p.read += int64(len(b)); len(b) > maxPart || p.read > maxTotal {
		return nil, tooLarge("its parts grow to more than 256 MiB")
	}
	if err != nil {
		return nil, unreadable("a part of it is damaged")
	}
	return b, nil
}

// XML is a part as a tree; the same one at every call.
func (p *Package) XML(name string) (*XML, error) {
	if f := p.parts[strings.ToLower(name)]; f != nil {
		name = f.Name
	}
	if x := p.xml[name]; x != nil {
		return x, nil
	}
	b, err := p.Part(name)
	if err != nil {
		return nil, err
	}
	x, err := parse(b, maxNodes-p.nodes)
	if errors.Is(err, errSize) {
		return nil, tooLarge(err.Error())
	}
	if err != nil {
		return nil, unreadable(err.Error())
	}
	p.nodes += x.nodes
	p.xml[name] = x
	return x, nil
}

// Relation is a relationship of a part.
type Relation struct {
	ID, Type, Target string // the target's name as a part, or as it is written if it is outside
	External         bool
}

func relsName(part string) string { return path.Join(path.Dir(part), "_rels", path.Base(part)+".rels") }

func relsOf(part string) string {
	if part == "" {
		return "_rels/.rels"
	}
	return relsName(part)
}

// Relations lists a part's relationships; "" is the package.
func (p *Package) Relations(part string) ([]Relation, error) {
	name := relsOf(part)
	if !p.Has(name) {
		return nil, nil
	}
	x, err := p.XML(name)
	if err != nil {
		return nil, err
	}
	var out []Relation
	for _, k := range x.Root.Kids {
		if k.Local != "Relationship" {
			continue
		}
		var r Relation
		r.ID, _ = k.Attr("Id")
		r.Type, _ = k.Attr("Type")
		r.Target, _ = k.Attr("Target")
		mode, _ := k.Attr("TargetMode")
		if r.External = strings.EqualFold(mode, "External"); !r.External {
			if t, ok := strings.CutPrefix(r.Target, "/"); ok {
				r.Target = t
			} else {
				r.Target = path.Join(path.Dir(part), r.Target)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Add adds a part with its content type, and a relationship of another part to it.
func (p *Package) Add(from, name, contentType, relation string, content []byte) error {
	x, err := ParseXML(content)
	if err != nil {
		return fmt.Errorf("the new part %s: %w", name, err)
	}
	p.fresh[name], p.xml[name] = content, x
	p.types.Root.With(plainElement(p.types.Root, "Override", "PartName", "/"+name, "ContentType", contentType))
	rels := relsOf(from)
	if !p.Has(rels) {
		b := []byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" +
			`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`)
		p.fresh[rels] = b
	}
	r, err := p.XML(rels)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, k := range r.Root.Kids {
		if k.Element() {
			id, _ := k.Attr("Id")
			used[id] = true
		}
	}
	id := ""
	for n := 1; id == "" || used[id]; n++ {
		id = fmt.Sprint("rId", n)
	}
	target, ok := strings.CutPrefix(name, path.Dir(from)+"/")
	if !ok {
		target = "/" + name
	}
	r.Root.With(plainElement(r.Root, "Relationship", "Id", id, "Type", relation, "Target", target))
	return nil
}

// plainElement makes an element whose attributes have no prefix.
func plainElement(like *Node, local string, attributes ...string) *Node {
	n := New(like, local)
	for i := 0; i+1 < len(attributes); i += 2 {
		n.SetAttr(attributes[i], attributes[i+1])
	}
	return n
}

// Fresh is a name for a new part that no other part has.
func (p *Package) Fresh(name string) string {
	ext := path.Ext(name)
	for n, try := 2, name; ; n++ {
		if !p.Has(try) {
			return try
		}
		try = fmt.Sprint(strings.TrimSuffix(name, ext), n, ext)
	}
}

// Changed lists the parts that are not as they were.
func (p *Package) Changed() ([]string, error) {
	var out []string
	for name, x := range p.xml {
		if p.fresh[name] != nil {
			out = append(out, name)
			continue
		}
		was, err := p.Part(name)
		if err != nil {
			return nil, err
		}
		p.read -= int64(len(was))
		if len(was) != x.Size() || !bytes.Equal(was, x.Bytes()) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Save writes the document: parts that were not changed as they lie in the file.
func (p *Package) Save() ([]byte, error) {
	list, err := p.Changed()
	if err != nil {
		return nil, err
	}
	changed := map[string]string{} // by the name in the file
	for _, name := range list {
		if f := p.parts[strings.ToLower(name)]; f != nil {
			changed[f.Name] = name
		}
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if err := w.SetComment(p.zip.Comment); err != nil {
		return nil, err
	}
	for _, f := range p.zip.File {
		h := f.FileHeader
		name, ok := changed[f.Name]
		if !ok {
			if err := copyRaw(w, f); err != nil {
				return nil, err
			}
			continue
		}
		h.CompressedSize64, h.UncompressedSize64, h.CRC32, h.Method, h.Extra = 0, 0, 0, zip.Deflate, nil
		if err := p.put(w, &h, name); err != nil {
			return nil, err
		}
	}
	for _, name := range list {
		if p.parts[strings.ToLower(name)] == nil {
			if err := p.put(w, &zip.FileHeader{Name: name, Method: zip.Deflate}, name); err != nil {
				return nil, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (p *Package) put(w *zip.Writer, h *zip.FileHeader, name string) error {
	if p.xml[name].Size() > maxPart {
		return tooLarge("with the changes a part of it would have more than 48 MiB")
	}
	data := p.xml[name].Bytes()
	if _, err := ParseXML(data); errors.Is(err, errSize) {
		return tooLarge("with the changes it would have too many elements")
	} else if err != nil {
		return fault.Wrap(err, fault.WordRefused, "the changed document could not be read again, so it was not written").
			WithHint("change less at once, or change it in a word processor")
	}
	out, err := w.CreateHeader(h)
	if err == nil {
		_, err = out.Write(data)
	}
	return err
}

// copyRaw copies an entry without unpacking it.
func copyRaw(w *zip.Writer, f *zip.File) error {
	h := f.FileHeader
	out, err := w.CreateRaw(&h)
	if err != nil {
		return err
	}
	if strings.HasSuffix(f.Name, "/") {
		return nil
	}
	in, err := f.OpenRaw()
	if err != nil {
		return unreadable("a part of it is damaged")
	}
	if _, err = io.Copy(out, in); err != nil {
		return unreadable("a part of it is damaged")
	}
	return nil
}
