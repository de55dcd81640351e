package midi

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/capture/scope"
	"showhow/internal/await"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{
		ClockSkew: 100 * time.Millisecond,
		Start: func(t *testing.T) adaptertest.World {
			tr := newTree(t)
			in, off := tr.plug("Pad"), tr.plug("Pad canaryq7fz2v9")
			return adaptertest.World{
				Adapter:  tr.adapter(),
				Scope:    within("pad"),
				OffScope: within("Pad  canaryq7fz2v9"),
				In:       func(t testing.TB, i int) { in.press(byte(40 + i)) },
				Off: func(t testing.TB, canary string) {
					off.press(1)
					tr.plug("Another " + canary).press(2)
				},
				Is: func(o capture.Observation, i int) bool {
					return o.MIDI != nil && slices.Equal(o.MIDI.Numbers, []int{40 + i})
				},
			}
		},
	})
}

func TestSeveralDevices(t *testing.T) {
	tr := newTree(t)
	a, b, twin, other := tr.plug("APC mini"), tr.plug("nanoKONTROL2"), tr.plug("APC mini"), tr.plug("Keys")
	if got, want := tr.adapter().Devices(), []string{"APC mini", "Keys", "nanoKONTROL2"}; !slices.Equal(got, want) {
		t.Errorf("devices %q, want %q", got, want)
	}
	sink, _ := observe(t, tr.adapter(), "apc  MINI", "nanoKONTROL2")
	other.press(99)
	a.play(0xB0, 21, 5)
	twin.play(0xB0, 21, 100) // the same knob of the other one
	b.play(0xB0, 21, 50)
	got := gestures(t, sink, 3)
	slices.Sort(got)
	want := []string{"APC mini: control 1 [21] 100-100 n1", "APC mini: control 1 [21] 5-5 n1", "nanoKONTROL2: control 1 [21] 50-50 n1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, o := range sink.Seen() {
		if ok, why := scope.Allows(within("APC mini", "nanoKONTROL2"), o.Origin); !ok {
			t.Errorf("the pipeline would withhold %q: %s", o.Origin.Device, why)
		}
	}
}

// A device out of scope is not opened: opening its FIFO for writing fails as long as nobody reads it.
func TestUnnamedIsNotOpened(t *testing.T) {
	tr := newTree(t)
	named, unnamed := tr.node("Pad"), tr.node("Secret")
	reads := func(d *device) bool {
		fd, err := unix.Open(d.node, unix.O_WRONLY|unix.O_NONBLOCK, 0)
		if err == nil {
			unix.Close(fd)
		}
		return err == nil
	}
	a := tr.adapter()
	observe(t, a, "Pad")
	opened, deadline := 0, time.Now().Add(10*time.Second)
	for opened < 5 && time.Now().Before(deadline) { // it is opened again and again: nobody plays it, which looks like a loss
		if reads(named) {
			opened++
		}
		a.Probe(t.Context())
		a.Devices()
		if reads(unnamed) {
			t.Fatal("a device that nobody named was opened")
		}
		time.Sleep(time.Millisecond) // poll:
	}
	if opened == 0 {
		t.Error("the named device is not read")
	}
}

func TestPluggedAndUnplugged(t *testing.T) {
	tr := newTree(t)
	a := tr.adapter()
	if h := a.Probe(t.Context()); h.State != adapters.Degraded || h.Code != "no_device" {
		t.Errorf("with nothing connected: %+v", h)
	}
	sink, _ := observe(t, a, "Pad")
	healthy(t, sink, "device_missing")
	for i := range byte(3) {
		d := tr.plug("Pad")
		healthy(t, sink, "")
		d.press(40 + i)
		gestures(t, sink, int(i)+1)
		d.unplug()
		healthy(t, sink, "device_missing")
	}
	if n := len(sink.Seen()); n != 3 {
		t.Errorf("%d gestures", n)
	}
}

// A gesture in progress when the device is pulled out is emitted as it is.
func TestPulledOutInTheMiddle(t *testing.T) {
	tr := newTree(t)
	d := tr.plug("Pad")
	sink, _ := observe(t, tr.adapter(), "Pad")
	d.play(0x90, 60, 100)
	d.play(0xB0, 7, 1, 7, 2)
	drained(t, d)
	d.unplug()
	got := gestures(t, sink, 2)
	if want := []string{"Pad: control 1 [7] 1-2 n2", "Pad: note 1 [60] 100-0 n1"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// drained waits until everything played has been read.
func drained(t testing.TB, d *device) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		n, err := unix.IoctlGetInt(int(d.f.Fd()), unix.TIOCINQ)
		if err == nil && n == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("what was played is not read")
		}
	}
}

