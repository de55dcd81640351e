package learn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/canonical"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/learn"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
	"showhow/store/keys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a real database, a real install saga and a clock of its own; what observes and what judges drafts is played.
type world struct {
	t      *testing.T
	dir    string
	db     *store.Store
	ring   *keys.Ring
	svc    *learn.Service
	cap    *stage
	judge  *judge
	skills *ability.Service
	draft  *drafter
	clock  *handClock
}

type handClock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(time.Millisecond) // nothing happens at the same moment
	return c.t
}

func (c *handClock) wire() clock.Time { return clock.At(c.Now()) }

func (w *world) pass(d time.Duration) {
	w.clock.mu.Lock()
	w.clock.t = w.clock.t.Add(d)
	w.clock.mu.Unlock()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), clock: &handClock{t: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}, draft: &drafter{}}
	w.open()
	t.Cleanup(func() { canonical.Must(t, w.db.Memory()) }) // once nothing writes any more
	t.Cleanup(w.close)
	return w
}

func (w *world) open() {
	w.t.Helper()
	w.ring = keys.Files(filepath.Join(w.dir, "keys"))
	var err error
	w.db, err = store.Open(context.Background(), store.Options{Dir: filepath.Join(w.dir, "data"), Keys: w.ring, Now: w.clock.wire})
	w.ok(err)
	w.skills = ability.New(ability.Options{Store: w.db.Abilities(), MemoryRoot: w.db.Memory(), Now: w.clock.wire,
		Targets: []ability.Target{{Name: "openclaw", Dir: filepath.Join(w.dir, "home", "skills")}}})
	_, err = w.skills.Recover(context.Background())
	w.ok(err)
	w.cap = &stage{w: w, runs: map[string]*run{}}
	w.judge = &judge{w: w, runs: map[string]*judged{}, verdict: rehearse.Passed}
	w.svc = learn.New(learn.Deps{Store: w.db.Learn(), Capturer: w.cap, Observations: w.db.LearnObservations(w.ring), Purger: w.db,
		Compile: w.draft.compile, Validator: w.judge, Installer: w.skills, MemoryRoot: w.db.Memory(), Now: w.clock.Now})
	w.ok(w.svc.Recover(context.Background()))
}

// crash forgets everything that is only in memory.
func (w *world) crash() {
	w.t.Helper()
	w.judge.abandon()
	w.ok(w.db.Close())
	w.open()
}

func (w *world) close() {
	w.judge.abandon()
	_ = w.svc.Close(context.Background())
	_ = w.db.Close()
}

func (w *world) ctx() context.Context { return w.t.Context() }

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) code(err error, code fault.Code) *fault.Error {
	w.t.Helper()
	if !fault.Is(err, code) {
		w.t.Fatalf("got %v, want %s", err, code)
	}
	return fault.From(err)
}

var user = state.Meta{Principal: state.PrincipalUser, Source: state.SourceAPI, CorrelationID: "test"}

func request() wire.CreateLearnSessionRequest {
	return wire.CreateLearnSessionRequest{EntryMode: state.DemonstratingSkill, ObservationMode: state.ObserveOutside, Goal: "export an order",
		Scope: &capture.Scope{Sites: []string{"localhost:8080"}, Shells: []string{"pts/3"}}}
}

func (w *world) create(r wire.CreateLearnSessionRequest) state.Session {
	w.t.Helper()
	out, err := w.svc.Create(w.ctx(), user, r)
	w.ok(err)
	return out.Session
}

// capturing is a session that captures.
func (w *world) capturing() state.Session {
	w.t.Helper()
	out, err := w.svc.Start(w.ctx(), user, w.create(request()).LearnSessionID)
	w.ok(err)
	return out.Session
}

// stopped is a session with n observations.
func (w *world) stopped(n int) state.Session {
	w.t.Helper()
	s := w.capturing()
	w.cap.act(s.LearnSessionID, n)
	out, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	return out.Session
}

func (w *world) drafted() state.Session {
	w.t.Helper()
	s := w.stopped(3)
	_, err := w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	return w.session(s.LearnSessionID)
}

func (w *world) validate(s state.Session) state.Session {
	w.t.Helper()
	run, err := w.svc.Validate(w.ctx(), user, s.ProposalID, rehearse.ValidateRequest{SchemaVersion: 1})
	w.ok(err)
	_, err = w.judge.Wait(w.ctx(), run.ValidationRunID)
	w.ok(err)
	return w.session(s.LearnSessionID)
}

