package route

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

var now = clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))

func server(id string, change func(*wire.MCPServerListItem)) wire.MCPServerListItem {
	x := wire.MCPServerListItem{Registry: wire.MCPServerRegistryEntry{ServerID: id, Provider: "custom_remote",
		Enabled: true, Transport: "remote_http"},
		Tools: []wire.MCPTool{{Name: "find", Mode: "enabled"}, {Name: "write", Mode: "ask_first"}}}
	x.EffectivePolicy.Decision.Mode = "enabled"
	x.Health.HealthStatus = "healthy"
	change(&x)
	return x
}

// R9 0.6D: seven criteria in their order, none outvoted by all that come after it, ties broken by server_id.
func TestScoringOrder_0_6D(t *testing.T) {
	worse := []func(*wire.MCPServerListItem){
		func(x *wire.MCPServerListItem) { x.Tools[0].Mode = "ask_first" }, // 1 policy
		func(x *wire.MCPServerListItem) { x.Tools = x.Tools[1:] },         // 2 tool
		func(x *wire.MCPServerListItem) { x.Registry.Provider = "custom_remote" },
		func(x *wire.MCPServerListItem) { x.Health.HealthStatus = "degraded" },
		func(x *wire.MCPServerListItem) { x.Registry.Transport = "remote_http" },
		func(x *wire.MCPServerListItem) { x.Health.BackoffUntil = now.Plus(time.Minute).Ptr() },
	}
	best := func(x *wire.MCPServerListItem) { x.Registry.Provider, x.Registry.Transport = "m365", "local_bridge" }
	q := Ask{Tool: "find", Project: &wire.ProjectBinding{ProjectID: "p", OnedriveRefs: []string{"x"}}}
	for i := range worse {
		// a is worse in one criterion, b in all that come after it: b wins.
		a := server("a", func(x *wire.MCPServerListItem) { best(x); worse[i](x) })
		b := server("b", func(x *wire.MCPServerListItem) {
			best(x)
			for _, f := range worse[i+1:] {
				f(x)
			}
		})
		got := Connectors([]wire.MCPServerListItem{a, b}, q, now)
		if got[0].ServerID != "b" || got[0].Score <= got[1].Score || len(got[0].Reasons) != len(criteria) {
			t.Errorf("criterion %d: %+v", i+1, got)
		}
	}
	same := Connectors([]wire.MCPServerListItem{server("z", best), server("a", best)}, q, now)
	if same[0].ServerID != "a" || same[0].Score != 1 {
		t.Errorf("%+v", same)
	}
}

func TestDecisions_0_2E(t *testing.T) {
	for want, c := range map[string]struct {
		q      Ask
		change func(*wire.MCPServerListItem)
	}{
		"allow":     {Ask{Tool: "find"}, func(*wire.MCPServerListItem) {}},
		"ask_first": {Ask{Tool: "write"}, func(*wire.MCPServerListItem) {}},
		"deny":      {Ask{Tool: "find"}, func(x *wire.MCPServerListItem) { x.Registry.Enabled = false }},
		"degraded":  {Ask{Tool: "find"}, func(x *wire.MCPServerListItem) { x.Health.HealthStatus = "degraded" }},
		"no_route":  {Ask{Tool: "nothing"}, func(*wire.MCPServerListItem) {}},
	} {
		all := []wire.MCPServerListItem{server("a", c.change)}
		got, id := Decide(all, Connectors(all, c.q, now), c.q)
		if got != want || (id == "") != (want == "deny" || want == "no_route") {
			t.Errorf("%s: %s %q", want, got, id)
		}
	}
	if got, _ := Decide(nil, nil, Ask{}); got != "no_route" {
		t.Error(got)
	}
	all := []wire.MCPServerListItem{server("a", func(*wire.MCPServerListItem) {})}
	if got, _ := Decide(all, Connectors(all, Ask{Action: "write"}, now), Ask{Action: "write"}); got != "ask_first" {
		t.Error("what writes goes unasked:", got)
	}
}

// R9 1.1E: every step that writes has a place where it is seen, and what cannot be taken back is always confirmed.
func TestPlan_1_1E(t *testing.T) {
	g := workflow.Graph{Steps: []workflow.Step{{StepID: "s1", Surface: "browser", Title: "Open the page"},
		{StepID: "s2", Surface: "browser", Title: "Export", Effect: true}, {StepID: "s3", Surface: "shell", Title: "Count the lines"},
		{StepID: "s4", Surface: "browser", Title: "Delete it", Grave: true}}}
	cps := []workflow.Checkpoint{{CheckpointID: "cp-01", StepID: "s3", Check: &workflow.Check{Kind: "file"}}}
	b, err := json.Marshal(Plan("desk.export", "Export an order", g, cps))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"capability_id":"desk.export","goal":"Export an order","steps":[` +
		`{"step_id":"s1","purpose":"Open the page","act_surface":"native_openclaw_browser","verify_surface":"native_openclaw_browser",` +
		`"fallback_surfaces":["page_knowledge_ui","raw_ui"],"supervision_class":"none","writes":false},` +
		`{"step_id":"s2","purpose":"Export","act_surface":"native_openclaw_browser","verify_surface":"native_openclaw_tool",` +
		`"fallback_surfaces":["page_knowledge_ui","raw_ui"],"supervision_class":"confirm_critical","writes":true},` +
		`{"step_id":"s3","purpose":"Count the lines","act_surface":"native_openclaw_tool","verify_surface":"native_openclaw_tool",` +
		`"fallback_surfaces":[],"supervision_class":"none","writes":false},` +
		`{"step_id":"s4","purpose":"Delete it","act_surface":"native_openclaw_browser","verify_surface":"native_openclaw_browser",` +
		`"fallback_surfaces":["page_knowledge_ui","raw_ui"],"supervision_class":"always_confirm","writes":true}],"schema_version":1}`
	if string(b) != want {
		t.Errorf("%s", strings.ReplaceAll(string(b), "},{", "},\n{"))
	}
}
