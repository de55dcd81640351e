package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// stagePrefix marks the folders of a running stage; Sweep removes those that a crash left.
const stagePrefix = ".staging-"

// Stage writes the bundle into a fresh folder under parent and then names it dest by one rename, which refuses an
// existing dest. It is not synced to the disk: later readers compare it with its hash. Every write goes through an
// os.Root, so that not even a symlink that appears meanwhile leads outside. When it fails, nothing is left.
func Stage(ctx context.Context, parent, dest string, b skill.Bundle) error {
	if checkName(dest, 1) != "" {
		return fault.New(fault.Internal, "the place for a staged skill has no safe name")
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return skill.CannotWrite(err)
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return skill.CannotWrite(err)
	}
	defer root.Close()
	fresh := stagePrefix + rand.Text()
	if err := root.Mkdir(fresh, 0o700); err != nil {
		return skill.CannotWrite(err)
	}
	if err := fill(ctx, root, fresh, b); err != nil {
		return errors.Join(err, root.RemoveAll(fresh))
	}
	if _, err := root.Lstat(dest); err == nil {
		return errors.Join(fault.New(fault.NameTaken, "something is staged there already"), root.RemoveAll(fresh))
	}
	if err := root.Rename(fresh, dest); err != nil {
		return errors.Join(skill.CannotWrite(err), root.RemoveAll(fresh))
	}
	return nil
}

func fill(ctx context.Context, root *os.Root, dir string, b skill.Bundle) error {
	in, err := root.OpenRoot(dir)
	if err != nil {
		return skill.CannotWrite(err)
	}
	defer in.Close()
	for _, f := range b.Files {
		if err := ctx.Err(); err != nil {
			return fault.Wrap(err, fault.Cancelled, "the import was cancelled")
		}
		if why := checkName(f.Path, Default.Depth); why != "" {
			return refuse(why, 0)
		}
		if d := path.Dir(f.Path); d != "." {
			if err := in.MkdirAll(filepath.FromSlash(d), 0o700); err != nil {
				return skill.CannotWrite(err)
			}
		}
		if err := writeNew(in, f); err != nil {
			return skill.CannotWrite(err)
		}
	}
	return nil
}

func writeNew(in *os.Root, f skill.File) error {
	mode := fs.FileMode(0o600)
	if plain(f.Mode) == 0o755 {
		mode = 0o700
	}
	w, err := in.OpenFile(filepath.FromSlash(f.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Data)
	return errors.Join(err, w.Close())
}

// Sweep removes from parent what crashed stages left.
func Sweep(parent string) error {
	root, err := os.OpenRoot(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return skill.CannotWrite(err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return skill.CannotWrite(err)
	}
	for _, e := range entries {
		if len(e.Name()) > len(stagePrefix) && e.Name()[:len(stagePrefix)] == stagePrefix {
			err = errors.Join(err, root.RemoveAll(e.Name()))
		}
	}
	return err
}

// Pack makes a zip of files, deterministically.
func Pack(files []skill.File) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Path, Method: zip.Deflate}
		h.SetMode(fs.FileMode(plain(f.Mode)))
		e, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := e.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
