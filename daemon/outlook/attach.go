package outlook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

const (
	mostFiles   = 100
	mostFilters = 50
)

// chosenFile is an attachment that is to be saved, with the harmless form of its name.
type chosenFile struct {
	file
	number int // in the message, from 1
	safe   string
}

// SaveAttachments plans to save attachments into a folder (email_save_attachments).
func (s *Service) SaveAttachments(ctx context.Context, a SaveArgs) (p Planned[Saved], err error) {
	const operation = "email_save_attachments"
	defer failing(operation, &err)
	dir, err := s.folder(a.Destination)
	if err != nil {
		return p, err
	}
	if err := filters(a.Filter); err != nil {
		return p, err
	}
	r, err := s.message(ctx, a.ID)
	if err != nil {
		return p, err
	}
	chosen, skipped := choose(r.Files, a.Filter)
	if len(chosen) == 0 {
		return p, invalid("the message has no attachment that fits", "read the message: it lists its attachments")
	}
	p.About = append(p.About, fmt.Sprintf("Into the folder %s, from the message %s of %s.", plain.Quoted(dir, 200),
		plain.Quoted(r.Subject, 100), plain.Quoted(r.From, 100)))
	for i, c := range chosen {
		if i == mostTold {
			p.About = append(p.About, fmt.Sprintf("... and %d more.", len(chosen)-i))
			break
		}
		line := fmt.Sprintf("%s, %d bytes", plain.Quoted(c.safe, 200), c.Size)
		if c.safe != c.Name {
			line += ", in the message " + plain.Quoted(c.Name, 150)
		}
		p.About = append(p.About, line)
	}
	p.About = append(p.About, "No file that is there is replaced. What is in the files was not looked at.")
	p.Do = func(ctx context.Context) (out Saved, err error) {
		defer failing(operation, &err)
		out = Saved{Success: true, ID: a.ID, Files: []SavedFile{}, Skipped: skipped}
		err = s.alone(ctx, func() error { return s.save(ctx, operation, r, dir, chosen, &out) })
		return out, err
	}
	return p, nil
}

// mostTold is how many files a person is told of by name.
const mostTold = 30

// folder is where attachments go: a folder that exists, and that is not one in which programs keep what they obey.
func (s *Service) folder(named string) (string, error) {
	dir := named
	switch {
	case dir == "" || dir == "~":
		dir = s.o.Home
		if named == "" {
			dir = filepath.Join(dir, "Downloads")
		}
	case strings.HasPrefix(dir, "~/"):
		dir = filepath.Join(s.o.Home, dir[2:])
	}
	const hint = "name a folder of documents by its whole path, such as ~/Downloads"
	if !filepath.IsAbs(dir) || line("", dir, 1000) != nil {
		return "", invalid("destination is no whole path of a folder", hint)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", invalid("destination is no folder that is there", "make it first, or name another")
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", invalid("destination is no folder", hint)
	}
	if obeyed(real) {
		return "", invalid("destination is a folder in which programs keep what they obey", hint)
	}
	return real, nil
}

// obeyed reports whether programs start or read settings from a folder: hidden ones, and macOS's Library but for the
// folders of documents in it.
func obeyed(dir string) bool {
	parts := strings.Split(filepath.ToSlash(dir), "/")
	if slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, ".") }) {
		return true
	}
	i := slices.Index(parts, "Library")
	return i >= 0 && (i+1 == len(parts) || parts[i+1] != "CloudStorage" && parts[i+1] != "Mobile Documents")
}

func filters(all []string) error {
	if len(all) > mostFilters {
		return invalid(fmt.Sprintf("filename_filter has more than %d patterns", mostFilters), "use * in them")
	}
	for _, f := range all {
		if _, err := path.Match(f, ""); err != nil || f == "" || len(f) > maxName {
			return invalid("filename_filter has a pattern that is none", "such as *.pdf or Henderson*")
		}
	}
	return nil
}

// choose chooses attachments by the filter; what it leaves is skipped.
func choose(all []file, filter []string) (chosen []chosenFile, skipped []SkippedFile) {
	skipped = []SkippedFile{}
	for i, f := range all {
		wanted := len(filter) == 0 || slices.ContainsFunc(filter, func(p string) bool {
			ok, _ := path.Match(strings.ToLower(p), strings.ToLower(strings.ReplaceAll(f.Name, "/", "_")))
			return ok
		})
		switch {
		case !wanted:
			skipped = append(skipped, SkippedFile{f.Name, "filtered"})
		case len(chosen) == mostFiles:
			skipped = append(skipped, SkippedFile{f.Name, "too_many"})
		default:
			chosen = append(chosen, chosenFile{f, i + 1, harmless(f.Name)})
		}
	}
	return chosen, skipped
}

// harmless is a name of a file that names nothing but a file in its folder, and shows as it is: no path, no hidden file, no
// sign that does not show or turns the order of the others around.
func harmless(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar:
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Trim(plain.Visible(name), " .")
	if name == "" {
		name = "attachment"
	}
	ext := path.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	base := strings.TrimSuffix(name, ext)
	return strings.ToValidUTF8(plain.CutBytes(base, maxName-len(ext)), "") + ext
}

// save has Outlook save attachments under numbers into a folder of our own beside their place, and moves them from there.
func (s *Service) save(ctx context.Context, operation string, r row, dir string, chosen []chosenFile, out *Saved) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return cannotSave(err)
	}
	defer root.Close()
	stage, err := os.MkdirTemp(dir, "showhow-*")
	if err != nil {
		return cannotSave(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	type wanted struct {
		Number int    `json:"number"`
		Name   string `json:"name"`
		Path   string `json:"path"`
	}
	var files []wanted
	for _, c := range chosen {
		files = append(files, wanted{c.number, c.Name, filepath.Join(stage, fmt.Sprint(c.number))})
	}
	var saved struct {
		Saved []int `json:"saved"`
	}
	if err := s.run.run(ctx, operation, map[string]any{"id": r.ID, "files": files}, false, &saved); err != nil {
		return err
	}
	for i, c := range chosen {
		info, err := os.Lstat(files[i].Path)
		if !slices.Contains(saved.Saved, c.number) || err != nil || !info.Mode().IsRegular() {
			out.Skipped = append(out.Skipped, SkippedFile{c.Name, "not_saved"})
			continue
		}
		name, err := place(root, filepath.Join(filepath.Base(stage), filepath.Base(files[i].Path)), c.safe)
		if err != nil {
			return cannotSave(err)
		}
		out.Files = append(out.Files, SavedFile{c.Name, filepath.Join(dir, name), info.Size()})
	}
	return nil
}

// place moves a file to a name in the folder that nothing has: the name, or with a number before its end.
func place(root *os.Root, from, name string) (string, error) {
	ext := path.Ext(name)
	base := strings.TrimSuffix(name, ext)
	for n := 2; n < 1000; n++ {
		err := root.Link(from, name) // unlike renaming, it replaces nothing
		if err == nil {
			return name, root.Remove(from)
		}
		if _, there := root.Lstat(name); errors.Is(there, fs.ErrNotExist) { // no links are made there
			return name, root.Rename(from, name)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		name = fmt.Sprintf("%s (%d)%s", base, n, ext)
	}
	return "", fs.ErrExist
}

func cannotSave(err error) error {
	return fault.Wrap(err, fault.Internal, "the attachments could not be saved in the folder").
		WithHint("check its permissions and the free space there")
}
