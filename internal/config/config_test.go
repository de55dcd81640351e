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
		"memori = \"/x\"":               "unknown setting memori in line 1",
		"memory = ":                     "line 1",
		"memory = \"x\"":                "absolute",
		"[[targets]]\nname=''":          "target 1",
		"[[outlook]]\nemail_send=false": "outlook 1",
	} {
		_, err := load(t, text)
		if !fault.Is(err, fault.Usage) || !strings.Contains(fault.From(err).Message, want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// R9 2.2: what is not switched off may be written; an account is named by its name or its address.
func TestOutlookSwitches(t *testing.T) {
	c, err := load(t, "[[outlook]]\naccount='Work'\nemail_send=false\n"+
		"[[outlook]]\naccount='a@example.com'\nemail_send=true\ncalendar_write=false\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		names       []string
		send, write bool
	}{{[]string{"work", "b@example.com"}, false, true}, {[]string{"Work", "A@example.com"}, false, false},
		{[]string{"x", "a@example.com"}, true, false}, {[]string{"", ""}, true, true}} {
		if send, write := c.OutlookMay(x.names...); send != x.send || write != x.write {
			t.Errorf("%v: %v %v", x.names, send, write)
		}
	}
}
