package settings_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"showhow/daemon/settings"
	"showhow/daemon/wire"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

func keeper(t *testing.T) (*settings.Keeper, paths.Roots) {
	t.Helper()
	r := paths.Roots{Home: "/home/ada", Memory: "/home/ada/m", Config: filepath.Join(t.TempDir(), "config.toml")}
	return settings.New(r, config.Default(r)), r
}

func TestAChangeIsSavedAndFollowed(t *testing.T) {
	k, r := keeper(t)
	s := k.Saved()
	v := s.SettingsValues
	v.AgentDisplayName, v.IdleExitMinutes, v.Browser.Headless = "Nell", 3, true
	v.Targets = append(v.Targets, wire.SettingsTarget{Name: "claude", Dir: "~/.claude/skills"})
	got, err := k.Change(wire.SettingsChange{SettingsValues: v, ContentHash: s.ContentHash})
	if err != nil {
		t.Fatal(err)
	}
	if got.Targets[1].Dir != "/home/ada/.claude/skills" || !slices.Equal(got.AfterRestart, []string{"browser", "targets"}) ||
		got.ContentHash == s.ContentHash {
		t.Errorf("%+v", got)
	}
	if c := k.Current(); c.AgentDisplayName != "Nell" || c.IdleExitMinutes != 3 || c.Browser.Headless || len(c.Targets) != 1 {
		t.Errorf("in force: %+v", c)
	}
	if c, err := config.Load(r); err != nil || !c.Browser.Headless || len(c.Targets) != 2 {
		t.Errorf("saved: %+v %v", c, err)
	}
	if _, err := k.Change(wire.SettingsChange{SettingsValues: v, ContentHash: s.ContentHash}); !fault.Is(err, fault.RevisionConflict) {
		t.Errorf("a change of what is not there any more: %v", err)
	}
}

func TestAMalformedFileIsLeftAlone(t *testing.T) {
	k, r := keeper(t)
	const broken = "idle_exit_minutes = \n"
	if err := os.WriteFile(r.Config, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	s := k.Saved()
	if s.Mistake == "" || s.IdleExitMinutes != 10 {
		t.Errorf("%+v", s)
	}
	if _, err := k.Change(wire.SettingsChange{SettingsValues: s.SettingsValues}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("%v", err)
	}
	if b, _ := os.ReadFile(r.Config); string(b) != broken {
		t.Errorf("%s", b)
	}
}
