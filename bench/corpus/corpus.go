// Package corpus is what learning is measured on: workflows over small web applications of our own and in the shell,
// each with a person who demonstrates it, the truth about it, and a record of what really happened.
//
// A workflow is demonstrated by real input events in a real browser and real lines in a real shell. Its values come
// in numbered sets: 0 and 1 are for two demonstrations, from 2 on for rehearsals. Its truth names the inputs that a
// person would expect, with the acceptable names for each, and the effects that make a run a success by the
// applications' ledgers or by the files created, never by what a page says. Faults are ways in which it can go wrong
// through nobody's fault.
//
// The workflows were written from what people do at work, without regard to how demonstrations are interpreted. A
// failure here calls for a general fix, not for one that fits the corpus.
//
// Recorded demonstrations are kept in testdata/traces, for tests that need no browser; `go run ./bench/learn -record`
// creates them.
package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/capture"
)

// Values are the values of one run, by input; several of one kind are separated by line breaks (see List).
type Values map[string]string

// List returns the values of an input that has several.
func (v Values) List(name string) []string { return strings.Split(v[name], "\n") }

// Input is an input that a person would expect the skill to have.
type Input struct {
	Key    string              // in Values
	Names  []string            // names one would accept, snake_case
	Kinds  []capture.ValueKind // kinds one would accept; none: any
	Each   bool                // one for every round of the repeated part
	Linked []string            // where it comes again, {} being the value: "letter-{}.txt"
}

// Missing is the fault of a missing file; it belongs to a workflow, not to an application.
const Missing ledger.Fault = "missing_file"

// Workflow is one task.
type Workflow struct {
	Name    string
	Goal    string // as the person says it
	App     string // "" for none
	Shell   bool
	Held    bool              // kept out of the traces
	Folder  string            // of the files to work on, below home
	Files   map[string]string // in that folder, by relative path
	Source  string            // that of Files which file faults meet; {} being the value of SourceOf
	Prepare func(dir string) error

	Values  func(a *apps.App, n int) Values
	Demo    func(p *person.Person, v Values)
	Effects func(a *apps.App, v Values) []ledger.Effect // by the application's ledger; a is as it was before
	Made    func(v Values) map[string]string            // files there must be afterwards, below home; "" means of any content

	Inputs    []Input
	Constants []string // what looks like a value and never varies
	Faults    []ledger.Fault
}

// All returns the workflows of the corpus.
func All() []*Workflow {
	var out []*Workflow
	for _, part := range [][]*Workflow{libraryWork(), boardWork(), roomsWork(), papersWork(), peopleWork(), lettersWork(), stockWork(),
		mixedWork(), shellWork(), heldWork(), canteenWork(), deskWork()} {
		out = append(out, part...)
	}
	return out
}

// Find returns the workflow of this name, nil if there is none.
func Find(name string) *Workflow {
	for _, w := range All() {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// Lay creates the workflow's folder below home in its initial state.
func (w *Workflow) Lay(home string) error {
	if w.Folder == "" {
		return nil
	}
	dir := filepath.Join(home, w.Folder)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, text := range w.Files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	if w.Prepare != nil {
		return w.Prepare(dir)
	}
	return nil
}

// Spoil injects a file fault: the source is empty or missing.
func (w *Workflow) Spoil(home string, f ledger.Fault, v Values) error {
	name := w.Source
	for k, text := range v {
		name = strings.ReplaceAll(name, "{"+k+"}", text)
	}
	path := filepath.Join(home, w.Folder, name)
	switch f {
	case Missing:
		return os.RemoveAll(path)
	case ledger.EmptyFile:
		return os.WriteFile(path, nil, 0o600)
	}
	return nil
}

// OfFiles reports whether a fault of this workflow concerns its files rather than an application.
func (w *Workflow) OfFiles(f ledger.Fault) bool {
	return w.Source != "" && (f == Missing || f == ledger.EmptyFile)
}

// Succeeded compares what really happened with what should have happened; why says what is wrong. before is the
// application before the run, nil if there is none; after is its current state.
func (w *Workflow) Succeeded(before, after *apps.App, home string, v Values) (ok bool, why string) {
	if w.Effects != nil {
		want, got := w.Effects(before, v), after.Ledger.Effects()
		if !ledger.Same(want, got) {
			return false, "happened: " + words(got) + "; expected: " + words(want)
		}
	}
	if w.Made != nil {
		for name, text := range w.Made(v) {
			b, err := os.ReadFile(filepath.Join(home, name))
			switch {
			case err != nil:
				return false, "not made: " + name
			case len(b) == 0 && text == "":
				return false, "empty: " + name
			case text != "" && strings.TrimSpace(string(b)) != strings.TrimSpace(text):
				return false, "of other content: " + name
			}
		}
	}
	return true, ""
}

func words(effects []ledger.Effect) string {
	if len(effects) == 0 {
		return "nothing"
	}
	var out []string
	for _, e := range effects {
		out = append(out, e.String())
	}
	return strings.Join(out, ", ")
}

// git runs a git command in a folder, without the user's settings.
func git(dir string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=Corpus",
		"GIT_AUTHOR_EMAIL=corpus@example.org",
		"GIT_COMMITTER_NAME=Corpus", "GIT_COMMITTER_EMAIL=corpus@example.org")
	return cmd.Run()
}

// some is the n-th of the list, cyclically.
func some(n int, list ...string) string { return list[n%len(list)] }

// Kinds that a person would consider the same.
var (
	text   = []capture.ValueKind{capture.KindText, capture.KindID}
	choice = []capture.ValueKind{capture.KindChoice}
	date   = []capture.ValueKind{capture.KindDate}
	number = []capture.ValueKind{capture.KindNumber}
	file   = []capture.ValueKind{capture.KindFile, capture.KindText}
)
