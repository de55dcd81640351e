package oci

import (
	"bytes"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
)

// keptBack are the files that tell of the person's own work and that nobody needs to use the skill: evidence, examples,
// and the story of the demonstration. A name that ends in a slash is a folder.
var keptBack = []struct{ path, why string }{
	{"references/demonstration.md", "demonstration"},
	{"references/evidence/", "evidence"}, {"references/examples/", "examples"},
	{"evidence/", "evidence"}, {"examples/", "examples"},
}

// unshared stands in the place of a document that was kept back.
const unshared = "The author did not share this page.\n"

// public is a skill without what is kept back. A document that SKILL.md refers to leaves a line in its place, so that no
// agent looks for it in vain.
func public(b skill.Bundle) (skill.Bundle, []wire.SkillLeftOut) {
	out, left := skill.Bundle{Name: b.Name}, []wire.SkillLeftOut{}
	entry := b.File(skill.Entry).Data
	for _, f := range b.Files {
		why := private(f.Path)
		if why == "" || string(f.Data) == unshared { // or somebody else kept it back
			out.Files = append(out.Files, f)
			continue
		}
		x := wire.SkillLeftOut{Path: f.Path, Why: why}
		if strings.HasSuffix(f.Path, ".md") && bytes.Contains(entry, []byte(f.Path)) {
			x.Replaced = true
			out.Files = append(out.Files, skill.File{Path: f.Path, Mode: 0o644, Data: []byte(unshared)})
		}
		left = append(left, x)
	}
	return out, left
}

func private(path string) string {
	for _, k := range keptBack {
		if path == k.path || strings.HasSuffix(k.path, "/") && strings.HasPrefix(path, k.path) {
			return k.why
		}
	}
	return ""
}
