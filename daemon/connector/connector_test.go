package connector_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
)

func TestBadges(t *testing.T) {
	good := func() *wire.MCPServerListItem {
		x := &wire.MCPServerListItem{}
		x.Registry.Enabled, x.Registry.ActiveBuildSurface, x.Registry.InteractionMode = true, true, "interactive_user"
		x.Health.HealthStatus, x.Health.AuthState, x.EffectivePolicy.Decision.Mode = "healthy", "healthy", connector.Enabled
		x.Health.ThrottleState.State = "none"
		return x
	}
	for _, tt := range []struct {
		name   string
		change func(*wire.MCPServerListItem)
		want   []string
	}{
		{"connected", func(*wire.MCPServerListItem) {}, []string{"connected"}},
		{"throttling is no badge", func(x *wire.MCPServerListItem) { x.Health.ThrottleState.State = "rate_limited" }, []string{"connected"}},
		{"asks", func(x *wire.MCPServerListItem) { x.EffectivePolicy.Decision.Mode = connector.Ask }, []string{"connected", "approval_required"}},
		{"challenge", func(x *wire.MCPServerListItem) { x.Health.AuthState = "challenge_required" }, []string{"auth_required"}},
		{"expired", func(x *wire.MCPServerListItem) {
			x.Auth = &wire.MCPServerAuthStatus{AuthState: "expired"}
		}, []string{"auth_required"}},
		{"revoked", func(x *wire.MCPServerListItem) { x.Health.AuthState = "revoked" }, []string{"auth_required"}},
		{"degraded", func(x *wire.MCPServerListItem) { x.Health.HealthStatus = "degraded" }, []string{"degraded"}},
		{"disabled", func(x *wire.MCPServerListItem) { x.Registry.Enabled = false }, []string{"disabled"}},
		{"not in this build", func(x *wire.MCPServerListItem) { x.Registry.ActiveBuildSurface = false }, []string{"connected", "deferred"}},
		{"design only", func(x *wire.MCPServerListItem) { x.DeferredDesignOnly = true }, []string{"connected", "deferred"}},
		{"background", func(x *wire.MCPServerListItem) { x.Registry.InteractionMode = "background_service" },
			[]string{"connected", "background_only"}},
		{"unknown", func(x *wire.MCPServerListItem) { x.Health.HealthStatus = "unknown" }, []string{}},
	} {
		x := good()
		tt.change(x)
		if got := connector.Badges(x); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestActions(t *testing.T) {
	remote := func(auth string, a *wire.MCPServerAuthStatus) *wire.MCPServerListItem {
		x := &wire.MCPServerListItem{Auth: a}
		x.Registry.Enabled, x.Registry.Transport, x.Health.AuthState = true, "remote_http", auth
		return x
	}
	signed := func(state string) *wire.MCPServerAuthStatus {
		return &wire.MCPServerAuthStatus{AuthMode: "oauth2_delegated", AuthState: state}
	}
	for _, tt := range []struct {
		name string
		x    *wire.MCPServerListItem
		want bool
	}{
		{"a service that asked for a sign-in before anybody had a profile", remote("challenge_required", nil), true},
		{"one that asks for nothing", remote("unknown", nil), false},
		{"a sign-in that is over", remote("expired", signed("expired")), true},
		{"a sign-in that holds", remote("healthy", signed("healthy")), false},
		{"a key", remote("challenge_required", &wire.MCPServerAuthStatus{AuthMode: "api_key", AuthState: "challenge_required"}), false},
	} {
		if got := slices.Contains(connector.Actions(tt.x), "connect_auth"); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	off := remote("challenge_required", nil)
	off.Registry.Enabled = false
	if slices.Contains(connector.Actions(off), "connect_auth") {
		t.Error("nobody signs in to what is turned off")
	}
}

func TestDoorNames(t *testing.T) {
	seen := map[string]string{}
	for _, server := range []string{"notes", "a-very-long-name-of-a-se", "n"} {
		for _, tool := range []string{"read", "read.file", "read_file", "read/file", strings.Repeat("x", 100), strings.Repeat("x", 99) + "y"} {
			n := connector.DoorName(server, tool)
			if len("mcp__showhow__"+n) > 64 || strings.ContainsFunc(n, func(r rune) bool { return r == '.' || r == '/' }) {
				t.Errorf("%s %s: %s", server, tool, n)
			}
			if other, taken := seen[n]; taken {
				t.Errorf("%s is %s and %s/%s", n, other, server, tool)
			}
			seen[n] = server + "/" + tool
			if again := connector.DoorName(server, tool); again != n {
				t.Error("another name the second time")
			}
		}
	}
	if connector.DoorName("notes", "read_file") != "notes__read_file" {
		t.Error("a name that fits was changed")
	}
}

func TestServerIDs(t *testing.T) {
	taken := map[string]bool{}
	for _, tt := range [][2]string{{"My Notes!", "my-notes"}, {"My Notes?", "my-notes-2"}, {"ÄÖÜ", "connector"}, {"x", "c-x"},
		{"Showhow", "c-showhow"}, {strings.Repeat("long ", 20), "long-long-long-long-long"},
		{strings.Repeat("long ", 20), "long-long-long-long-lo-2"},
		{"find_tools", "find-tools"}} {
		got := connector.ServerID(tt[0], func(id string) bool { return taken[id] })
		if got != tt[1] {
			t.Errorf("%q: %q, want %q", tt[0], got, tt[1])
		}
		taken[got] = true
	}
}

func define(t *testing.T, text string) connector.Definition {
	t.Helper()
	d, err := connector.Define(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever of a definition changes, its hash does; the order of its keys does not count.
func TestDefinitions(t *testing.T) {
	d := define(t, `{"name":"read_note","description":"Reads.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`)
	same := define(t, `{"inputSchema":{"properties":{"id":{"type":"string"}},"type":"object"},"description":"Reads.","name":"read_note"}`)
	if same.Hash != d.Hash {
		t.Error("the order of keys counts")
	}
	for _, other := range []string{
		`{"name":"read_note","description":"Reads!","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`,
		`{"name":"read_note","description":"Reads.","inputSchema":{"type":"object","properties":{"id":{"type":"number"}}}}`,
		`{"name":"read_note","description":"Reads.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}}},` +
			`"annotations":{"readOnlyHint":true}}`,
		`{"name":"read_note","title":"T","description":"Reads.",` +
			`"inputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}`,
	} {
		o := define(t, other)
		if o.Hash == d.Hash || len(connector.Differences(d, o)) != 1 {
			t.Errorf("%s: %v", other, connector.Differences(d, o))
		}
	}
	for name, text := range map[string]string{
		"another server's": `{"name":"mail__send","inputSchema":{"type":"object"}}`,
		"ours":             `{"name":"find_tools","inputSchema":{"type":"object"}}`,
		"our product's":    `{"name":"showhow_install","inputSchema":{"type":"object"}}`,
		"no schema":        `{"name":"x"}`,
		"no object":        `{"name":"x","inputSchema":{"type":"string"}}`,
		"a name":           `{"name":"a b","inputSchema":{"type":"object"}}`,
	} {
		if define(t, text).Refused == "" {
			t.Errorf("%s is not refused", name)
		}
	}
}

// A server's hints make its tool no milder, whatever else is wrong with them.
func TestHints(t *testing.T) {
	for annotations, want := range map[string]connector.Class{`{}`: connector.Read, `{"readOnlyHint":true}`: connector.Read,
		`{"readOnlyHint":false}`: connector.Other, `{"destructiveHint":false}`: connector.Read, `{"destructiveHint":true}`: connector.Other,
		`{"readOnlyHint":true,"destructiveHint":true}`: connector.Other, `{"readOnlyHint":"no","destructiveHint":true}`: connector.Other} {
		d := define(t, `{"name":"read_note","inputSchema":{"type":"object"},"annotations":`+annotations+`}`)
		if d.Class != want {
			t.Errorf("%s: %s", annotations, d.Class)
		}
	}
}

func TestClassify(t *testing.T) {
	for _, tt := range []struct {
		name          string
		only, hasHint bool
		want          connector.Class
	}{
		{"list_events", false, false, connector.Read}, {"readFile", false, false, connector.Read}, {"search-issues", true, true, connector.Read},
		{"search_and_replace", false, false, connector.Write}, {"create_issue", false, false, connector.Write},
		{"delete_note", true, true, connector.Delete}, // a hint makes nothing harmless
		{"send_message", true, true, connector.Send},
		{"get_report", false, true, connector.Other}, // it says of itself that it changes something
		{"frobnicate", true, true, connector.Other},
	} {
		if got, why := connector.Classify(tt.name, tt.only, tt.hasHint); got != tt.want || why == "" {
			t.Errorf("%s: %s (%s)", tt.name, got, why)
		}
	}
}
