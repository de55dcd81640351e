package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"showhow/internal/paths"
)

func roots(t *testing.T) paths.Roots {
	t.Helper()
	return paths.Roots{Home: "/home/ada", Memory: "/home/ada/m", Config: filepath.Join(t.TempDir(), "showhow", "config.toml")}
}

func TestSaveIsReadBack(t *testing.T) {
	r := roots(t)
	c := Default(r)
	c.AgentDisplayName, c.IdleExitMinutes = "Nell \"the\" agent", 0
	c.AgentCommand = []string{"claude", "-p", "read it"}
	c.Targets = []Target{{Name: "claude", Dir: "/home/ada/.claude/skills"}, {Name: "agents", Dir: "/home/ada/.agents"}}
	c.Outlook = []Outlook{{Account: "work", EmailSend: new(bool)}, {Account: "a@example.com", CalendarWrite: new(bool)}}
	c.Browser.Headless, c.Overlay.Show, c.Model.URL = true, false, "http://127.0.0.1:11434/v1"
	if err := Save(r, c); err != nil {
		t.Fatal(err)
	}
	got, err := Load(r)
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Fatalf("%+v, %v\nwant %+v", got, err, c)
	}
	if err := Save(r, Default(r)); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(r.Config); string(b) != preamble {
		t.Errorf("defaults are written:\n%s", b)
	}
	if _, err := os.Stat(r.Config + ".bak"); err == nil {
		t.Error("a file of our own was kept as if a person had written it")
	}
}

func TestSaveKeepsWhatAPersonWrote(t *testing.T) {
	r := roots(t)
	real := filepath.Join(t.TempDir(), "dotfiles.toml")
	mine := "# why I do this\nidle_exit_minutes = 5\n"
	for _, err := range []error{os.WriteFile(real, []byte(mine), 0o600), os.Mkdir(filepath.Dir(r.Config), 0o700), os.Symlink(real, r.Config)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(r)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := Hash(r)
	c.AgentDisplayName = "Nell"
	if err := Save(r, c); err != nil {
		t.Fatal(err)
	}
	if after, _ := Hash(r); after == before {
		t.Error("the hash stayed")
	}
	if b, _ := os.ReadFile(real + ".bak"); string(b) != mine {
		t.Errorf("kept %q", b)
	}
	if info, err := os.Lstat(r.Config); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if b, _ := os.ReadFile(real); !strings.Contains(string(b), "agent_display_name = 'Nell'") ||
		!strings.Contains(string(b), "idle_exit_minutes = 5") {
		t.Errorf("%s", b)
	}
}

func TestSaveRefusesWhatNoDaemonCouldStartWith(t *testing.T) {
	r := roots(t)
	c := Default(r)
	c.Targets = append(c.Targets, c.Targets[0])
	if err := Save(r, c); err == nil {
		t.Error("two targets of one name were written")
	}
	if _, err := os.Stat(r.Config); err == nil {
		t.Error("a file was made")
	}
}
