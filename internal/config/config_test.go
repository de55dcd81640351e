package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/fault"
	"showhow/internal/paths"
)

func load(t *testing.T, text string) (Config, error) {
	t.Helper()
	dir := t.TempDir()
	r := paths.Roots{Home: "/home/ada", Memory: "/home/ada/m", Config: filepath.Join(dir, "config.toml")}
	if text != "" {
		if err := os.WriteFile(r.Config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(r)
}

func TestDefaults(t *testing.T) {
	c, err := load(t, "")
	if err != nil || c.Memory != "/home/ada/m" || len(c.Targets) != 1 || c.IdleExitMinutes != 10 {
		t.Fatalf("%+v, %v", c, err)
	}
}

func TestTargetsReplaceTheDefault(t *testing.T) {
	c, err := load(t, "[[targets]]\nname = \"claude\"\ndir = \"~/.claude/skills\"\n")
	if err != nil || len(c.Targets) != 1 || c.Targets[0].Dir != "/home/ada/.claude/skills" {
		t.Fatalf("%+v, %v", c, err)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"memori = \"/x\"":      "unknown setting memori in line 1",
		"memory = ":            "line 1",
		"memory = \"x\"":       "absolute",
		"[[targets]]\nname=''": "target 1",
	} {
		_, err := load(t, text)
		if !fault.Is(err, fault.Usage) || !strings.Contains(fault.From(err).Message, want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
