//go:build linux

package acceptance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/capture"
	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/canary"
	"showhow/internal/fault"
)

// call is what an agent's hook sends: a command with a secret, free text and an argument.
func call(agent, run, id, text string) client.AgentReceipt {
	return client.AgentReceipt{Kind: report.ToolCall, Agent: agent, RunID: run, CallID: id, Tool: "Bash", Outcome: report.OK, Cwd: "/work",
		Command: "deploy --password hunter2-" + text + " --message 'note of " + text + "'",
		Args:    []wire.AgentReceiptArg{{Name: "title", Value: "value of " + text}}}
}

func (w *world) send1(c *client.Client, r client.AgentReceipt) error {
	_, err := c.SendReceipts(w.t.Context(), []client.AgentReceipt{r})
	return err
}

// keepRuns gives the consent for an agent, as the person.
func (w *world) keepRuns(agent string) {
	w.t.Helper()
	got(w.c.SetJournal(w.t.Context(), agent, true))(w.t)
}

// searched fails when any of the texts is in what the daemon wrote or answered.
func (w *world) searched(what string, texts ...string) {
	w.t.Helper()
	var cs []canary.Canary
	for _, text := range texts {
		cs = append(cs, canary.Canary{Label: text, Text: text})
	}
	for _, dir := range []string{w.o.Roots.Data, w.o.Roots.State} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		hits, err := canary.Scan(dir, cs...)
		must(w.t, err)
		if len(hits) > 0 {
			w.t.Errorf("%s: %v", what, hits)
		}
	}
	hits, err := canary.Bytes("log", []byte(w.log.String()), cs...)
	must(w.t, err)
	if len(hits) > 0 {
		w.t.Errorf("%s: %v", what, hits)
	}
}

func TestR11_2_ReceiptsGoIntoASessionThatNamesTheAgent(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	scout, other := w.agent("scout"), w.agent("other")
	must(t, w.send1(scout, call("scout", "r", "0", "canary-before"))) // nobody asked: taken, and forgotten at once

	s := got(c.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "inside_agent",
		Scope: &client.Scope{Apps: []string{"scout", "make"}}}))(t).Session
	if !slices.Equal(s.Adapters, []client.Kind{capture.MCPReceipt, capture.WrapperReceipt}) {
		t.Errorf("adapters %v", s.Adapters)
	}
	got(c.StartSession(ctx, s.LearnSessionID))(t)
	if !report.Wanted(report.Dir(w.o.Roots.State), "scout") || report.Wanted(report.Dir(w.o.Roots.State), "other") {
		t.Error("the marks do not say whose receipts are wanted")
	}
	must(t, w.send1(scout, call("scout", "r", "1", "canary-one")))
	must(t, w.send1(scout, call("scout", "r", "1", "canary-one"))) // the same call, reported by two hooks
	must(t, w.send1(other, call("other", "r", "1", "canary-other")))
	must(t, w.send1(c, client.AgentReceipt{Kind: report.Wrapped, Tool: "wrap", Command: "make report", Cwd: "/work", Outcome: report.OK,
		Files: []wire.AgentReceiptFile{{Path: "out.csv", Change: "created", Size: 7}}}))
	must(t, w.send1(c, client.AgentReceipt{Kind: report.Wrapped, Tool: "wrap", Command: "rm canary-wrapped-off", Cwd: "/work",
		Outcome: report.OK}))
	must(t, w.send1(scout, client.AgentReceipt{Kind: report.ToolCall, Agent: "scout", CallID: "own", Tool: "Bash",
		Command: "showhow status # canary-own"}))
	w.until("two observations", func() bool { return got(c.Session(ctx, s.LearnSessionID))(t).EventsKept == 2 })

	got(c.PauseSession(ctx, s.LearnSessionID))(t)
	if report.Wanted(report.Dir(w.o.Roots.State), "scout") {
		t.Error("a paused session wants nothing")
	}
	must(t, w.send1(scout, call("scout", "r", "2", "canary-paused")))
	got(c.ResumeSession(ctx, s.LearnSessionID))(t)
	got(c.StopSession(ctx, s.LearnSessionID))(t)
	if report.AnyWanted(report.Dir(w.o.Roots.State)) {
		t.Error("marks are left after the session")
	}

	l := got(c.Observations(ctx, s.LearnSessionID, client.PageQuery{PageSize: 50}))(t)
	if l.Total != 2 {
		t.Fatalf("%d kept", l.Total)
	}
	first, second := l.Observations[0], l.Observations[1]
	if first.Event.AdapterKind != capture.MCPReceipt || first.Event.AppFamily != "scout" || first.Action.Call.Tool != "Bash" ||
		first.Action.Command.Program != "deploy" {
		t.Errorf("%+v", first.Event)
	}
	if second.Event.AdapterKind != capture.WrapperReceipt || second.After.Files[0].Name != "out.csv" || second.After.Files[0].Size != 7 {
		t.Errorf("%+v", second)
	}
	x := got(c.Session(ctx, s.LearnSessionID))(t)
	reasons := map[string]int64{}
	for _, wh := range x.Withheld {
		reasons[string(wh.Adapter)+" "+string(wh.Reason)] += wh.Count
	}
	if reasons["mcp_receipt off_scope"] != 1 || reasons["wrapper_receipt off_scope"] != 1 || reasons["mcp_receipt own"] != 1 {
		t.Errorf("withheld %v", reasons)
	}
	w.searched("while the session is there", "canary-before", "canary-other", "canary-wrapped-off", "canary-own", "canary-paused",
		"hunter2-canary-one", "value of canary-one", "note of canary-one")
}

