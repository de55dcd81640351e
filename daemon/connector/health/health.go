// Package health computes a connector's health from its calls: a pure function from one state to the next.
//
// Guarantees (decisions H10): a service that asks to wait (429, or 503 with Retry-After) is throttled, never failing;
// one that refuses the sign-in has an auth problem and is not failing either; sustained failures degrade; one success
// heals. Waiting grows exponentially with jitter where the service names no time, and is bounded where it does.
//
// Not guaranteed: that a service which answers also works.
//
// To test against it: tables; there is no state and no clock.
package health

import (
	"maps"
	"time"

	"showhow/daemon/connector"
	"showhow/internal/clock"
)

// Outcome is the outcome of one attempt.
type Outcome struct {
	OK         bool
	Code       string         // the code of the failure, never the service's text
	Status     int            // of HTTP, 0 for none
	RetryAfter *time.Duration // as the service named it
	Tool       string         // "" for a probe
	Auth       string         // another auth state that follows from it; "" leaves it
	Scopes     []string       // that the service wants to see first
	ToolFailed bool           // the service answered, and the tool did not do its work
}

const (
	degradesAt = 3 // failures in a row
	firstWait  = 2 * time.Second
	mostWait   = 10 * time.Minute
	mostAsked  = time.Hour // that a service may name
	maxTools   = 200       // tools whose health is kept
)

// New is the health of a connector that has not been called yet.
func New(server string, interactive bool) connector.Health {
	h := connector.Health{ServerID: server, HealthStatus: "unknown", AuthState: "unknown", InteractiveCapable: interactive,
		ToolHealth: map[string]connector.ToolHealth{}, SchemaVersion: 1}
	h.ThrottleState.State, h.ThrottleState.SchemaVersion = "none", 1
	return h
}

// Throttled reports whether the service asked to wait.
func (o Outcome) Throttled() bool { return o.Status == 429 || o.Status == 503 && o.RetryAfter != nil }

// After is the health after outcome o. jitter is in [0,1).
func After(h connector.Health, o Outcome, now clock.Time, jitter float64) connector.Health {
	h.LastCheckedAt = now.Ptr()
	if o.Auth != "" {
		h.AuthState = o.Auth
	}
	h.ToolHealth = tool(h.ToolHealth, o, now)
	switch {
	case o.OK:
		h.HealthStatus, h.HealthReasonCode, h.FailureCountRolling, h.BackoffUntil = "healthy", "", 0, nil
		h.ThrottleState.State, h.ThrottleState.RetryAfterMs, h.ThrottleState.ReasonCode, h.ThrottleState.LastHTTPStatus = "none", nil, "", 0
	case o.Throttled():
		throttle(&h, o, now, jitter)
	case o.Auth != "" && connector.Trouble(o.Auth):
		h.HealthReasonCode = o.Code
	default:
		h.FailureCountRolling++
		h.HealthReasonCode = o.Code
		h.BackoffUntil = now.Plus(wait(h.FailureCountRolling, jitter)).Ptr()
		if h.FailureCountRolling >= degradesAt {
			h.HealthStatus = "degraded"
		}
	}
	return h
}

func throttle(h *connector.Health, o Outcome, now clock.Time, jitter float64) {
	t := &h.ThrottleState
	times := 1
	if t.State != "none" && t.RetryAfterMs != nil && o.RetryAfter == nil {
		for before := time.Duration(*t.RetryAfterMs) * time.Millisecond; wait(times, 0) <= before && times < 20; {
			times++
		}
	}
	pause := wait(times, jitter)
	t.State, t.ReasonCode = "cooldown", "no_time_named"
	if o.RetryAfter != nil {
		pause = min(max(*o.RetryAfter, 0), mostAsked)
		t.State, t.ReasonCode = "rate_limited", "retry_after"
		if o.Status == 503 {
			t.State = "server_backoff"
		}
	}
	ms := pause.Milliseconds()
	t.RetryAfterMs, t.LastHTTPStatus = &ms, o.Status
	h.BackoffUntil = now.Plus(pause).Ptr()
}

// wait is how long to wait after n attempts.
func wait(n int, jitter float64) time.Duration {
	d := firstWait << min(n-1, 12)
	return min(d+time.Duration(float64(d)/2*jitter), mostWait)
}

func tool(all map[string]connector.ToolHealth, o Outcome, now clock.Time) map[string]connector.ToolHealth {
	if o.Tool == "" || len(all) >= maxTools && all[o.Tool].LastCheckedAt == nil {
		return all
	}
	all = maps.Clone(all)
	if all == nil {
		all = map[string]connector.ToolHealth{}
	}
	t := connector.ToolHealth{OK: o.OK && !o.ToolFailed, LastError: o.Code, LastCheckedAt: now.Ptr(), LastHTTPStatus: o.Status}
	if o.OK && o.ToolFailed && o.Code == "" {
		t.LastError = "tool_error"
	}
	all[o.Tool] = t
	return all
}

// probeEvery is the probe interval of a service that answers.
const probeEvery = 5 * time.Minute

// NextProbe is how long to wait before the next probe: longer after each failure, and until the time that a throttling
// service named. ok is false where probing is pointless: the connector is turned off, or a person has to sign in
// first.
func NextProbe(h connector.Health, now clock.Time, jitter float64) (d time.Duration, ok bool) {
	switch {
	case h.HealthStatus == "disabled" || connector.Trouble(h.AuthState):
		return 0, false
	case Waiting(h, now) > 0:
		return Waiting(h, now) + time.Duration(float64(firstWait)*jitter), true
	case h.FailureCountRolling > 0:
		return wait(h.FailureCountRolling, jitter), true
	}
	return probeEvery + time.Duration(float64(probeEvery)/5*jitter), true
}

// Waiting is how much longer a throttled service must be left alone; 0 when it may be called. A failing service may be
// called: the call finds out whether it works again.
func Waiting(h connector.Health, now clock.Time) time.Duration {
	if h.ThrottleState.State == "none" || h.BackoffUntil == nil || !now.Before(h.BackoffUntil.Time) {
		return 0
	}
	return h.BackoffUntil.Sub(now.Time)
}

// Same reports whether two states have no difference worth storing.
func Same(a, b connector.Health) bool {
	for name, t := range b.ToolHealth {
		if t.OK != a.ToolHealth[name].OK {
			return false
		}
	}
	return a.HealthStatus == b.HealthStatus && a.HealthReasonCode == b.HealthReasonCode && a.AuthState == b.AuthState &&
		a.FailureCountRolling == b.FailureCountRolling && a.ThrottleState.State == b.ThrottleState.State
}
