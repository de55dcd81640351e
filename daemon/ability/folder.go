package ability

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Every skill folder is put in place by one rename, from a hidden name beside it, and removed the same way. A folder
// that is not in the ledger is never touched; one that is, and holds something other than what was written, is moved
// aside.

func hidden(path, role, saga string) string {
	return filepath.Join(filepath.Dir(path), ".showhow-"+role+"-"+saga)
}

// put writes the bundle at path, which must not exist. readOnly is for copies that others read.
func put(path, saga string, b skill.Bundle, readOnly bool) error {
	if exists(path) {
		return fault.New(fault.SlugTaken, "a folder of this name exists and is not Showhow's").WithHint("choose another name")
	}
	stage := hidden(path, "new", saga)
	if err := os.RemoveAll(stage); err != nil { // of an attempt that a crash ended
		return skill.CannotWrite(err)
	}
	if err := b.WriteTo(stage, false); err != nil {
		return err
	}
	if readOnly {
		if err := closeFiles(stage); err != nil {
			return errors.Join(skill.CannotWrite(err), os.RemoveAll(stage))
		}
	}
	if err := os.Rename(stage, path); err != nil { // which refuses a folder that was created meanwhile
		os.RemoveAll(stage)
		if exists(path) {
			return fault.Wrap(err, fault.SlugTaken, "a folder of this name exists and is not Showhow's").WithHint("choose another name")
		}
		return skill.CannotWrite(err)
	}
	return skill.SyncDir(filepath.Dir(path))
}

// closeFiles removes write permission from files; folders keep it, so that Showhow can remove them.
func closeFiles(dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(p, info.Mode().Perm()&^0o222)
	})
}

// takeAway removes a folder that Showhow wrote with the given hash. A folder that somebody changed is kept under
// aside, and that path is returned.
func takeAway(path, hash, saga, aside string) (kept string, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", skill.CannotWrite(err)
	}
	if !info.IsDir() {
		return keepAside(path, aside)
	}
	b, err := skill.ReadDir(path)
	if err != nil || b.Hash() != hash {
		return keepAside(path, aside)
	}
	gone := hidden(path, "old", saga)
	if err := os.RemoveAll(gone); err != nil {
		return "", skill.CannotWrite(err)
	}
	if err := os.Rename(path, gone); err != nil {
		return "", skill.CannotWrite(err)
	}
	if err := removeAll(gone); err != nil {
		return "", skill.CannotWrite(err)
	}
	return "", skill.SyncDir(filepath.Dir(path))
}

// keepAside moves a changed folder out of the agents' reach without losing it, and returns its new path.
func keepAside(path, aside string) (kept string, err error) {
	if err := os.MkdirAll(filepath.Dir(aside), 0o700); err != nil {
		return "", skill.CannotWrite(err)
	}
	for n := 0; n < 100; n++ {
		to := aside
		if n > 0 {
			to = aside + "-" + string(rune('0'+n/10)) + string(rune('0'+n%10))
		}
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if err := os.Rename(path, to); err == nil {
			return to, skill.SyncDir(filepath.Dir(path))
		}
		return to, copyAside(path, to)
	}
	return "", skill.CannotWrite(errors.New("too many folders set aside"))
}

// copyAside is keepAside across file systems.
func copyAside(path, to string) error {
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return skill.CannotWrite(errors.New("not a folder, and on another file system"))
	}
	if err := os.CopyFS(to, os.DirFS(path)); err != nil {
		return errors.Join(skill.CannotWrite(err), os.RemoveAll(to))
	}
	return removeAll(path)
}

// removeAll also removes folders that were made read-only.
func removeAll(dir string) error {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// makeDirs makes dir and its missing parents and returns those that it made, outermost first.
func makeDirs(dir string) (made []string, err error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		missing = append([]string{d}, missing...)
	}
	for _, d := range missing {
		if err := os.Mkdir(d, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, skill.CannotWrite(err)
		} else if err == nil {
			made = append(made, d)
		}
	}
	return made, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// readNative reads a folder that is not ours; the folder itself may be a symlink, which other installers make.
func readNative(path string) (skill.Bundle, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return skill.Bundle{}, fault.Wrap(err, fault.InvalidRequest, "the skill's folder cannot be read")
	}
	b, err := skill.ReadDir(real)
	b.Name = filepath.Base(path)
	return b, err
}
