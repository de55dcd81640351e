package folder

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"showhow/internal/regular"
)

// look is what a file was when its content was last read.
type look struct {
	size int64
	mod  time.Time
	info os.FileInfo
	at   time.Time
	hash plumbing.Hash
}

// racy is how long after its last change a file may have changed again without another time.
const racy = 2 * time.Second

// Outside is the trailer of commits of what others changed.
const Outside = "Showhow-Edit: outside"

// State is what the folder holds.
type State struct {
	Commit  string
	Files   map[string]string // hash of the content, by path: the Markdown files
	Skipped []string          // Markdown files that are not taken in: links, no regular files, too long, unreadable
}

// Sync commits what others changed in the files since the last commit, if anything, and returns what the folder holds.
func (f *Folder) Sync() (State, error) {
	if _, err := f.root.Lstat(intentFile); err == nil {
		if err := f.recover(); err != nil {
			return State{}, err
		}
	}
	head, err := f.Head()
	if err != nil {
		return State{}, err
	}
	was, err := f.at(head)
	if err != nil {
		return State{}, err
	}
	there, skipped, err := f.scan()
	if err != nil {
		return State{}, err
	}
	files := maps.Clone(was.files)
	var changed []string
	for p, h := range there {
		if x, ok := was.files[p]; !ok || x.hash != h {
			mode := filemode.Regular
			if ok {
				mode = x.mode
			}
			files[p] = file{mode, h}
			changed = append(changed, p)
		}
	}
	for p := range was.files {
		if _, ok := there[p]; !ok && taken(p) && !slices.Contains(skipped, p) {
			delete(files, p)
			changed = append(changed, p)
		}
	}
	slices.Sort(changed)
	if len(changed) > 0 {
		kept := changed[:0]
		for _, p := range changed {
			if x, ok := files[p]; ok && there[p] == x.hash {
				if err := f.takeIn(p, x.hash); errors.Is(err, errMoved) {
					if old, had := was.files[p]; had {
						files[p] = old
					} else {
						delete(files, p)
					}
					continue // somebody is writing it: the next Sync takes it
				} else if err != nil {
					return State{}, err
				}
			}
			kept = append(kept, p)
		}
		changed = kept
	}
	if len(changed) > 0 {
		if head, err = f.move(head, files, changed, "Edited by hand or by another program\n\n"+Outside+"\n"); err != nil {
			return State{}, err
		}
	}
	out := State{Commit: head, Files: map[string]string{}, Skipped: skipped}
	for p, x := range files {
		if _, ok := there[p]; ok && taken(p) {
			out.Files[p] = x.hash.String()
		}
	}
	return out, nil
}

var errMoved = errors.New("the file changed while it was read")

// takeIn stores a file's content as it was hashed.
func (f *Folder) takeIn(p string, want plumbing.Hash) error {
	if f.objs.HasEncodedObject(want) == nil {
		return nil
	}
	data, err := regular.ReadIn(f.root, p, MaxFile)
	if err != nil {
		return errMoved
	}
	if plumbing.ComputeHash(plumbing.BlobObject, data) != want {
		delete(f.seen, p)
		return errMoved
	}
	_, err = f.put(plumbing.BlobObject, data)
	return err
}

// scan hashes the Markdown files. It reads only those that changed since it last did.
func (f *Folder) scan() (files map[string]plumbing.Hash, skipped []string, err error) {
	files = map[string]plumbing.Hash{}
	seen := make(map[string]look, len(f.seen))
	err = fs.WalkDir(f.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == "." {
				return err
			}
			if !d.IsDir() {
				skipped = append(skipped, p)
			}
			return nil
		}
		if p == "." {
			return nil
		}
		if d.IsDir() {
			if path.Base(p)[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !taken(p) {
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFile {
			skipped = append(skipped, p)
			return nil
		}
		l, known := f.seen[p]
		if !known || l.size != info.Size() || !l.mod.Equal(info.ModTime()) || !os.SameFile(l.info, info) || l.at.Sub(l.mod) < racy {
			at := time.Now()
			h, err := f.hashOf(p)
			if err != nil || h == plumbing.NewHash("ff") {
				skipped = append(skipped, p)
				return nil
			}
			if h.IsZero() {
				return nil // gone since it was listed
			}
			l = look{info.Size(), info.ModTime(), info, at, h}
		}
		seen[p], files[p] = l, l.hash
		return nil
	})
	if err != nil {
		return nil, nil, refused(err, "the notes folder cannot be read")
	}
	f.seen = seen
	return files, skipped, nil
}

// Read is a content by its hash.
func (f *Folder) Read(hash string) ([]byte, error) { return f.blob(plumbing.NewHash(hash)) }

// Commits calls see with the newest commits, newest first and along first parents, until see says that it is enough.
func (f *Folder) Commits(most int, see func(hash, message string) (more bool)) error {
	at, err := f.Head()
	for n := 0; err == nil && at != "" && n < most; n++ {
		c, getErr := f.commitOf(at)
		if getErr != nil {
			return getErr
		}
		if !see(at, c.Message) || len(c.ParentHashes) == 0 {
			return nil
		}
		at = c.ParentHashes[0].String()
	}
	return err
}

// Undoing is what has to be written to take a commit back: for each of its files the content before it, on the condition
// that the file still is as the commit left it.
func (f *Folder) Undoing(commit string) (map[string]Write, error) {
	c, err := f.commitOf(commit)
	if err != nil {
		return nil, err
	}
	parent := ""
	if len(c.ParentHashes) > 0 {
		parent = c.ParentHashes[0].String()
	}
	was, err := f.at(parent)
	if err != nil {
		return nil, err
	}
	before := was.files
	is, err := f.at(commit)
	if err != nil {
		return nil, err
	}
	out := map[string]Write{}
	for p, x := range is.files {
		old, had := before[p]
		if had && old.hash == x.hash || !taken(p) {
			continue
		}
		w := Write{Base: x.hash.String()}
		if had {
			if w.Data, err = f.blob(old.hash); err != nil {
				return nil, err
			}
		}
		out[p] = w
	}
	for p, old := range before {
		if _, still := is.files[p]; !still && taken(p) {
			data, err := f.blob(old.hash)
			if err != nil {
				return nil, err
			}
			out[p] = Write{Data: data}
		}
	}
	return out, nil
}

// noteIndex tells git's own index that the files are those of the commit, so that `git status` is clean. Without it git
// only shows too much.
func (f *Folder) noteIndex(paths []string, files map[string]file) {
	const name = ".git/index"
	idx := &index.Index{Version: 2}
	if in, err := f.root.Open(name); err == nil {
		err = index.NewDecoder(in).Decode(idx)
		in.Close()
		if err != nil {
			return
		}
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
	// A link is exclusive like git's own lock, and shows after a kill whose lock it is.
	if f.root.Link(ownIndex, name+".lock") == nil {
		f.step("index")
		_ = f.root.Rename(name+".lock", name)
	}
	_ = f.root.Remove(ownIndex)
}

const ownIndex = ours + "/index"

// unlockIndex removes the lock of a killed noteIndex.
func (f *Folder) unlockIndex() {
	mine, err1 := f.root.Lstat(ownIndex)
	lock, err2 := f.root.Lstat(".git/index.lock")
	if err1 == nil && err2 == nil && os.SameFile(mine, lock) {
		_ = f.root.Remove(".git/index.lock")
	}
}
