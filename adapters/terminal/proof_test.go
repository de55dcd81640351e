//go:build unix

package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProve(t *testing.T) {
	dir, home := newRuntime(t), t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := ProofOptions{Options: Options{Exe: exe, RuntimeDir: dir}, Home: home, Getenv: func(string) string { return "" }}
	write(t, filepath.Join(home, ".bashrc"), "  # eval \"$(showhow shell-init bash)\"\n")
	write(t, filepath.Join(home, ".zshrc"), "[[ -o interactive ]] && eval \"$(showhow shell-init zsh)\"\n")
	for _, p := range Prove(t.Context(), o) {
		want, fix := NoHookLine, Line(p.Shell)
		switch p.Shell {
		case "zsh":
			want, fix = Proven, ""
		case "fish":
			fix = "~/.config/fish/config.fish"
		}
		if p.State != want || !strings.Contains(p.Fix, fix) {
			t.Errorf("%+v", p)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "proof-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	o.Exe = "/bin/false" // cannot make a pipe non-blocking: bash does not join
	for _, p := range Prove(t.Context(), o) {
		if p.Shell == "bash" && (p.State != NotProven || p.Fix == "") {
			t.Errorf("%+v", p)
		}
	}
	t.Setenv("PATH", t.TempDir())
	for _, p := range Prove(t.Context(), o) {
		if p.State != NotInstalled {
			t.Errorf("%+v", p)
		}
	}
}

func TestTooOld(t *testing.T) {
	for says, want := range map[string]bool{
		"GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)": false, "GNU bash, version 5.0.17(1)-release": true,
		"GNU bash, version 3.2.57(1)-release (arm64-apple-darwin23)": true, "GNU bash, version 5.1.0": false, "something else": false,
	} {
		if _, got := tooOld("bash", says); got != want {
			t.Errorf("%s: %v", says, got)
		}
	}
	if _, old := tooOld("zsh", "zsh 5.9 (x86_64-debian-linux-gnu)"); old {
		t.Error("zsh 5.9")
	}
	if v, old := tooOld("fish", "fish, version 3.1.2"); !old || v != "3.1" {
		t.Error("fish 3.1")
	}
}
