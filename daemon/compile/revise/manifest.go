package revise

import (
	"slices"
	"strings"

	"showhow/daemon/skill"
)

// manifest says what routers read otherwise (baseline 1.1N, manifest difference). What the draft itself says, its title,
// its phrases and its checkpoints, is told there.
func (c *delta) manifest(before, after skill.Manifest) {
	if before.CapabilityID == "" { // nothing was installed
		return
	}
	c.text("Manifest: the capability", before.CapabilityID, after.CapabilityID)
	c.text("Manifest: the family", before.Family, after.Family)
	c.text("Manifest: the kind", before.Kind, after.Kind)
	if !slices.Equal(before.SurfaceOrder, after.SurfaceOrder) {
		c.say("Manifest: the ways, most semantic first, are now: %s", strings.Join(after.SurfaceOrder, ", "))
	}
	c.lists("Manifest: it needs", before.RequiredRuntimeCaps, after.RequiredRuntimeCaps)
	c.lists("Manifest: it may reach", before.Permissions, after.Permissions)
	c.lists("Manifest: what it does", before.ActionVerbs, after.ActionVerbs)
	c.truth("Manifest: somebody must watch it", before.RequiresSupervision, after.RequiresSupervision)
	c.truth("Manifest: it can be tried dry", before.DryRunSupported, after.DryRunSupported)
	c.truth("Manifest: routers may choose it", before.RoutingEligible, after.RoutingEligible)
	if before.HealthProbe != after.HealthProbe {
		c.say("Manifest: whether it can work is asked by: %s %s", after.HealthProbe.Kind, after.HealthProbe.Target)
	}
}

func (c *delta) truth(what string, before, after bool) {
	if before != after {
		c.say("%s: %s", what, map[bool]string{true: "yes, it was no", false: "no, it was yes"}[after])
	}
}
