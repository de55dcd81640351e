package corpus

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"showhow/daemon/compile"
	"showhow/internal/clock"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// skillDir holds the skills compiled from the corpus's demonstrations: reviewed text, one folder for each skill.
const skillDir = "testdata/skills"

// compiled is the draft compiled from both demonstrations of a trace, the same each time.
func compiled(t testing.TB, tr Trace) compile.Output {
	t.Helper()
	return revised(t, tr, compile.Output{}, nil)
}

// revised is the draft with a person's edits.
func revised(t testing.TB, tr Trace, before compile.Output, edits map[string]any) compile.Output {
	t.Helper()
	n := 0
	at := time.Date(2026, time.November, 21, 18, 0, 0, 0, time.UTC)
	in := compile.Input{Goal: tr.Goal, EntryMode: "demonstrating_skill", ExecutionMode: "guided", Values: tr.Values, Revision: 1,
		Anchors: before.Anchors, Edits: edits, Now: clock.At(at),
		NewID: func() string { n++; return fmt.Sprintf("00000000-0000-7000-8000-%012d", n) }}
	for _, d := range tr.Demonstrations {
		one := compile.Trace{Records: d.Records}
		if len(d.Records) > 0 {
			one.TraceID, one.SessionID = d.Records[0].TraceID, d.Records[0].Event.LearnSessionID
		}
		in.Traces = append(in.Traces, one)
	}
	out, err := compile.Compile(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every demonstration of the corpus compiles to the reviewed skill, and the reference validator accepts it.
func TestSkills(t *testing.T) {
	if *update {
		if err := os.RemoveAll(skillDir); err != nil {
			t.Fatal(err)
		}
	}
	all := t.TempDir()
	for _, f := range All() {
		if f.Held {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			tr, err := ReadTrace(filepath.Join(TraceDir, f.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			out := compiled(t, tr)
			got, golden := out.Bundle.File("SKILL.md").Data, filepath.Join(skillDir, out.Slug, "SKILL.md")
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", golden, d)
			}
			if err := out.Bundle.WriteTo(filepath.Join(all, out.Slug), false); err != nil {
				t.Fatal(err)
			}
		})
	}
	judged(t, all)
}

// judge runs the reference validator on every folder below the one named, in one process.
const judge = `import { validate } from 'skills-ref'; import { readdirSync } from 'node:fs'; import { join } from 'node:path';
const all = process.argv[2]; let bad = 0;
for (const d of readdirSync(all)) for (const e of await validate(join(all, d))) { console.log(d + ': ' + e); bad = 1; }
process.exit(bad);`

func judged(t *testing.T, all string) {
	modules := validator(t)
	if modules == "" {
		return
	}
	if msg, err := asJudge(t, modules, judge, all); err != nil {
		t.Errorf("skills-ref: %v\n%s", err, msg)
	}
}

// asJudge runs a script that finds the judges' packages.
func asJudge(t *testing.T, modules, script string, args ...string) ([]byte, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "judge.mjs")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(modules, ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	return exec.CommandContext(t.Context(), node, append([]string{path}, args...)...).CombinedOutput()
}

// validator is the node_modules folder that holds skills-ref, "" if it is not installed; in CI that is a failure.
func validator(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if modules == "" {
		modules, _ = filepath.Abs("../../build/judges/node_modules")
	}
	if _, err := os.Stat(filepath.Join(modules, "skills-ref")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("skills-ref is not installed: `make setup` installs it")
		}
		t.Log("skills-ref is not installed (make setup): not judged")
		return ""
	}
	return modules
}
