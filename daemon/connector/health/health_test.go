package health_test

import (
	"testing"
	"time"

	"showhow/daemon/connector/health"
	"showhow/internal/clock"
)

var now = clock.At(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))

// Throttling is told apart from failure (R9 0.6E).
func TestThrottlingIsNoFailure(t *testing.T) {
	h := health.After(health.New("notes", true), health.Outcome{OK: true}, now, 0)
	named := 30 * time.Second
	for range 10 {
		h = health.After(h, health.Outcome{Status: 429, RetryAfter: &named, Code: "throttled"}, now, 0.5)
	}
	if h.HealthStatus != "healthy" || h.FailureCountRolling != 0 || h.ThrottleState.State != "rate_limited" ||
		*h.ThrottleState.RetryAfterMs != 30_000 || health.Waiting(h, now) != named || health.Waiting(h, now.Plus(named)) != 0 {
		t.Errorf("%+v", h)
	}
	before := time.Duration(0)
	h = health.New("notes", true)
	for range 5 { // without a time it waits longer each time
		h = health.After(h, health.Outcome{Status: 429, Code: "throttled"}, now, 0)
		if w := health.Waiting(h, now); w <= before {
			t.Errorf("%v after %v", w, before)
		} else {
			before = w
		}
	}
	long := 1000 * time.Hour
	h = health.After(h, health.Outcome{Status: 503, RetryAfter: &long}, now, 0)
	if health.Waiting(h, now) != time.Hour || h.ThrottleState.State != "server_backoff" {
		t.Errorf("%+v", h)
	}
	if h = health.After(h, health.Outcome{OK: true}, now, 0); h.ThrottleState.State != "none" || health.Waiting(h, now) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestSustainedFailuresDegrade(t *testing.T) {
	h := health.After(health.New("notes", true), health.Outcome{OK: true}, now, 0)
	for i, want := range []string{"healthy", "healthy", "degraded", "degraded"} {
		h = health.After(h, health.Outcome{Code: "timeout", Tool: "read"}, now, 0.5)
		if h.HealthStatus != want || h.FailureCountRolling != i+1 || h.BackoffUntil == nil || h.ToolHealth["read"].OK {
			t.Errorf("%d: %+v", i, h)
		}
		if health.Waiting(h, now) != 0 {
			t.Error("a service that fails cannot be called any more")
		}
	}
	h = health.After(h, health.Outcome{OK: true, Tool: "read"}, now, 0)
	if h.HealthStatus != "healthy" || h.FailureCountRolling != 0 || h.HealthReasonCode != "" || !h.ToolHealth["read"].OK {
		t.Errorf("%+v", h)
	}
}

func TestAnAuthProblemIsNoFailure(t *testing.T) {
	h := health.After(health.New("notes", true), health.Outcome{OK: true, Auth: "healthy"}, now, 0)
	for range 5 {
		h = health.After(h, health.Outcome{Status: 401, Auth: "challenge_required", Code: "unauthorized"}, now, 0)
	}
	if h.AuthState != "challenge_required" || h.HealthStatus != "healthy" || h.FailureCountRolling != 0 {
		t.Errorf("%+v", h)
	}
}