func (w *world) ready() state.Session {
	w.t.Helper()
	s := w.validate(w.drafted())
	w.state(s.LearnSessionID, state.ReadyForReview)
	return s
}

func (w *world) session(id string) state.Session {
	w.t.Helper()
	s, err := w.svc.Session(w.ctx(), id)
	w.ok(err)
	return s
}

func (w *world) state(id string, want state.State) {
	w.t.Helper()
	if s := w.session(id); s.State != want {
		w.t.Fatalf("the session is %s, want %s", s.State, want)
	}
}

func (w *world) proposal(id string) state.ProposalDetail {
	w.t.Helper()
	d, err := w.svc.Proposal(w.ctx(), id)
	w.ok(err)
	return d
}

// kinds are the receipts of a session, oldest first.
func (w *world) kinds(sessionID string) []journal.EventKind {
	w.t.Helper()
	var out []journal.EventKind
	for _, r := range w.receipts(sessionID) {
		out = append(out, r.Kind)
	}
	slices.Reverse(out)
	return out
}

func (w *world) receipts(sessionID string) []journal.Receipt {
	w.t.Helper()
	l, err := w.svc.Receipts(w.ctx(), wire.ReceiptFilter{SessionID: sessionID, PageQuery: wire.PageQuery{PageSize: 100}})
	w.ok(err)
	return l.Receipts
}

func (w *world) has(sessionID string, kind journal.EventKind, reason string) {
	w.t.Helper()
	for _, r := range w.receipts(sessionID) {
		if r.Kind == kind && (reason == "" || r.Reason == reason) {
			return
		}
	}
	w.t.Fatalf("no receipt %s (reason %q) among %v", kind, reason, w.kinds(sessionID))
}

// file reads a canonical file once it is written.
func (w *world) file(path string, v any) bool {
	w.t.Helper()
	w.ok(w.db.Project(w.ctx()))
	b, err := os.ReadFile(filepath.Join(w.db.Memory(), filepath.FromSlash(path)))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	w.ok(err)
	w.ok(json.Unmarshal(b, v))
	return true
}

// stage plays the adapters: what act does goes through the real store.
type stage struct {
	w       *world
	mu      sync.Mutex
	runs    map[string]*run
	missing []capture.Kind
	broken  error
	slow    func() // while a capture is being begun
}

type run struct {
	trace    string
	on       bool
	kept     int64
	last     time.Time
	withheld int64
	scope    capture.Scope
}

func (c *stage) Check(_ context.Context, kinds []capture.Kind) error {
	for _, k := range kinds {
		if slices.Contains(c.missing, k) {
			return fault.New(fault.AdapterUnavailable, "an adapter is not available").WithDetail("unavailable", []string{string(k)}).
				WithDetail("alternatives", []string{"browser_dom"})
		}
	}
	return nil
}

func (c *stage) Start(_ context.Context, s state.Session, trace string) ([]string, error) {
	if c.slow != nil {
		c.slow()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return nil, c.broken
	}
	c.runs[s.LearnSessionID] = &run{trace: trace, on: true, scope: s.Scope}
	out := []string{}
	for _, k := range s.Adapters {
		out = append(out, string(k))
	}
	return out, nil
}

func (c *stage) switchTo(id string, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.runs[id]; r != nil {
		r.on = on
	}
}

func (c *stage) Pause(id string) { c.switchTo(id, false) }
func (c *stage) Resume(id string) error {
	c.mu.Lock()
	gone := c.runs[id] == nil
	c.mu.Unlock()
	if gone {
		return fault.New(fault.AdapterUnavailable, "nothing observes any more")
	}
	c.switchTo(id, true)
	return nil
}

func (c *stage) Rescope(_ context.Context, s state.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs[s.LearnSessionID].scope = s.Scope
}

func (c *stage) Stop(_ context.Context, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.runs, id)
	return nil
}

func (c *stage) Preview(ctx context.Context, _ state.Session, show func(wire.PreviewUpdate) error) error {
	if err := show(wire.PreviewUpdate{Adapters: []string{"terminal_command"}}); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func (c *stage) Counts(id string) port.Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.runs[id]
	if r == nil {
		return port.Counts{}
	}
	out := port.Counts{Kept: r.kept, LastKept: r.last}
	if r.withheld > 0 {
		out.Withheld = []capture.Withheld{{Adapter: capture.BrowserDOM, Reason: capture.OffScope, Count: r.withheld}}
	}
	return out
}

