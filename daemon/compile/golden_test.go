package compile

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// understood is the part of an output that a golden file shows besides the bundle's texts.
type understood struct {
	Title, Slug, Family string
	Verdict             workflow.Verdict
	Inputs              []workflow.InputSpec
	Params              []string
	Steps               []string
	Loops               []workflow.Loop `json:",omitempty"`
	Checkpoints         []string
	Success             []string
	Questions           []string
	Triggers, Negatives []string
	LeftOut             []string
	Lint                LintReport
	Sites, Commands     []string
}

func summary(t testing.TB, out Output) []byte {
	t.Helper()
	u := understood{Title: out.Title, Slug: out.Slug, Family: out.Family, Verdict: out.Verdict, Inputs: out.Interpretation.Inputs,
		Loops:   out.Graph.Loops,
		Success: out.Interpretation.SuccessConditions, Triggers: out.TriggerPhrases, Negatives: out.NegativeTriggers, LeftOut: out.LeftOut,
		Lint:  out.Lint,
		Sites: out.RequiredSites, Commands: out.RequiredCommands}
	for _, p := range out.Graph.Params {
		line := p.ParamID + " " + p.Name + " " + string(p.Kind) + " " + p.Role
		if p.Derived != "" {
			line += " = " + p.Derived
		}
		if p.Default != "" {
			line += " default " + p.Default
		}
		u.Params = append(u.Params, line+" used in "+strings.Join(p.UsedIn, ","))
	}
	for _, s := range out.Graph.Steps {
		line := s.StepID + " " + string(s.Verb) + ": " + s.Title
		if s.Effect {
			line += " [effect]"
		}
		if s.Grave {
			line += " [grave]"
		}
		if s.Optional {
			line += " [optional: " + s.Condition + "]"
		}
		u.Steps = append(u.Steps, line+" -> "+s.Checkpoint)
	}
	for _, c := range out.Interpretation.Checkpoints {
		b, err := json.Marshal(append([]workflow.Check{*c.Check}, c.MoreChecks...))
		if err != nil {
			t.Fatal(err)
		}
		u.Checkpoints = append(u.Checkpoints, c.CheckpointID+" "+c.StepID+" "+c.Goal+" | "+c.SuccessCondition+" | "+string(b))
	}
	for _, q := range out.Questions {
		u.Questions = append(u.Questions, q.SubjectRef+"/"+q.Field+" "+q.Prompt+" ["+q.Suggested+"]")
	}
	data, err := write.Pretty(u)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shownFiles are the bundle's files that a golden file holds whole; the others are covered by properties.
var shownFiles = []string{"SKILL.md", "references/demonstration.md", "tests/checks.json", "tests/triggers.json"}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out, err := Compile(loadFixture(t, ar))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][]byte{"understood.json": summary(t, out)}
			for _, p := range shownFiles {
				got[p] = out.Bundle.File(p).Data
			}
			if *update {
				writeGolden(t, name, ar, got)
				return
			}
			for _, p := range append([]string{"understood.json"}, shownFiles...) {
				want := golden(ar, p)
				if want == nil && (p == "tests/checks.json" || p == "references/demonstration.md") {
					continue // a fixture shows only what it is about
				}
				if d := cmp.Diff(string(want), string(got[p])); d != "" {
					t.Errorf("%s (-want +got):\n%s", p, d)
				}
			}
		})
	}
}

func golden(ar *txtar.Archive, name string) []byte {
	for _, f := range ar.Files {
		if f.Name == "want/"+name {
			return f.Data
		}
	}
	return nil
}

func writeGolden(t *testing.T, name string, ar *txtar.Archive, got map[string][]byte) {
	t.Helper()
	var files []txtar.File
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			files = append(files, f)
		}
	}
	for _, p := range append([]string{"understood.json"}, shownFiles...) {
		files = append(files, txtar.File{Name: "want/" + p, Data: bytes.TrimRight(got[p], "\n")})
	}
	ar.Files = files
	if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The judge of the format: the reference validator's npm port, when it is installed.
func TestSkillsRefAccepts(t *testing.T) {
	bin := skillsRef(t)
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Compile(loadFixture(t, ar))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), out.Slug)
		if err := out.Bundle.WriteTo(dir, false); err != nil {
			t.Fatal(err)
		}
		if msg, err := exec.Command(bin, "validate", dir).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, msg)
		}
	}
}

// skillsRef is the validator from SHOWHOW_NODE_MODULES, the path of a node_modules folder.
func skillsRef(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if modules == "" {
		t.Skip("SHOWHOW_NODE_MODULES is not set: `make setup` installs skills-ref and sets it")
	}
	bin := filepath.Join(modules, ".bin", "skills-ref")
	if _, err := os.Stat(bin); err != nil {
		t.Skip("skills-ref is not installed under SHOWHOW_NODE_MODULES")
	}
	return bin
}
