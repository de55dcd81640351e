package presence

import (
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/wire"
)

// A person's word for one registration is none for another that is lent, sent or allowed something else.
func TestBindService(t *testing.T) {
	said := func() wire.MCPServerCreateRequest {
		return wire.MCPServerCreateRequest{DisplayName: "Notes", Transport: "local_bridge", AuthProfileID: "one",
			HeaderSecrets: map[string]string{"X-Key": "notes"}, LocalBridge: &wire.MCPLocalBridge{Command: []string{"notes"},
				Credentials: map[string]string{"KEY": "notes"}}}
	}
	want := BindService(said(), "")
	for name, change := range map[string]func(*wire.MCPServerCreateRequest){
		"credential":   func(q *wire.MCPServerCreateRequest) { q.LocalBridge.Credentials["KEY"] = "mail" },
		"variable":     func(q *wire.MCPServerCreateRequest) { q.LocalBridge.Credentials["OTHER"] = "notes" },
		"header":       func(q *wire.MCPServerCreateRequest) { q.HeaderSecrets["X-Key"] = "mail" },
		"auth profile": func(q *wire.MCPServerCreateRequest) { q.AuthProfileID = "two" },
		"host":         func(q *wire.MCPServerCreateRequest) { q.LocalBridge.Hosts = []string{"example.com"} },
		"address":      func(q *wire.MCPServerCreateRequest) { q.EndpointURL = "https://example.com" },
	} {
		q := said()
		if change(&q); BindService(q, "") == want {
			t.Errorf("%s: the person's word holds for another", name)
		}
	}
	if BindService(said(), "https://registry.example/") == want {
		t.Error("registry: the person's word holds for another")
	}
	q := said()
	if q.ClientRequestID = "again"; BindService(q, "") != want {
		t.Error("the id of the request is part of the person's word")
	}
}

// The lists of a confirmation are told with one colon, and a change of permissions names the content that the pages name.
func TestAConfirmationOfPermissions(t *testing.T) {
	p := wire.AbilityPermissions{Agents: []string{"codex", "remote/clerk"}}
	hash := strings.Repeat("e2689d14", 8)
	x := Subject{ContentHash: hash}.SayAbility(ability.AvailabilityEntry{Title: "File reports", SkillSlug: "file-reports"}).With(&p)
	said := strings.Join(x.Lines, "\n")
	if strings.Contains(said, "::") || !strings.Contains(said, "Callers from other computers may use it: remote/clerk") ||
		!strings.Contains(said, "Fingerprint e2689d14") {
		t.Error(said)
	}
	if x.ContentHash != BindPermissions(hash, p) {
		t.Error("it is not bound to the permissions")
	}
}
