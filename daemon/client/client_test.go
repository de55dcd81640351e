package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// The spine through the client: a session becomes an ability that is found, verified, switched and deleted.
func TestASessionThroughTheClient(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	s, p := h.ready()
	if p.Proposal.Validation != "passed" || p.Proposal.ContentHash == "" {
		t.Fatalf("%+v", p.Proposal)
	}
	if b, err := h.user.DraftFile(ctx, p.Proposal.ProposalID, 0, "SKILL.md"); err != nil ||
		!strings.Contains(string(b), "# Back up the notes folder") {
		t.Errorf("%s %v", b, err)
	}
	in := client.InstallRequest{InstallLane: "experimental_private", Revision: p.Proposal.Revision, ContentHash: p.Proposal.ContentHash}
	out, err := h.user.Install(ctx, p.Proposal.ProposalID, in)
	h.ok(err)
	id := out.AbilityID

	found, err := h.user.Lookup(ctx, client.LookupQuery{
		UserQuery: "please back up the notes folder", InstallLanesAllowed: []string{"experimental_private"}})
	h.ok(err)
	if len(found.Matches) != 1 || found.Matches[0].AbilityID != id || !found.Matches[0].UsableNow {
		t.Fatalf("%+v", found)
	}
	why, err := h.user.ExplainMatch(ctx, client.ExplainMatchRequest{UserQuery: "back up the notes folder", ProposalID: p.Proposal.ProposalID})
	h.ok(err)
	if !why.Matched {
		t.Errorf("%+v", why)
	}

	agent, err := h.user.AddAgent(ctx, "scout")
	h.ok(err)
	scout := client.Unix(h.socket, client.WithToken(agent.Token))
	seen := client.VerifyCheckpointRequest{AbilityID: id, CheckpointID: "cp-01", Status: "reached", Evidence: "the file is there",
		DispatchID: "d-1"}
	_, err = scout.VerifyCheckpoint(ctx, seen)
	h.ok(err)
	receipts, err := h.user.DispatchCheckpointReceipts(ctx, "d-1", client.PageQuery{})
	h.ok(err)
	if receipts.Total != 1 || receipts.Receipts[0].CheckedBy != "agent" {
		t.Errorf("%+v", receipts)
	}
	_, err = scout.Deactivate(ctx, id)
	h.code(err, fault.Forbidden)

	a, err := h.user.Ability(ctx, id)
	h.ok(err)
	_, err = h.user.Deactivate(ctx, id, client.IfMatch(a.Revision+7))
	if f := h.code(err, fault.RevisionConflict); f.Details["current_revision"] == nil {
		t.Errorf("%v", f.Details)
	}
	off, err := h.user.Deactivate(ctx, id, client.IfMatch(a.Revision))
	h.ok(err)
	if off.Enabled || off.Ability.UsableNow {
		t.Errorf("%+v", off)
	}
	_, err = h.user.Activate(ctx, id)
	h.ok(err)
	_, err = h.user.DeleteAbility(ctx, id)
	h.ok(err)
	_, err = h.user.Ability(ctx, id)
	h.code(err, fault.AbilityNotFound)

	rs, err := h.user.Receipts(ctx, client.ReceiptFilter{SessionID: s.LearnSessionID, PageQuery: client.PageQuery{PageSize: 100}})
	h.ok(err)
	if rs.Total < 5 || !slices.ContainsFunc(rs.Receipts, func(r client.Receipt) bool { return r.CorrelationID != "" }) {
		t.Errorf("%+v", rs)
	}
	_, err = h.user.DeleteSession(ctx, s.LearnSessionID)
	h.ok(err)
	_, err = h.user.Session(ctx, s.LearnSessionID)
	h.code(err, fault.LearnSessionNotFound)
}

// Acceptance row capture_already_stopped_error_rendered, the API's half: a stop on a stopped session says so by its code.
func TestCaptureAlreadyStoppedErrorRendered(t *testing.T) {
	h := newHouse(t)
	s := h.stopped(2)
	_, err := h.user.StopSession(t.Context(), s.LearnSessionID)
	if f := h.code(err, fault.CaptureAlreadyStopped); f.Code.Spec().HTTP != http.StatusConflict {
		t.Errorf("%+v", f)
	}
}

