package archive

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/skill"
)

// Pick finds the one skill in an archive, a folder or a repository: the folder of its SKILL.md, at within if that is
// given. The bundle's paths are relative to it; what lies outside is counted as left out. The bundle's name is the
// folder's, or fallback at the top level.
func Pick(c Contents, within, fallback string) (skill.Bundle, int, error) {
	names := make([]string, len(c.Files))
	for i, f := range c.Files {
		names[i] = f.Path
	}
	root, err := Root(names, within)
	if err != nil {
		return skill.Bundle{}, 0, err
	}
	var files []skill.File
	leftOut := c.LeftOut
	for _, f := range c.Files {
		p, inside := f.Path, true
		if root != "" {
			p, inside = strings.CutPrefix(f.Path, root+"/")
		}
		if !inside || hostManaged(p) {
			leftOut++
			continue
		}
		f.Path = p
		files = append(files, f)
	}
	name := fallback
	if root != "" {
		name = path.Base(root)
	}
	b, err := skill.New(name, files)
	return b, leftOut, err
}

// Root is the folder of the one skill among these files, "" for the top level: within's own, or else the only one, or
// else the one that contains all others.
func Root(files []string, within string) (string, error) {
	within = strings.Trim(path.Clean("/"+within), "/")
	var roots []string
	for _, f := range files {
		dir, base := path.Split(f)
		dir = strings.TrimSuffix(dir, "/")
		if base == skill.Entry && (within == "" || dir == within || strings.HasPrefix(dir, within+"/")) {
			roots = append(roots, dir)
		}
	}
	slices.SortFunc(roots, func(a, b string) int { return len(a) - len(b) })
	if len(roots) == 0 {
		return "", refuse(NoSkill, 0)
	}
	first := roots[0]
	for _, r := range roots[1:] {
		if first != "" && !strings.HasPrefix(r, first+"/") {
			return "", refuse(ManySkills, 0).WithDetail("skills", len(roots)).WithDetail("folders", choices(roots))
		}
	}
	return first, nil
}

// maxChoices bounds how many folders an error names.
const maxChoices = 100

// choices lists the folders among which a person may choose, as far as they can be shown: whoever packed them named
// them.
func choices(roots []string) []string {
	shown := []string{}
	for _, r := range roots {
		if r != "" && len(r) <= 240 && !strings.ContainsFunc(r, func(c rune) bool { return !unicode.IsPrint(c) }) {
			shown = append(shown, r)
		}
	}
	slices.Sort(shown)
	return shown[:min(len(shown), maxChoices)]
}

// FolderName is the name of the folder that a file may have been packed from, by the file's name.
func FolderName(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	for _, ext := range []string{".skillbundle.zip", ".tar.gz", ".zip", ".tgz", ".tar", ".skill"} {
		if n := len(base) - len(ext); n > 0 && strings.EqualFold(base[n:], ext) {
			return base[:n]
		}
	}
	return base
}
