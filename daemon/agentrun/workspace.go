package agentrun

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/fault"
	"showhow/internal/regular"
)

// Bounds of what is extracted from a workspace (the lifecycle document): a file, and all of them.
const (
	maxFileBytes  = 1 << 20
	maxSkillBytes = 10 << 20
	maxListed     = 500
	maxWalked     = 50_000
)

// baseline is the workspace before the agent ran. It is kept outside the workspace; the copy inside is for the agent
// to read.
type baseline map[string]string // hash by path

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func fileDigest(f skill.File) string {
	if f.Mode&0o111 != 0 {
		return digest(f.Data) + "+x"
	}
	return digest(f.Data)
}

func baselineOf(b skill.Bundle) baseline {
	out := baseline{}
	for _, f := range b.Files {
		out[f.Path] = fileDigest(f)
	}
	return out
}

// furnish writes the skill's files and the agent's own into a fresh workspace.
func furnish(dir string, files []skill.File) error {
	for _, f := range files {
		if !skill.SafePath(f.Path) {
			return fault.New(fault.InvalidRequest, "a file of the skill has an unsafe path")
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return full(err)
		}
		if err := os.WriteFile(name, f.Data, fs.FileMode(f.Mode)&0o777|0o600); err != nil {
			return full(err)
		}
	}
	return nil
}

func full(err error) error {
	return fault.Wrap(err, fault.StoreFull, "the run's workspace cannot be written").WithHint("check the free space")
}

// never reports whether a path belongs to a tool, wherever it lies (the lifecycle document's denylist).
func never(p string) bool {
	for seg := range strings.SplitSeq(p, "/") {
		switch seg {
		case "node_modules", ".cache", ".local", ".git", "__pycache__":
			return true
		}
	}
	return strings.HasSuffix(p, ".log") || strings.HasSuffix(p, ".pyc")
}

// harvest reads the skill's files from a workspace, by the allow-list of decisions D5. A single symlink or special
// file among them makes it refuse the whole skill.
func harvest(root *os.Root) ([]skill.File, error) {
	var files []skill.File
	var total int64
	err := fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case p == ".":
			return err
		case never(p):
			return skip(d)
		case d.IsDir() && !skill.Allowed(p+"/x"):
			return fs.SkipDir
		case !d.IsDir() && !skill.Allowed(p):
			return nil
		case err != nil:
			return fault.Wrap(err, fault.InvalidRequest, "the skill's files cannot be read")
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fault.New(fault.InvalidRequest, "the skill holds a link or a special file: "+printable(p))
		}
		f, err := readFile(root, p)
		if err != nil {
			return err
		}
		if total += int64(len(f.Data)); total > maxSkillBytes || len(files) >= skill.MaxFiles {
			return fault.Newf(fault.TooLarge, "the skill is larger than %d MB, or has more than %d files", maxSkillBytes>>20, skill.MaxFiles)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fault.From(err)
	}
	return files, nil
}

func skip(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func readFile(root *os.Root, p string) (skill.File, error) {
	f, info, err := regular.In(root, p)
	if errors.Is(err, regular.ErrNot) {
		return skill.File{}, fault.New(fault.InvalidRequest, "the skill holds a link or a special file: "+printable(p))
	}
	if err != nil {
		return skill.File{}, fault.Wrap(err, fault.InvalidRequest, "a file of the skill cannot be read: "+printable(p))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return skill.File{}, fault.Wrap(err, fault.InvalidRequest, "a file of the skill cannot be read: "+printable(p))
	}
	if len(data) > maxFileBytes {
		return skill.File{}, fault.New(fault.TooLarge, "a file of the skill is larger than 1 MB: "+printable(p))
	}
	mode := uint32(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	return skill.File{Path: p, Mode: mode, Data: data}, nil
}

// printable is a path fit for a message.
func printable(p string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, p[:min(len(p), 120)])
}

// changes lists what an agent changed in the workspace, without caches and tools' own folders.
func changes(root *os.Root, before baseline) []FileChange {
	out := []FileChange{}
	seen := map[string]bool{}
	walked := 0
	_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if walked++; walked > maxWalked {
			return fs.SkipAll
		}
		if p != "." && (never(p) || strings.HasPrefix(path.Base(p), ".")) {
			return skip(d)
		}
		if err != nil || d.IsDir() {
			return nil
		}
		seen[p] = true
		was, known := before[p]
		c := FileChange{Path: p, Change: "added"}
		if info, err := d.Info(); err == nil {
			c.Size = info.Size()
		}
		if known {
			if f, err := readFile(root, p); err == nil && fileDigest(f) == was {
				return nil
			}
			c.Change = "changed"
		}
		if len(out) < maxListed && len(p) <= 240 {
			out = append(out, c)
		}
		return nil
	})
	for p := range before {
		if !seen[p] && len(out) < maxListed && walked <= maxWalked {
			out = append(out, FileChange{Path: p, Change: "deleted"})
		}
	}
	slices.SortFunc(out, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// remove removes a folder whose permissions an agent may have changed.
func remove(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	err := os.RemoveAll(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
