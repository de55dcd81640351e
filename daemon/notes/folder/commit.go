package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"showhow/internal/fault"
	"showhow/internal/regular"
)

// Write is what a commit does to one file.
type Write struct {
	Base string // the content that it was made for, by its hash; "": there must be no such file
	Data []byte // nil: the file is removed
}

// Conflict is the error of a commit that was made for another content of some files.
func Conflict(paths []string) error {
	return fault.Newf(fault.NotesConflict, "%d of the files changed after the change was prepared; nothing was written", len(paths)).
		WithHint("look at them and prepare the change again").WithDetail("files", paths)
}

// intent is what a commit is about to do, on disk before its branch moves.
type intent struct {
	From, To, Ref string
	Paths         []string
	Outside       bool // the files are as the commit has them, or newer; none is written
}

const intentFile = ours + "/intent"

// Commit writes files and commits them, and returns the commit. Call Sync before it: what others changed must be
// committed as theirs.
func (f *Folder) Commit(writes map[string]Write, message string) (string, error) {
	head, err := f.Head()
	if err != nil {
		return "", err
	}
	was, err := f.at(head)
	if err != nil {
		return "", err
	}
	files := maps.Clone(was.files)
	var stale []string
	paths := slices.Sorted(maps.Keys(writes))
	for _, p := range paths {
		if !taken(p) {
			return "", fault.New(fault.NotesFolder, "a path of the change is no Markdown file of the notes folder").WithHint("use a plain name")
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if nested(f, dir, was.files) {
				return "", fault.Newf(fault.NotesFolder, "%s in the notes folder is a repository of its own", dir).
					WithHint("rename it, or move it out of the notes folder")
			}
		}
		x, there := was.files[p]
		if there != (writes[p].Base != "") || there && x.hash.String() != writes[p].Base {
			stale = append(stale, p)
		}
	}
	if len(stale) > 0 {
		return "", Conflict(stale)
	}
	for _, p := range paths {
		if writes[p].Data == nil {
			delete(files, p)
			continue
		}
		h, err := f.put(plumbing.BlobObject, writes[p].Data)
		if err != nil {
			return "", err
		}
		mode := filemode.Regular
		if x, ok := was.files[p]; ok {
			mode = x.mode
		}
		files[p] = file{mode, h}
	}
	return f.move(intent{From: head, Paths: paths}, files, message)
}

// move makes the commit, moves the branch to it and brings the files there. git can begin nothing meanwhile.
func (f *Folder) move(in intent, files map[string]file, message string) (string, error) {
	release, err := f.hold()
	if err != nil {
		return "", err
	}
	defer release()
	h, err := f.putCommit(in.From, files, message)
	if err != nil {
		return "", err
	}
	in.To = h.String()
	if err := f.moveHead(&in); err != nil {
		return "", err
	}
	f.step("files")
	old := f.head
	f.head = &snapshot{in.To, files}
	var was map[string]file
	if old != nil && old.commit == in.From {
		was = old.files
	}
	_ = f.checkout(in, was, files) // it is committed; if the files cannot be written now, the next Sync tries again
	return in.To, nil
}

// moveHead moves the branch that the repository is on. Until then it stays the one.
func (f *Folder) moveHead(in *intent) error {
	if err := f.lock(headLock); err != nil {
		return err
	}
	defer f.root.Remove(headLock)
	ref, err := f.headRef()
	if err != nil {
		return err
	}
	in.Ref = string(ref)
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	f.step("intent")
	if err := f.write(intentFile, b); err != nil {
		return err
	}
	f.step("branch")
	if err := f.setRef(*in); err != nil {
		return errors.Join(err, f.root.Remove(intentFile))
	}
	return nil
}

// setRef moves the branch as git does: with a lock, by a rename.
func (f *Folder) setRef(in intent) error {
	name := path.Join(gitDir, in.Ref)
	if err := f.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return refused(err, "the notes folder's repository cannot be written")
	}
	lock, err := f.root.OpenFile(name+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return busy("another program is writing to the notes folder's repository")
	}
	if err != nil {
		return refused(err, "the notes folder's repository cannot be written")
	}
	f.step("lock")
	_, err = lock.WriteString(in.To + "\n")
	err = errors.Join(err, lock.Sync(), lock.Close())
	if err == nil { // what git did until we had the lock
		now, headErr := f.Head()
		if err = headErr; err == nil && now != in.From {
			err = busy("another program has just committed to the notes folder's repository")
		}
	}
	if err == nil {
		f.step("locked")
		err = f.root.Rename(name+".lock", name)
	}
	if err != nil {
		_ = f.root.Remove(name + ".lock")
		return refused(err, "the notes folder's branch cannot be moved")
	}
	return f.syncDir(path.Dir(name))
}

