package word

import (
	"fmt"
	"path"
	"strings"
	"time"

	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// Document is an opened document.
type Document struct {
	pkg     *ooxml.Package
	stories []*story
	styles  styles
	by      Author
	nextID  int
	spent   effort // work of edits
	made    map[*ooxml.Node]bool
	added   additions
}

// ByAgent stands behind the name of a change's author when an agent made it.
const ByAgent = " (by an agent)"

// Author is who makes the tracked changes and comments, and when.
type Author struct {
	Name string
	Now  time.Time
}

// story is a part with text.
type story struct {
	name  string // as it is told: body, header1, footnotes
	part  string
	root  *ooxml.Node
	paras []*para

	fields map[*ooxml.Node]fields // open where paragraphs begin; nil is not known yet
}

// Open opens a document that lies in memory.
func Open(data []byte, by Author) (*Document, error) {
	pkg, err := ooxml.Open(data)
	if err != nil {
		return nil, err
	}
	d := &Document{pkg: pkg, by: by, styles: styles{}}
	if d.by.Name = strings.TrimSpace(d.by.Name); d.by.Name == "" {
		d.by.Name = "Showhow"
	}
	if !printable(d.by.Name) || strings.ContainsAny(d.by.Name, "\t\n") {
		return nil, badText("the author's name")
	}
	x, err := pkg.XML(pkg.Main)
	if err != nil {
		return nil, err
	}
	d.stories = []*story{{name: "body", part: pkg.Main, root: x.Root.Child("body")}}
	rels, err := pkg.Relations(pkg.Main)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	seen := map[string]bool{pkg.Main: true}
	for _, r := range rels {
		kind := path.Base(r.Type)
		if r.External || seen[r.Target] || !pkg.Has(r.Target) {
			continue
		}
		switch kind {
		case "styles":
			err = d.readStyles(r.Target)
		case "header", "footer", "footnotes", "endnotes", "comments":
			seen[r.Target] = true
			var part *ooxml.XML
			if part, err = pkg.XML(r.Target); err != nil {
				break
			}
			name := kind
			if kind == "header" || kind == "footer" {
				count[kind]++
				name = fmt.Sprint(kind, count[kind])
			}
			d.stories = append(d.stories, &story{name: name, part: r.Target, root: part.Root})
		}
		if err != nil {
			return nil, err
		}
	}
	for _, s := range d.stories {
		s.list()
		s.root.All(func(n *ooxml.Node) bool {
			if v, ok := n.Attr("id"); ok && n.Is(marks...) {
				var id int
				if _, err := fmt.Sscan(v, &id); err == nil && id < 1<<30 {
					d.nextID = max(d.nextID, id)
				}
			}
			return true
		})
	}
	return d, nil
}

// marks are the elements that have an id of the kind that must be there once.
var marks = []string{"ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tblGridChange",
	"trPrChange", "tcPrChange", "tblPrExChange", "numberingChange", "cellIns", "cellDel", "cellMerge", "bookmarkStart",
	"moveFromRangeStart", "moveToRangeStart", "permStart"}

// Save writes the document as it is now. A part whose elements have no prefix is not changed: what an edit adds has
// attributes, and without a prefix they would be in no namespace.
func (d *Document) Save() ([]byte, error) {
	if d.added.full != nil {
		return nil, d.added.full
	}
	changed, err := d.Changed()
	if err != nil {
		return nil, err
	}
	for _, name := range changed {
		x, err := d.pkg.XML(name)
		if err != nil {
			return nil, err
		}
		if x.Root.Is(x.Root.Local) && x.Root.Prefix() == "" {
			return nil, refused("its elements have no prefix")
		}
	}
	return d.pkg.Save()
}

// Changed lists the parts that are not as they were.
func (d *Document) Changed() ([]string, error) { return d.pkg.Changed() }

func (d *Document) story(name string) *story {
	for _, s := range d.stories {
		if s.name == name {
			return s
		}
	}
	return nil
}

// storyOf is the story that an element is in.
func storyOf(stories []*story, n *ooxml.Node) *story {
	for ; n != nil; n = n.Parent {
		for _, s := range stories {
			if s.root == n {
				return s
			}
		}
	}
	return nil
}

// foreign reports whether a tracked change is somebody else's.
func (a Author) foreign(change *ooxml.Node) bool {
	if change == nil {
		return false
	}
	by, _ := change.Attr("author")
	return by != a.Name
}

// texts are the stories whose text is the document's.
func (d *Document) texts() (out []*story) {
	for _, s := range d.stories {
		if s.name != "comments" {
			out = append(out, s)
		}
	}
	return out
}

// mark makes an element of a tracked change.
func (d *Document) mark(like *ooxml.Node, local string) *ooxml.Node {
	d.nextID++
	n := ooxml.New(like, local, "id", fmt.Sprint(d.nextID), "author", d.by.Name, "date", d.by.date())
	_ = d.added.charge(n.Size()) // it is small; the next step, and Save, refuse
	if d.made == nil {
		d.made = map[*ooxml.Node]bool{}
	}
	d.made[n] = true
	return n
}

// Made lists the tracked changes that were made since the document was opened, by the numbers that it has for them now.
// Rejecting exactly these gives it back as it was, whoever else has changes in it by the same name.
func (d *Document) Made() []string {
	out := []string{}
	for _, r := range d.revisions() {
		if d.made[r.node] {
			out = append(out, r.ID)
		}
	}
	return out
}

func (a Author) date() string { return a.Now.UTC().Format("2006-01-02T15:04:05Z") }

// style is a style of paragraphs or characters.
type style struct {
	name, kind, based string
	level             int
	node              *ooxml.Node
}

// styles are the styles by their ids.
type styles map[string]style

func (d *Document) readStyles(part string) error {
	x, err := d.pkg.XML(part)
	if err != nil {
		return err
	}
	for _, n := range x.Root.Kids {
		if !n.Is("style") {
			continue
		}
		id, _ := n.Attr("styleId")
		s := style{name: n.Child("name").Val(), based: n.Child("basedOn").Val(), node: n}
		s.kind, _ = n.Attr("type")
		if v := n.Path("pPr", "outlineLvl").Val(); v != "" {
			fmt.Sscan(v, &s.level)
			if s.level++; s.level > 9 {
				s.level = 0
			}
		}
		if id != "" {
			d.styles[id] = s
		}
	}
	return nil
}

// on reports whether a switch is there and on.
func on(n *ooxml.Node) bool {
	switch n.Val() {
	case "0", "false", "off":
		return false
	}
	return n != nil
}

// maxStyles is how many styles may be based on one another.
const maxStyles = 10

// level is the level of a heading: that of its style, or of one it is based on.
func (all styles) level(id string) int {
	for range maxStyles {
		s, ok := all[id]
		if !ok || s.level > 0 {
			return s.level
		}
		id = s.based
	}
	return 0
}

// warnings say what of the document a change would break.
func (d *Document) warnings() []string {
	out := []string{}
	if d.pkg.Signed() {
		out = append(out, "the document is signed; its signature does not hold for a changed copy")
	}
	return out
}

func noMatch(what, hint string) error { return fault.New(fault.WordNoMatch, what).WithHint(hint) }

func refused(why string) *fault.Error {
	return fault.New(fault.WordRefused, "this cannot be changed with a tracked change: "+why).
		WithHint("change it in a word processor, or choose a smaller piece of text")
}
