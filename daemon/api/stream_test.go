package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/api/routes"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

// reader is a subscriber as a page would be one.
type reader struct {
	t      testing.TB
	in     *bufio.Reader
	cancel context.CancelFunc
}

type gotEvent struct {
	event, id string
	frame     wire.Frame
	comment   string
}

func (r *rig) subscribe(path, last string) *reader {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	req, _ := http.NewRequestWithContext(ctx, "GET", "http://socket"+path, nil)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := r.client().Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		b, _ := io.ReadAll(res.Body)
		r.t.Fatalf("%d %s", res.StatusCode, b)
	}
	r.t.Cleanup(func() { cancel(); res.Body.Close() })
	return &reader{r.t, bufio.NewReader(res.Body), cancel}
}

// next reads a block: a comment or an event; ok is false at the end of the stream.
func (r *reader) next() (e gotEvent, ok bool) {
	r.t.Helper()
	for {
		line, err := r.in.ReadString('\n')
		if err != nil {
			return e, false
		}
		line = strings.TrimSuffix(line, "\n")
		switch k, v, _ := strings.Cut(line, ": "); k {
		case "event":
			e.event = v
		case "id":
			e.id = v
		case "data":
			if err := json.Unmarshal([]byte(v), &e.frame); err != nil {
				r.t.Fatal(err)
			}
		default:
			if line == "" {
				return e, true
			}
			e.comment = v
		}
	}
}

// want reads the next event, past comments.
func (r *reader) want(event string) gotEvent {
	r.t.Helper()
	for {
		e, ok := r.next()
		if !ok {
			r.t.Fatalf("the stream ended; want %s", event)
		}
		if e.event == "" {
			continue
		}
		if e.event != event || e.frame.EventKind != event || e.frame.SchemaVersion != 1 || e.frame.Timestamp.IsZero() {
			r.t.Fatalf("got %+v, want %s", e, event)
		}
		return e
	}
}

func (r *reader) wantEnd() {
	r.t.Helper()
	for {
		e, ok := r.next()
		if !ok {
			return
		}
		if e.event != "" {
			r.t.Fatalf("got %+v, want the end", e)
		}
	}
}

