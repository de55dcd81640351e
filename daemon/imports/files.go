package imports

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// files stores uploads and staged skills.
type files struct {
	dir    string
	limits archive.Limits
}

var refForm = lazyre.New(`^[0-9a-f-]{36}$`)

func (s *files) uploadDir() string { return filepath.Join(s.dir, "uploads") }

func (s *files) stagedDir() string { return filepath.Join(s.dir, "staged") }

func (s *files) uploadPath(ref string) string { return filepath.Join(s.uploadDir(), ref+".zip") }

// open reads the upload's one skill.
func (s *files) open(ctx context.Context, item Item) (opened, error) {
	f, err := os.Open(s.uploadPath(item.Upload))
	if err != nil {
		return opened{}, fault.Wrap(err, fault.Internal, "the upload cannot be read").WithHint("try again")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return opened{}, fault.Wrap(err, fault.Internal, "the upload cannot be read").WithHint("try again")
	}
	c, err := archive.Read(ctx, f, info.Size(), s.limits)
	if err != nil {
		return opened{}, err
	}
	return s.pick(c, item.Within, item.OriginalFilename)
}

// pick selects the skill in what was read and names it: by its frontmatter, or else by its folder.
func (s *files) pick(c archive.Contents, within, filename string) (opened, error) {
	b, left, err := archive.Pick(c, within, archive.FolderName(filename))
	out := opened{b, left, b.Name}
	if err != nil {
		return out, err
	}
	doc, err := skill.Parse(b)
	if err != nil {
		return out, err
	}
	for _, name := range []string{doc.Name, b.Name, "imported-skill"} {
		if slug := slugOf(name); slug != "" {
			out.Name = slug
			break
		}
	}
	return out, nil
}

// opened is an upload's skill, how many files beside it were left out, and its folder's name before it got one that
// every agent accepts.
type opened struct {
	skill.Bundle
	left   int
	called string
}

// slugOf converts a name to one that every agent accepts; "" when nothing is left of it.
func slugOf(name string) string {
	var out strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && out.Len() > 0 {
				out.WriteByte('-')
			}
			gap = false
			out.WriteRune(r)
		} else {
			gap = true
		}
	}
	slug := out.String()
	if len(slug) > 64 {
		slug = strings.TrimRight(slug[:64], "-")
	}
	return slug
}

// bundle reads a staged skill back; it must be the reviewed content.
func (s *files) bundle(item Item) (skill.Bundle, error) {
	b, err := skill.ReadDir(filepath.Join(s.stagedDir(), item.ImportID))
	if err != nil {
		return b, changed()
	}
	b.Name = item.Slug
	if b.Hash() != item.ContentHash {
		return b, changed()
	}
	return b, nil
}

// clear removes an import's staged files.
func (s *files) clear(id string) error {
	if !refForm.MatchString(id) {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(s.stagedDir(), id)); err != nil {
		return skill.CannotWrite(err)
	}
	return nil
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return skill.CannotWrite(err)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func changed() error {
	return fault.New(fault.ContentHashMismatch, "the skill's files are not what was scanned").WithHint("discard the import and begin again")
}
