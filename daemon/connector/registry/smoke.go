package registry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"showhow/daemon/connector"
	"showhow/daemon/connector/health"
	"showhow/daemon/connector/link"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// OutcomeOf is the outcome of an attempt, for the connector's health.
func OutcomeOf(err error, seen *link.Seen, tool string, signsIn bool) health.Outcome {
	o := health.Outcome{OK: err == nil, Tool: tool, Status: seen.Status(), RetryAfter: seen.RetryAfter()}
	if err == nil {
		o.Status, o.RetryAfter = 0, nil
		if signsIn {
			o.Auth = "healthy"
		}
		return o
	}
	f := fault.From(err)
	o.Code = strings.ToLower(string(f.Code))
	if reason, ok := f.Details["reason"].(string); ok {
		o.Code = reason
	}
	switch {
	case o.Status == 401, o.Status == 403 && seen.Challenge() != "", f.Code == fault.MCPAuthChallengeRequired, f.Code == fault.M365AuthExpired:
		o.Auth, o.Code, o.Scopes = "challenge_required", "unauthorized", scopesIn(seen.Challenge())
	case o.Throttled():
		o.Code = "throttled"
	case tool != "" && (o.Code == link.ServiceError || o.Code == link.TooLarge) && o.Status < 500:
		// It answered: that says something of the tool alone.
		o.OK, o.ToolFailed = true, true
		if signsIn {
			o.Auth = "healthy"
		}
	}
	return o
}

// IsOutcome reports whether the end of an attempt says something of the service, and so counts for its health: not if
// nobody waited for it any more or the connector was turned off, and for a call also not if the tool is another than a
// person saw, if the service does not take what the caller wrote, or if it asks something in return.
func IsOutcome(err error, call bool) bool {
	switch fault.CodeOf(err) {
	case fault.Cancelled, fault.ConnectorOff:
		return false
	case fault.ConnectorToolChanged, fault.UnsupportedInBuild, fault.InvalidRequest, fault.M365ScopeMissing, fault.M365DelegatedOnly,
		fault.M365BackgroundOnly, fault.M365ForbiddenAuthMode:
		return !call
	case fault.Internal: // what is no fault
		return !errors.Is(err, context.Canceled)
	}
	return true
}

// listed records how listing a connector's tools ended.
func (r *Registry) listed(ctx context.Context, s *connector.Server, err error, seen *link.Seen) {
	if IsOutcome(err, false) {
		r.RecordOutcome(ctx, s.ID(), OutcomeOf(err, seen, "", s.Entry.AuthProfileID != ""))
	}
}

// scopesIn lists the scopes that a challenge names.
func scopesIn(challenge string) (out []string) {
	all, err := oauthex.ParseWWWAuthenticate([]string{challenge})
	if err != nil {
		return nil
	}
	for _, c := range all {
		out = append(out, strings.Fields(c.Params["scope"])...)
	}
	return out
}

// SmokeTest tests a connector step by step. It calls no tool unless the person named one that only reads.
func (r *Registry) SmokeTest(ctx context.Context, id string, q wire.MCPSmokeTestRequest) (wire.MCPSmokeTestResponse, error) {
	out := wire.MCPSmokeTestResponse{ServerID: id, SmokeTestID: r.o.NewID(), StartedAt: r.o.Now(), SchemaVersion: 1}
	s, err := r.Server(ctx, id)
	if err != nil {
		return out, err
	}
	switch {
	case !s.Entry.ActiveBuildSurface:
		return out, fault.New(fault.MCPServerNotActive, "this connector is recorded only: the agent reaches the service by itself")
	case !s.Entry.Enabled:
		return out, fault.New(fault.ConnectorOff, "the connector is turned off").WithHint("turn it on first")
	}
	ms := q.MaxDurationMs
	if ms == 0 {
		ms = 10_000
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
	defer cancel()
	err = r.smoke(ctx, &s, q, &out)
	out.CompletedAt = r.o.Now().Ptr()
	out.Status, out.OverallStatus, out.Summary = "passed", "healthy", "It answers, and lists its tools."
	status := "ok"
	if err != nil {
		f := fault.From(err)
		out.Status, out.OverallStatus, status, out.ErrorCode = "failed", "failed", "failed", string(fault.MCPSmokeTestFailed)
		out.Summary, out.FailureReasonCode = f.Message, strings.ToLower(string(f.Code))
		if reason, ok := f.Details["reason"].(string); ok {
			out.FailureReasonCode = reason
		}
		if t := out.Trouble; t != nil {
			out.Summary = "It cannot be used: " + t.Reason + "."
		}
		if connector.Trouble(r.HealthOf(&s).AuthState) {
			out.Status, status, out.FailureReasonCode = "blocked", "blocked", "unauthorized"
		}
		if r.HealthOf(&s).ThrottleState.State != "none" {
			out.Status, out.OverallStatus, status, out.FailureReasonCode = "degraded", "degraded", "degraded", "throttled"
		}
	} else if now, _ := r.Server(context.WithoutCancel(ctx), id); now.Seen != nil {
		out.Status, out.OverallStatus, status = "degraded", "degraded", "degraded"
		out.Summary, out.FailureReasonCode = "It answers; some of its tools are others than you saw.", "tools_changed"
	}
	rec := r.receipt("smoke_test", id, status, "A connector was tested: "+out.Status+".")
	rec.CorrelationID = q.CorrelationID
	out.ReceiptID = rec.ReceiptID
	return out, r.o.Store.Update(context.WithoutCancel(ctx), func(tx connector.Tx) error { return r.note(tx, rec) })
}

func (r *Registry) smoke(ctx context.Context, s *connector.Server, q wire.MCPSmokeTestRequest, out *wire.MCPSmokeTestResponse) error {
	r.renew(s.ID()) // an open connection does not prove that a new one works
	trouble, err := r.look(ctx, s)
	out.Trouble = trouble
	h := r.HealthOf(s)
	out.TransportOK = err == nil || connector.Trouble(h.AuthState) || h.ThrottleState.State != "none"
	out.AuthOK = out.TransportOK && !connector.Trouble(h.AuthState) // a service that is not reached has accepted nothing
	out.ToolDiscoveryOK = err == nil                                // connecting lists the tools, whether include_tool_discovery is set or not
	if err != nil || q.ToolName == "" {
		return err
	}
	now, err := r.Server(ctx, s.ID())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(now.Tools, func(d connector.Definition) bool { return d.Name == q.ToolName })
	if i < 0 || !Visible(&now, &now.Tools[i]) {
		return fault.New(fault.NotFound, "it has no such tool that can be used").WithDetail("reason", "no_such_tool")
	}
	if now.Tools[i].Class != connector.Read {
		return fault.New(fault.MCPAskFirstRequired, "a test calls only a tool that reads").WithDetail("reason", "not_read_only")
	}
	args, err := marshal(q.PayloadPreview)
	if err != nil {
		return err
	}
	watched, seen := link.Watching(ctx)
	res, err := r.Link(&now).Call(watched, link.Call{Tool: q.ToolName, Hash: now.Tools[i].Hash, Args: args})
	if !IsOutcome(err, true) {
		return err
	}
	o := OutcomeOf(err, seen, q.ToolName, s.Entry.AuthProfileID != "")
	o.ToolFailed = o.ToolFailed || err == nil && res.IsError // an agent's wrong arguments say nothing of a tool; the person's test does
	r.RecordOutcome(ctx, s.ID(), o)
	if o.ToolFailed && err == nil {
		err = fault.New(fault.MCPSmokeTestFailed, "the tool answered that it failed").WithDetail("reason", "tool_error")
	}
	return err
}
