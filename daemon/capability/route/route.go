// Package route finds the best route to a capability: its control surfaces in order, connectors scored by the seven
// criteria of baseline 0.6D, and a plan in which every writing step names the surface on which its success is verified
// (1.1E, 1.1Q).
//
// All of it is a function of its inputs; equal inputs give equal results, with reasons in words. It neither calls nor
// routes anything. Package upkeep uses it for people and agents.
package route

import (
	"cmp"
	"fmt"
	"slices"

	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/plain"
)

// Ask is what a connector is wanted for.
type Ask struct {
	Provider string
	Tool     string
	Action   string   // read, write, admin; "" any
	Servers  []string // that the ability names; nil: any
	Project  *wire.ProjectBinding
}

// criteria are those of 0.6D in order; each gives 0, 1 or 2, and a weightier one is never outvoted by all the
// following.
var criteria = []func(wire.MCPServerListItem, Ask, clock.Time) (points int, why string){
	allowed, supports, bound, healthy, near, unthrottled,
}

// Connectors scores the connectors that could serve, best first; ties are broken by server_id.
func Connectors(all []wire.MCPServerListItem, q Ask, now clock.Time) []wire.RouteScore {
	out := []wire.RouteScore{}
	for _, x := range all {
		r := x.Registry
		if q.Provider != "" && r.Provider != q.Provider || q.Servers != nil && !slices.Contains(q.Servers, r.ServerID) {
			continue
		}
		s, most := wire.RouteScore{ServerID: r.ServerID, Reasons: []string{}}, 0
		sum := 0
		for _, f := range criteria {
			points, why := f(x, q, now)
			sum, most = sum*3+points, most*3+2
			s.Reasons = append(s.Reasons, plain.Cut(why, 240))
		}
		s.Score = float64(sum) / float64(most)
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b wire.RouteScore) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ServerID, b.ServerID))
	})
	return out
}

// Decide returns the decision on the best connector.
func Decide(all []wire.MCPServerListItem, scores []wire.RouteScore, q Ask) (decision, serverID string) {
	if len(scores) == 0 {
		return "no_route", ""
	}
	i := slices.IndexFunc(all, func(x wire.MCPServerListItem) bool { return x.Registry.ServerID == scores[0].ServerID })
	x := all[i]
	switch mode := modeOf(x, q); {
	case mode == "disabled":
		return "deny", ""
	case q.Tool != "" && toolOf(x, q.Tool) == nil:
		return "no_route", ""
	case mode == "ask_first":
		return "ask_first", x.Registry.ServerID
	case x.Health.HealthStatus == "degraded":
		return "degraded", x.Registry.ServerID
	}
	return "allow", x.Registry.ServerID
}

func toolOf(x wire.MCPServerListItem, name string) *wire.MCPTool {
	for i := range x.Tools {
		if name == "" {
			return nil
		}
		if x.Tools[i].Name == name || x.Tools[i].DoorName == name {
			return &x.Tools[i]
		}
	}
	return nil
}

// modeOf is the policy's mode for the tool, or else for the connector.
func modeOf(x wire.MCPServerListItem, q Ask) string {
	if !x.Registry.Enabled {
		return "disabled"
	}
	if t := toolOf(x, q.Tool); t != nil {
		return string(t.Mode)
	}
	mode := string(x.EffectivePolicy.Decision.Mode)
	if mode == "enabled" && (q.Action == "write" || q.Action == "admin") {
		return "ask_first" // no decision for the tool, and what changes something asks first
	}
	return mode
}

func allowed(x wire.MCPServerListItem, q Ask, _ clock.Time) (int, string) {
	switch modeOf(x, q) {
	case "enabled":
		return 2, "it may be used"
	case "ask_first":
		return 1, "you are asked first"
	}
	return 0, "it may not be used"
}

func supports(x wire.MCPServerListItem, q Ask, _ clock.Time) (int, string) {
	switch {
	case q.Tool == "":
		return 1, "no tool is asked for"
	case toolOf(x, q.Tool) != nil:
		return 2, "it has the tool " + q.Tool
	}
	return 0, "it has no tool " + q.Tool
}

