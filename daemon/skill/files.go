package skill

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"showhow/internal/fault"
	"showhow/internal/regular"
)

// Limits of a bundle on disk: a skill is text and a few small assets.
const (
	MaxFiles     = 2000
	MaxFileBytes = 5 << 20
	MaxBytes     = 20 << 20
)

// dropping reports whether a file is one that desktops leave in every folder (.DS_Store and the like), which never
// counts as drift. The name alone is not enough, or every skill would have a place that anybody could fill after the
// approval.
func dropping(name string, data []byte) bool {
	switch name {
	case ".DS_Store":
		return bytes.HasPrefix(data, []byte("\x00\x00\x00\x01Bud1"))
	case "Thumbs.db":
		return bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
	case "desktop.ini": // text, which could say anything
		return runtime.GOOS == "windows"
	}
	return false
}

// ReadDir reads the bundle in dir. Symlinks, devices and anything over the limits are refused, not skipped: a bundle
// that cannot be read whole has no hash.
func ReadDir(dir string) (Bundle, error) {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Bundle{}, fault.Wrap(err, fault.NotFound, "there is no such skill folder")
	}
	if err != nil || !info.IsDir() {
		return Bundle{}, fault.Wrap(err, fault.InvalidRequest, "the skill is not a folder")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Bundle{}, fault.Wrap(err, fault.InvalidRequest, "the skill's folder cannot be read")
	}
	defer root.Close()
	r := reader{root: root}
	if err := fs.WalkDir(root.FS(), ".", r.visit); err != nil {
		return Bundle{}, fault.From(err)
	}
	return New(filepath.Base(dir), r.files)
}

type reader struct {
	root  *os.Root
	files []File
	bytes int64
}

func (r *reader) visit(p string, d fs.DirEntry, err error) error {
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "the skill's folder cannot be read")
	}
	if d.IsDir() {
		return nil
	}
	if !d.Type().IsRegular() {
		return fault.New(fault.InvalidRequest, "the skill's folder holds a link or a special file")
	}
	f, info, err := regular.In(r.root, p) // inside the root even if a folder was swapped for a link meanwhile
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "a file of the skill cannot be read")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "a file of the skill cannot be read")
	}
	if dropping(d.Name(), data) {
		return nil
	}
	r.bytes += int64(len(data))
	if len(data) > MaxFileBytes || r.bytes > MaxBytes || len(r.files) >= MaxFiles {
		return tooLarge()
	}
	r.files = append(r.files, File{Path: p, Mode: modeOf(info, data), Data: data})
	return nil
}

func tooLarge() error {
	return fault.New(fault.InvalidRequest, "the skill is too large").WithHint("at most 2000 files, 5 MB each, 20 MB together")
}

// modeOf is the file's execute bit; where the platform has none, a script's first two bytes decide.
func modeOf(info fs.FileInfo, data []byte) uint32 {
	if runtime.GOOS == "windows" {
		if len(data) > 2 && data[0] == '#' && data[1] == '!' {
			return 0o755
		}
		return 0o644
	}
	return plainMode(uint32(info.Mode().Perm()))
}

// WriteTo writes the bundle as the folder dir, creating missing parents. With replace false an existing dir is refused
// with SLUG_TAKEN; with replace true the caller guarantees that Showhow created dir. A reader sees the old folder, for
// an instant none, then the new one. A failure leaves the old one.
func (b Bundle) WriteTo(dir string, replace bool) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return CannotWrite(err)
	}
	info, err := os.Lstat(dir)
	exists := err == nil
	if exists && (!replace || !info.IsDir()) {
		return fault.New(fault.SlugTaken, "a folder of this name exists and is not Showhow's").WithHint("choose another name")
	}
	stage := filepath.Join(parent, ".showhow-new-"+rand.Text()[:12])
	defer os.RemoveAll(stage)
	if err := b.stage(stage); err != nil {
		return CannotWrite(err)
	}
	if exists {
		old := filepath.Join(parent, ".showhow-old-"+rand.Text()[:12])
		if err := os.Rename(dir, old); err != nil {
			return CannotWrite(err)
		}
		defer os.RemoveAll(old)
		if err := os.Rename(stage, dir); err != nil {
			return CannotWrite(errors.Join(err, os.Rename(old, dir)))
		}
		return SyncDir(parent)
	}
	if err := os.Rename(stage, dir); err != nil {
		return CannotWrite(err)
	}
	return SyncDir(parent)
}

func (b Bundle) stage(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, f := range b.Files {
		if !SafePath(f.Path) {
			return errors.New("unsafe path")
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := writeFile(name, f); err != nil {
			return err
		}
	}
	return SyncDir(dir)
}

func writeFile(name string, f File) error {
	w, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(plainMode(f.Mode)))
	if err != nil {
		return err
	}
	_, err = w.Write(f.Data)
	return errors.Join(err, w.Sync(), w.Close())
}

// CannotWrite is the error when the disk or its permissions refuse a skill's folder.
func CannotWrite(err error) error {
	return fault.Wrap(err, fault.Internal, "the skill's folder could not be written").WithHint(
		"check the folder's permissions and the free space")
}

// SyncDir makes a rename durable where the platform lets a folder be synced.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return CannotWrite(err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return CannotWrite(err)
	}
	return nil
}
