package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// The limits up to which every host accepts a skill (SEP-2640, Limits).
const (
	MaxFiles = 512
	MaxBytes = 16 << 20
)

// Scheme starts the URI of every skill.
const Scheme = "skill://"

// directoryType is the MIME type of a directory resource.
const directoryType = "inode/directory"

// File is one file of a skill: its URI, and digest and size of its bytes.
type File struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

// Skill is the entry of one skill, as skills/list and skills/get answer it.
type Skill struct {
	URI         string          `json:"uri"`
	Frontmatter json.RawMessage `json:"frontmatter"`
	Resources   []File          `json:"resources"`
}

// entry is a skill's content as it is served. It is immutable.
type entry struct {
	name, description string
	skill             Skill
	json              json.RawMessage // of skill
	types             map[string]string
	paths             []string // sorted, as skill.Resources
}

// entryOf describes a bundle, or says why it cannot be served.
func entryOf(b skill.Bundle) (*entry, error) {
	files := make([]skill.File, 0, len(b.Files))
	total := 0
	for _, f := range b.Files {
		if f.Path != skill.HostManaged {
			files, total = append(files, f), total+len(f.Data)
		}
	}
	if len(files) > MaxFiles || total > MaxBytes {
		return nil, unserved(fmt.Sprintf("the skill has more than %d files or %d MB, the most that every client accepts", MaxFiles, MaxBytes>>20),
			"agents read it from their folders")
	}
	md := b.File(skill.Entry)
	if md == nil {
		return nil, unserved("the skill has no SKILL.md", "")
	}
	head, said, err := frontmatter(md.Data)
	if err != nil {
		return nil, err
	}
	if said.name != b.Name || !skill.ValidName(b.Name) {
		return nil, unserved("the name in the skill's frontmatter is not that of its folder", "give both the same name and approve it again")
	}
	if said.description == "" {
		return nil, unserved("the skill's frontmatter has no description", "add one and approve it again")
	}
	e := &entry{name: b.Name, description: said.description, types: map[string]string{},
		skill: Skill{URI: URI(b.Name, skill.Entry), Frontmatter: head, Resources: FilesOf(b)}}
	for _, f := range files {
		e.paths = append(e.paths, f.Path)
		e.types[f.Path] = typeOf(f)
	}
	e.json, err = json.Marshal(e.skill)
	return e, err
}

// FilesOf lists the files of a skill with digest and size, by path; what the host manages is none of them.
func FilesOf(b skill.Bundle) []File {
	out := make([]File, 0, len(b.Files))
	for _, f := range b.Files {
		if f.Path != skill.HostManaged {
			sum := sha256.Sum256(f.Data)
			out = append(out, File{URI(b.Name, f.Path), "sha256:" + hex.EncodeToString(sum[:]), len(f.Data)})
		}
	}
	return out
}

func unserved(message, hint string) error {
	f := fault.New(fault.InvalidRequest, message)
	if hint != "" {
		f = f.WithHint(hint)
	}
	return f
}

// URI is the URI of a skill's file, or with path "" of its folder.
func URI(name, file string) string {
	if file == "" {
		return Scheme + name
	}
	parts := strings.Split(file, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return Scheme + name + "/" + strings.Join(parts, "/")
}

// split takes a URI apart into a skill's name and a path in it. The path is only ever compared with those of the skill's
// files.
func split(uri string) (name, file string, ok bool) {
	rest, ok := strings.CutPrefix(uri, Scheme)
	if !ok {
		return "", "", false
	}
	name, file, nested := strings.Cut(rest, "/")
	file, err := url.PathUnescape(file)
	if err != nil || !skill.ValidName(name) || nested && (file == "" || !skill.SafePath(file)) {
		return "", "", false
	}
	return name, file, true
}

// IsSkill reports whether a URI has the scheme of skills.
func IsSkill(uri string) bool { return strings.HasPrefix(uri, Scheme) }

// typeOf is the MIME type of a file.
func typeOf(f skill.File) string {
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".md":
		return "text/markdown"
	case ".json":
		return "application/json"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".py":
		return "text/x-python"
	case ".sh":
		return "application/x-sh"
	}
	if utf8.Valid(f.Data) {
		return "text/plain"
	}
	t, _, _ := strings.Cut(http.DetectContentType(f.Data), ";")
	return t
}
