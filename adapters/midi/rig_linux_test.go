package midi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// tree stands in for the system's /dev/snd and /proc/asound: a device's node is a FIFO, so that what is played goes
// through the kernel and is read like a device.
type tree struct {
	t    testing.TB
	root string
	next int
}

func newTree(t testing.TB) *tree {
	tr := &tree{t: t, root: t.TempDir()}
	for _, d := range []string{"dev/snd", "proc/asound"} {
		if err := os.MkdirAll(filepath.Join(tr.root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

// device is a controller that is plugged into a tree.
type device struct {
	t     testing.TB
	node  string
	entry string
	f     *os.File
	once  sync.Once
}

// plug makes a device of this name.
func (tr *tree) plug(name string) *device {
	d := tr.node(name)
	f, err := os.OpenFile(d.node, os.O_RDWR, 0)
	if err != nil {
		tr.t.Fatal(err)
	}
	d.f = f
	tr.t.Cleanup(d.unplug)
	return d
}

// node creates the files of a device without a player.
func (tr *tree) node(name string) *device {
	card := tr.next
	tr.next++
	dir := filepath.Join(tr.root, "proc/asound", fmt.Sprintf("card%d", card))
	d := &device{t: tr.t, entry: filepath.Join(dir, "midi0"), node: filepath.Join(tr.root, "dev/snd", fmt.Sprintf("midiC%dD0", card))}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tr.t.Fatal(err)
	}
	text := name + "\n\nOutput 0\n  Tx bytes     : 0\nInput 0\n  Rx bytes     : 0\n"
	if err := os.WriteFile(d.entry, []byte(text), 0o644); err != nil {
		tr.t.Fatal(err)
	}
	if err := unix.Mkfifo(d.node, 0o600); err != nil {
		tr.t.Fatal(err)
	}
	return d
}

func (d *device) play(b ...byte) {
	if _, err := d.f.Write(b); err != nil {
		d.t.Error(err)
	}
}

// press holds a pad for as long as a person does.
func (d *device) press(note byte) {
	d.play(0x90, note, 100)
	time.Sleep(30 * time.Millisecond) // pace: a finger on a pad
	d.play(0x80, note, 0)
}

func (d *device) unplug() {
	d.once.Do(func() {
		os.Remove(d.node)
		os.Remove(d.entry)
		d.f.Close()
	})
}

// observe runs an adapter until the test ends.
func observe(t testing.TB, a *Adapter, devices ...string) (*adaptertest.Sink, adapters.Control) {
	t.Helper()
	sink := adaptertest.NewSink()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan adapters.Control, 1), make(chan error, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{Scope: within(devices...)}, sink, func(c adapters.Control) { ready <- c })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case c := <-ready:
		return sink, c
	case err := <-done:
		done <- err
		t.Fatal("Run ended", err)
	case <-time.After(time.Minute):
		t.Fatal("Run was not ready")
	}
	return nil, nil
}

func within(devices ...string) capture.Scope { return capture.Scope{Devices: devices} }

func (tr *tree) adapter() *Adapter {
	a := New(Options{Root: tr.root})
	a.look = 100 * time.Millisecond
	return a
}

// gestures waits for n observations and returns them as gestures.
func gestures(t testing.TB, sink *adaptertest.Sink, n int) []string {
	t.Helper()
	seen := sink.Wait(t, fmt.Sprintf("%d gestures", n), time.Minute, func(s []adaptertest.Seen) bool { return len(s) >= n })
	var out []string
	for _, o := range seen {
		g := o.MIDI
		out = append(out, fmt.Sprintf("%s: %s %d %v %d-%d n%d", o.Origin.Device, g.Gesture, g.Channel, g.Numbers, g.From, g.To, g.Messages))
	}
	return out
}

// healthy waits until the last health reported has this code ("" is ready).
func healthy(t testing.TB, sink *adaptertest.Sink, code string) adapters.Health {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		h := sink.LastHealth()
		if h.Code == code && (code != "" || h.State != adapters.Degraded) {
			return h
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited for the health %q, it is %+v", code, h)
		}
		time.Sleep(5 * time.Millisecond) // poll:
	}
}
