package corpus

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/browser"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// subset are workflows that together use every application and every kind of act; bench-learn performs all workflows.
var subset = []string{"lend-book", "move-card", "create-card", "book-room", "cancel-booking", "upload-document", "rename-document",
	"set-manager",
	"schedule-letter", "change-sender", "receive-delivery", "low-stock", "tag-release"}

// Every driver reaches its effect according to the application's own record.
func TestDemonstrations(t *testing.T) {
	names := subset
	if one := os.Getenv("CORPUS"); one == "all" {
		names = nil
		for _, f := range All() {
			names = append(names, f.Name)
		}
	} else if one != "" {
		names = []string{one}
	}
	s := stage(t)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			if err := s.Perform(t.Context(), Find(name), i%2, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

func stage(t *testing.T) *Stage {
	t.Helper()
	for _, program := range []string{"bash", "git", "jq"} {
		need(t, func() error { _, err := exec.LookPath(program); return err }())
	}
	_, err := browser.Find()
	need(t, err)
	w, err := NewWorld()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	s, end, err := OpenStage(t.Context(), w, t.TempDir(), 2*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return s
}

// need skips if something is not installed, and fails in CI.
func need(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%v: build/setup.sh test installs it", err)
	}
	t.Skip(err)
}

// The corpus contains what it promises, and consecutive value sets differ in everything that the truth calls an
// input.
func TestCorpus(t *testing.T) {
	web, shell, seen := 0, 0, map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if f.Shell {
			shell++
		} else {
			web++
		}
		if len(f.Faults) == 0 || len(f.Inputs) == 0 || f.Effects == nil && f.Made == nil {
			t.Errorf("%s is not complete", f.Name)
		}
		var a *apps.App
		if f.App != "" {
			a = apps.New(f.App, Seed)
		}
		first, second, third := f.Values(a, 0), f.Values(a, 1), f.Values(a, 2)
		for _, in := range f.Inputs {
			if first[in.Key] == "" || first[in.Key] == second[in.Key] || third[in.Key] == second[in.Key] {
				t.Errorf("%s: %s does not vary: %q, %q, %q", f.Name, in.Key, first[in.Key], second[in.Key], third[in.Key])
			}
		}
	}
	if web < 15 || shell < 8 || len(apps.Names) < 6 {
		t.Errorf("%d web and %d shell workflows over %d applications", web, shell, len(apps.Names))
	}
}

// A fault never looks like a success in the record.
func TestFaultsAreNoSuccess(t *testing.T) {
	for _, f := range All() {
		if f.Effects == nil || f.App == "" {
			continue
		}
		before, a := apps.New(f.App, Seed), apps.New(f.App, Seed)
		v := f.Values(before, 2)
		for _, fault := range f.Faults {
			if f.OfFiles(fault) || fault == ledger.Hang || fault == ledger.EmptyFile {
				continue
			}
			a.Reset(Seed)
			a.Ledger.Fail(fault)
			for _, e := range f.Effects(before, v) {
				_, _ = a.Ledger.Apply(t.Context(), e)
			}
			if ledger.Same(f.Effects(before, v), a.Ledger.Effects()) {
				t.Errorf("%s: %s counts as a success", f.Name, fault)
			}
		}
	}
}
