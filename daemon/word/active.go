package word

import (
	"path"
	"slices"
	"strings"

	"showhow/daemon/word/ooxml"
)

// fetching are the instructions of fields that make a word processor fetch, run or offer to run something; the rest of
// a field's instruction says what.
var fetching = []string{"DDE", "DDEAUTO", "LINK", "INCLUDE", "INCLUDETEXT", "INCLUDEPICTURE", "IMPORT", "DATABASE", "MACROBUTTON", "RD"}

// Active says what of the document is more than text once a word processor opens it. Showhow itself runs and fetches
// nothing of it.
func (d *Document) Active() []string {
	found := map[string]bool{}
	parts := []string{"", d.pkg.Main}
	for _, s := range d.stories[1:] {
		parts = append(parts, s.part)
	}
	for i := 0; i < len(parts); i++ {
		rels, err := d.pkg.Relations(parts[i])
		if err != nil {
			found["the relationships of a part cannot be read, so what they lead to is not known"] = true
		}
		for _, r := range rels {
			switch kind := path.Base(r.Type); {
			case kind == "settings" && !r.External:
				parts = append(parts, r.Target)
			case kind == "vbaProject":
				found["it has macros"] = true
			case kind == "control":
				found["it has controls that run programs (ActiveX)"] = true
			case kind == "aFChunk":
				found["it takes another document in when it is opened"] = true
			case kind == "attachedTemplate" && r.External:
				found["its template is outside of it; a template can have macros"] = true
			case r.External && kind != "hyperlink":
				found["it refers to something outside of it, which a word processor may fetch"] = true
			}
		}
	}
	if d.pkg.HasMacros() {
		found["it has macros"] = true
	}
	told := func(f field) {
		code, _, _ := strings.Cut(strings.TrimSpace(f.code), " ")
		if slices.Contains(fetching, strings.ToUpper(code)) {
			found["it has a field that fetches or runs something"] = true
		}
		if f.unknown {
			found["it has a field whose instruction another field makes"] = true
		}
	}
	for _, s := range d.stories {
		s.openFields(told)
		s.root.All(func(n *ooxml.Node) bool {
			if n.Is("altChunk") {
				found["it takes another document in when it is opened"] = true
			}
			if code, ok := n.Attr("instr"); ok && n.Is("fldSimple") {
				told(field{code: code})
			}
			return true
		})
	}
	out := []string{}
	for what := range found {
		out = append(out, what)
	}
	slices.Sort(out)
	return out
}