func TestR11_2_06_ASecondSessionIsRefusedWithTheFirst(t *testing.T) {
	h := newHouse(t)
	first, err := h.user.CreateSession(t.Context(), request())
	h.ok(err)
	_, err = h.user.CreateSession(t.Context(), request())
	if f := h.code(err, fault.LearnSessionAlreadyActive); f.Details["active_session_id"] != first.Session.LearnSessionID {
		t.Errorf("%v", f.Details)
	}
}

func TestTheConfirmHookIsAskedForAPerson(t *testing.T) {
	h := newHouse(t)
	s := h.stopped(2)
	asked := 0
	c := client.Unix(h.socket, client.WithConfirm(func(_ context.Context, ask client.Presence, open client.Confirmation) (string, error) {
		asked++
		return "", nil
	}))
	// The test has no terminal, so the daemon cannot ask: the failure says so, and nothing was done.
	_, err := c.DeleteSession(t.Context(), s.LearnSessionID)
	h.code(err, fault.PresenceRequired)
	if asked != 0 {
		t.Error("the hook was asked although no code was shown")
	}
	_, err = h.user.Session(t.Context(), s.LearnSessionID)
	h.ok(err)
}

func TestFailuresAreFaults(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	nobody := client.Unix(filepath.Join(t.TempDir(), "none.sock"))
	_, err := nobody.Version(ctx)
	if f := h.code(err, fault.DaemonUnreachable); f.Code.Spec().Exit != fault.ExitUnreachable || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, err = h.user.Version(gone)
	h.code(err, fault.Cancelled)
	_, err = h.user.Session(ctx, clock.NewID())
	if f := h.code(err, fault.LearnSessionNotFound); f.Details["correlation_id"] == "" {
		t.Errorf("%v", f.Details)
	}
	_, err = h.user.CreateSession(ctx, client.CreateRequest{EntryMode: "dancing"})
	if f := h.code(err, fault.InvalidRequest); len(f.Details["violations"].([]any)) != 1 {
		t.Errorf("%v", f.Details)
	}
	_, err = h.user.Raw(ctx, "GET", "/api/learn/sessions/../../x", nil)
	h.code(err, fault.RouteNotFound)
}

func TestRecordingKeepsTheBodyAsItCame(t *testing.T) {
	h := newHouse(t)
	var body []byte
	l, err := h.user.Recording(&body).Sessions(t.Context(), client.SessionFilter{PageQuery: client.PageQuery{Page: 1, PageSize: 5}})
	h.ok(err)
	var again client.SessionList
	h.ok(json.Unmarshal(body, &again))
	if again.PageSize != 5 || l.PageSize != 5 || !strings.Contains(string(body), `"sessions":[]`) {
		t.Errorf("%s", body)
	}
}

// The connection breaks after the daemon has acted and before its answer arrives: the repeat is not done twice.
func TestABrokenConnectionRepeatsNothing(t *testing.T) {
	h := newHouse(t)
	made, err := h.user.CreateSession(t.Context(), request())
	h.ok(err)
	_, err = h.user.StartSession(t.Context(), made.Session.LearnSessionID)
	h.ok(err)
	cut := filepath.Join(filepath.Dir(h.socket), "cut.sock")
	l, err := net.Listen("unix", cut)
	h.ok(err)
	defer l.Close()
	go cutFirst(l, h.socket)
	c := client.Unix(cut, client.WithDemoGrant(h.grant))
	_, err = c.MarkStep(t.Context(), made.Session.LearnSessionID, client.MarkStepRequest{StepLabel: "once", StepKindHint: "action"})
	h.ok(err)
	b, err := h.user.Boundaries(t.Context(), made.Session.LearnSessionID)
	h.ok(err)
	steps := 0
	for _, x := range b.Boundaries {
		if x.Kind == state.BoundaryStep {
			steps++
		}
	}
	if steps != 1 {
		t.Errorf("marked %d times", steps)
	}
}

// cutFirst passes connections on to a socket, but cuts the first one once the daemon has answered it.
func cutFirst(l net.Listener, to string) {
	for first := true; ; first = false {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("unix", to)
		if err != nil {
			in.Close()
			return
		}
		go io.Copy(out, in)
		if first {
			out.Read(make([]byte, 1))
		} else {
			io.Copy(in, out)
		}
		in.Close()
		out.Close()
	}
}

