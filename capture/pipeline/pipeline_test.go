package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/internal/clock"
)

var key = []byte(strings.Repeat("k", 32))

// memory is a Log of the test's own.
type memory struct {
	mu      sync.Mutex
	records []capture.Record
	fail    error
	block   chan struct{}
}

func (m *memory) Append(_ context.Context, rs []capture.Record) error {
	if m.block != nil {
		<-m.block
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	for i := range rs {
		rs[i].Seq = int64(len(m.records) + 1)
		m.records = append(m.records, rs[i])
	}
	return nil
}

func (m *memory) all() []capture.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]capture.Record(nil), m.records...)
}

var (
	loadOnce sync.Once
	loaded   *redact.Redactor
)

func redactor(t testing.TB) *redact.Redactor {
	t.Helper()
	loadOnce.Do(func() {
		var err error
		if loaded, err = redact.Load(); err != nil {
			t.Fatal(err)
		}
	})
	return loaded
}

func config(t testing.TB, log capture.Log) pipeline.Config {
	return pipeline.Config{
		SessionID: clock.NewID(), TraceID: clock.NewID(), Target: "target-1", ObservationMode: capture.OutsideAgent,
		Scope: capture.Scope{Sites: []string{"127.0.0.1:8080"}, Shells: []string{"pts/3"}, Apps: []string{"calc"}},
		Key:   key, Home: "/home/anna", Log: log, Redactor: redactor(t), Now: time.Now, NewID: clock.NewID,
	}
}

func start(t testing.TB, cfg pipeline.Config) *pipeline.Pipeline {
	t.Helper()
	p, err := pipeline.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- p.Run(context.Background()) }()
	t.Cleanup(func() {
		p.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	p.Start()
	return p
}

func flush(t testing.TB, p *pipeline.Pipeline) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := p.Flush(ctx); err != nil {
		t.Fatal(err)
	}
}

var site = capture.Origin{App: "chromium", Site: "127.0.0.1:8080"}

func click(name string) capture.Observation {
	return capture.Observation{Kind: capture.BrowserDOM, Origin: site, Verb: capture.Click, Surface: capture.SurfaceRawUI,
		Target: &capture.Target{Role: "button", Name: name}, Page: &capture.Page{URL: "http://127.0.0.1:8080/orders", Title: "Orders"}}
}

