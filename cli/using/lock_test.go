package using

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

const team = "registry.example.com/team/"

func line(name, digest string) lockedLine {
	return lockedLine{Reference: team + name, Digest: "sha256:" + digest, Signer: "key"}
}

func installed(name, digest string, changed bool) client.SkillOutdated {
	return client.SkillOutdated{Reference: team + name, Digest: "sha256:" + digest, Signer: "key", ChangedHere: changed}
}

// A computer that has fewer skills, or that changed one, takes nothing out of the team's file.
func TestAWrittenLockFileLosesNothing(t *testing.T) {
	file := lockFile{SchemaVersion: 1, Skills: []lockedLine{line("changed:1", "c1"), line("elsewhere:1", "e1"), line("newer:1", "n1"),
		line("same:1", "s1")}}
	here := []client.SkillOutdated{installed("added:1", "a1", false), installed("changed:1", "c1", true), installed("newer:2", "n2", false),
		installed("own:1", "o1", true), installed("same:1", "s1", false)}
	got, rows, err := merged(file, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []lockedLine{line("added:1", "a1"), line("changed:1", "c1"), line("elsewhere:1", "e1"), line("newer:2", "n2"),
		line("same:1", "s1")}
	if len(got.Skills) != len(want) {
		t.Fatalf("%+v", got.Skills)
	}
	for i, x := range want {
		if got.Skills[i] != x {
			t.Errorf("%+v, want %+v", got.Skills[i], x)
		}
	}
	states := map[string]string{}
	for _, w := range rows {
		states[strings.TrimPrefix(w.Reference, team)] = strings.TrimSpace(w.State + " " + w.Why)
	}
	for name, state := range map[string]string{"added:1": "added", "changed:1": "kept changed_here", "elsewhere:1": "kept not_installed",
		"newer:2": "changed", "own:1": "left_out changed_here", "same:1": "same"} {
		if states[name] != state {
			t.Errorf("%s: %q, want %q", name, states[name], state)
		}
	}
}

func TestAnEntryIsDroppedByName(t *testing.T) {
	file := lockFile{SchemaVersion: 1, Skills: []lockedLine{line("a:1", "a1"), line("b:1", "b1")}}
	here := []client.SkillOutdated{installed("b:1", "b1", false)}
	for _, name := range []string{team + "b", team + "b:1", "oci://" + team + "b:1"} {
		got, _, err := merged(file, here, []string{name})
		if err != nil || len(got.Skills) != 1 || got.Skills[0] != line("a:1", "a1") {
			t.Errorf("%s: %+v %v", name, got.Skills, err)
		}
	}
	if _, _, err := merged(file, here, []string{team + "other"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
}

// What cannot be read is told with the line, and is nothing that --write takes the place of.
func TestALockFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		"schema_version = 1\n[[skill]\n":                     "line 2",
		"schema_version = 1\n[[skill]]\nreferense = \"a\"\n": "line 3",
		"\x00\x01":    "line 1",
		"other = 1\n": "line 1",
		"[[skill]]\n": "schema_version",
		"schema_version = 1\n[[skill]]\nreference = \"a\"\n":                                                 "skill 1",
		"schema_version = 1\n[[skill]]\nreference = \"r.example.com/a@sha256:11\"\ndigest = \"sha256:22\"\n": "another content",
	} {
		f := filepath.Join(dir, lockName)
		if err := os.WriteFile(f, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readLock(f)
		e := fault.From(err)
		if !strings.Contains(e.Message, lockName) || !strings.Contains(e.Hint, want) {
			t.Errorf("%q: %s / %s", name, e.Message, e.Hint)
		}
	}
	if _, err := readLock(dir); !strings.Contains(fault.From(err).Hint, "folder") {
		t.Errorf("%v", err)
	}
}

func TestALockFileIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.lock"), filepath.Join(dir, lockName)
	if err := os.WriteFile(real, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	want := lockFile{SchemaVersion: 1, Skills: []lockedLine{line("a:1", "a1")}}
	if err := saveLock(link, want); err != nil {
		t.Fatal(err)
	}
	got, err := readLock(real)
	if err != nil || len(got.Skills) != 1 || got.Skills[0] != want.Skills[0] {
		t.Errorf("%+v %v", got, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
