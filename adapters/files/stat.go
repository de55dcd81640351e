package files

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// lookPortably returns the facts of a path itself; ok is false if it is absent or neither file, folder nor link.
func lookPortably(path string) (facts, bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return facts{}, false
	}
	f := facts{id: idOf(fi), size: fi.Size(), mtime: fi.ModTime().UnixNano()}
	switch {
	case fi.Mode().IsRegular():
		f.kind = aFile
	case fi.IsDir():
		f.kind, f.size = aFolder, 0
	case fi.Mode()&os.ModeSymlink != 0:
		f.kind, f.size = aLink, 0
	default:
		return facts{}, false
	}
	return f, true
}

// spelled is look for a case-insensitive file system: the entry must be spelled exactly so.
func spelled(path string) (facts, bool) {
	entries, err := os.ReadDir(filepath.Dir(path))
	name := filepath.Base(path)
	if err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name }) {
		return facts{}, false
	}
	return look(path)
}

// maxHashed bounds the files that are hashed.
const maxHashed = 64 << 20

// hash is the SHA-256 of a file as it was when f was seen; "" if it has changed since, is too large, or giveUp says
// so.
func hash(path string, f facts, giveUp func() bool) string {
	if f.kind != aFile || f.size == 0 || f.size > maxHashed || giveUp() {
		return ""
	}
	file, err := openQuietly(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if fi, err := file.Stat(); err != nil || !fi.Mode().IsRegular() || fi.Size() != f.size || fi.ModTime().UnixNano() != f.mtime {
		return ""
	}
	sum, buf, left := sha256.New(), make([]byte, 128<<10), f.size
	for left > 0 {
		if giveUp() {
			return ""
		}
		n, err := file.Read(buf[:min(int64(len(buf)), left)])
		sum.Write(buf[:n])
		left -= int64(n)
		if err != nil && (err != io.EOF || left > 0) {
			return ""
		}
	}
	if fi, err := file.Stat(); err != nil || fi.Size() != f.size || fi.ModTime().UnixNano() != f.mtime {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
