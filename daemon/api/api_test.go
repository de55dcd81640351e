package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/capture/live"
	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/api/routes"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

func TestMain(m *testing.M) {
	if os.Getenv("API_TEST_HELPER") != "" {
		os.Exit(helper())
	}
	goleak.VerifyTestMain(m)
}

// rig is a server with a real store, on a real socket and a real loopback port.
type rig struct {
	t      testing.TB
	s      *Server
	store  *store.Store
	learn  *fakeLearn
	live   *live.Stream
	socket string
	log    *bytes.Buffer
	stop   func()
}

// fakeLearn stands in for the learn service, which has tests of its own.
type fakeLearn struct {
	Learn
	session  state.Session
	active   bool
	proposal state.ProposalDetail
	calls    chan string
	err      error
	block    chan struct{}
}

func (f *fakeLearn) note(what string) {
	select {
	case f.calls <- what:
	default:
	}
}

func (f *fakeLearn) Session(_ context.Context, id string) (state.Session, error) {
	if id != f.session.LearnSessionID {
		return state.Session{}, fault.New(fault.LearnSessionNotFound, "there is no such session")
	}
	return f.session, nil
}

func (f *fakeLearn) ActiveSession(context.Context) (state.Session, bool, error) {
	return f.session, f.active, nil
}

func (f *fakeLearn) Proposal(_ context.Context, id string) (state.ProposalDetail, error) {
	if id != f.proposal.Proposal.ProposalID {
		return state.ProposalDetail{}, fault.New(fault.ProposalNotFound, "there is no such proposal")
	}
	return f.proposal, nil
}

func (f *fakeLearn) Sessions(context.Context, wire.SessionFilter) (wire.LearnSessionsListResponse, error) {
	return wire.LearnSessionsListResponse{Page: 1, PageSize: 20, SchemaVersion: 1}, f.err
}

func (f *fakeLearn) MarkGoal(_ context.Context, m state.Meta, id string, r wire.MarkGoalRequest) (state.Session, error) {
	f.note("mark-goal " + r.GoalDescription)
	if f.block != nil {
		<-f.block
	}
	if f.err != nil {
		return state.Session{}, f.err
	}
	f.session.Revision++
	return f.session, nil
}

func (f *fakeLearn) Create(_ context.Context, _ state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error) {
	f.note("create " + string(r.EntryMode) + " " + string(r.BuildPolicy))
	return wire.CreateLearnSessionResponse{Session: f.session, UIMode: "overlay", NextAction: "wait_for_first_meaningful_event"}, f.err
}

func (f *fakeLearn) Delete(context.Context, state.Meta, string) error {
	f.note("delete")
	return f.err
}

func (f *fakeLearn) SetScope(_ context.Context, _ state.Meta, _ string, r wire.ScopeRequest) (state.Session, error) {
	f.note("scope")
	return f.session, nil
}

func (*fakeLearn) CheckInstall(context.Context, state.Meta, string, wire.ProposalInstallRequest) error {
	return nil
}

func (*fakeLearn) CheckApprove(context.Context, state.Meta, string, wire.ApproveProposalRequest) error {
	return nil
}

func (*fakeLearn) CheckValidate(context.Context, state.Meta, string, rehearse.ValidateRequest) error {
	return nil
}

func (f *fakeLearn) Install(context.Context, state.Meta, string, wire.ProposalInstallRequest) (wire.ProposalInstallResponse, error) {
	f.note("install")
	return wire.ProposalInstallResponse{Proposal: f.proposal.Proposal, AbilityID: "a", SagaID: clock.NewID()}, f.err
}

type noAbilities struct{ routes.Abilities }

func (noAbilities) Availability(context.Context) (ability.AvailabilitySnapshot, error) {
	return ability.AvailabilitySnapshot{SnapshotAsOf: clock.Now(), SchemaVersion: 1}, nil
}

func newRig(t testing.TB, change ...func(*Deps)) *rig {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data")})
	if err != nil {
		t.Fatal(err)
	}
	now := clock.Now()
	r := &rig{t: t, store: st, live: live.New(4), log: &bytes.Buffer{}, socket: shortSocket(t)}
	r.learn = &fakeLearn{calls: make(chan string, 100),
		session: state.Session{LearnSessionID: clock.NewID(), State: state.Capturing, Revision: 3, CreatedAt: now, UpdatedAt: now,
			Scope: capture.Scope{Apps: []string{"chromium"}}, ValuePolicy: capture.Masked},
		proposal: state.ProposalDetail{Proposal: state.Proposal{ProposalID: clock.NewID(), Revision: 2, ContentHash: "sha256:0123456789abcdef",
			CreatedAt: now, UpdatedAt: now}}}
	r.learn.proposal.Proposal.LearnSessionID = r.learn.session.LearnSessionID
	d := Deps{Learn: r.learn, Abilities: noAbilities{}, Access: st, Events: st, Records: st, Live: r.live, AncestryUntil: os.Getpid(),
		Log: slog.New(slog.NewTextHandler(r.log, nil)), Keepalive: time.Minute}
	for _, c := range change {
		c(&d)
	}
	r.s = New(d)
	r.s.engine.Undocumented = func(op string, code fault.Code) { t.Errorf("%s answers %s, which it does not document", op, code) }
	r.serve()
	return r
}