func bound(x wire.MCPServerListItem, q Ask, _ clock.Time) (int, string) {
	if q.Project == nil {
		return 1, "no project is asked for"
	}
	cloud := len(q.Project.OnedriveRefs)+len(q.Project.SharepointRefs)+len(q.Project.TeamsRefs) > 0
	if cloud && x.Registry.Provider == "m365" {
		return 2, "the documents of " + q.Project.ProjectID + " are there"
	}
	return 0, "no document of " + q.Project.ProjectID + " is known to be there"
}

func healthy(x wire.MCPServerListItem, _ Ask, _ clock.Time) (int, string) {
	switch {
	case slices.Contains(x.BadgeStates, "auth_required"):
		return 0, "it needs a sign-in"
	case x.Health.HealthStatus == "healthy":
		return 2, "it is healthy"
	case x.Health.HealthStatus == "degraded":
		return 0, "it has failed lately"
	}
	return 1, "nobody has used it yet"
}

func near(x wire.MCPServerListItem, _ Ask, _ clock.Time) (int, string) {
	switch x.Registry.Transport {
	case "local_bridge":
		return 2, "it runs on this computer"
	case "remote_http":
		return 1, "it is reached over the network"
	}
	return 0, "it is the agent's own service"
}

func unthrottled(x wire.MCPServerListItem, _ Ask, now clock.Time) (int, string) {
	switch until := x.Health.BackoffUntil; {
	case until != nil && until.After(now.Time):
		return 0, "it asked for fewer calls"
	case x.Health.ThrottleState.State != "" && x.Health.ThrottleState.State != "none":
		return 1, "it asked for fewer calls lately"
	}
	return 2, "it takes calls"
}

// Plan is the route step by step. A writing step is verified on the surface that its checkpoint, or the next one,
// reads; without either, on the surface of the step itself.
func Plan(capabilityID, goal string, g workflow.Graph, cps []workflow.Checkpoint) *wire.HybridPlan {
	if len(g.Steps) == 0 {
		return nil
	}
	p := &wire.HybridPlan{CapabilityID: capabilityID, Goal: plain.Cut(goal, 500), Steps: []wire.HybridStep{}, SchemaVersion: 1}
	for i, s := range g.Steps {
		way := workflow.WayOf(s.Surface)
		h := wire.HybridStep{StepID: s.StepID, Purpose: plain.Cut(s.Title, 240), ActSurface: way.Prefer, VerifySurface: way.Prefer,
			FallbackSurfaces: append([]string{}, way.Then...), SupervisionClass: "none", Writes: s.Effect || s.Grave}
		if h.Writes {
			h.VerifySurface = cmp.Or(verified(g.Steps[i:], cps), way.Prefer)
			h.SupervisionClass = "confirm_critical"
		}
		if s.Grave {
			h.SupervisionClass = "always_confirm"
		}
		p.Steps = append(p.Steps, h)
	}
	return p
}

// verified is the surface of the first checkpoint from a step on.
func verified(rest []workflow.Step, cps []workflow.Checkpoint) string {
	for _, s := range rest {
		for _, cp := range cps {
			if cp.StepID != s.StepID || cp.Check == nil {
				continue
			}
			switch cp.Check.Kind {
			case "file", "exit_code", "output", "process":
				return "native_openclaw_tool"
			}
			return workflow.WayOf(s.Surface).Prefer
		}
	}
	return ""
}

// why says what each surface offers.
var why = map[string]string{
	"native_openclaw_tool": "the agent's own tools", "app_api": "the application's interface", "bridge_tool": "a structured tool",
	"mcp_connector": "a connected service", "mcp_server": "a connected service", "wrapper_script": "a script that the skill brings",
	"python_wrapper": "a script that the skill brings", "native_openclaw_browser": "the agent's browser",
	"applescript":       "the application's script",
	"page_knowledge_ui": "what is known of the pages", "keyboard_shortcut": "keys", "midi_binding": "a controller's messages",
	"raw_ui": "whatever is on the screen",
}

// Surfaces lists a capability's surfaces in its manifest's order, with a description of each.
func Surfaces(order []string, tier func(string) int) []wire.RouteSurface {
	out := []wire.RouteSurface{}
	for i, s := range order {
		reason := "preferred: " + why[s]
		if i > 0 {
			reason = fmt.Sprintf("if %s does not serve: %s", order[i-1], why[s])
		}
		out = append(out, wire.RouteSurface{Surface: s, Tier: tier(s), Why: reason})
	}
	return out
}
