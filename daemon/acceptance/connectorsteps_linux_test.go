package acceptance_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/capture"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ledger is a service that notes what its tools were called with.
type ledger struct {
	mu    sync.Mutex
	calls []string
}

func (l *ledger) note(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, r.Params.Name+" "+string(r.Params.Arguments))
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
}

func (l *ledger) took() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.calls)
}

// noting registers a connector whose service notes its calls.
func (w *world) noting(name string, tools ...string) (*ledger, *mcp.Server) {
	w.t.Helper()
	l := &ledger{}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	for _, n := range tools {
		s.AddTool(&mcp.Tool{Name: n, Description: "Does " + n + ".", InputSchema: map[string]any{"type": "object"}}, l.note)
	}
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	w.t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	got(w.c.RegisterConnector(w.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name, EndpointURL: ts.URL,
		Transport: "remote_http"}))(w.t)
	return l, s
}

// calls has an agent call a tool, and the person allow it where they are asked.
func (w *world) calls(cs *mcp.ClientSession, asks bool, tool string, args map[string]any) {
	w.t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(w.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		done <- err
	}()
	if asks {
		got(w.c.DecideCall(w.t.Context(), w.asked().DispatchID, client.CallDecision{Decision: "approve_once"}))(w.t)
	}
	must(w.t, <-done)
}

// What an agent calls through the door while a task is shown becomes observation, step and need of the ability (decisions H12, 0C.11B).
func TestConnector_CallsBecomeSteps(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	l, _ := w.noting("Tracker", "get_issue", "create_issue")
	cs, other := w.atDoor("codex"), w.atDoor("scout")
	sess := got(c.StartSession(ctx, w.armed(client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "inside_agent",
		Goal: "Open an issue for the late report", Scope: &client.Scope{Apps: []string{"codex"}}}).LearnSessionID))(t).Session
	w.calls(cs, false, "tracker__get_issue", map[string]any{"number": 7})
	w.calls(other, false, "tracker__get_issue", map[string]any{"number": 8}) // nobody named this agent
	issue := map[string]any{"title": "canary-title is late", "draft": true, "labels": []string{"canary-label", "urgent"},
		"password": "hunter2-canary-secret"}
	w.calls(cs, true, "tracker__create_issue", issue)
	// The agent's own hook reports the same call: what the door knows is not told twice.
	must(t, w.send1(c, client.AgentReceipt{Kind: "mcp_receipt", Agent: "codex", RunID: "r", CallID: "1",
		Tool: "mcp__showhow__tracker__create_issue", Outcome: "ok",
		Args: []wire.AgentReceiptArg{{Name: "title", Value: "canary-title is late"}}}))
	w.until("two observations", func() bool { return got(c.Session(ctx, sess.LearnSessionID))(t).EventsKept == 2 })
	sess = w.stopped(sess, 2)
	obs := got(c.Observations(ctx, sess.LearnSessionID, client.PageQuery{PageSize: 50}))(t).Observations
	if o := obs[1]; o.Event.AdapterKind != capture.MCPReceipt || o.Event.ControlSurface != "mcp_connector" ||
		o.Action.Call.Connector != "tracker" || o.Action.Call.Class != "write" || o.Action.Call.Tool != "tracker__create_issue" ||
		len(o.Action.Call.Args) != 5 || o.Action.Call.Args[0].Form != "truth" || o.Action.Call.Args[1].Name != "labels.0" {
		t.Errorf("%+v %+v", o.Event, o.Action.Call)
	}

	d := w.proposed(sess)
	if !slices.Equal(d.ConnectorHints, []string{"tracker"}) || d.Interpretation.PreferredControlSurfaces[0] != "mcp_connector" ||
		!strings.Contains(d.SkillMD, `connector_hints: "tracker"`) || !strings.Contains(d.SkillMD, "`tracker__create_issue`") {
		t.Errorf("%v %v\n%s", d.ConnectorHints, d.Interpretation.PreferredControlSurfaces, d.SkillMD)
	}
	if len(d.Graph.Steps) != 2 {
		t.Fatalf("%+v", d.Graph.Steps)
	}
	read, made := d.Graph.Steps[0], d.Graph.Steps[1]
	if read.Surface != "mcp_connector" || read.Effect || read.Tool != "tracker__get_issue" || !made.Effect || made.Connector != "tracker" ||
		made.Args[1].Value != "{labels}" && !strings.HasPrefix(made.Args[1].Value, "{label") || made.Args[4].Value != "{title}" {
		t.Errorf("%+v\n%+v", read, made)
	}
	b, err := json.Marshal(d)
	must(t, err)
	for _, secret := range []string{"canary-title", "canary-label", "canary-secret"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("the draft holds %q", secret)
		}
	}

	// What reads is called live; what changes something is held back, unless the policy allows it.
	values := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		values[in.Name] = "given " + in.Name
		switch in.Kind {
		case "number":
			values[in.Name] = "12"
		case "boolean":
			values[in.Name] = "no"
		}
	}
	before := len(l.took())
	run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write"), Parameters: values})
	if now := l.took()[before:]; !slices.Equal(now, []string{`get_issue {"number":12}`}) || run.OverallResult == "passed" {
		w.tell(steps)
		t.Errorf("%s: %v", run.OverallResult, now)
	}
	// The tool takes a password that nobody keeps: even where the policy allows everything it is not called without it.
	before = len(l.took())
	_, steps = w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("controlled_live_test"), Parameters: values})
	if now := l.took()[before:]; len(now) != 1 || !slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool {
		return s.TestCaseID == "rehearsal.step."+made.StepID && s.Code == "needs_value" || strings.Contains(s.Details, "password is not known")
	}) {
		w.tell(steps)
		t.Errorf("%v", now)
	}
	receipts := got(c.ConnectorReceipts(ctx, "tracker", "", 50))(t).Receipts
	if !slices.ContainsFunc(receipts, func(r wire.MCPReceiptSummary) bool { return r.Call != nil && r.Call.Agent == "rehearsal" }) {
		t.Error("a rehearsal's call left no receipt")
	}
	w.searched("while everything is there", "canary-title", "canary-label", "hunter2-canary-secret")
}

