// Package skill defines the bundle that agents read: a folder with SKILL.md and, beside it, references, tests and
// capability manifests. It parses, validates, hashes and writes bundles; it knows nothing of sessions or learning.
//
// It writes only the six standard frontmatter keys (name, description, license, compatibility, metadata,
// allowed-tools); it reads any known dialect.
//
// Guarantees: a Bundle made by New or ReadDir has only safe relative paths, no symlinks, sorted and unique. WriteTo
// shows a reader either the old folder or the new one, never a mixture. Hash depends only on names, execute bits and
// bytes. Not guaranteed: that a foreign bundle's content is harmless; scanning is another step. Test with t.TempDir.
package skill

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"showhow/internal/fault"
)

// File is one file of a bundle. Path is relative, with slashes: no "..", no absolute path, no symlink.
type File struct {
	Path string
	Mode uint32 // 0644 or 0755
	Data []byte
}

// Bundle is a skill in memory. Files are sorted by path and include SKILL.md.
type Bundle struct {
	Name  string // the folder's and the frontmatter's name
	Files []File
}

// Entry is the name of the file that makes a folder a skill.
const Entry = "SKILL.md"

// HostManaged is the file in a skill's folder that the host, not the author, manages: it is not part of the skill's
// identity (decisions D5).
const HostManaged = "policy.json"

// New makes a bundle: paths checked, modes reduced to 0644 or 0755, files sorted. It refuses duplicates and a missing
// SKILL.md.
func New(name string, files []File) (Bundle, error) {
	out := make([]File, 0, len(files))
	seen := map[string]bool{}
	for _, f := range files {
		if !SafePath(f.Path) {
			return Bundle{}, fault.New(fault.InvalidRequest, "a file of the skill has an unsafe path").
				WithHint("paths are relative, with slashes, without .. and without control characters")
		}
		key := strings.ToLower(f.Path) // one folder on macOS and Windows
		if seen[key] {
			return Bundle{}, fault.New(fault.InvalidRequest, "two files of the skill have the same path")
		}
		seen[key] = true
		f.Mode = plainMode(f.Mode)
		out = append(out, f)
	}
	b := Bundle{Name: name, Files: out}
	b.Sort()
	if b.File(Entry) == nil {
		return Bundle{}, fault.New(fault.InvalidRequest, "the skill has no SKILL.md")
	}
	return b, nil
}

// Renamed is the bundle under another name, which its SKILL.md says too.
func (b Bundle) Renamed(name string) (Bundle, error) {
	files := slices.Clone(b.Files)
	for i, f := range files {
		if f.Path == Entry {
			files[i].Data = bytes.Replace(f.Data, []byte("\nname: "+b.Name+"\n"), []byte("\nname: "+name+"\n"), 1)
		}
	}
	out, err := New(name, files)
	if err != nil {
		return Bundle{}, err
	}
	if doc, err := Parse(out); err != nil || doc.Name != name {
		return Bundle{}, fault.Wrap(err, fault.Internal, "the skill cannot be given another name")
	}
	return out, nil
}

// Sort puts the files in order of path, by bytes.
func (b *Bundle) Sort() {
	slices.SortFunc(b.Files, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
}

// File is the file at path, or nil.
func (b *Bundle) File(path string) *File {
	for i := range b.Files {
		if b.Files[i].Path == path {
			return &b.Files[i]
		}
	}
	return nil
}

// SafePath reports whether p can be written below a folder without leaving it, on every platform.
func SafePath(p string) bool {
	if p == "" || len(p) > 240 || p != path.Clean(p) || path.IsAbs(p) || p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return false
	}
	for _, r := range p {
		if r < 0x20 || r == 0x7f || strings.ContainsRune(`\:*?"<>|`, r) {
			return false
		}
	}
	return true
}

// allowed lists what a bundle may hold (decisions D5): a file, or a folder when it ends in a slash.
var allowed = []string{Entry, "references/", "scripts/", "assets/", "schemas/", "capabilities/", "tests/", "support-packs.json"}

// Allowed reports whether a path may be extracted from an archive into a skill's folder.
func Allowed(p string) bool {
	if !SafePath(p) {
		return false
	}
	for _, a := range allowed {
		if p == a || strings.HasSuffix(a, "/") && strings.HasPrefix(p, a) {
			return true
		}
	}
	return false
}

func plainMode(mode uint32) uint32 {
	if mode&0o111 != 0 {
		return 0o755
	}
	return 0o644
}
