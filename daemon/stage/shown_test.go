package stage

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/browserdom"
	"showhow/bench/corpus/person"
	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/capture/seal"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/demo/driver"
	"showhow/internal/clock"
)

// showing is somebody who shows work on a page of a test, watched by the real recorder and the real pipeline.
type showing struct {
	*theatre
	site  *httptest.Server
	hands *driver.Hands
	seen  *adaptertest.Sink
	pages *adaptertest.Sink
	key   []byte
	in    compile.Input
	kept  kept
	later bool // what was done last is looked up once more, a while later
}

// kept is a log in memory.
type kept struct {
	mu      sync.Mutex
	records []capture.Record
	sealed  []capture.SealedRow
}

func (k *kept) Append(_ context.Context, records []capture.Record) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range records {
		records[i].Seq = int64(len(k.records) + 1)
		k.records = append(k.records, records[i])
		k.sealed = append(k.sealed, records[i].Sealed...)
	}
	return nil
}

// newShowing serves a site and opens a browser on it.
func newShowing(t *testing.T, serve http.Handler) *showing {
	t.Helper()
	s := &showing{theatre: newTheatre(t), site: httptest.NewServer(serve), seen: adaptertest.NewSink(), pages: adaptertest.NewSink(),
		key: make([]byte, 32)}
	t.Cleanup(s.site.Close)
	s.in = compile.Input{Goal: "Do the work", EntryMode: "demonstrating_skill", ExecutionMode: "guided", Values: map[string]string{},
		Now: clock.Now(), NewID: clock.NewID, Answers: map[string]string{}}
	s.stage.browser.Path = browsertest.Shell()
	s.stage.shared = idle.take(t, s.stage.browser)
	m := browser.NewManager(browser.Options{Path: browsertest.Shell(), Headless: new(true), NoSandbox: true, Port: true})
	t.Cleanup(func() { _ = m.Close() })
	b, err := m.Browser(t.Context())
	s.must(err)
	s.hands, err = driver.Sit(t.Context(), b.DebugURL(), driver.Config{Home: t.TempDir(), Pace: time.Millisecond, Patience: 40 * time.Second})
	s.must(err)
	t.Cleanup(s.hands.Leave)
	a := browserdom.New(browserdom.Options{Browser: m})
	s.watch(a, s.seen)
	s.watch(a.Snapshot(), s.pages)
	return s
}

// again forgets what was shown, for other work on the same site that is part of the test t.
func (s *showing) again(t *testing.T) {
	s.t = t
	s.in.Traces, s.in.Values, s.in.Answers = nil, map[string]string{}, map[string]string{}
	s.kept.records, s.kept.sealed = nil, nil
}

func (s *showing) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *showing) host() string { u, _ := url.Parse(s.site.URL); return u.Host }

func (s *showing) watch(a adapters.Adapter, sink *adaptertest.Sink) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan struct{})
	go func() {
		done <- a.Run(ctx, adapters.Session{ID: "s", Scope: capture.Scope{Sites: []string{s.host()}}}, sink, func(adapters.Control) {
			close(ready)
		})
	}()
	s.t.Cleanup(func() { cancel(); <-done })
	select {
	case <-ready:
	case err := <-done:
		done <- err
		s.t.Fatal("the recorder ended: ", err)
	}
}

// show has the work shown once in a tab of its own and adds it to what is compiled: all that was told until ended holds of it.
func (s *showing) show(work func(p *person.Person), ended func(seen []adaptertest.Seen) bool) {
	s.t.Helper()
	from, fromPages := len(s.seen.Seen()), len(s.pages.Seen())
	p := person.New(s.t.Context())
	p.Base = s.site.URL
	var err error
	p.Tab, err = s.hands.NewTab(s.t.Context(), "about:blank")
	s.must(err)
	work(p)
	s.must(p.Err)
	s.seen.Wait(s.t, "the end of the work", 3*time.Minute, func(seen []adaptertest.Seen) bool {
		return len(seen) > from && ended(seen[from:])
	})
	all := append(slices.Clone(s.seen.Seen()[from:]), s.pages.Seen()[fromPages:]...)
	slices.SortStableFunc(all, func(a, b adaptertest.Seen) int { return a.OccurredAt.Compare(b.OccurredAt) })
	s.must(p.Tab.Close(context.WithoutCancel(s.t.Context())))
	s.keep(all)
}

// keep puts what was seen through the pipeline.
func (s *showing) keep(all []adaptertest.Seen) {
	s.t.Helper()
	red, err := redact.Load()
	s.must(err)
	defer red.Close()
	var log kept
	p, err := pipeline.New(pipeline.Config{SessionID: clock.NewID(), TraceID: clock.NewID(), Target: "target",
		ObservationMode: capture.OutsideAgent,
		Scope:           capture.Scope{Sites: []string{s.host()}}, Values: capture.ValuePolicy{
			Default: capture.Masked}, Key: s.key, Sealed: s.kept.sealed,
		Log: &log, Redactor: red, Now: time.Now, NewID: clock.NewID, Queue: len(all) + 1})
	s.must(err)
	p.Start()
	for _, o := range all {
		o.Observation.OccurredAt = time.Time{} // the pipeline has begun only now; the order is that of occurrence
		p.Emit(o.Observation)
	}
	done := make(chan error, 1)
	go func() { done <- p.Run(context.Background()) }()
	s.must(p.Flush(s.t.Context()))
	_ = p.Close()
	s.must(<-done)
	values, err := seal.Open(s.key, log.sealed)
	s.must(err)
	for link, v := range values {
		s.in.Values[link] = v
	}
	s.kept.records, s.kept.sealed = append(s.kept.records, log.records...), append(s.kept.sealed, log.sealed...)
	s.in.Traces = append(s.in.Traces, compile.Trace{TraceID: clock.NewID(), SessionID: clock.NewID(), Records: log.records})
}

// compiled is what was understood of everything that was shown.
func (s *showing) compiled() compile.Output {
	s.t.Helper()
	out, err := compile.Compile(s.in)
	s.must(err)
	return out
}

// rehearsed performs a draft with these values.
func (s *showing) rehearsed(out compile.Output, values map[string]string) rehearse.Result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
	defer cancel()
	res := s.runner.Perform(ctx, rehearse.Request{Goal: s.in.Goal, Draft: out, Policy: all(), Parameters: values, StartURL: s.site.URL + "/",
		LookLater:  s.later,
		AllowHosts: []string{s.host()},
		Run:        rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
	for _, step := range res.Steps {
		s.t.Logf("  %-8s %s: %s (%s) %s", step.Result, step.TestCaseID, step.Label, step.Code, step.Details)
	}
	return res
}
