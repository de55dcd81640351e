package observe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/capture/seal"
	"showhow/daemon/journal"
	"showhow/daemon/observe"
	"showhow/internal/await"
	"showhow/internal/canary"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
	"showhow/store/keys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a journal on a real store, with a clock that tests move.
type rig struct {
	t     *testing.T
	dir   string
	store *store.Store
	ring  *keys.Ring
	j     *observe.Journal
	ahead atomic.Int64
	stop  func()
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, dir: t.TempDir()}
	r.start()
	t.Cleanup(func() { r.stop() })
	return r
}

func (r *rig) now() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }

func (r *rig) start() {
	r.t.Helper()
	r.ring = keys.Open(filepath.Join(r.dir, "keys"))
	s, err := store.Open(r.t.Context(), store.Options{Dir: r.dir, Keys: r.ring, Now: func() clock.Time { return clock.At(r.now()) }})
	must(r.t, err)
	r.store = s
	r.j = observe.New(observe.Options{Store: s.Observed(), Keys: r.ring, Home: "/home/me", Now: r.now, NewID: clock.NewID,
		Every: 5 * time.Millisecond})
	must(r.t, r.j.Recover(r.t.Context()))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.j.Run(ctx) }()
	r.stop = func() {
		cancel()
		must(r.t, <-done)
		must(r.t, s.Close())
		r.stop = func() {}
	}
}

func (r *rig) forward(d time.Duration) { r.ahead.Add(int64(d)) }

func (r *rig) consent(agent string, on bool) {
	r.t.Helper()
	must(r.t, r.j.SetJournal(r.t.Context(), observe.Meta{}, agent, on))
}

func (r *rig) runs(agent string) []observe.Run {
	r.t.Helper()
	l, err := r.j.Runs(r.t.Context(), agent, 1, 100)
	must(r.t, err)
	return l.Runs
}

// call is an agent's tool call with a value, a secret and a command.
func (r *rig) call(agent, run, text string) {
	r.j.Take(agent, run, capture.Observation{Kind: capture.MCPReceipt, OccurredAt: r.now(), Verb: capture.Run,
		Origin: capture.Origin{App: agent},
		Call: &capture.RawCall{Agent: agent, RunID: run, Tool: "Bash",
			Args: []capture.RawArg{{Name: "note", Value: capture.RawValue{Text: "value of " + text}}}},
		Command: &capture.RawCommand{Line: "deploy --password hunter2-" + text + " --message 'note for " + text + "'", Shell: "bash",
			CwdFrom: "/home/me/site"}})
}

func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	await.Until(r.t, what, ok)
}