func TestR11_2_OtherSessionsDoNotTakeReceipts(t *testing.T) {
	w := begin(t)
	s := got(w.c.CreateSession(t.Context(), client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Scope: &client.Scope{Apps: []string{"scout"}, Sites: []string{"shop.test"}}}))(t).Session
	if slices.Contains(s.Adapters, capture.MCPReceipt) || slices.Contains(s.Adapters, capture.WrapperReceipt) {
		t.Errorf("%v", s.Adapters)
	}
	_, err := w.c.CreateSession(t.Context(), client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Adapters: []client.Kind{capture.MCPReceipt}})
	refused(t, err, fault.InvalidRequest)
}

// What an agent may do with receipts and runs: send its own, and nothing else.
func TestR11_2_AgentsAndTheRunJournal(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	scout := w.agent("scout")
	w.keepRuns("scout")
	must(t, w.send1(scout, call("scout", "r1", "1", "canary-run")))
	w.until("the run is kept", func() bool { return got(w.c.Runs(ctx, "scout", client.PageQuery{}))(t).Total == 1 })
	id := got(w.c.Runs(ctx, "scout", client.PageQuery{}))(t).Runs[0].RunID

	_, err := scout.Runs(ctx, "", client.PageQuery{})
	refused(t, err, fault.Forbidden)
	_, err = scout.Run(ctx, id, client.PageQuery{})
	refused(t, err, fault.Forbidden)
	_, err = scout.DeleteRun(ctx, id)
	refused(t, err, fault.Forbidden)
	_, err = scout.DeleteRuns(ctx, "")
	refused(t, err, fault.Forbidden)
	_, err = scout.SetJournal(ctx, "scout", false)
	refused(t, err, fault.Forbidden)
	_, err = scout.SetJournal(ctx, "other", true)
	refused(t, err, fault.Forbidden)
	_, err = scout.ObservedAgents(ctx)
	refused(t, err, fault.Forbidden)
	_, err = scout.InstallHook(ctx, "claude-code", "")
	refused(t, err, fault.Forbidden)
	_, err = scout.CreateSession(ctx, client.CreateRequest{EntryMode: "coaching_agent", SourceRunIDs: []string{id}})
	refused(t, err, fault.Forbidden)
	refused(t, w.send1(scout, call("claude-code", "r1", "9", "canary-forged")), fault.Forbidden)

	w.keepRuns("claude-code")
	refused(t, w.send1(scout, call("claude-code", "r1", "9", "canary-forged")), fault.Forbidden)
	if n := got(w.c.Runs(ctx, "claude-code", client.PageQuery{}))(t).Total; n != 0 {
		t.Errorf("%d forged runs", n)
	}
	w.searched("forged", "canary-forged")
}

func TestR11_2_TheRunJournal(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	w.keepRuns("scout")
	must(t, w.send1(c, call("scout", "r1", "1", "canary-one")))
	must(t, w.send1(c, client.AgentReceipt{Kind: report.ToolCall, Event: report.EventRunEnd, Agent: "scout", RunID: "r1"}))
	w.until("the run's end", func() bool {
		l := got(c.Runs(ctx, "", client.PageQuery{}))(t)
		return l.Total == 1 && l.Runs[0].EndedAt != nil
	})
	run := got(c.Runs(ctx, "", client.PageQuery{}))(t).Runs[0]
	d := got(c.Run(ctx, run.RunID, client.PageQuery{}))(t)
	if d.Total != 1 || run.Agent != "scout" || run.AgentRunID != "r1" ||
		!strings.Contains(d.Observations[0].Action.Command.Line, "[[secret password]]") {
		t.Errorf("%+v", d)
	}
	st := got(c.Status(ctx))(t)
	if !st.RunJournal || len(st.Agents) != 1 || !st.Agents[0].Journal || st.Agents[0].Runs != 1 || st.Agents[0].LastHeardAt == nil {
		t.Errorf("%+v", st.Agents)
	}
	w.searched("kept", "hunter2-canary-one", "value of canary-one", "note of canary-one")

	// The consent survives a restart, and so does the mark: the hook can start the daemon.
	w.stop()
	if !report.Wanted(report.Dir(w.o.Roots.State), "scout") {
		t.Error("the mark did not outlive the daemon")
	}
	must(t, w.start())
	c = client.Unix(w.o.Roots.Socket()) // the demonstration's grant was good for the first start only
	w.c = c
	if st := got(c.Status(ctx)); !st(t).RunJournal {
		t.Error("the consent was forgotten")
	}
	// A day later nothing is left, not a byte.
	label := run.First
	w.forward(25 * time.Hour)
	w.until("the run is gone", func() bool { return got(c.Runs(ctx, "", client.PageQuery{}))(t).Total == 0 })
	w.until("the purge", func() bool { return len(w.receipts(client.ReceiptFilter{Kind: "observe.run.purged"})) == 1 })
	w.searched("a day later", label)
	if _, err := c.Run(ctx, run.RunID, client.PageQuery{}); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	off, err := c.SetJournal(ctx, "scout", false)
	if must(t, err); off.Journal || report.Wanted(report.Dir(w.o.Roots.State), "scout") {
		t.Error("off is not off")
	}
}