func TestAStreamResumesAcrossARestart(t *testing.T) {
	h := newHouse(t)
	made, err := h.user.CreateSession(t.Context(), request())
	h.ok(err)
	id := made.Session.LearnSessionID
	events := make(chan client.Event, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- h.user.SessionEvents(t.Context(), id, 0, func(e client.Event) error { events <- e; return nil })
	}()
	if e := next(t, events); e.Kind != "snapshot" || e.ID == 0 {
		t.Fatalf("%+v", e)
	}
	h.stop()
	h.serve()
	_, err = h.user.StartSession(t.Context(), id)
	h.ok(err)
	_, err = h.user.CancelSession(t.Context(), id, "enough")
	h.ok(err)
	select {
	case err := <-ended:
		h.ok(err)
	case <-time.After(time.Minute):
		t.Fatal("the stream does not end with its session")
	}
	close(events)
	var kinds []string
	last := int64(0)
	for e := range events {
		if e.ID <= last {
			t.Errorf("%d after %d", e.ID, last)
		}
		last = e.ID
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); !strings.Contains(got, "learn.capture.started") || !strings.Contains(got, "learn.session.cancelled") ||
		!strings.HasSuffix(got, "learn.session.ended") {
		t.Error(got)
	}
}

func TestObservationsAreStreamedUntilTheCallerHasEnough(t *testing.T) {
	h := newHouse(t)
	made, err := h.user.CreateSession(t.Context(), request())
	h.ok(err)
	id := made.Session.LearnSessionID
	_, err = h.user.StartSession(t.Context(), id)
	h.ok(err)
	kept := h.stage.act(id, 3)
	enough := errors.New("enough")
	var labels []string
	err = h.user.ObservationStream(t.Context(), id, kept[0].Seq, func(e client.Event) error {
		var r wire.Observation
		if err := json.Unmarshal(e.Payload, &r); err != nil {
			return err
		}
		if labels = append(labels, r.Event.ActionLabel); len(labels) == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || labels[0] != "ran 1" || labels[1] != "ran 2" {
		t.Errorf("%v %v", labels, err)
	}
	l, err := h.user.Observations(t.Context(), id, client.PageQuery{})
	h.ok(err)
	_, err = h.user.DeleteObservation(t.Context(), id, l.Observations[0].Event.EventID)
	h.ok(err)
	_, err = h.user.Observation(t.Context(), id, l.Observations[0].Event.EventID)
	h.code(err, fault.NotFound)
}

func next(t *testing.T, events chan client.Event) client.Event {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(time.Minute):
		t.Fatal("no event")
		return client.Event{}
	}
}

func TestOverThePort(t *testing.T) {
	h := newHouse(t)
	o, err := h.user.OpenSession(t.Context(), false)
	h.ok(err)
	base, code, _ := strings.Cut(o.URL, "/#code=")
	x, err := client.TCP(base).Exchange(t.Context(), code)
	h.ok(err)
	page := client.TCP(base, client.WithToken(x.Bearer))
	if _, err := page.Status(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = client.TCP(base).Status(t.Context())
	h.code(err, fault.Unauthorized)
	_, err = page.AddAgent(t.Context(), "scout")
	h.code(err, fault.PresenceRequired)
}

func TestHandshake(t *testing.T) {
	h := newHouse(t)
	if s, err := h.user.Handshake(t.Context()); s != client.Same || err != nil {
		t.Error(s, err)
	}
}

func TestWaitingForAValidation(t *testing.T) {
	h := newHouse(t)
	_, p := h.ready()
	id := p.Proposal.ProposalID
	run, err := h.user.Validate(t.Context(), id, client.ValidateRequest{})
	h.ok(err)
	ended, steps, err := h.user.ValidationEnded(t.Context(), id, run.ValidationRunID)
	h.ok(err)
	if ended.ValidationRunID != run.ValidationRunID || ended.Status == "running" || len(steps) == 0 {
		t.Errorf("%+v with %d steps", ended, len(steps))
	}
	for _, s := range steps {
		if s.ValidationRunID != run.ValidationRunID {
			t.Errorf("a step of another run: %+v", s)
		}
	}
	_, _, err = h.user.ValidationEnded(t.Context(), id, clock.NewID())
	h.code(err, fault.NotFound)
}

func TestADeedIsSaidInTheQuestionsWords(t *testing.T) {
	for _, c := range [][3]string{
		{"Lend the ladder to a neighbour, for a day?", "lend-ladder", "lend the ladder to a neighbour, for a day"},
		{"", "lend-ladder", "lend ladder"},
	} {
		if got := client.Deed(c[0], c[1]); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}
