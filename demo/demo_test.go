package demo

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"showhow/browser"
)

// self is the program, built once for all tests of this package.
var self string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "showhow-bin-")
	if err != nil {
		panic(err)
	}
	self = filepath.Join(dir, "showhow")
	build := exec.Command("go", "build", "-o", self, "showhow")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		os.Stderr.Write(out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
}

// The main job as a stranger performs it, with two sets of orders; the real home is not touched and the skill passes
// independent validators.
func TestDemo(t *testing.T) {
	needBrowser(t)
	for _, seed := range []string{"1", "7"} {
		t.Run("seed "+seed, func(t *testing.T) {
			home, tmp := t.TempDir(), t.TempDir()
			cmd := exec.CommandContext(t.Context(), self, "demo", "--json", "--keep", "--seed", seed)
			cmd.Env = append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "TMPDIR="+tmp)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, errs.Bytes())
			}
			var r Result
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if !r.OK || r.Kept < 15 || r.Checkpoints < 4 || r.Score < 0.3 || len(r.Targets) != 3 {
				t.Errorf("%+v", r)
			}
			if touched := files(t, home); len(touched) > 0 {
				t.Errorf("the real home was touched: %v", touched)
			}
			judge(t, r.SkillDir)
		})
	}
}

func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// judge makes the reference validator check the skill and a consumer install it.
func judge(t *testing.T, skill string) {
	t.Helper()
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if modules == "" {
		modules, _ = filepath.Abs("../build/judges/node_modules")
	}
	if _, err := os.Stat(filepath.Join(modules, ".bin", "skills-ref")); err != nil {
		t.Log("the validators are not installed (make setup): not judged")
		return
	}
	if out, err := exec.CommandContext(t.Context(), filepath.Join(modules, ".bin", "skills-ref"), "validate",
		skill).CombinedOutput(); err != nil {
		t.Errorf("skills-ref: %v\n%s", err, out)
	}
	home := t.TempDir()
	add := exec.CommandContext(t.Context(), filepath.Join(modules, "node", "bin", "node"), filepath.Join(modules, "skills", "bin", "cli.mjs"),
		"add", skill, "-y", "--agent", "claude-code")
	add.Dir, add.Env = home, append(os.Environ(), "HOME="+home, "DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1")
	add.WaitDelay = 5 * time.Second
	if out, err := add.CombinedOutput(); err != nil {
		t.Errorf("skills add: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(home, ".claude", "skills", filepath.Base(skill), "SKILL.md")); err != nil {
		t.Errorf("skills add did not install it: %v", err)
	}
}
