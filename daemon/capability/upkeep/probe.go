package upkeep

import (
	"context"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/capability/probe"
	"showhow/daemon/wire"
)

func probeOf(a ability.Ability) probe.Probe {
	p := a.Manifest.HealthProbe
	return probe.Probe{Kind: p.Kind, Target: p.Target, Timeout: time.Duration(p.TimeoutMS) * time.Millisecond}
}

// probed is what the manifest's health probe says now. A site is not asked because somebody reads: it is before each look.
func (s *Service) probed(ctx context.Context, a ability.Ability, c *wire.CanaryConsent) wire.HealthProbed {
	p := probeOf(a)
	r := probe.Run(ctx, p, probe.Machine{Connector: s.o.Connector})
	out := wire.HealthProbed{Kind: p.Kind, Target: p.Target, Result: "not_run", Told: r.Told}
	switch {
	case r.Ran && r.Passed:
		out.Result = "passed"
	case r.Ran:
		out.Result = "failed"
	case p.Kind == "browser" && c == nil:
		out.Told = "its site is asked before each automatic check, and you have allowed none"
	case p.Kind == "browser" && (c.LastCode == probe.SiteUnreachable || c.LastCode == probe.ServerError):
		out.Result, out.Told = "failed", c.LastTold
	case p.Kind == "browser" && c.LastAt != nil:
		out.Result, out.Told = "passed", "its site answered before the last check"
	case p.Kind == "browser":
		out.Told = "its site is asked before each check"
	default:
		out.Told = "its manifest names nothing to ask"
	}
	return out
}
