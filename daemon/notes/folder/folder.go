// Package folder keeps the Markdown files of a folder under git, together with a person and other programs that edit
// the same files.
//
// Guarantees: a commit is there as a whole or not at all, whenever the process is killed; Open finishes what was begun.
// Nobody's edit is lost: what others changed in a file is committed as theirs before anything of ours, a commit that
// was made for another content of a file is refused, and an edit that arrives while files are written stays in its
// file. Paths come from this package's callers and never leave the folder; links and what is no regular file are
// neither read nor written. The repository stays an ordinary one that git itself can work with.
//
// Not guaranteed: other programs may lock the repository; calls then fail with NOTES_BUSY and can be repeated. Files
// that are not Markdown are left alone. Methods must not be called concurrently.
//
// Package notes is the only user. Test against a real folder, with git itself as the judge.
package folder

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"showhow/internal/fault"
)

// MaxFile is the longest file that is taken in.
const MaxFile = 1 << 20

// Folder is an open folder.
type Folder struct {
	dir  string
	root *os.Root
	objs *filesystem.Storage
	now  func() time.Time
	step func(string) // called between any two writes; for tests that kill the process there
	seen map[string]look
	head *snapshot // of the last commit that was read

	held  bool        // the index is locked by us
	wrote os.FileInfo // the index as noteIndex left it
}

// Options configures Open.
type Options struct {
	Now  func() time.Time
	Step func(name string) // for tests
}

// Open opens a folder and creates what is missing of it. It finishes a commit that a killed process had begun.
func Open(dir string, o Options) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, refused(err, "the notes folder cannot be created")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, refused(err, "the notes folder cannot be opened")
	}
	f := &Folder{dir: dir, root: root, now: o.Now, step: o.Step, seen: map[string]look{}}
	if f.now == nil {
		f.now = time.Now
	}
	if f.step == nil {
		f.step = func(string) {}
	}
	if err := f.prepare(); err != nil {
		root.Close()
		return nil, err
	}
	f.reopen()
	if err := f.recover(); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

func (f *Folder) reopen() {
	f.objs = filesystem.NewStorageWithOptions(osfs.New(filepath.Join(f.dir, gitDir), osfs.WithBoundOS()),
		cache.NewObjectLRU(1*cache.MiByte), filesystem.Options{})
}

const (
	gitDir  = ".git"
	ours    = ".git/showhow" // what a begun commit needs
	branch  = "refs/heads/main"
	ownConf = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = false\n"
)

// prepare makes the folder a repository, and refuses one that leads elsewhere.
func (f *Folder) prepare() error {
	info, err := f.root.Lstat(gitDir)
	switch {
	case err == nil && !info.IsDir():
		return fault.New(fault.NotesFolder, "the notes folder's .git is not a folder").
			WithHint("a linked work tree cannot be used; choose a folder with a repository of its own")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return refused(err, "the notes folder cannot be read")
	}
	for _, d := range []string{".git/objects", ".git/refs/heads", ours} {
		if err := f.root.MkdirAll(d, 0o700); err != nil {
			return refused(err, "the notes folder's repository cannot be written")
		}
	}
	if _, err := f.root.Lstat(".git/config"); errors.Is(err, fs.ErrNotExist) {
		if err := f.write(".git/config", []byte(ownConf)); err != nil {
			return err
		}
	}
	if _, err := f.root.Lstat(".git/HEAD"); errors.Is(err, fs.ErrNotExist) { // the last: with it git takes it for a repository
		return f.write(".git/HEAD", []byte("ref: "+branch+"\n"))
	}
	return nil
}

// write replaces a file as a whole and syncs it.
func (f *Folder) write(name string, data []byte) error {
	part := path.Join(ours, "part")
	if err := f.fill(part, data); err != nil {
		return err
	}
	if err := f.root.Rename(part, name); err != nil {
		return refused(err, "a file of the notes folder cannot be written")
	}
	return f.syncDir(path.Dir(name))
}

// fill writes a new file and syncs it.
func (f *Folder) fill(name string, data []byte) error {
	out, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return refused(err, "a file of the notes folder cannot be written")
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return refused(err, "a file of the notes folder cannot be written")
	}
	return nil
}

func (f *Folder) syncDir(name string) error {
	d, err := f.root.Open(name)
	if err != nil {
		return refused(err, "the notes folder cannot be read")
	}
	defer d.Close()
	err = d.Sync()
	unable := errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) // Windows
	if err != nil && !unable {
		return refused(err, "the notes folder cannot be written")
	}
	return nil
}

// refused tells why a folder cannot be used.
func refused(err error, message string) error {
	var own *fault.Error
	if errors.As(err, &own) {
		return err
	}
	return fault.Wrap(err, fault.NotesFolder, message).
		WithHint("give yourself read and write permission to the folder and make sure that the disk has room; links must not lead out of it")
}

func busy(what string) error {
	return fault.New(fault.NotesBusy, what).WithHint("finish or abort it there, then try again")
}

// taken is whether a path is one that this package takes in: Markdown, nothing hidden, no name that leads elsewhere.
func taken(name string) bool {
	if !fs.ValidPath(name) || name == "." || !strings.EqualFold(path.Ext(name), ".md") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || strings.ContainsAny(part, "\\:\x00") {
			return false
		}
	}
	return true
}

// headRef is the branch that the repository is on.
func (f *Folder) headRef() (plumbing.ReferenceName, error) {
	r, err := f.objs.Reference(plumbing.HEAD)
	if err != nil {
		return "", fault.Wrap(err, fault.NotesFolder, "the notes folder's repository has no HEAD").
			WithHint("repair it with git, or move its .git away: a new one is made then")
	}
	if r.Type() != plumbing.SymbolicReference {
		return "", busy("the notes folder's repository is on no branch")
	}
	for _, sign := range []string{"MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD"} {
		if _, err := f.root.Lstat(path.Join(gitDir, sign)); err == nil {
			return "", busy("git has a merge or rebase under way in the notes folder")
		}
	}
	if !strings.HasPrefix(string(r.Target()), "refs/heads/") || !fs.ValidPath(string(r.Target())) {
		return "", busy("the notes folder's repository is on no branch")
	}
	return r.Target(), nil
}

// Head is the newest commit; "" before the first.
func (f *Folder) Head() (string, error) {
	name, err := f.headRef()
	if err != nil {
		return "", err
	}
	r, err := f.objs.Reference(name)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", refused(err, "the notes folder's branch cannot be read")
	}
	return r.Hash().String(), nil
}