// shortSocket is a path within the limit, in a folder of its own.
func shortSocket(t testing.TB) string {
	dir, err := os.MkdirTemp("", "sh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "run", "s.sock")
}

func (r *rig) serve() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- r.s.ServeUnix(ctx, r.socket) }()
	go func() { done <- r.s.ServeTCP(ctx) }()
	var once bool
	r.stop = func() {
		if once {
			return
		}
		once = true
		cancel()
		for range 2 {
			if err := <-done; err != nil {
				r.t.Error(err)
			}
		}
	}
	r.t.Cleanup(func() {
		r.stop()
		r.live.Close()
		r.store.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	r.until("the socket answers", func() bool {
		c, err := net.Dial("unix", r.socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	r.until("the port can be opened", func() bool {
		r.s.browser.gate.mu.Lock()
		defer r.s.browser.gate.mu.Unlock()
		return r.s.browser.gate.serving
	})
}

// until waits for a condition.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	await.Until(r.t, what, ok)
}

// answerOf is what came back.
type answerOf struct {
	status int
	header http.Header
	body   []byte
}

func (a answerOf) fault(t testing.TB) wire.ErrorBody {
	t.Helper()
	var e wire.Error
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error.Code == "" {
		t.Fatalf("status %d: no envelope in %q", a.status, a.body)
	}
	if a.header.Get("Content-Type") != "application/json" || e.Error.CorrelationID != a.header.Get(wire.HeaderCorrelation) {
		t.Errorf("an envelope with %v, correlation %q", a.header, e.Error.CorrelationID)
	}
	if want := e.Error.Code.Spec(); want.HTTP != a.status || want.Retryable != e.Error.Retryable {
		t.Errorf("%s came with status %d, retryable %v", e.Error.Code, a.status, e.Error.Retryable)
	}
	return e.Error
}

func (a answerOf) want(t testing.TB, code fault.Code) wire.ErrorBody {
	t.Helper()
	e := a.fault(t)
	if e.Code != code {
		t.Errorf("got %s (%s), want %s", e.Code, e.Message, code)
	}
	return e
}

func (a answerOf) ok(t testing.TB, status int) answerOf {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

func (r *rig) client() *http.Client {
	tr := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", r.socket)
	}}
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// do sends a request over the socket; headers come as "Name: value".
func (r *rig) do(method, path, body string, headers ...string) answerOf {
	r.t.Helper()
	return send(r.t, r.client(), "http://socket"+path, method, body, headers...)
}

func send(t testing.TB, c *http.Client, url, method, body string, headers ...string) answerOf {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ": ")
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Add(k, v)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return answerOf{res.StatusCode, res.Header, b}
}

// agentToken mints an agent past the guard.
func (r *rig) agentToken(name string) string {
	r.t.Helper()
	token := access.NewToken(access.AgentPrefix)
	if ok, err := r.store.AddAgent(r.t.Context(), access.AgentRow{AgentID: clock.NewID(), Name: name, CreatedAt: clock.Now()},
		access.HashToken(token), "t"); !ok || err != nil {
		r.t.Fatal(ok, err)
	}
	return token
}

// login opens the port and returns its base URL and a bearer.
func (r *rig) login() (base, bearer string) {
	r.t.Helper()
	base, code := r.openPort()
	a := send(r.t, http.DefaultClient, base+exchangePath, "POST", fmt.Sprintf(`{"code":%q}`, code)).ok(r.t, 201)
	var x wire.Exchanged
	if err := json.Unmarshal(a.body, &x); err != nil {
		r.t.Fatal(err)
	}
	return base, x.Bearer
}

func (r *rig) openPort() (base, code string) {
	r.t.Helper()
	var o wire.SessionOpened
	if err := json.Unmarshal(r.do("POST", "/api/session/open", "").ok(r.t, 201).body, &o); err != nil {
		r.t.Fatal(err)
	}
	base, code, ok := strings.Cut(o.URL, "/#code=")
	if !ok {
		r.t.Fatal(o.URL)
	}
	return base, code
}
