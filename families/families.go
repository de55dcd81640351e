// Package families has the skills that come with Showhow, as data: a folder each, in Showhow's own format, with the
// manifests of its capabilities. families.json says what a folder does not: the title, the capability that stands for
// the skill as a whole, what of the machine it needs, its checkpoints.
//
// Guarantees: the files are those that were compiled in, and nothing here reads or writes the disk. Not guaranteed:
// that what a skill needs is there; package ability says so for each.
//
// To test against it: All. A new family is a folder, a line in families.json, and requests in testdata/requests.json
// that were written before its trigger phrases.
package families

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

//go:embed families.json all:showhow-pdf all:showhow-word all:showhow-notes all:showhow-m365 all:showhow-outlook
var files embed.FS

// entry is a line of families.json.
type entry struct {
	Skill       string   `json:"skill"`
	Title       string   `json:"title"`
	Family      string   `json:"family"`
	Primary     string   `json:"primary"` // capability id
	Adapters    []string `json:"adapters"`
	Providers   []string `json:"providers"` // services of which a connector has to be connected
	Checkpoints []string `json:"checkpoints"`
}

// All reads the skills, in the order of families.json.
func All() ([]ability.BuiltIn, error) {
	var list []entry
	if err := decode("families.json", &list); err != nil {
		return nil, err
	}
	out := make([]ability.BuiltIn, 0, len(list))
	for _, e := range list {
		b, err := e.read()
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

func (e entry) read() (ability.BuiltIn, error) {
	out := ability.BuiltIn{Title: e.Title, Family: e.Family, Checkpoints: e.Checkpoints, RequiredAdapters: e.Adapters,
		RequiredProviders: e.Providers}
	var all []skill.File
	err := fs.WalkDir(files, e.Skill, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(p)
		all = append(all, skill.File{Path: strings.TrimPrefix(p, e.Skill+"/"), Mode: 0o644, Data: data})
		return err
	})
	if err != nil {
		return out, fault.Wrap(err, fault.Internal, "the skill "+e.Skill+" that comes with Showhow cannot be read")
	}
	if out.Bundle, err = skill.New(e.Skill, all); err != nil {
		return out, err
	}
	for _, f := range out.Bundle.Files {
		if path.Dir(f.Path) != "capabilities" {
			continue
		}
		var m skill.Manifest
		if err := decode(path.Join(e.Skill, f.Path), &m); err != nil {
			return out, err
		}
		out.Manifests = append(out.Manifests, m)
	}
	first := slices.IndexFunc(out.Manifests, func(m skill.Manifest) bool { return m.CapabilityID == e.Primary })
	if first < 0 {
		return out, fault.New(fault.Internal, "the skill "+e.Skill+" that comes with Showhow lacks the manifest of "+e.Primary)
	}
	primary := out.Manifests[first]
	out.Manifests = slices.Insert(slices.Delete(out.Manifests, first, first+1), 0, primary)
	return out, nil
}

func decode(name string, v any) error {
	data, err := files.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the file "+name+" that comes with Showhow cannot be read")
	}
	return nil
}
