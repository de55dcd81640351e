package folder

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"showhow/internal/fault"
)

// file is one entry of a commit.
type file struct {
	mode filemode.FileMode
	hash plumbing.Hash
}

// snapshot is a commit with everything in it, by path. What others committed besides Markdown stays in it.
type snapshot struct {
	commit string
	files  map[string]file
}

// fetch calls get, and once more after new packs were looked for: git may have packed what was loose.
func fetch[T any](f *Folder, get func() (T, error)) (T, error) {
	v, err := get()
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		f.reopen()
		v, err = get()
	}
	if err != nil {
		return v, fault.Wrap(err, fault.NotesFolder, "an object of the notes folder's repository cannot be read").
			WithHint("`git fsck` in the folder says what is damaged")
	}
	return v, nil
}

func (f *Folder) commitOf(hash string) (*object.Commit, error) {
	return fetch(f, func() (*object.Commit, error) { return object.GetCommit(f.objs, plumbing.NewHash(hash)) })
}

// at reads what a commit holds; "" is before the first.
func (f *Folder) at(commit string) (*snapshot, error) {
	if f.head != nil && f.head.commit == commit {
		return f.head, nil
	}
	s := &snapshot{commit: commit, files: map[string]file{}}
	if commit != "" {
		c, err := f.commitOf(commit)
		if err != nil {
			return nil, err
		}
		if err := f.walk(c.TreeHash, "", s.files, 0); err != nil {
			return nil, err
		}
	}
	f.head = s
	return s, nil
}

const maxDepth = 40

func (f *Folder) walk(tree plumbing.Hash, under string, into map[string]file, depth int) error {
	if depth > maxDepth {
		return fault.New(fault.NotesFolder, "the notes folder's folders are nested too deeply").WithHint("move them up")
	}
	t, err := fetch(f, func() (*object.Tree, error) { return object.GetTree(f.objs, tree) })
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		name := path.Join(under, e.Name)
		if e.Mode == filemode.Dir {
			if err := f.walk(e.Hash, name, into, depth+1); err != nil {
				return err
			}
			continue
		}
		into[name] = file{e.Mode, e.Hash}
	}
	return nil
}

func (f *Folder) blob(h plumbing.Hash) ([]byte, error) {
	return fetch(f, func() ([]byte, error) {
		b, err := object.GetBlob(f.objs, h)
		if err != nil {
			return nil, err
		}
		r, err := b.Reader()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(io.LimitReader(r, MaxFile+1))
	})
}

// put stores a loose object, synced before it can be seen: go-git itself does not sync.
func (f *Folder) put(kind plumbing.ObjectType, data []byte) (plumbing.Hash, error) {
	h := plumbing.ComputeHash(kind, data)
	if f.objs.HasEncodedObject(h) == nil {
		return h, nil
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	fmt.Fprintf(z, "%s %d\x00", kind, len(data))
	z.Write(data)
	if err := z.Close(); err != nil {
		return h, err
	}
	name := h.String()
	dir := ".git/objects/" + name[:2]
	if err := f.root.MkdirAll(dir, 0o700); err != nil {
		return h, refused(err, "the notes folder's repository cannot be written")
	}
	f.step("object")
	return h, f.write(dir+"/"+name[2:], b.Bytes())
}

// putTree stores the folders of a commit, from the innermost to the root.
func (f *Folder) putTree(files map[string]file) (plumbing.Hash, error) {
	type node struct {
		dirs  map[string]*node
		files map[string]file
	}
	fresh := func() *node { return &node{map[string]*node{}, map[string]file{}} }
	top := fresh()
	for name, x := range files {
		at, parts := top, strings.Split(name, "/")
		for _, p := range parts[:len(parts)-1] {
			if at.dirs[p] == nil {
				at.dirs[p] = fresh()
			}
			at = at.dirs[p]
		}
		at.files[parts[len(parts)-1]] = x
	}
	var store func(n *node) (plumbing.Hash, error)
	store = func(n *node) (plumbing.Hash, error) {
		var t object.Tree
		for name, d := range n.dirs {
			h, err := store(d)
			if err != nil {
				return h, err
			}
			t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: h})
		}
		for name, x := range n.files {
			if n.dirs[name] != nil {
				return plumbing.ZeroHash, fault.New(fault.NotesFolder, "a folder would have the name of a file, a link or another repository").
					WithHint("rename one of them in the notes folder, and commit that with git").WithDetail("name", name)
			}
			t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: x.mode, Hash: x.hash})
		}
		slices.SortFunc(t.Entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
		return f.encode(&t)
	}
	return store(top)
}

// sortName is what git sorts a folder's entries by.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

func (f *Folder) encode(o interface {
	Encode(plumbing.EncodedObject) error
}) (plumbing.Hash, error) {
	m := &plumbing.MemoryObject{}
	if err := o.Encode(m); err != nil {
		return plumbing.ZeroHash, fault.Wrap(err, fault.NotesFolder, "a commit of the notes folder cannot be created").
			WithHint("rename files with unusual names")
	}
	r, err := m.Reader()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return f.put(m.Type(), data)
}

// putCommit stores a commit of files on top of parent.
func (f *Folder) putCommit(parent string, files map[string]file, message string) (plumbing.Hash, error) {
	tree, err := f.putTree(files)
	if err != nil {
		return tree, err
	}
	by := object.Signature{Name: "Showhow", Email: "showhow@localhost", When: f.now().Truncate(time.Second)}
	c := &object.Commit{Author: by, Committer: by, Message: message, TreeHash: tree}
	if parent != "" {
		c.ParentHashes = []plumbing.Hash{plumbing.NewHash(parent)}
	}
	return f.encode(c)
}