func count(p *pipeline.Pipeline, r capture.WithheldReason) (n int64) {
	for _, w := range p.Withheld() {
		if w.Reason == r {
			n += w.Count
		}
	}
	return n
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestKeepsInOrder(t *testing.T) {
	log := &memory{}
	var stored []capture.Record
	cfg := config(t, log)
	cfg.OnStored = func(rs []capture.Record) { stored = append(stored, rs...) }
	p := start(t, cfg)
	for i := range 500 {
		p.Emit(click(fmt.Sprintf("b%d", i)))
	}
	flush(t, p)
	if p.Kept() != 500 || len(stored) != 500 {
		t.Fatalf("kept %d, handed out %d", p.Kept(), len(stored))
	}
	for i, r := range stored {
		if r.Seq != int64(i+1) || r.Action.Target.Name != fmt.Sprintf("b%d", i) {
			t.Fatalf("record %d is %d %q", i, r.Seq, r.Action.Target.Name)
		}
	}
	e := stored[0].Event
	if e.ActionLabel != "Clicked the button 'b0'" || e.RedactionMode != "mask_text" || e.TargetRef == "" || e.AppFamily != "chromium" {
		t.Errorf("event %+v", e)
	}
}

func TestPauseDropsByOccurrence(t *testing.T) {
	log := &memory{}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	cfg := config(t, log)
	cfg.Now = func() time.Time { return now }
	p := start(t, cfg)
	at := func(d time.Duration) capture.Observation {
		o := click(d.String())
		o.OccurredAt = now.Add(d)
		return o
	}
	p.Switch(pipeline.Paused, now.Add(time.Second))
	p.Switch(pipeline.Capturing, now.Add(2*time.Second))
	p.Switch(pipeline.Off, now.Add(3*time.Second))
	for _, d := range []time.Duration{-1, 0, 999 * time.Millisecond, time.Second, 1999 * time.Millisecond, 2 * time.Second, 3 * time.Second} {
		p.Emit(at(d))
	}
	flush(t, p)
	var got []string
	for _, r := range log.all() {
		got = append(got, r.Action.Target.Name)
	}
	if want := "0s 999ms 2s"; strings.Join(got, " ") != want {
		t.Errorf("kept %v, want %s", got, want)
	}
	if n := count(p, capture.NotCapturing); n != 4 {
		t.Errorf("not capturing: %d, want 4", n)
	}
	if at := log.all()[1].Action.OccurredAt; at != "2026-11-21T10:00:00.999000Z" {
		t.Errorf("occurred at %s", at)
	}
}

func TestWithheldReasons(t *testing.T) {
	p := start(t, config(t, &memory{}))
	emit := func(k capture.Kind, o capture.Origin) {
		p.Emit(capture.Observation{Kind: k, Origin: o, Verb: capture.Click})
	}
	emit(capture.BrowserDOM, capture.Origin{App: "chromium", Site: "evil.example"})
	emit(capture.BrowserDOM, capture.Origin{App: "calc"})
	emit(capture.TerminalCommand, capture.Origin{App: "calc"})
	emit(capture.BrowserDOM, capture.Origin{App: "chromium", Site: "127.0.0.1:8080", Own: true})
	emit(capture.BrowserDOM, capture.Origin{App: "chromium", Site: "127.0.0.1:8080", Private: true})
	emit(capture.TerminalCommand, capture.Origin{App: "bash", Shell: "pts/3", Private: true})
	emit(capture.MCPReceipt, capture.Origin{App: "calc"})
	p.Withhold(capture.TerminalCommand, capture.HistoryOff, 3)
	for r, want := range map[capture.WithheldReason]int64{capture.OffScope: 3, capture.OwnWindow: 1, capture.PrivateData: 1,
		capture.ShellPrivate: 1, capture.WrongMode: 1, capture.HistoryOff: 3} {
		if got := count(p, r); got != want {
			t.Errorf("%s: %d, want %d", r, got, want)
		}
	}
}

func TestModes(t *testing.T) {
	for mode, want := range map[string][2]int64{capture.InsideAgent: {0, 1}, capture.OutsideAgent: {1, 0}, capture.MixedMode: {1, 1},
		capture.NoMode: {0, 0}, "": {0, 0}} {
		log := &memory{}
		cfg := config(t, log)
		cfg.ObservationMode = mode
		p := start(t, cfg)
		p.Emit(click("x"))
		p.Emit(capture.Observation{Kind: capture.MCPReceipt, Origin: capture.Origin{App: "calc"}, Verb: capture.Call})
		flush(t, p)
		var got [2]int64
		for _, r := range log.all() {
			if r.Event.AdapterKind.Inside() {
				got[1]++
			} else {
				got[0]++
			}
		}
		if got != want {
			t.Errorf("mode %q kept %v, want %v", mode, got, want)
		}
	}
}

func TestRescopeFromThenOn(t *testing.T) {
	log := &memory{}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	cfg := config(t, log)
	cfg.Now = func() time.Time { return now }
	p := start(t, cfg)
	now = now.Add(time.Minute)
	if err := p.Rescope(capture.Scope{Sites: []string{"other.example"}}); err != nil {
		t.Fatal(err)
	}
	before, after := click("before"), click("after")
	before.OccurredAt, after.OccurredAt = now.Add(-time.Second), now
	p.Emit(after)
	p.Emit(before)
	flush(t, p)
	if rs := log.all(); len(rs) != 1 || rs[0].Action.Target.Name != "before" {
		t.Errorf("kept %d records", len(rs))
	}
}

func TestCauses(t *testing.T) {
	log := &memory{block: make(chan struct{})}
	p := start(t, config(t, log))
	first := click("first")
	p.Emit(first)
	effect := click("effect")
	effect.Key, effect.CauseKey = "2", "1"
	cause := click("cause")
	cause.Key = "1"
	p.Emit(effect) // arrives before its cause, in the same batch: the log is still busy with the first
	p.Emit(cause)
	late := click("late")
	late.CauseKey = "1"
	p.Emit(late)
	close(log.block)
	flush(t, p)
	byName := map[string]capture.Record{}
	for _, r := range log.all() {
		byName[r.Action.Target.Name] = r
	}
	for _, name := range []string{"effect", "late"} {
		if got := byName[name].Action.CauseEventID; got == "" || got != byName["cause"].Event.EventID {
			t.Errorf("%s caused by %q", name, got)
		}
	}
}

func TestOverflowNeverBlocks(t *testing.T) {
	log := &memory{block: make(chan struct{})}
	cfg := config(t, log)
	cfg.Queue, cfg.Batch = 8, 4
	p := start(t, cfg)
	for i := range 100 {
		p.Emit(click(fmt.Sprint(i)))
	}
	close(log.block)
	flush(t, p)
	if lost := count(p, capture.Overflow); lost == 0 || lost+p.Kept() != 100 {
		t.Errorf("kept %d, overflow %d", p.Kept(), lost)
	}
}

func TestStoreFailure(t *testing.T) {
	log := &memory{fail: errors.New("disk full")}
	cfg := config(t, log)
	failures := 0
	cfg.OnFailure = func(error) { failures++ }
	p := start(t, cfg)
	for range 20 {
		p.Emit(click("x"))
		flush(t, p)
	}
	if failures != 1 || count(p, capture.StoreFailed) != 20 || p.Kept() != 0 {
		t.Errorf("failures %d, counted %d, kept %d", failures, count(p, capture.StoreFailed), p.Kept())
	}
}

func TestCloseStoresWhatWasEmitted(t *testing.T) {
	log := &memory{}
	p, err := pipeline.New(config(t, log))
	if err != nil {
		t.Fatal(err)
	}
	p.Start()
	for range 50 {
		p.Emit(click("x"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Run(ctx); err != nil {
		t.Fatal(err)
	}
	p.Emit(click("late"))
	if p.Close(); len(log.all()) != 50 || count(p, capture.NotCapturing) != 1 {
		t.Errorf("stored %d, late %d", len(log.all()), count(p, capture.NotCapturing))
	}
}

func dump(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