func (r *rig) emit(kind journal.EventKind, session string, n int) {
	r.t.Helper()
	err := r.store.Update(r.t.Context(), func(tx *store.Tx) error {
		return tx.Emit(journal.Event{Kind: kind, SessionID: session, Payload: map[string]any{"n": n}})
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// R11.2-17 at the API: lifecycle events arrive as they are committed, and the stream ends with the session.
func TestR11_2_17_SessionEventsAreDeliveredInRealTime(t *testing.T) {
	r := newRig(t)
	id, other := r.learn.session.LearnSessionID, clock.NewID()
	r.emit(journal.SessionStarted, id, 1)
	s := r.subscribe("/api/learn/sessions/"+id+"/events", "")
	if e, _ := s.next(); e.comment == "" {
		t.Errorf("first comes a comment, not %+v", e)
	}
	snap := s.want("snapshot")
	if m := snap.frame.Payload.(map[string]any)["session"].(map[string]any); m["learn_session_id"] != id || snap.id == "" {
		t.Errorf("%+v", snap)
	}
	r.emit(journal.SessionStarted, other, 2)
	r.emit(journal.CaptureStarted, id, 3)
	e := s.want("learn.capture.started")
	if e.frame.SessionID != id || e.frame.Payload.(map[string]any)["n"] != float64(3) {
		t.Errorf("%+v", e)
	}
	r.emit(journal.SessionEnded, id, 4)
	s.want("learn.session.ended")
	s.wantEnd()
}

func TestAStreamResumes(t *testing.T) {
	r := newRig(t)
	id := r.learn.session.LearnSessionID
	for n := range 3 * routes.Batch {
		r.emit(journal.SessionState, id, n)
		if n == 5 {
			break
		}
	}
	s := r.subscribe("/api/learn/sessions/"+id+"/events", "2")
	for n := 2; n <= 5; n++ {
		if e := s.want("learn.session.state"); e.frame.Payload.(map[string]any)["n"] != float64(n) || e.id != fmt.Sprint(n+1) {
			t.Errorf("%+v", e)
		}
	}
	// A place that this store never had: what the reader knew is void.
	s = r.subscribe("/api/learn/sessions/"+id+"/events", "999")
	if e := s.want("reset"); e.id != "" {
		t.Error("a reset is no place to go on from")
	}
	s.want("snapshot")
	r.do("GET", "/api/learn/sessions/"+id+"/events", "", "Last-Event-ID: x").want(t, fault.InvalidRequest)
	r.do("GET", "/api/learn/sessions/"+clock.NewID()+"/events", "").want(t, fault.LearnSessionNotFound)
}

func TestAnEndedSessionSendsItsBacklogAndEnds(t *testing.T) {
	r := newRig(t)
	id := r.learn.session.LearnSessionID
	r.emit(journal.SessionStarted, id, 1)
	r.emit(journal.SessionState, id, 2)
	r.learn.session.Ended = true
	s := r.subscribe("/api/learn/sessions/"+id+"/events", "1")
	s.want("learn.session.state")
	s.wantEnd()
	s = r.subscribe("/api/learn/sessions/"+id+"/events", "")
	s.want("snapshot")
	s.wantEnd()
}

func TestTheStreamOfEverything(t *testing.T) {
	r := newRig(t)
	s := r.subscribe("/api/events", "")
	if e := s.want("snapshot"); len(e.frame.Payload.(map[string]any)) != 0 {
		t.Errorf("%+v", e)
	}
	r.emit(journal.SnapshotUpdated, "", 1)
	r.emit(journal.SessionEnded, clock.NewID(), 2)
	s.want("ability.snapshot.updated")
	s.want("learn.session.ended") // and it goes on
	r.emit(journal.AgentAdded, "", 3)
	s.want("agent.added")
	if r.s.Streams() != 1 {
		t.Errorf("%d streams", r.s.Streams())
	}
	r.learn.active = true
	if e := r.subscribe("/api/events", "").want("snapshot"); e.frame.Payload.(map[string]any)["session"] == nil {
		t.Errorf("%+v", e)
	}
}

func TestSilentStreamsAreKeptAlive(t *testing.T) {
	r := newRig(t, func(d *Deps) { d.Keepalive = 5 * time.Millisecond })
	for _, path := range []string{"/api/events", "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/observations/stream"} {
		s := r.subscribe(path, "")
		for n := 0; n < 3; {
			e, ok := s.next()
			if !ok {
				t.Fatal("the stream ended")
			}
			if e.comment == "keepalive" {
				n++
			}
		}
	}
}

func TestStreamsEndWhenTheDaemonStops(t *testing.T) {
	const grace = 2 * time.Minute
	r := newRig(t, func(d *Deps) { d.Grace = grace })
	s := []*reader{r.subscribe("/api/events", ""),
		r.subscribe("/api/learn/sessions/"+r.learn.session.LearnSessionID+"/observations/stream", "")}
	s[0].want("snapshot")
	begin := time.Now()
	r.stop()
	for _, x := range s {
		x.wantEnd()
	}
	if took := time.Since(begin); took > grace/2 {
		t.Errorf("it took %v", took)
	}
}

func (r *rig) keep(n int) capture.Record {
	r.t.Helper()
	rec := capture.Record{TraceID: "00000000-0000-7000-8000-000000000001",
		Event: capture.Event{EventID: clock.NewID(), LearnSessionID: r.learn.session.LearnSessionID,
			AdapterKind: capture.BrowserDOM, ActionLabel: fmt.Sprintf("click %d", n), RedactionMode: "none", CreatedAt: clock.Now(),
			SchemaVersion: 1}}
	recs := []capture.Record{rec}
	if err := r.store.Append(r.t.Context(), recs); err != nil {
		r.t.Fatal(err)
	}
	return recs[0]
}

func TestObservationsAreStreamedLiveAndAfterAGap(t *testing.T) {
	r := newRig(t)
	path := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/observations/stream"
	label := func(e gotEvent) any {
		return e.frame.Payload.(map[string]any)["event"].(map[string]any)["action_label"]
	}
	first := r.keep(1)
	r.keep(2)
	s := r.subscribe(path, fmt.Sprint(first.Seq))
	if e := s.want("observation"); label(e) != "click 2" {
		t.Errorf("%+v", e)
	}
	r.until("the subscription", func() bool { r.live.Publish([]capture.Record{}); return r.s.Streams() == 1 })
	third := r.keep(3)
	r.live.Publish([]capture.Record{third})
	if e := s.want("observation"); label(e) != "click 3" || e.id != fmt.Sprint(third.Seq) {
		t.Errorf("%+v", e)
	}
	// More at once than the subscription holds: the rest comes from the store, in order and none twice.
	var burst []capture.Record
	for n := 4; n < 20; n++ {
		burst = append(burst, r.keep(n))
	}
	r.live.Publish(burst)
	for n := 4; n < 20; n++ {
		if e := s.want("observation"); label(e) != fmt.Sprintf("click %d", n) {
			t.Fatalf("want %d, got %+v", n, e)
		}
	}
}

// A stream that cannot go on says so as an event, for the degraded banner.
func TestAStreamThatFailsSaysSo(t *testing.T) {
	r := newRig(t, func(d *Deps) { d.Events = brokenLog{} })
	s := r.subscribe("/api/events", "")
	e := s.want("error")
	if e.frame.Payload.(map[string]any)["code"] != "STORE_CORRUPT" {
		t.Errorf("%+v", e)
	}
	s.wantEnd()
}

type brokenLog struct{ routes.EventLog }

func (brokenLog) Watch(context.Context) <-chan struct{} { return nil }

func (brokenLog) EventSpan(context.Context) (int64, int64, error) {
	return 0, 0, fault.New(fault.StoreCorrupt, "the database is damaged")
}

// A login's end is the end of its streams.
func TestAStreamEndsWithItsLogin(t *testing.T) {
	r := newRig(t)
	base, bearer := r.login()
	h := hashOf(bearer)
	r.s.browser.logins.mu.Lock()
	l := r.s.browser.logins.bearers[h]
	l.expires = time.Now().Add(100 * time.Millisecond)
	r.s.browser.logins.bearers[h] = l
	r.s.browser.logins.mu.Unlock()
	req, _ := http.NewRequest("GET", base+"/api/events", nil)
	req.Header.Set("Authorization", "Bearer "+bearer)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(b), "event: snapshot") {
		t.Errorf("%s %v", b, err)
	}
}