func TestPauseHandsOverWhatWasUnderWay(t *testing.T) {
	tr := newTree(t)
	d := tr.plug("Pad")
	sink, ctl := observe(t, tr.adapter(), "Pad")
	d.play(0xB0, 7, 1, 7, 2, 7) // a knob, and half a message
	heard(t, ctl, 7)
	ctl.Pause()
	d.play(98, 7, 99, 8) // ... whose other half comes now, and another half one
	heard(t, ctl, 8)
	ctl.Resume()
	d.play(50)
	d.play(0xC0, 3)
	got := gestures(t, sink, 3)
	if want := "Pad: control 1 [7] 1-2 n2; Pad: program 1 [3] 0-0 n1; Pad: control 1 [8] 50-50 n1"; strings.Join(got, "; ") != want {
		t.Errorf("got %q", got)
	}
}

// heard waits until what was played is read and folded, up to an incomplete message that begins with this byte.
func heard(t *testing.T, ctl adapters.Control, half byte) {
	t.Helper()
	w := ctl.(*watch)
	await.Until(t, "what was played is heard", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, r := range w.open {
			r.mu.Lock()
			at := r.parser
			r.mu.Unlock()
			if at.n == 1 && at.data[0] == half {
				return true
			}
		}
		return false
	})
}

// flaky is a source whose devices fail in ways that hardware does and a FIFO cannot.
type flaky struct {
	*raw
	fail error
}

func (f *flaky) open(port) (input, error) {
	if f.fail == nil {
		panic("a driver's bug")
	}
	return nil, f.fail
}

func TestTrouble(t *testing.T) {
	for code, err := range map[string]error{"device_busy": errBusy, "no_permission": errDenied,
		"device_missing": errors.New("no such device")} {
		t.Run(code, func(t *testing.T) {
			tr := newTree(t)
			tr.plug("Pad")
			a := tr.adapter()
			src := &flaky{raw: rawSources(tr.root)[0].(*raw), fail: err}
			a.sources = func() []source { return []source{src} }
			sink, _ := observe(t, a, "Pad")
			h := healthy(t, sink, code)
			if h.Reason == "" || h.Fix == "" || strings.Contains(h.Reason+h.Fix, "Pad") {
				t.Errorf("%+v", h)
			}
		})
	}
	for errno, want := range map[error]error{unix.EBUSY: errBusy, unix.EAGAIN: errBusy, unix.EACCES: errDenied, unix.EPERM: errDenied,
		unix.ENODEV: unix.ENODEV} {
		if got := meaning(&os.PathError{Err: errno}); !errors.Is(got, want) {
			t.Errorf("%v means %v", errno, got)
		}
	}
}

// garbled is an input whose driver panics.
type garbled struct{}

func (g *garbled) read([]byte, time.Time) (int, time.Time, error) { panic("a driver's bug") }
func (g *garbled) close() error                                   { return nil }

type panicky struct{ *raw }

func (p *panicky) open(port) (input, error) { return &garbled{}, nil }

// leaky is an input that drops messages before each one it returns.
type leaky struct {
	input
	lost uint64
}

func (l *leaky) read(p []byte, deadline time.Time) (int, time.Time, error) {
	n, at, err := l.input.read(p, deadline)
	if n > 0 {
		l.lost += 2
	}
	return n, at, err
}

func (l *leaky) Missed() uint64 { return l.lost }

type leaking struct{ *raw }

func (s *leaking) open(p port) (input, error) {
	in, err := s.raw.open(p)
	return &leaky{input: in}, err
}

// Messages that a device's driver dropped are reported as withheld.
func TestDroppedIsCounted(t *testing.T) {
	tr := newTree(t)
	d := tr.plug("Pad")
	a := tr.adapter()
	a.sources = func() []source { return []source{&leaking{rawSources(tr.root)[0].(*raw)}} }
	sink, _ := observe(t, a, "Pad")
	for i := range 2 {
		d.play(0xC0, byte(i))
		gestures(t, sink, i+1)
		want := int64(2 * (i + 1))
		for deadline := time.Now().Add(time.Minute); sink.Withheld(capture.Overflow) != want; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d told of %d", sink.Withheld(capture.Overflow), want)
			}
		}
	}
}

// A panic while reading ends Run with an error, after which the daemon restarts the adapter; it does not end the
// daemon.
func TestPanicEndsRunOnly(t *testing.T) {
	tr := newTree(t)
	tr.plug("Pad")
	a := tr.adapter()
	a.sources = func() []source { return []source{&panicky{rawSources(tr.root)[0].(*raw)}} }
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := a.Run(ctx, adapters.Session{Scope: within("Pad")}, adaptertest.NewSink(), func(adapters.Control) {})
	if err == nil {
		t.Error("Run went on")
	}
}

func TestNotInBuild(t *testing.T) {
	a := New(Options{})
	a.sources = func() []source { return nil }
	if h := a.Probe(t.Context()); h.State != adapters.Unavailable || h.Code != "not_in_build" || h.Reason == "" || h.Fix == "" {
		t.Errorf("%+v", h)
	}
}
