package routes

import (
	"slices"
	"testing"

	"showhow/daemon/agentrun"
	"showhow/daemon/api/presence"
)

// Before a run, here or for a caller from elsewhere, a person reads which agent performs it and all that it gets.
func TestARunIsTold(t *testing.T) {
	p := agentrun.Plan{Agent: "night-watch", Credentials: []string{"TOKEN"}, Hosts: []string{"a.example", "b.example"},
		ReadOnly: []string{"/srv/maps"}, Dependencies: []agentrun.Dependency{{Kind: "npm", Manifest: "package.json", Packages: 3}}}
	want := []string{"The agent “night-watch”", "It gets the credentials: TOKEN", "It may reach: a.example, b.example",
		"It may read: /srv/maps", "Packages (npm) that package.json names: 3"}
	if got := sayRun(presence.Subject{}, p).Lines; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