// A rehearsal under a policy that allows it calls a changing tool, with the run's values in the demonstrated types;
// the door asks the person as always. Once installed, the ability is usable only while its connector is.
func TestConnector_AnAbilityNeedsItsConnector(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	l, _ := w.noting("Tracker", "get_issue", "create_issue")
	codex := w.agent("codex")
	cs := w.doorOf("codex", codex)
	// Naming the connector admits its calls, whichever agent makes them.
	sess := got(c.StartSession(ctx, w.armed(client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "inside_agent",
		Goal: "Open an issue for the late report", Scope: &client.Scope{Apps: []string{"tracker"}}}).LearnSessionID))(t).Session
	w.calls(cs, true, "tracker__create_issue", map[string]any{"title": "The report is late", "filter": map[string]any{"since": 3},
		"labels": []string{"late", "urgent"}, "draft": true, "owner": nil, "watchers": []any{}})
	w.until("an observation", func() bool { return got(c.Session(ctx, sess.LearnSessionID))(t).EventsKept == 1 })
	d := w.proposed(w.stopped(sess, 1))
	values := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		values[in.Name] = map[string]string{"title": "Another title", "since": "4", "draft": "no"}[in.Name]
		if values[in.Name] == "" {
			values[in.Name] = "l-" + in.Name
		}
	}
	before := len(l.took())
	go func() {
		d := w.asked()
		if d.Agent != "rehearsal" {
			t.Error(d.Agent)
		}
		if _, err := c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"}); err != nil {
			t.Error(err)
		}
	}()
	run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("controlled_live_test"), Parameters: values,
		RunKinds: []client.RunKind{"lint", "trigger", "dependency_check", "adapter_check", "dry_run", "rehearsal"}})
	now := l.took()[before:]
	if len(now) != 1 || !strings.HasPrefix(now[0], `create_issue {"draft":false,"filter":{"since":4},"labels":["`) ||
		!strings.HasSuffix(now[0], `],"owner":null,"title":"Another title","watchers":[]}`) || run.OverallResult == "failed" {
		w.tell(steps)
		t.Fatalf("%s: %v", run.OverallResult, now)
	}
	d = w.proposal(d.Proposal.ProposalID)
	r := got(c.Install(ctx, d.Proposal.ProposalID, client.InstallRequest{InstallLane: "experimental_private", Revision: d.Proposal.Revision,
		ContentHash: d.Proposal.ContentHash, ConfirmPartial: true}))(t)
	usable := func() (bool, string) {
		e := got(c.Ability(ctx, r.AbilityID))(t)
		return e.UsableNow, e.ReasonCode
	}
	if ok, code := usable(); !ok {
		t.Fatal(code)
	}
	// What the agent that follows it calls counts in its health; what anybody else calls does not.
	w.calls(cs, true, "tracker__create_issue", map[string]any{"title": "nobody follows"})
	if m := got(codex.Lookup(ctx, client.LookupQuery{UserQuery: "open an issue for the late report"}))(t).Matches; len(m) != 1 {
		t.Fatalf("%+v", m)
	}
	_, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "skill://" + got(c.Ability(ctx, r.AbilityID))(t).SkillSlug + "/SKILL.md"})
	must(t, err)
	w.calls(cs, true, "tracker__create_issue", map[string]any{"title": "by the skill"})
	w.until("the call counts", func() bool {
		all := got(c.AbilityHealth(ctx, r.AbilityID))(t).Outcomes
		return len(all) == 1 && all[0].Source == "connector" && all[0].Result == "passed" && all[0].StepID == "tracker__create_issue"
	})
	if x := got(c.Connectors(ctx))(t).Servers[0]; len(x.LinkedAbilities) != 1 || x.LinkedAbilities[0].AbilityID != r.AbilityID {
		t.Errorf("%+v", x.LinkedAbilities)
	}
	// Availability follows the connector by itself: the snapshot is rewritten without anybody asking (0C.11B).
	off := false
	got(c.PatchConnector(ctx, "tracker", client.ConnectorPatch{Enabled: &off}))(t)
	canonical(w, "abilities/availability_current.json", func(s client.AvailabilitySnapshot) bool {
		return len(theirOwn(s.Abilities)) == 1 && !s.Abilities[0].UsableNow &&
			strings.Contains(s.Abilities[0].ReasonUnusable, "tracker is turned off")
	})
	if ok, code := usable(); ok || code != "connector_unavailable" {
		t.Error(ok, code)
	}
	on := true
	got(c.PatchConnector(ctx, "tracker", client.ConnectorPatch{Enabled: &on}))(t)
	canonical(w, "abilities/availability_current.json", func(s client.AvailabilitySnapshot) bool { return s.Abilities[0].UsableNow })
	got(c.RemoveConnector(ctx, "tracker"))(t)
	if ok, code := usable(); ok || code != "connector_missing" {
		t.Error(ok, code)
	}
	_, err = c.Validate(ctx, d.Proposal.ProposalID, client.ValidateRequest{TestPolicy: rehearsing("controlled_live_test"),
		Parameters: values, RunKinds: []client.RunKind{"rehearsal"}})
	refused(t, err, fault.TestPolicyViolation)
}