// Learn From This: armed, capturing and stopped in one transaction (decisions B11), and a draft that holds no secret.
func TestR11_2_LearnFromARun(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	w.keepRuns("scout")
	out := w.o.Roots.Home + "/report.csv"
	must(t, os.WriteFile(out, []byte("a,b\n"), 0o600))
	for i, r := range []client.AgentReceipt{
		{Tool: "Bash", Command: "export-orders --token ghp_canary000000000000000000000000000000 > report.csv",
			Files: []wire.AgentReceiptFile{{Path: out, Change: "created", Size: 4}}},
		{Tool: "Bash", Command: "git commit -m 'note of canary-two' report.csv"},
		{Tool: "mcp__tracker__create_issue", Args: []wire.AgentReceiptArg{{Name: "title", Value: "note of canary-two"}}},
	} {
		r.Kind, r.Agent, r.RunID, r.CallID, r.Outcome, r.Cwd = report.ToolCall, "scout", "r1", fmt.Sprint(i), report.OK, w.o.Roots.Home
		must(t, w.send1(c, r))
	}
	w.until("the run is kept", func() bool {
		l := got(c.Runs(ctx, "", client.PageQuery{}))(t)
		return l.Total == 1 && l.Runs[0].Observations == 3
	})
	id := got(c.Runs(ctx, "", client.PageQuery{}))(t).Runs[0].RunID

	_, err := c.CreateSession(ctx, client.CreateRequest{EntryMode: "coaching_agent", SourceRunIDs: []string{id},
		ObservationMode: "outside_agent"})
	refused(t, err, fault.InvalidRequest)
	_, err = c.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", SourceRunIDs: []string{id},
		BuildPolicy: "private_auto_install", AllowPrivateInstall: true})
	refused(t, err, fault.InstallLaneDenied)
	_, err = c.CreateSession(ctx, client.CreateRequest{
		EntryMode: "coaching_agent", SourceRunIDs: []string{"0190a000-0000-7000-8000-000000000001"}})
	refused(t, err, fault.NotFound)

	s := got(c.CreateSession(ctx, client.CreateRequest{EntryMode: "coaching_agent", SourceRunIDs: []string{id},
		Goal: "Publish the order report"}))(t).Session
	if s.State != "stopped" || s.EventsKept != 3 || s.ObservationMode != "inside_agent" || !slices.Contains(s.Scope.Apps, "scout") ||
		len(s.ActiveTraceIDs) != 1 {
		t.Errorf("%+v", s)
	}
	var kinds []string
	for _, r := range w.receipts(client.ReceiptFilter{SessionID: s.LearnSessionID}) {
		kinds = append(kinds, string(r.Kind))
	}
	for _, want := range []string{"learn.session.armed", "learn.capture.started", "learn.capture.stopped"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no %s among %v", want, kinds)
		}
	}
	must(t, func() error { _, err := c.DeleteRun(ctx, id); return err }()) // the session has copies of its own
	p := got(c.GenerateProposal(ctx, s.LearnSessionID))(t)
	detail := got(c.Proposal(ctx, p.ProposalID))(t)
	if len(detail.Interpretation.Checkpoints) != 3 || detail.Proposal.Title == "" {
		t.Errorf("%+v", detail.Interpretation)
	}
	b, _ := json.Marshal(detail)
	for _, secret := range []string{"ghp_canary", "note of canary-two"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("the draft holds %q", secret)
		}
	}
	w.searched("drafted", "ghp_canary000", "note of canary-two")
	must(t, func() error { _, err := c.DeleteSession(ctx, s.LearnSessionID); return err }())
}

// The daemon stays while an agent's runs are kept (decisions E8).
func TestR11_2_ConsentKeepsTheDaemon(t *testing.T) {
	w := begin(t, func(o *daemon.Options) { o.Config.IdleExitMinutes = 1 })
	w.keepRuns("scout")
	w.forward(time.Hour)
	w.stays("an agent's runs are kept")
	if st := got(w.c.Status(t.Context()))(t); !st.RunJournal {
		t.Error("not kept")
	}
	got(w.c.SetJournal(t.Context(), "scout", false))(t)
	w.forward(time.Hour)
	must(t, w.ended())
}
