package word

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/wire"
	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// maxName is how long the name of a placeholder may be.
const maxName = 100

// placeholders finds {{name}} in a text.
func placeholders(text string) (names []string, places [][2]int) {
	for at := 0; ; {
		i := strings.Index(text[at:], "{{")
		if i < 0 {
			return names, places
		}
		from := at + i
		near := text[from:min(len(text), from+2+utf8.UTFMax*maxName+2)] // a name is not longer, so more need not be looked at
		end := strings.Index(near, "}}")
		name := ""
		if end >= 0 {
			name = strings.TrimSpace(text[from+2 : from+end])
		}
		if name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsAny(name, "{}\n"+barrier) {
			at = from + 1
			continue
		}
		names, places = append(names, name), append(places, [2]int{from, from + end + 2})
		at = from + end + 2
	}
}

// control is a content control that holds text.
type control struct {
	name string
	node *ooxml.Node
}

// controls lists the content controls of a story that a text can be put into.
func (s *story) controls() (out []control) {
	s.root.All(func(n *ooxml.Node) bool {
		pr := n.Child("sdtPr")
		if !n.Is("sdt") || pr == nil || n.Child("sdtContent") == nil {
			return true
		}
		name := pr.Child("tag").Val()
		if name == "" {
			name = pr.Child("alias").Val()
		}
		plain := !slices.ContainsFunc(pr.Kids, func(k *ooxml.Node) bool {
			return k.Is("picture", "docPartObj", "docPartList", "equation", "group", "bibliography", "citation") ||
				k.Local == "checkbox" || strings.HasPrefix(k.Local, "repeatingSection")
		})
		nested := false
		n.Child("sdtContent").All(func(k *ooxml.Node) bool { nested = nested || k.Is("sdt", "tbl"); return !nested })
		if name != "" && plain && !nested {
			out = append(out, control{name, n})
		}
		return true
	})
	return out
}

// Placeholders lists the names that a template has, sorted.
func (d *Document) Placeholders() []string {
	seen := map[string]bool{}
	for _, s := range d.texts() {
		for _, p := range s.paras {
			names, _ := placeholders(p.text())
			for _, n := range names {
				seen[n] = true
			}
		}
		for _, c := range s.controls() {
			seen[c.name] = true
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(seen))...)
}

// Fill puts values in the place of placeholders and into content controls. It tracks nothing: what it makes is a new
// document. Every placeholder needs a value, and every value a placeholder.
func (d *Document) Fill(values map[string]string) (wire.WordEdited, error) {
	out := wire.WordEdited{Left: []string{}, Warnings: d.warnings()}
	have := d.Placeholders()
	var missing, unknown, bad []string
	for _, n := range have {
		if _, ok := values[n]; !ok {
			missing = append(missing, n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(have, n) {
			unknown = append(unknown, n)
		}
		if !printable(values[n]) {
			bad = append(bad, n)
		}
	}
	if len(missing)+len(unknown)+len(bad) > 0 {
		return out, fault.New(fault.WordValues, "the values do not fit the template").
			WithHint("give every placeholder a value and no others; details lists them").
			WithDetail("missing", append([]string{}, missing...)).WithDetail("unknown", append([]string{}, unknown...)).
			WithDetail("unprintable", append([]string{}, bad...))
	}
	for _, s := range d.texts() {
		controls := s.controls()
		for _, p := range s.paras {
			names, places := placeholders(p.text())
			for i, at := range slices.Backward(places) {
				if err := d.change(p, at[0], at[1], values[names[i]], false); fault.Is(err, fault.WordTooLarge) {
					return out, err
				} else if err != nil {
					out.Left = append(out.Left, p.at()+": "+fault.From(err).Message)
					continue
				}
				out.Changed++
			}
		}
		for _, c := range controls {
			if err := c.set(values[c.name]); err != nil {
				out.Left = append(out.Left, "content control: "+fault.From(err).Message)
				continue
			}
			out.Changed++
		}
		s.list()
	}
	return out, oneLeft(out, nil)
}

// set gives a content control a text.
func (c control) set(text string) error {
	open, section := 0, false
	c.node.Child("sdtContent").All(func(k *ooxml.Node) bool {
		section = section || k.Is("sectPr")
		if kind, _ := k.Attr("fldCharType"); k.Is("fldChar") && kind == "begin" {
			open++
		} else if k.Is("fldChar") && kind == "end" {
			open--
		}
		return true
	})
	if section || open != 0 {
		return refused("a section or a part of a field ends in the content control")
	}
	pr, in := c.node.Child("sdtPr"), c.node.Child("sdtContent")
	prompt := pr.Child("showingPlcHdr") != nil
	for _, k := range slices.Clone(pr.Kids) {
		if k.Is("showingPlcHdr", "dataBinding") || k.Element() && k.Local == "dataBinding" {
			k.Remove()
		}
	}
	at := in
	in.All(func(k *ooxml.Node) bool {
		if at == in && k.Is("p") {
			at = k
		}
		return at == in
	})
	var look *ooxml.Node
	for _, k := range slices.Clone(at.Kids) {
		if k.Is("r") && look == nil && !prompt {
			look = k.Child("rPr")
		}
		if k.Element() && !k.Is("pPr") && !anchor(k) {
			k.Remove()
		}
	}
	if at != in {
		for _, k := range slices.Clone(at.Parent.Kids) {
			if k.Is("p") && k != at {
				k.Remove()
			}
		}
	}
	at.With(newRun(at, look, text))
	return nil
}