// act performs n observations, a second apart; off stage they are withheld.
func (c *stage) act(id string, n int) []capture.Record {
	c.w.t.Helper()
	c.mu.Lock()
	r := c.runs[id]
	c.mu.Unlock()
	var out []capture.Record
	for i := range n {
		at := c.w.clock.Now()
		if r == nil || !r.on {
			continue
		}
		e := capture.Event{EventID: clock.NewID(), LearnSessionID: id, AdapterKind: capture.BrowserDOM, ActionLabel: fmt.Sprintf("clicked %d", i),
			CausedStateChange: true, RedactionMode: "mask_text", CreatedAt: clock.At(at), SchemaVersion: 1}
		out = append(out, capture.Record{TraceID: r.trace, Event: e,
			Action: capture.Action{Verb: capture.Click, OccurredAt: at.UTC().Format("2006-01-02T15:04:05.000000Z")}})
		c.mu.Lock()
		r.kept, r.last = r.kept+1, at
		c.mu.Unlock()
	}
	c.w.ok(c.w.db.Append(context.Background(), out))
	return out
}

// judge plays the runner of validations; the end of a run happens in a real transaction.
type judge struct {
	w       *world
	mu      sync.Mutex
	runs    map[string]*judged
	order   []string
	verdict rehearse.Overall
	held    bool // runs wait for release
	refuse  error
}

type judged struct {
	run     rehearse.ValidationRun
	req     rehearse.Request
	done    chan struct{}
	release chan rehearse.Overall
}

func (j *judge) Start(_ context.Context, req rehearse.Request) (rehearse.ValidationRun, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refuse != nil {
		return rehearse.ValidationRun{}, j.refuse
	}
	run := req.Run
	run.Status, run.StartedAt, run.SchemaVersion = rehearse.StatusRunning, j.w.clock.wire(), 1
	d := &judged{run: run, req: req, done: make(chan struct{}), release: make(chan rehearse.Overall, 2)}
	j.runs[run.ValidationRunID] = d
	j.order = append(j.order, run.ValidationRunID)
	if !j.held {
		d.release <- j.verdict
	}
	go j.end(d)
	return run, nil
}

func (j *judge) end(d *judged) {
	defer close(d.done)
	overall, ok := <-d.release
	if !ok {
		return // the process died
	}
	j.mu.Lock()
	now := j.w.clock.wire()
	d.run.Status, d.run.OverallResult, d.run.CompletedAt = rehearse.StatusCompleted, overall, &now
	run := d.run
	j.mu.Unlock()
	err := j.w.db.Update(context.Background(), func(tx *store.Tx) error { return d.req.Finish(tx, run, rehearse.Standing{Overall: overall}) })
	if err != nil {
		j.w.t.Errorf("the end of a run: %v", err)
	}
}

// abandon is the death of the process: what runs never ends.
func (j *judge) abandon() {
	j.mu.Lock()
	runs := j.runs
	j.runs = map[string]*judged{}
	j.mu.Unlock()
	for _, d := range runs { // without the lock, which a run that is just ending takes
		select {
		case <-d.done:
		default:
			close(d.release)
			<-d.done
		}
	}
}

func (j *judge) find(id string) (*judged, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if d := j.runs[id]; d != nil {
		return d, nil
	}
	return nil, fault.New(fault.NotFound, "there is no such run")
}

func (j *judge) Wait(ctx context.Context, id string) (rehearse.ValidationRun, error) {
	d, err := j.find(id)
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	select {
	case <-d.done:
		j.mu.Lock()
		defer j.mu.Unlock()
		return d.run, nil
	case <-ctx.Done():
		return rehearse.ValidationRun{}, ctx.Err()
	}
}

func (j *judge) Cancel(ctx context.Context, id string) (rehearse.ValidationRun, error) {
	d, err := j.find(id)
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	select {
	case d.release <- rehearse.Cancelled:
	default:
	}
	return j.Wait(ctx, id)
}

func (j *judge) Continue(_ context.Context, id string) (rehearse.ValidationRun, error) {
	d, err := j.find(id)
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	return d.run, nil
}

func (j *judge) EvidenceOf(_ context.Context, id string) ([]rehearse.Evidence, error) {
	_, err := j.find(id)
	return nil, err
}

