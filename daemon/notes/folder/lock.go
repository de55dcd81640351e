package folder

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

const (
	indexFile = ".git/index"
	indexLock = ".git/index.lock"
	headLock  = ".git/HEAD.lock"
	ownLock   = ours + "/lock"
	lockMark  = "showhow\n" // in a lock of ours; it shows after a kill whose lock it is
	ownIndex  = ours + "/index"
)

// lock makes a lock file of git's.
func (f *Folder) lock(name string) error {
	if b, err := f.root.ReadFile(ownLock); err != nil || string(b) != lockMark {
		if err := f.write(ownLock, []byte(lockMark)); err != nil {
			return err
		}
	}
	err := f.root.Link(ownLock, name)               // exclusive, and the mark is in it at once
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		var out *os.File
		if out, err = f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_, err = out.WriteString(lockMark)
			err = errors.Join(err, out.Close())
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return busy("git is at work in the notes folder, or left " + name + " there")
	}
	if err != nil {
		return refused(err, "the notes folder's repository cannot be written")
	}
	f.step("held")
	return nil
}

// unlock removes the locks that a killed process left.
func (f *Folder) unlock() {
	for _, name := range []string{indexLock, headLock} {
		if b, err := f.root.ReadFile(name); err == nil && string(b) == lockMark {
			_ = f.root.Remove(name)
		}
	}
}

// settling is how long git takes at most from the new index to the new HEAD.
const settling = time.Second

// hold keeps git from bringing the files of another commit, and fails while git does. Calls may be nested.
func (f *Folder) hold() (release func(), err error) {
	if f.held {
		return func() {}, nil
	}
	if err := f.lock(indexLock); err != nil {
		return nil, err
	}
	f.held = true
	release = func() {
		f.held = false
		_ = f.root.Remove(indexLock)
	}
	if err := f.settled(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// settled fails in the moment between git's last step with the index and its step with HEAD, in which no lock is held:
// then the index has just been written and is not that of HEAD. So is one that somebody has just added files to; they
// can wait.
func (f *Folder) settled() error {
	info, err := f.root.Lstat(indexFile)
	if err != nil || time.Since(info.ModTime()).Abs() >= settling {
		return nil
	}
	if f.wrote != nil && os.SameFile(f.wrote, info) && f.wrote.ModTime().Equal(info.ModTime()) {
		return nil
	}
	head, err := f.Head()
	if err != nil {
		return err
	}
	is, err := f.at(head)
	if err != nil {
		return err
	}
	idx, err := f.readIndex()
	if err != nil {
		return nil // of a kind that only git itself can read
	}
	n := 0
	for p := range is.files {
		if taken(p) {
			n++
		}
	}
	for _, e := range idx.Entries {
		if !taken(e.Name) {
			continue
		}
		if n--; e.Stage != 0 || is.files[e.Name].hash != e.Hash {
			n = -1
			break
		}
	}
	if n != 0 {
		return busy("git has just begun something in the notes folder")
	}
	return nil
}

func (f *Folder) readIndex() (*index.Index, error) {
	idx := &index.Index{Version: 2}
	in, err := f.root.Open(indexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return idx, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return idx, index.NewDecoder(in).Decode(idx)
}

// noteIndex tells git's own index that the files are those of the commit, so that `git status` is clean. Without it git
// only shows too much.
func (f *Folder) noteIndex(paths []string, files map[string]file) {
	if !f.held {
		if f.lock(indexLock) != nil {
			return
		}
		defer f.root.Remove(indexLock)
	}
	idx, err := f.readIndex()
	if err != nil {
		return
	}
	have := make(map[string]*index.Entry, len(idx.Entries))
	for _, e := range idx.Entries {
		if e.Stage != 0 {
			return // somebody resolves a conflict
		}
		have[e.Name] = e
	}
	for _, p := range paths {
		if x, there := files[p]; there { // without size and time, so git looks at the content itself
			have[p] = &index.Entry{Name: p, Hash: x.hash, Mode: x.mode, ModifiedAt: time.Unix(0, 0), CreatedAt: time.Unix(0, 0)}
		} else {
			delete(have, p)
		}
	}
	out := &index.Index{Version: 2}
	for _, p := range slices.Sorted(maps.Keys(have)) {
		out.Entries = append(out.Entries, have[p])
	}
	var b bytes.Buffer
	if index.NewEncoder(&b).Encode(out) != nil || f.fill(ownIndex, b.Bytes()) != nil {
		return
	}
	f.step("index")
	if f.root.Rename(ownIndex, indexFile) == nil {
		f.wrote, _ = f.root.Lstat(indexFile)
	}
}