// checkout writes the files of a commit that the branch is on. What somebody changed meanwhile stays as it is; the next
// Sync commits it on top.
func (f *Folder) checkout(in intent, was, files map[string]file) error {
	for _, p := range in.Paths {
		if in.Outside || !taken(p) {
			continue
		}
		if err := f.replace(p, was[p].hash, files[p].hash); err != nil {
			return err
		}
		f.step("file")
	}
	f.noteIndex(in.Paths, files)
	f.step("done")
	if err := f.root.Remove(intentFile); err != nil {
		return refused(err, "the notes folder's repository cannot be written")
	}
	return nil
}

const away = ours + "/away"

// replace brings one file from one content to another; a zero hash is no file.
func (f *Folder) replace(p string, from, to plumbing.Hash) error {
	now, err := f.hashOf(p)
	if err != nil {
		return err
	}
	if now != from || from == to {
		return nil // it is there already, or somebody's edit is
	}
	delete(f.seen, p)
	_ = f.root.Remove(away)
	if to.IsZero() {
		if err := f.root.Rename(p, away); err != nil {
			return refused(err, "a file of the notes folder cannot be removed")
		}
		return f.giveBack(p, from)
	}
	data, err := f.blob(to)
	if err != nil {
		return err
	}
	if err := f.root.MkdirAll(path.Dir(p), 0o700); err != nil {
		return refused(err, "a folder for notes cannot be created")
	}
	part := ours + "/part"
	if err := f.fill(part, data); err != nil {
		return err
	}
	f.step("part")
	if from.IsZero() {
		if err := f.root.Link(part, p); errors.Is(err, fs.ErrExist) {
			return f.root.Remove(part) // somebody has just made one
		} else if err == nil {
			return errors.Join(f.root.Remove(part), f.syncDir(path.Dir(p)))
		}
	} else {
		_ = f.root.Link(p, away) // the file system may have no links; then the moment between look and rename is unguarded
	}
	if err := f.root.Rename(part, p); err != nil {
		return refused(err, "a file of the notes folder cannot be written")
	}
	if err := f.syncDir(path.Dir(p)); err != nil {
		return err
	}
	if from.IsZero() {
		return nil
	}
	return f.giveBack(p, from)
}

// giveBack looks at what was replaced. If somebody had changed it between the look and the rename, their content takes
// its place again.
func (f *Folder) giveBack(p string, from plumbing.Hash) error {
	h, err := f.hashOf(away)
	if err != nil || h.IsZero() {
		return err
	}
	if h == from {
		return f.root.Remove(away)
	}
	return f.root.Rename(away, p)
}

// hashOf is the hash of a file's content; zero if there is none.
func (f *Folder) hashOf(p string) (plumbing.Hash, error) {
	data, err := regular.ReadIn(f.root, p, MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return plumbing.ZeroHash, nil
	case errors.Is(err, regular.ErrNot), errors.Is(err, regular.ErrLong):
		return plumbing.NewHash("ff"), nil // of no content that was committed
	case err != nil:
		return plumbing.ZeroHash, refused(err, "a file of the notes folder cannot be read")
	}
	return plumbing.ComputeHash(plumbing.BlobObject, data), nil
}

// recover finishes a commit that a killed process had begun.
func (f *Folder) recover() error {
	f.unlock()
	b, err := f.root.ReadFile(intentFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var in intent
	if err == nil {
		err = json.Unmarshal(bytes.TrimSpace(b), &in)
	}
	if err != nil || !fs.ValidPath(in.Ref) {
		return refused(errors.Join(err, errors.New("the intent is damaged")), "what was begun in the notes folder cannot be read")
	}
	// The lock is ours if it holds our commit, or nothing yet.
	lock := path.Join(gitDir, in.Ref) + ".lock"
	if held, err := f.root.ReadFile(lock); err == nil && (len(held) == 0 || string(bytes.TrimSpace(held)) == in.To) {
		if err := f.root.Remove(lock); err != nil {
			return refused(err, "the notes folder's repository cannot be written")
		}
	}
	head, err := f.Head()
	if err != nil {
		return err
	}
	if head == in.From {
		return f.root.Remove(intentFile) // it never happened
	}
	was, err := f.at(in.From)
	if err != nil {
		return err
	}
	from := was.files
	is, err := f.at(in.To)
	if err != nil {
		return err
	}
	if h, err := f.hashOf(away); err == nil && !h.IsZero() { // the last file that was replaced
		for _, p := range slices.Backward(in.Paths) {
			now, err := f.hashOf(p)
			if err != nil {
				return err
			}
			if now == is.files[p].hash && now != from[p].hash && !inFiles(from, in.Paths, h) {
				if err := f.root.Rename(away, p); err != nil {
					return refused(err, "a file of the notes folder cannot be put back")
				}
				break
			}
		}
	}
	return f.checkout(in, from, is.files)
}

// inFiles is whether one of the paths had this content.
func inFiles(files map[string]file, paths []string, h plumbing.Hash) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return files[p].hash == h })
}