func (j *judge) EvidencePicture(_ context.Context, id string, _ int64) ([]byte, error) {
	_, err := j.find(id)
	return nil, err
}

func (j *judge) Get(_ context.Context, id string) (rehearse.ValidationRun, []rehearse.ValidationStepResult, error) {
	d, err := j.find(id)
	if err != nil {
		return rehearse.ValidationRun{}, nil, err
	}
	return d.run, nil, nil
}

func (j *judge) List(
	_ context.Context, proposalID string, page, size int,
) ([]rehearse.ValidationRun, []rehearse.ValidationStepResult, int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []rehearse.ValidationRun
	for _, id := range j.order {
		if d := j.runs[id]; d != nil && d.run.ProposalID == proposalID {
			out = append(out, d.run)
		}
	}
	return out, nil, len(out), nil
}

func (j *judge) Standing(_ context.Context, proposalID string, revision int, hash string) (rehearse.Standing, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var st rehearse.Standing
	for _, id := range j.order {
		d := j.runs[id]
		if d == nil || d.run.ProposalID != proposalID || d.run.Revision != revision || d.run.ContentHash != hash {
			continue
		}
		if d.run.Status == rehearse.StatusRunning {
			st.Running = true
		} else if d.run.OverallResult != rehearse.Cancelled {
			st.Overall, st.RunID = d.run.OverallResult, id
		}
	}
	return st, nil
}

// drafter plays the compiler: a bundle whose text depends on everything that goes in.
type drafter struct {
	slug      string
	lintFails bool
	questions []compile.Question
	got       []compile.Input
}

func (d *drafter) compile(in compile.Input) (compile.Output, error) {
	d.got = append(d.got, in)
	slug := "export-an-order"
	if d.slug != "" {
		slug = d.slug
	}
	if v, ok := in.Edits["slug"].(string); ok {
		slug = v
	}
	events := 0
	for _, tr := range in.Traces {
		events += len(tr.Records)
	}
	body := fmt.Sprintf("---\nname: %s\ndescription: Export an order and tell that it worked.\n---\n\n# Export an order\n\n%d "+
		"demonstrations, %d events, %d answers, %v\n",
		slug, len(in.Traces), events, len(in.Answers), in.Edits)
	b, err := skill.New(slug, []skill.File{{Path: "SKILL.md", Data: []byte(body)}, {Path: "tests/checks.json", Data: []byte("[]")}})
	if err != nil {
		return compile.Output{}, err
	}
	id := "orderdesk." + strings.ReplaceAll(slug, "-", "_")
	out := compile.Output{Title: "Export an order", Slug: slug, TriggerPhrases: []string{"export an order"}, CapabilityID: id,
		Family: "orderdesk",
		Lint:   compile.LintReport{Passed: !d.lintFails, Findings: []compile.Finding{}}, Verdict: workflow.Verdict{Result: "generalises"},
		Interpretation: workflow.Interpretation{Title: "Export an order", GoalSummary: in.Goal, ProjectScope: "global",
			PreferredControlSurfaces: []string{"native_openclaw_browser"},
			Checkpoints: []workflow.Checkpoint{
				{CheckpointID: "cp-01", Goal: "the order is exported", SuccessCondition: "A file was downloaded."}}},
		Manifest: skill.Manifest{CapabilityID: id, Family: "orderdesk", Kind: "workflow_pattern", Title: "Export an order", OriginSkill: slug,
			SurfaceOrder: []string{"native_openclaw_browser"}, RuntimeBinding: skill.RuntimeBinding{
				BindingKind: "workflow_pattern", Target: "SKILL.md"},
			Verification: []skill.Verification{{Kind: "manual_confirmation", Target: "cp-01"}}, RoutingEligible: true,
			HealthProbe: skill.HealthProbe{Kind: "noop", Target: "-", TimeoutMS: 3000}, SchemaVersion: 1},
		Metadata: map[string]any{"schema_version": 1}, Bundle: b}
	if d.lintFails {
		out.Lint.Findings = []compile.Finding{{Rule: "CKP-001", Severity: "error", Subject: "cp-01", Message: "a DOM id"}}
	}
	for _, q := range d.questions {
		if _, done := in.Answers[q.SubjectRef+"/"+q.Field]; !done {
			q.QuestionID = in.NewID()
			out.Questions = append(out.Questions, q)
		}
	}
	return out, nil
}
