package folder

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

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
	Skipped []string          // what is not taken in: links, no regular or too long files, what is unreadable, other repositories
}

// Sync commits what others changed in the files since the last commit, if anything, and returns what the folder holds.
func (f *Folder) Sync() (State, error) {
	if _, err := f.root.Lstat(intentFile); err == nil {
		if err := f.recover(); err != nil {
			return State{}, err
		}
	}
	c, err := f.compare()
	if err == nil && len(c.changed) > 0 {
		err = f.takeAll(&c)
	}
	if err != nil {
		return State{}, err
	}
	out := State{Commit: c.was.commit, Files: map[string]string{}, Skipped: c.skipped}
	for p, x := range c.files {
		if _, ok := c.there[p]; ok && taken(p) {
			out.Files[p] = x.hash.String()
		}
	}
	return out, nil
}

// comparison is the newest commit beside what is on the disk.
type comparison struct {
	was     *snapshot
	there   map[string]plumbing.Hash
	skipped []string
	files   map[string]file // what a commit of the disk holds
	changed []string
}

func (f *Folder) compare() (c comparison, err error) {
	head, err := f.Head()
	if err != nil {
		return c, err
	}
	if c.was, err = f.at(head); err != nil {
		return c, err
	}
	if c.there, c.skipped, err = f.scan(c.was.files); err != nil {
		return c, err
	}
	c.files = maps.Clone(c.was.files)
	for p, h := range c.there {
		if x, ok := c.was.files[p]; !ok || x.hash != h {
			mode := filemode.Regular
			if ok {
				mode = x.mode
			}
			c.files[p] = file{mode, h}
			c.changed = append(c.changed, p)
		}
	}
	for p := range c.was.files {
		if _, ok := c.there[p]; !ok && taken(p) && !within(p, c.skipped) {
			delete(c.files, p)
			c.changed = append(c.changed, p)
		}
	}
	if len(c.changed) > 0 {
		c.unmix()
	}
	slices.Sort(c.changed)
	return c, nil
}

// unmix drops the files that cannot be there any more, because a folder has their name or a file that of their folder.
func (c *comparison) unmix() {
	for p := range c.files {
		for above := path.Dir(p); above != "."; above = path.Dir(above) {
			if _, both := c.files[above]; !both {
				continue
			}
			gone := above
			if _, ok := c.there[above]; ok {
				gone = p
			}
			delete(c.files, gone)
			c.changed = append(c.changed, gone)
		}
	}
}

// within is whether a path is one of the list, or below one.
func within(p string, list []string) bool {
	for ; p != "."; p = path.Dir(p) {
		if slices.Contains(list, p) {
			return true
		}
	}
	return false
}

// takeAll commits what others changed. git brings the files of another commit first and says last that it is there, so
// what counts is what is there while git can do nothing.
func (f *Folder) takeAll(c *comparison) error {
	release, err := f.hold()
	if err != nil {
		return err
	}
	defer release()
	if *c, err = f.compare(); err != nil {
		return err
	}
	kept := c.changed[:0]
	for _, p := range c.changed {
		if x, ok := c.files[p]; ok && c.there[p] == x.hash {
			if err := f.takeIn(p, x.hash); errors.Is(err, errMoved) {
				if old, had := c.was.files[p]; had {
					c.files[p] = old
				} else {
					delete(c.files, p)
				}
				continue // somebody is writing it: the next Sync takes it
			} else if err != nil {
				return err
			}
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return nil
	}
	in := intent{From: c.was.commit, Paths: kept, Outside: true}
	commit, err := f.move(in, c.files, "Edited by hand or by another program\n\n"+Outside+"\n")
	if err != nil {
		return err
	}
	c.was = &snapshot{commit, c.files}
	return nil
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

// nested is whether a folder is a repository of its own, or the place of one in the commit.
func nested(f *Folder, dir string, was map[string]file) bool {
	_, err := f.root.Lstat(path.Join(dir, gitDir))
	return err == nil || was[dir].mode == filemode.Submodule
}

// scan hashes the Markdown files. It reads only those that changed since it last did.
func (f *Folder) scan(was map[string]file) (files map[string]plumbing.Hash, skipped []string, err error) {
	files = map[string]plumbing.Hash{}
	seen := make(map[string]look, len(f.seen))
	ignored := newIgnored(f, was)
	err = fs.WalkDir(f.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == "." {
				return err
			}
			skipped = append(skipped, p) // nobody knows what is in it now
			return nil
		}
		if p == "." {
			return nil
		}
		if d.IsDir() {
			if path.Base(p)[0] == '.' {
				return fs.SkipDir
			}
			if nested(f, p, was) {
				skipped = append(skipped, p)
				return fs.SkipDir
			}
			if ignored.dir(p) {
				return fs.SkipDir
			}
			return nil
		}
		if _, known := was[p]; !taken(p) || !known && ignored.file(p) {
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
