package using

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// lockFile names exactly the skills that a team's computers should have.
type lockFile struct {
	SchemaVersion int          `toml:"schema_version" json:"schema_version"`
	Skills        []lockedLine `toml:"skill" json:"skill"`
}

// lockedLine is one skill: where it is, and which content exactly.
type lockedLine struct {
	Reference string `toml:"reference" json:"reference"`
	Digest    string `toml:"digest" json:"digest"`
	Signer    string `toml:"signer,omitempty" json:"signer,omitempty"` // the key that must have signed it
}

const (
	lockName  = "showhow.lock"
	maxLock   = 1 << 20
	maxLocked = 5000
)

func readLock(name string) (lockFile, error) {
	var l lockFile
	b, err := readLockBytes(name)
	if err != nil {
		return l, err
	}
	not := func(err error, hint string) error {
		return fault.Wrap(err, fault.Usage, filepath.Base(name)+" is not a lock file that this version understands").WithHint(hint)
	}
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		hint := "it is a TOML file with schema_version = 1 and a [[skill]] with reference and digest for each skill"
		if at := new(toml.DecodeError); errors.As(err, &at) {
			line, _ := at.Position()
			hint = fmt.Sprintf("line %d; %s", line, hint)
		}
		return l, not(err, hint)
	}
	switch {
	case l.SchemaVersion != 1:
		return l, not(nil, "it has no schema_version = 1")
	case len(l.Skills) > maxLocked:
		return l, not(nil, fmt.Sprintf("it names more than %d skills", maxLocked))
	}
	for i, x := range l.Skills {
		if x.Reference == "" || !strings.HasPrefix(x.Digest, "sha256:") {
			return l, not(nil, fmt.Sprintf("skill %d of it has no reference or no digest; `showhow skill sync --write` writes both", i+1))
		}
		if _, pin, pinned := strings.Cut(x.Reference, "@"); pinned && pin != x.Digest {
			return l, not(nil, fmt.Sprintf("skill %d of it names another content in its reference than in its digest; write the one that is meant",
				i+1))
		}
	}
	return l, nil
}

// readLockBytes reads a lock file, and no more than it may have of what has no end.
func readLockBytes(name string) ([]byte, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(err, fault.NotFound, "there is no lock file").
			WithHint("`showhow skill sync --write` writes showhow.lock from what is installed here")
	}
	if err == nil {
		defer f.Close()
		var b []byte
		if b, err = io.ReadAll(io.LimitReader(f, maxLock+1)); err == nil && len(b) <= maxLock {
			return b, nil
		}
	}
	hint := filepath.Base(name) + " is a folder, or you may not read it"
	if err == nil {
		hint = filepath.Base(name) + " is larger than 1 MB"
	}
	return nil, fault.Wrap(err, fault.Usage, "the lock file cannot be read").WithHint(hint + "; --lock names the file")
}

// written is what became of one skill when the lock file was written.
type written struct {
	lockedLine
	State string      `json:"state"`         // same, added, changed, kept, left_out, dropped
	Why   string      `json:"why,omitempty"` // of kept and left_out: not_installed, changed_here
	Was   *lockedLine `json:"was,omitempty"` // of changed
}

// merged is the lock file with what is installed here. The file belongs to a team: a computer that has fewer skills, or
// other ones, takes nothing out of it. Only drop does, which names repositories or references.
func merged(file lockFile, here []client.SkillOutdated, drop []string) (lockFile, []written, error) {
	rows := make([]written, len(file.Skills))
	for i, x := range file.Skills {
		rows[i] = written{lockedLine: x, State: "kept", Why: "not_installed"}
	}
	for _, k := range here {
		is := lockedLine{Reference: k.Reference, Digest: k.Digest, Signer: k.Signer}
		at := slices.IndexFunc(rows, func(w written) bool { // exactly this, else another version of it
			return w.Why == "not_installed" && contentOf(w.Reference, w.Digest) == contentOf(is.Reference, is.Digest)
		})
		if at < 0 {
			at = slices.IndexFunc(rows, func(w written) bool {
				return w.Why == "not_installed" && skillPath(w.Reference) == skillPath(is.Reference)
			})
		}
		switch {
		case at < 0 && k.ChangedHere:
			rows = append(rows, written{lockedLine: is, State: "left_out", Why: "changed_here"})
		case at < 0:
			rows = append(rows, written{lockedLine: is, State: "added"})
		case k.ChangedHere:
			rows[at].Why = "changed_here"
		case rows[at].lockedLine == is:
			rows[at].State, rows[at].Why = "same", ""
		default:
			was := rows[at].lockedLine
			rows[at] = written{lockedLine: is, State: "changed", Was: &was}
		}
	}
	for _, name := range drop {
		some := false
		for i, w := range rows {
			if named := strings.TrimPrefix(name, "oci://"); named == w.Reference || named == skillPath(w.Reference) {
				rows[i].State, rows[i].Why, some = "dropped", "", true
			}
		}
		if !some {
			return file, nil, fault.New(fault.NotFound, "the lock file has no skill of the name that --drop gives").
				WithHint("give its reference as the file has it, or that without the tag")
		}
	}
	slices.SortStableFunc(rows, func(a, b written) int { return strings.Compare(a.Reference, b.Reference) })
	out := lockFile{SchemaVersion: 1, Skills: []lockedLine{}}
	for _, w := range rows {
		if w.State != "left_out" && w.State != "dropped" {
			out.Skills = append(out.Skills, w.lockedLine)
		}
	}
	return out, rows, nil
}

// saveLock replaces the file at once: one that is broken off leaves the one that was there.
func saveLock(name string, l lockFile) error {
	var b bytes.Buffer
	b.WriteString("# The skills that a team's computers have: `showhow skill sync` brings in exactly these.\n" +
		"# `showhow skill sync --write` writes this file anew, without the comments that it has.\n")
	if err := toml.NewEncoder(&b).Encode(l); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// contentOf names one content in one repository, whatever tag it was found by.
func contentOf(ref, digest string) string { return skillPath(ref) + "@" + digest }

// skillPath is a reference without tag and digest.
func skillPath(ref string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(ref, "oci://"), "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	return name
}
