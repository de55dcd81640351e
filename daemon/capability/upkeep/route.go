package upkeep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/ability"
	"showhow/daemon/capability/binding"
	"showhow/daemon/capability/route"
	"showhow/daemon/wire"
)

// Route finds the best route to an ability now, with reasons (baseline 0.6D, 1.1E, 1.1Q).
func (s *Service) Route(ctx context.Context, id string, q wire.RouteAsk) (wire.RouteExplained, error) {
	a, _, err := s.o.Abilities.Health(ctx, id)
	if err != nil {
		return wire.RouteExplained{}, err
	}
	list, err := s.o.Connectors(ctx)
	if err != nil {
		return wire.RouteExplained{}, err
	}
	ask := route.Ask{Provider: q.Provider, Tool: q.DesiredTool, Action: q.ActionClass, Servers: serversOf(a)}
	if q.ProjectID != "" {
		all, err := s.o.Projects(ctx)
		if err != nil {
			return wire.RouteExplained{}, err
		}
		if p := binding.Resolve(all.Bindings, wire.ProjectResolve{Query: q.ProjectID}); p.ResolutionState == "resolved" {
			ask.Project = &p.Matches[0].ProjectBinding
		}
	}
	out := wire.RouteExplained{AbilityID: a.AbilityID, CapabilityID: a.CapabilityID, Decision: "allow", Because: []string{},
		Surfaces: route.Surfaces(a.Manifest.SurfaceOrder, ability.Tier), ScoreBreakdown: []wire.RouteScore{}, SchemaVersion: 1}
	if len(ask.Servers) > 0 || q.Provider != "" || q.DesiredTool != "" {
		out.ScoreBreakdown = route.Connectors(list.Servers, ask, s.o.Now())
		out.Decision, out.ServerID = route.Decide(list.Servers, out.ScoreBreakdown, ask)
	}
	out.Because = routeBecause(a, out)
	if g, cps, err := s.o.Shown.Learned(ctx, a.ProposalID, a.ApprovedHash); err == nil { // an ability that was not learned here has no plan
		out.Plan = route.Plan(a.CapabilityID, a.Title, g, cps)
	}
	return out, nil
}

// serversOf lists the connectors whose tools an ability asks for; empty for one that needs none.
func serversOf(a ability.Ability) []string {
	out := []string{}
	for _, t := range a.Permissions.Tools {
		if name, ok := strings.CutPrefix(t, "mcp__"); ok {
			server, _, _ := strings.Cut(name, "__")
			if server != "" && !slices.Contains(out, server) {
				out = append(out, server)
			}
		}
	}
	return out
}

func routeBecause(a ability.Ability, r wire.RouteExplained) (out []string) {
	if len(r.Surfaces) > 0 {
		out = append(out, fmt.Sprintf("It is gone over %s, the preferred of %d ways.", r.Surfaces[0].Surface, len(r.Surfaces)))
	}
	words := map[string]string{"allow": "%s serves best, and may be used.", "ask_first": "%s serves best, and you are asked before each call.",
		"degraded": "%s serves best, though it has failed lately."}
	switch {
	case words[r.Decision] != "" && r.ServerID != "":
		out = append(out, fmt.Sprintf(words[r.Decision], r.ServerID))
	case r.Decision == "deny":
		out = append(out, "The connector that it needs is turned off.")
	case r.Decision == "no_route":
		out = append(out, "No connector has what is asked for.")
	}
	if a.Health.Status != "" {
		out = append(out, "It is "+string(a.Health.Status)+".")
	}
	return out
}
