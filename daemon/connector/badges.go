package connector

import (
	"slices"

	"showhow/daemon/wire"
)

// Badges applies the seven rules of DOC3 0.2D, and connected by decisions H15. Throttling shows in the health's text
// and has no badge.
func Badges(x *wire.MCPServerListItem) []string {
	auth := x.Health.AuthState
	if x.Auth != nil {
		auth = x.Auth.AuthState
	}
	out := []string{}
	add := func(when bool, badge string) {
		if when {
			out = append(out, badge)
		}
	}
	r := &x.Registry
	add(r.Enabled && x.Health.HealthStatus == "healthy" && !Trouble(auth), "connected")
	add(x.EffectivePolicy.Decision.Mode == Ask, "approval_required")
	add(Trouble(auth), "auth_required")
	add(x.Health.HealthStatus == "degraded", "degraded")
	add(!r.Enabled, "disabled")
	add(!r.ActiveBuildSurface || x.DeferredDesignOnly, "deferred")
	add(r.InteractionMode == "background_service", "background_only")
	return out
}

// Trouble reports whether a person has to sign in before the connector works.
func Trouble(authState string) bool {
	return slices.Contains([]string{"challenge_required", "expired", "revoked"}, authState)
}

// Actions lists what a person can do with a connector in its current state.
func Actions(x *wire.MCPServerListItem) []string {
	out := []string{}
	signs := x.Auth != nil && (x.Auth.AuthMode == "oauth2_delegated" || x.Auth.AuthMode == "oauth2_on_behalf_of")
	// A service that was registered without an auth profile and asks for a sign-in gets its profile when the sign-in
	// begins.
	first := x.Auth == nil && x.Registry.Transport == "remote_http" && Trouble(x.Health.AuthState)
	if x.Registry.Enabled && (first || signs && x.Auth.AuthState != "healthy") {
		out = append(out, "connect_auth")
	}
	if signs && x.Auth.AuthState != "revoked" && x.Auth.AuthState != "unknown" {
		out = append(out, "refresh_auth", "revoke_auth")
	}
	out = append(out, "edit", "delete")
	if x.Registry.Enabled && x.Registry.SupportsSmokeTest && x.Registry.ActiveBuildSurface {
		out = append(out, "smoke_test")
	}
	return append(out, "policy_update")
}

// Modes of a policy.
const (
	Enabled  = "enabled"
	Disabled = "disabled"
	Ask      = "ask_first"
)

// Default is the wish that a decision be taken away. It is no mode of a policy.
const Default = "default"

// Stricter is the stricter of two modes.
func Stricter(a, b string) string {
	rank := map[string]int{Enabled: 1, Ask: 2, Disabled: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}
