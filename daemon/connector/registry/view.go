package registry

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/connector/policy"
	"showhow/daemon/m365"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// List is every connector as its card shows it.
func (r *shelf) List(ctx context.Context) (wire.MCPServerListResponse, error) {
	out := wire.MCPServerListResponse{Servers: []wire.MCPServerListItem{}, Switches: []wire.MCPSwitch{}, GeneratedAt: r.o.Now(),
		SchemaVersion: 1}
	all, err := r.Servers(ctx)
	if err != nil {
		return out, err
	}
	linked, err := r.linked(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range all {
		out.Servers = append(out.Servers, r.item(s, linked))
	}
	r.mu.RLock()
	out.Switches = append(out.Switches, r.book.Switches...)
	usual := policy.Decide(policy.Book{Policies: r.book.Policies}, policy.Question{}, r.o.Now()) // switches are shown separately
	out.GlobalPolicy = effective(connector.Target{TargetKind: "global"}, usual)
	r.mu.RUnlock()
	return out, nil
}

func (r *shelf) linked(ctx context.Context) (map[string][]wire.MCPLinkedAbilityRef, error) {
	if r.o.Linked == nil {
		return nil, nil
	}
	return r.o.Linked(ctx)
}

// Item is one connector as its card shows it.
func (r *shelf) Item(ctx context.Context, id string) (wire.MCPServerListItem, error) {
	s, err := r.Server(ctx, id)
	if err != nil {
		return wire.MCPServerListItem{}, err
	}
	linked, err := r.linked(ctx)
	return r.item(&s, linked), err
}

func (r *shelf) item(s *connector.Server, linked map[string][]wire.MCPLinkedAbilityRef) wire.MCPServerListItem {
	x := wire.MCPServerListItem{Registry: s.Entry, Health: r.HealthOf(s), LinkedAbilities: linked[s.ID()], LastReceiptID: s.LastReceiptID,
		Findings: s.Findings, Revision: s.Revision, Tools: r.tools(s), SchemaVersion: 1}
	if x.LinkedAbilities == nil {
		x.LinkedAbilities = []wire.MCPLinkedAbilityRef{}
	}
	if s.Entry.AuthProfileID != "" {
		a := r.authStatus(s)
		x.Auth = &a
	}
	x.EffectivePolicy = r.serverPolicy(s, x.Tools)
	x.BadgeStates, x.AvailableActions = connector.Badges(&x), connector.Actions(&x)
	return x
}

// serverPolicy is the policy of the server as a whole: the decision for it, or else a summary of its tools' policies.
func (r *shelf) serverPolicy(s *connector.Server, tools []wire.MCPTool) wire.MCPEffectivePolicy {
	r.mu.RLock()
	a := policy.Decide(r.book, policy.Question{Provider: s.Entry.Provider, Server: s.ID()}, r.o.Now())
	r.mu.RUnlock()
	if a.Decision.ReasonCode == "default" && slices.ContainsFunc(tools, func(t wire.MCPTool) bool { return t.Mode == connector.Ask }) {
		a.Mode, a.Decision.Mode = connector.Ask, connector.Ask
	}
	a.Trace = append(a.Trace, asksBack(s.Entry))
	return effective(connector.Target{TargetKind: "server", ServerID: s.ID()}, a)
}

// asksBack is the trace's line about what the service may ask in return.
func asksBack(e connector.Entry) string {
	var whom []string
	for _, x := range []struct {
		may bool
		who string
	}{{e.AllowSampling, "model"}, {e.AllowElicitation, "person"}, {e.AllowRoots, "program for its folders"}} {
		if x.may {
			whom = append(whom, x.who)
		}
	}
	if len(whom) == 0 {
		return "asking in return: nobody, by default"
	}
	return "asking in return: the agent's " + strings.Join(whom, " and its ") + ", as decided for it"
}

func effective(t connector.Target, a policy.Answer) wire.MCPEffectivePolicy {
	return wire.MCPEffectivePolicy{Target: t, Decision: a.Decision, InheritedFrom: a.InheritedFrom, PrecedenceTrace: a.Trace, SchemaVersion: 1}
}

// Visible reports whether agents may see a tool: a person saw this definition, and nothing blocks it.
func Visible(s *connector.Server, d *connector.Definition) bool { return stateOf(s, d) == "usable" }

func stateOf(s *connector.Server, d *connector.Definition) string {
	if d.Refused != "" || len(s.Entry.SupportedTools) > 0 && !slices.Contains(s.Entry.SupportedTools, d.Name) {
		return "refused"
	}
	if s.Seen == nil {
		return "usable"
	}
	for i := range s.Seen {
		if s.Seen[i].Name == d.Name {
			if s.Seen[i].Hash == d.Hash {
				return "usable"
			}
			return "changed"
		}
	}
	return "gone"
}

// tools lists a server's tools, including those that came since a person looked.
func (r *shelf) tools(s *connector.Server) []wire.MCPTool {
	out := []wire.MCPTool{}
	for i := range s.Tools {
		d := &s.Tools[i]
		t := r.tool(s, d, stateOf(s, d))
		if t.State == "changed" {
			if j := slices.IndexFunc(s.Seen, func(x connector.Definition) bool { return x.Name == d.Name }); j >= 0 {
				t.Difference = connector.Differences(*d, s.Seen[j])
			}
		}
		out = append(out, t)
	}
	for i := range s.Seen {
		d := &s.Seen[i]
		if !slices.ContainsFunc(s.Tools, func(x connector.Definition) bool { return x.Name == d.Name }) {
			out = append(out, r.tool(s, d, "new"))
		}
	}
	return out
}

func (r *shelf) tool(s *connector.Server, d *connector.Definition, state string) wire.MCPTool {
	told := d.Told()
	a := r.Decide(s, d, "", nil)
	if connector.MayAsk(s.Entry) {
		a.Trace = append(a.Trace, asksBack(s.Entry))
	}
	why := d.Why
	if d.Refused != "" {
		why = d.Refused
	}
	return wire.MCPTool{Name: cut(d.Name, 120), DoorName: connector.DoorName(s.ID(), d.Name), Title: cut(told.Title, 160),
		Description: cut(told.Description, 4000), ActionClass: string(d.Class), Why: why, ToolSchemaHash: d.Hash, State: state, Mode: a.Mode,
		InheritedFrom: a.InheritedFrom, DecidedBy: a.DecidedBy(), Trace: a.Trace}
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Health is one connector's health.
func (r *shelf) Health(ctx context.Context, id string) (connector.Health, error) {
	s, err := r.Server(ctx, id)
	if err != nil {
		return connector.Health{}, err
	}
	return r.HealthOf(&s), nil
}

// HealthAll is every connector's health (R9 1.8B).
func (r *shelf) HealthAll(ctx context.Context) (wire.MCPHealthListResponse, error) {
	out := wire.MCPHealthListResponse{Health: []wire.MCPConnectionHealth{}, SchemaVersion: 1}
	all, err := r.Servers(ctx)
	for _, s := range all {
		out.Health = append(out.Health, r.HealthOf(s))
	}
	return out, err
}

// AuthStatus is the sign-in state of a connector.
func (r *shelf) AuthStatus(ctx context.Context, id string) (wire.MCPServerAuthStatus, error) {
	s, err := r.Server(ctx, id)
	if err != nil {
		return wire.MCPServerAuthStatus{}, err
	}
	return r.authStatus(&s), nil
}

func (r *shelf) authStatus(s *connector.Server) wire.MCPServerAuthStatus {
	out := wire.MCPServerAuthStatus{ServerID: s.ID(), AuthState: r.HealthOf(s).AuthState, ScopesGranted: []string{}, ScopesMissing: []string{},
		SchemaVersion: 1}
	if connector.Trouble(out.AuthState) {
		out.ChallengeID = "challenge:" + s.ID()
	}
	p, ok := r.profileOf(s.Entry)
	if !ok {
		return out
	}
	out.AuthProfileID, out.AuthMode, out.ExpiresAt, out.RefreshAt = p.AuthProfileID, p.AuthMode, p.ExpiresAt, p.RefreshAt
	out.RedirectURI, out.LastAuthErrorCode = p.RedirectURI, p.LastAuthErrorCode
	if p.TokenRef != "" && p.Status == "healthy" {
		out.ScopesGranted = append(out.ScopesGranted, p.Scopes...)
	} else {
		out.ScopesMissing = append(out.ScopesMissing, p.Scopes...)
	}
	if s.Entry.M365 != nil && p.AuthMode != "oauth2_client_credentials" {
		out.ScopesMissing = m365.Missing(s.Entry.M365.RequestedScopes, out.ScopesGranted)
	}
	return out
}

// checkCursor refuses a cursor that is no receipt's id: every text sorts somewhere among the ids, and would give a page.
func checkCursor(tx connector.Tx, cursor string) error {
	if cursor == "" {
		return nil
	}
	upTo, err := tx.ConnectorReceipts(connector.ReceiptFilter{Before: cursor + "\x00", Limit: 1})
	if err != nil || len(upTo) == 1 && upTo[0].ReceiptID == cursor {
		return err
	}
	return fault.New(fault.InvalidRequest, "the cursor is of no receipt").WithHint("leave it out, to begin with the newest").
		WithDetail("violations", []wire.Violation{{Path: "query.cursor", Rule: "cursor"}})
}

// Receipts is a page of receipts, newest first.
func (r *shelf) Receipts(ctx context.Context, f connector.ReceiptFilter) (wire.MCPReceiptListResponse, error) {
	out := wire.MCPReceiptListResponse{Receipts: []wire.MCPReceiptSummary{}, SchemaVersion: 1}
	if err := r.o.Store.Flush(ctx); err != nil {
		return out, err
	}
	limit := f.Limit
	f.Limit++
	err := r.o.Store.View(ctx, func(tx connector.Tx) (err error) {
		if err := checkCursor(tx, f.Before); err != nil {
			return err
		}
		out.Receipts, err = tx.ConnectorReceipts(f)
		return err
	})
	if len(out.Receipts) > limit {
		out.Receipts = out.Receipts[:limit]
		out.NextCursor = out.Receipts[limit-1].ReceiptID
	}
	return out, err
}
