package skill

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const goodHead = "name: some-skill\ndescription: Exports an order as CSV when asked for it.\n"

// emitCases are heads with what each target makes of them, in the order of Targets.
var emitCases = map[string]struct {
	name, head string
	want       [4]string // agentskills, openclaw, claude, codex
	strict     bool      // adapted for the sake of others than the reference validator
}{
	"plain": {"some-skill", goodHead, [4]string{"as_is", "as_is", "as_is", "as_is"}, false},
	"all standard keys": {"some-skill",
		goodHead +
			"license: MIT\ncompatibility: Needs a shell.\nmetadata:\n  author: me\n  version: \"1\"\nallowed-tools: \"Read Bash(git:*)\"\n",
		[4]string{"as_is", "as_is", "as_is", "as_is"}, false},
	"baseline's keys": {"some-skill", goodHead + "version: 1.0.0\ntriggers: [one, two]\nnegative_triggers:\n  - three\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, false},
	"claude's keys": {"some-skill", goodHead + "argument-hint: \"[file]\"\nmodel: sonnet\n",
		[4]string{"adapted", "adapted", "as_is", "adapted"}, false},
	"openclaw's one line": {"some-skill", goodHead + `metadata: {"openclaw":{"requires":{"bins":["jq"],"env":["TOKEN"]}}}` + "\n",
		[4]string{"adapted", "as_is", "adapted", "adapted"}, true},
	"openclaw's in block": {"some-skill", goodHead + "metadata:\n  openclaw:\n    requires:\n      bins: [jq]\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, true},
	"openclaw's homepage": {"some-skill", goodHead + "homepage: https://example.com\n", [4]string{"adapted", "as_is", "adapted", "adapted"},
		false},
	"numbers in metadata": {"some-skill", goodHead + "metadata:\n  version: 1.0\n", [4]string{"adapted", "adapted", "adapted", "adapted"},
		true},
	"tools as a list": {"some-skill", goodHead + "allowed-tools:\n  - Read\n  - Bash\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, true},
	"angle brackets": {"some-skill", "name: some-skill\ndescription: Say <what> and when to use it.\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, true},
	"another language": {"some-skill", "name: some-skill\ndescription: 注文を書き出します。頼まれたときに使います。\n",
		[4]string{"as_is", "as_is", "as_is", "as_is"}, false},
	"long description": {"some-skill", "name: some-skill\ndescription: " + strings.Repeat("word ", 300) + "\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, false},
	"long compatibility": {"some-skill", goodHead + "compatibility: " + strings.Repeat("x", 501) + "\n",
		[4]string{"adapted", "adapted", "adapted", "adapted"}, false},
	"capital name": {"Some-Skill", "name: Some-Skill\ndescription: Exports an order as CSV.\n",
		[4]string{"refused", "refused", "refused", "refused"}, false},
	"two hyphens": {"some--skill", "name: some--skill\ndescription: Exports an order as CSV.\n",
		[4]string{"refused", "refused", "refused", "refused"}, false},
	"another folder":    {"other", goodHead, [4]string{"refused", "refused", "refused", "refused"}, false},
	"no description":    {"some-skill", "name: some-skill\n", [4]string{"refused", "refused", "refused", "refused"}, false},
	"empty description": {"some-skill", "name: some-skill\ndescription: \"\"\n", [4]string{"refused", "refused", "refused", "refused"}, false},
	"no name": {"some-skill", "description: Exports an order as CSV.\n", [4]string{"refused", "refused", "refused", "refused"},
		false},
	"broken YAML": {"some-skill", "name: [\n", [4]string{"refused", "refused", "refused", "refused"}, false},
	"a reserved name": {"claude-helper", "name: claude-helper\ndescription: Helps with an order when asked.\n",
		[4]string{"as_is", "as_is", "refused", "as_is"}, false},
}

func emitBundle(t *testing.T, name, head string) Bundle {
	t.Helper()
	b, err := New(name, []File{{Path: Entry, Data: []byte("---\n" + head + "---\n\n# Do it\n\nIn one step.\n")},
		{Path: "scripts/run.sh", Mode: 0o755, Data: []byte("#!/bin/sh\n")}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVerdictsAndEmission(t *testing.T) {
	for name, c := range emitCases {
		b := emitBundle(t, c.name, c.head)
		for i, v := range Verdicts(b) {
			if v.Verdict != c.want[i] {
				t.Errorf("%s for %s: %s, want %s: %+v", name, v.Target, v.Verdict, c.want[i], v.Findings)
			}
			out, _, err := Emit(b, v.Target)
			switch {
			case (err != nil) != (v.Verdict == "refused"):
				t.Errorf("%s for %s: %v", name, v.Target, err)
			case err != nil:
				continue
			case v.Verdict == "as_is" && out.Hash() != b.Hash():
				t.Errorf("%s for %s was changed", name, v.Target)
			}
			for _, again := range Verdicts(out) {
				if again.Target == v.Target && again.Verdict != "as_is" {
					t.Errorf("%s emitted for %s is %s: %+v\n%s", name, v.Target, again.Verdict, again.Findings, out.Files[0].Data)
				}
			}
			was, _ := Parse(b)
			is, err := Parse(out)
			if err != nil || !strings.HasSuffix(is.Body, strings.TrimLeft(was.Body, "\n")) || is.Name != was.Name {
				t.Errorf("%s for %s: %v\n%s", name, v.Target, err, out.Files[0].Data)
			}
		}
	}
}

// Nothing that an author wrote in the head is lost, only moved.
func TestEmissionKeepsWhatItMoves(t *testing.T) {
	b := emitBundle(t, "some-skill",
		goodHead+"version: 2.1.0\ntriggers: [one thing, another]\nmodel: sonnet\nmetadata:\n  openclaw:\n    requires:\n      bins: [jq, curl]\n")
	portable, _, err := Emit(b, "agentskills")
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := Parse(portable)
	for k, want := range map[string]string{"version": "2.1.0", "triggers": "one thing, another", "model": "sonnet",
		"openclaw.requires.bins": "jq, curl"} {
		if doc.Metadata[k] != want {
			t.Errorf("metadata %s is %q, want %q", k, doc.Metadata[k], want)
		}
	}
	claw, _, _ := Emit(b, "openclaw")
	if text := string(claw.File(Entry).Data); !strings.Contains(text,
		`metadata: {"model":"sonnet","openclaw":{"requires":{"bins":["jq","curl"]}}`) {
		t.Error(text)
	}
	claude, _, _ := Emit(b, "claude")
	if text := string(claude.File(Entry).Data); !strings.Contains(text, "\nmodel: \"sonnet\"\n") {
		t.Error(text)
	}
}

// The matrix: our verdict for the portable target beside the reference validator's, and everything that is emitted passes it.
func TestOurVerdictsBesideTheReferenceValidator(t *testing.T) {
	bin := filepath.Join(os.Getenv("SHOWHOW_NODE_MODULES"), ".bin", "skills-ref")
	if _, err := os.Stat(bin); err != nil {
		t.Skip("skills-ref is not installed under SHOWHOW_NODE_MODULES: `make setup` installs it")
	}
	accepts := func(b Bundle) (bool, string) {
		dir := filepath.Join(t.TempDir(), b.Name)
		if err := b.WriteTo(dir, false); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), bin, "validate", dir).CombinedOutput()
		return err == nil, string(out)
	}
	for name, c := range emitCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := emitBundle(t, c.name, c.head)
			ours := Verdicts(b)[0]
			theirs, said := accepts(b)
			switch {
			case ours.Verdict == "as_is" && !theirs:
				t.Errorf("we take it as it is, the reference does not: %s", said)
			case ours.Verdict != "as_is" && theirs && !c.strict:
				t.Errorf("the reference takes it, we say %s: %+v", ours.Verdict, ours.Findings)
			}
			judged := map[string]bool{b.Hash(): true}
			for _, target := range []string{"agentskills", "codex"} {
				if out, _, err := Emit(b, target); err == nil && !judged[out.Hash()] {
					judged[out.Hash()] = true
					if ok, said := accepts(out); !ok {
						t.Errorf("emitted for %s it is refused: %s\n%s", target, said, out.File(Entry).Data)
					}
				}
			}
		})
	}
}

// The other side of the matrix: what the most used installer does with emitted skills. It installs every skill that we
// emit for a kind of agent into that agent's folder, byte for byte.
func TestTheInstallerAcceptsEmittedSkills(t *testing.T) {
	bin := filepath.Join(os.Getenv("SHOWHOW_NODE_MODULES"), ".bin")
	for _, p := range []string{"skills", "node"} { // the installer needs a newer Node than Debian's
		if _, err := os.Stat(filepath.Join(bin, p)); err != nil {
			t.Skip(p + " is not installed under SHOWHOW_NODE_MODULES: `make setup` installs it")
		}
	}
	for target, agent := range map[string]struct{ name, dir string }{
		"agentskills": {"codex", ".agents/skills"}, "codex": {"codex", ".agents/skills"}, "claude": {
			"claude-code", ".claude/skills"}, "openclaw": {"openclaw", "skills"},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			work := filepath.Join(dir, "work")
			emitted := map[string]Bundle{}
			for _, c := range emitCases {
				name := fmt.Sprintf("case-%02d", len(emitted))
				b := emitBundle(t, name, strings.ReplaceAll(c.head, "name: some-skill\n", "name: "+name+"\n"))
				out, _, err := Emit(b, target)
				if err != nil {
					continue
				}
				emitted[name] = out
				if err := out.WriteTo(filepath.Join(dir, "source", name), false); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(work, 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), filepath.Join(bin, "skills"), "add", filepath.Join(dir, "source"),
				"--skill", "*", "--agent", agent.name, "--copy", "--yes")
			cmd.Dir, cmd.Env = work, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "DO_NOT_TRACK=1", "DISABLE_TELEMETRY=1"}
			said, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			for name, want := range emitted {
				got, err := ReadDir(filepath.Join(work, agent.dir, name))
				if err != nil || got.Hash() != want.Hash() {
					t.Errorf("%s was not installed as it is: %v\n%s", name, err, want.File(Entry).Data)
				}
			}
			if t.Failed() || len(emitted) < 10 {
				t.Errorf("%d skills; it says:\n%s", len(emitted), said)
			}
		})
	}
}
