package word

import (
	"iter"
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

// placeholders finds {{name}} in a text: the names, and where they begin and end.
func placeholders(text string) iter.Seq2[string, [2]int] {
	return func(yield func(string, [2]int) bool) { eachPlaceholder(text, yield) }
}

func eachPlaceholder(text string, yield func(string, [2]int) bool) {
	for at := 0; ; {
		i := strings.Index(text[at:], "{{")
		if i < 0 {
			return
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
		if !yield(name, [2]int{from, from + end + 2}) {
			return
		}
		at = from + end + 2
	}
}

// gap is where a placeholder stands in the text of its paragraph.
type gap struct {
	name     string
	from, to int
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

// Placeholders lists the names that a template has, sorted; of very many only some.
func (d *Document) Placeholders() []string {
	seen := map[string]bool{}
	for _, s := range d.texts() {
		for _, p := range s.paras {
			for n := range placeholders(p.text()) {
				if seen[n] = true; len(seen) >= maxMatches {
					break
				}
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
	places := 0
	for _, s := range d.texts() {
		controls := s.controls()
		for _, p := range s.paras {
			var found []gap
			for name, at := range placeholders(p.text()) {
				if places++; places > maxMatches {
					return out, tooOften("placeholders occur", "fill in a template with fewer of them")
				}
				found = append(found, gap{name, at[0], at[1]})
			}
			for _, x := range slices.Backward(found) { // the last first, so that the places of the others stay
				if err := d.change(p, x.from, x.to, values[x.name], false); fault.Is(err, fault.WordTooLarge) {
					return out, err
				} else if err != nil {
					out.Left = append(out.Left, p.at()+": "+fault.From(err).Message)
					continue
				}
				out.Changed++
			}
		}
		for _, c := range controls {
			if err := c.set(&d.added, values[c.name]); fault.Is(err, fault.WordTooLarge) {
				return out, err
			} else if err != nil {
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
func (c control) set(a *additions, text string) error {
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
	r, err := a.newRun(at, look, text)
	if err != nil {
		return err
	}
	at.With(r)
	return nil
}