func (r *rig) none(texts ...string) {
	r.t.Helper()
	var cs []canary.Canary
	for _, text := range texts {
		cs = append(cs, canary.Canary{Label: text, Text: text})
	}
	hits, err := canary.Scan(r.dir, cs...)
	must(r.t, err)
	if len(hits) > 0 {
		r.t.Errorf("found: %v", hits)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsKeptWithoutConsent(t *testing.T) {
	r := newRig(t)
	r.call("codex", "r1", "canary-before-1")
	r.consent("claude-code", true)
	r.call("codex", "r1", "canary-before-2") // another's consent
	if got := r.runs(""); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	r.none("canary-before-1", "canary-before-2")
}

func TestARunIsKeptRedacted(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.call("codex", "r1", "canary-one")
	r.call("codex", "r1", "canary-two")
	r.j.End("codex", "r1")
	r.until("the run's end was not noted", func() bool { l := r.runs("codex"); return len(l) == 1 && l[0].EndedAt != nil })
	run := r.runs("codex")[0]
	if run.Observations != 2 || run.AgentRunID != "r1" || run.ExpiresAt.Sub(run.StartedAt.Time) != 24*time.Hour ||
		!strings.HasPrefix(run.First, "Ran deploy") {
		t.Errorf("%+v", run)
	}
	d, err := r.j.Get(t.Context(), run.RunID, 1, 10)
	must(t, err)
	c := d.Observations[0].Action.Command
	if len(d.Observations) != 2 || c.CwdFrom != "~/site" || !strings.Contains(c.Line, "[[secret password]]") || len(c.Sealed) != 1 {
		t.Errorf("%+v", c)
	}
	if v := d.Observations[0].Action.Call.Args[0].Value; v.Policy != capture.Masked || v.LinkID == "" {
		t.Errorf("%+v", v)
	}
	r.none("hunter2-canary-one", "value of canary-one", "note for canary-two")
}

func TestARunContinuesAfterARestart(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.call("codex", "r1", "canary-one")
	r.stop()
	r.start()
	if !r.j.Consented("codex") {
		t.Fatal("the consent was forgotten")
	}
	r.call("codex", "r1", "canary-one")
	runs := r.runs("codex")
	if len(runs) != 1 || runs[0].Observations != 2 {
		t.Fatalf("%+v", runs)
	}
	d, err := r.j.Get(t.Context(), runs[0].RunID, 1, 10)
	must(t, err)
	if a, b := d.Observations[0].Action.Call.Args[0].Value.LinkID, d.Observations[1].Action.Call.Args[0].Value.LinkID; a != b {
		t.Error("the same value has two links")
	}
}

func TestTwentyRuns(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	for i := range observe.MaxRuns + 3 {
		r.call("codex", fmt.Sprint("r", i), fmt.Sprintf("canary-run-%04d", i))
		r.forward(time.Second)
	}
	runs := r.runs("codex")
	if len(runs) != observe.MaxRuns || runs[0].AgentRunID != "r22" || runs[19].AgentRunID != "r3" {
		t.Errorf("%d runs, from %s", len(runs), runs[0].AgentRunID)
	}
	r.forward(11 * time.Minute) // the purges of what is due are at least ten minutes apart
	r.until("the oldest runs were not purged", func() bool { return r.stored("codex") == observe.MaxRuns })
}

// stored counts the observations in the database that belong to runs of an agent.
func (r *rig) stored(agent string) (n int) {
	r.t.Helper()
	err := r.store.Observed().View(r.t.Context(), func(tx observe.Tx) error {
		all, err := tx.Runs()
		for _, run := range all {
			if k, _, _, err := tx.Kept(run.RunID); err == nil && run.Agent == agent {
				n += k
			}
		}
		return err
	})
	must(r.t, err)
	return n
}

func TestADayLater(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.call("codex", "r1", "canary-yesterday")
	if len(r.runs("codex")) != 1 {
		t.Fatal("nothing kept")
	}
	r.forward(13 * time.Hour)
	r.call("codex", "r1", "canary-today") // the same run of the agent, but it lasts too long: another begins
	if l := r.runs("codex"); len(l) != 2 || l[0].AgentRunID != "r1" || l[1].AgentRunID != "r1" {
		t.Fatalf("%+v", l)
	}
	r.forward(11 * time.Hour)
	r.until("yesterday's run is still there", func() bool { return r.stored("codex") == 1 })
	if l := r.runs("codex"); len(l) != 1 || l[0].Observations != 1 {
		t.Errorf("%+v", l)
	}
	r.none("deploy --password [[secret password]] --message [[text 25") // of yesterday's: the lengths differ
	r.until("the purge left no receipt of its own", func() bool { return len(r.receipts(journal.RunPurged)) == 1 })
	for _, x := range r.receipts(journal.RunPurged) {
		if x.LearnSessionID != "" {
			t.Error("a run is no session")
		}
	}
}

func (r *rig) receipts(kind journal.EventKind) []journal.Receipt {
	r.t.Helper()
	var out []journal.Receipt
	events, err := r.store.Events(r.t.Context(), 0, "", 1000)
	must(r.t, err)
	for _, e := range events {
		if e.Kind == kind {
			out = append(out, journal.Receipt{Kind: kind, LearnSessionID: e.SessionID})
		}
	}
	return out
}

func TestDueWhileNoDaemonRan(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.call("codex", "r1", "canary-old")
	r.stop()
	r.forward(48 * time.Hour)
	r.start() // Recover purges before anything is served
	if n := r.stored("codex"); n != 0 {
		t.Errorf("%d left", n)
	}
	r.none("value of canary-old")
}

func TestWithdrawnAndDeleted(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.consent("claude-code", true)
	r.call("codex", "r1", "canary-one")
	r.call("codex", "r2", "canary-two")
	r.call("claude-code", "r3", "canary-three")
	label := r.runs("codex")[0].First
	must(t, r.j.DeleteRun(t.Context(), observe.Meta{}, r.runs("codex")[0].RunID))
	if len(r.runs("codex")) != 1 || len(r.runs("")) != 2 {
		t.Error("the wrong run is gone")
	}
	if err := r.j.DeleteRun(t.Context(), observe.Meta{}, clock.NewID()); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	r.consent("codex", false)
	r.call("codex", "r1", "canary-late")
	if l := r.runs(""); len(l) != 1 || l[0].Agent != "claude-code" {
		t.Errorf("%+v", l)
	}
	n, err := r.j.DeleteRuns(t.Context(), observe.Meta{}, "")
	if must(t, err); n != 1 {
		t.Errorf("%d", n)
	}
	r.none(label, "canary-late")
	agents, err := r.j.Agents(t.Context())
	must(t, err)
	if len(agents) != 2 || !agents[0].Journal || agents[1].Journal || agents[1].Runs != 0 {
		t.Errorf("%+v", agents)
	}
}

func TestAdopt(t *testing.T) {
	r := newRig(t)
	r.consent("codex", true)
	r.call("codex", "r1", "the same")
	r.call("codex", "r2", "the same")
	runs := r.runs("codex")
	ids := []string{runs[1].RunID, runs[0].RunID}
	agents, err := r.j.Ready(t.Context(), ids)
	if must(t, err); len(agents) != 1 || agents[0] != "codex" {
		t.Errorf("%v", agents)
	}
	session := clock.NewID()
	records, err := r.j.Adopt(t.Context(), ids, session, clock.NewID(), session)
	must(t, err)
	if len(records) != 2 {
		t.Fatalf("%d", len(records))
	}
	link := records[0].Action.Call.Args[0].Value.LinkID
	if link != records[1].Action.Call.Args[0].Value.LinkID {
		t.Error("the same value of two runs must be one value of the session")
	}
	key, err := r.ring.Key(t.Context(), session)
	must(t, err)
	open, err := seal.Open(key, records[0].Sealed)
	if must(t, err); open[link] != "value of the same" {
		t.Errorf("%v", open)
	}
	b, _ := json.Marshal(records)
	if strings.Contains(string(b), runs[0].RunID) || strings.Contains(string(b), "value of") {
		t.Error(string(b))
	}
	if _, err := r.j.Ready(t.Context(), []string{clock.NewID()}); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}
