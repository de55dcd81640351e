//go:build unix

package browserdom

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/internal/clock"
	"showhow/store"
)

// stored follows acts from the page's event through the real pipeline into a real store.
type stored struct {
	db *store.Store

	mu      sync.Mutex
	came    map[int64]time.Duration // by the event's microsecond: its way to this side
	left    map[int64]time.Time     // when it was handed to the pipeline
	reached times
	kept    times // there and on to the disk, without the wait for the outcome between
}

type times []time.Duration

// at is a quantile in ms.
func (t times) at(q float64) float64 {
	if len(t) == 0 {
		return 0
	}
	t = slices.Sorted(slices.Values(t))
	return float64(t[int(q*float64(len(t)-1))].Microseconds()) / 1000
}

func newStored(b *testing.B) *stored {
	b.Helper()
	db, err := store.Open(b.Context(), store.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	return &stored{db: db, came: map[int64]time.Duration{}, left: map[int64]time.Time{}}
}

func (s *stored) arrived(occurred, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.came[occurred.UnixMicro()] = now.Sub(occurred)
	s.reached = append(s.reached, now.Sub(occurred))
}

// observe runs both kinds into a pipeline of their own until end is called.
func (s *stored) observe(b *testing.B, a *Adapter, host string) (p *pipeline.Pipeline, end func()) {
	b.Helper()
	red, err := redact.Load()
	if err != nil {
		b.Fatal(err)
	}
	p, err = pipeline.New(pipeline.Config{
		SessionID: clock.NewID(), TraceID: clock.NewID(), Target: clock.NewID(), ObservationMode: capture.OutsideAgent,
		Scope: capture.Scope{Sites: []string{host}}, Values: capture.ValuePolicy{Default: capture.Masked}, Key: make([]byte, 32),
		Log: s.db, Redactor: red, Now: time.Now, NewID: clock.NewID, OnStored: s.stored,
	})
	if err != nil {
		b.Fatal(err)
	}
	piped := make(chan error, 1)
	go func() { piped <- p.Run(context.Background()) }()
	p.Start()
	into := piping{nowhere{}, p, s}
	stop1, stop2 := during(b, a, into, host), during(b, a.Snapshot(), into, host)
	return p, func() {
		stop1()
		stop2()
		_ = p.Close()
		<-piped
		red.Close()
	}
}

func (s *stored) stored(records []capture.Record) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range records {
		at, err := time.Parse(time.RFC3339Nano, r.Action.OccurredAt)
		if err != nil {
			continue
		}
		came, ok := s.came[at.UnixMicro()]
		if left, sent := s.left[at.UnixMicro()]; ok && sent {
			s.kept = append(s.kept, came+now.Sub(left))
		}
	}
}

// piping is a sink that feeds the pipeline.
type piping struct {
	nowhere
	p *pipeline.Pipeline
	s *stored
}

func (w piping) Emit(o capture.Observation) {
	w.s.mu.Lock()
	w.s.left[o.OccurredAt.UnixMicro()] = time.Now()
	w.s.mu.Unlock()
	w.p.Emit(o)
}

// processorTime is how long this process has run.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// send and sendKey dispatch input without waiting for the page.
func (p *sheet) send(kind string, x, y float64) {
	e := input.DispatchMouseEventParams{Type: input.DispatchMouseEventType(kind), X: x, Y: y}
	if kind != "mouseMoved" {
		e.Button, e.ClickCount = input.MouseButtonLeft, 1
	}
	p.s.Send(input.CommandDispatchMouseEvent, e, nil)
}

func (p *sheet) sendKey(c string) {
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		e := input.DispatchKeyEventParams{Type: kind, Key: c, WindowsVirtualKeyCode: int64(c[0] - 32)}
		if kind == input.DispatchKeyEventTypeKeyDown {
			e.Text = c
		}
		p.s.Send(input.CommandDispatchKeyEvent, e, nil)
	}
}
