package midi

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// virtualCard finds the raw devices of the kernel's virtual MIDI card: what is written to one comes out of the
// sequencer's port of the same number, and vice versa. Containers and most build machines have no sound support, and
// none can be installed: build/midi-kernel.sh boots a kernel that has it.
func virtualCard(t *testing.T) []rawPort {
	t.Helper()
	var out []rawPort
	ports, _ := rawSources("/")[0].ports()
	for _, p := range ports {
		at := p.ref.(rawPort)
		b, _ := os.ReadFile(fmt.Sprintf("/proc/asound/card%d/id", at.card))
		if at.sub == 0 && bytes.HasPrefix(b, []byte("VirMIDI")) {
			out = append(out, at)
		}
	}
	if len(out) < 2 {
		t.Skip("this kernel has no virtual MIDI card: modprobe snd-virmidi, or run `make midi-kernel`")
	}
	return out
}

// cable writes to one of the virtual card's devices.
type cable struct {
	t testing.TB
	f *os.File
}

func plugIn(t testing.TB, at rawPort) *cable {
	f, err := os.OpenFile(fmt.Sprintf("/dev/snd/midiC%dD%d", at.card, at.device), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &cable{t, f}
}

func (c *cable) play(b ...byte) {
	if _, err := c.f.Write(b); err != nil {
		c.t.Error(err)
	}
}

func (c *cable) press(note byte) {
	c.play(0x90, note, 100)
	time.Sleep(30 * time.Millisecond) // pace: a finger on a key
	c.play(0x80, note, 0)
}

// only is an adapter with one source.
func only(s func() source) *Adapter {
	a := New(Options{})
	a.sources, a.look = func() []source { return []source{s()} }, 100*time.Millisecond
	return a
}

func sequencerOnly() *Adapter { return only(func() source { return &sequencer{dev: "/dev/snd"} }) }

func TestSequencer(t *testing.T) {
	card := virtualCard(t)
	name := func(i int) string { return fmt.Sprintf("Virtual Raw MIDI %d-%d", card[i].card, card[i].device) }
	if all := sequencerOnly().Devices(); !slices.Contains(all, name(0)) || !slices.Contains(all, name(1)) {
		t.Fatalf("devices %q", all)
	}
	t.Run("conformance", func(t *testing.T) {
		adaptertest.Run(t, adaptertest.Harness{
			ClockSkew: 100 * time.Millisecond,
			Start: func(t *testing.T) adaptertest.World {
				in, off := plugIn(t, card[0]), plugIn(t, card[1])
				return adaptertest.World{
					Adapter: sequencerOnly(), Scope: within(name(0)), OffScope: within(name(1)),
					In:  func(t testing.TB, i int) { in.press(byte(40 + i)) },
					Off: func(t testing.TB, canary string) { off.press(1) },
					Is: func(o capture.Observation, i int) bool {
						return o.MIDI != nil && slices.Equal(o.MIDI.Numbers, []int{40 + i})
					},
					Stop: func() { in.f.Close(); off.f.Close() },
				}
			},
		})
	})
	t.Run("song", func(t *testing.T) {
		c := plugIn(t, card[0])
		file, want := song(t)
		sink, _ := observe(t, sequencerOnly(), name(0))
		healthy(t, sink, "")
		perform(t, file, c.play)
		c.play(0xF0, 0x7F, 0x7F, 6, 2, 0xF7)
		n := 1
		for _, w := range want {
			n += count(w)
		}
		seen := sink.Wait(t, "the song's messages", time.Minute, func(s []adaptertest.Seen) bool { return total(s) >= n })
		if total(seen) != n {
			t.Errorf("%d messages of %d", total(seen), n)
		}
		if last := seen[len(seen)-1].MIDI; last.Transport != "play" {
			t.Errorf("the last gesture is %+v", last)
		}
	})
	t.Run("flood", func(t *testing.T) {
		c := plugIn(t, card[0])
		sink, _ := observe(t, sequencerOnly(), name(0))
		const n = 3000
		begin := time.Now()
		for i := range n {
			time.Sleep(time.Until(begin.Add(time.Duration(i) * time.Millisecond))) // pace: a message each millisecond
			c.play(0xB0, 20+byte(i%8), byte(i%128))
		}
		seen := sink.Wait(t, "all messages", time.Minute, func(s []adaptertest.Seen) bool { return total(s) >= n })
		t.Logf("%d of %d messages in %d gestures", total(seen), n, len(seen))
	})
}

// A subscription ended by somebody else is a lost device, which is found again.
func TestSequencerShares(t *testing.T) {
	card := virtualCard(t)
	name := fmt.Sprintf("Virtual Raw MIDI %d-%d", card[0].card, card[0].device)
	one, _ := observe(t, sequencerOnly(), name)
	two, _ := observe(t, sequencerOnly(), strings.ToLower(name))
	c := plugIn(t, card[0])
	c.press(60)
	gestures(t, one, 1)
	gestures(t, two, 1)
}

// program is a sequencer client with a port that others read: a software keyboard.
type program struct {
	t testing.TB
	f *os.File
}

func startProgram(t *testing.T, name string) *program {
	t.Helper()
	f, err := os.OpenFile("/dev/snd/seq", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t, f}
	t.Cleanup(p.stop)
	var id int32
	if err := ioctl(f, seqClientID, &id); err != nil {
		t.Fatal(err)
	}
	c := seqClient{client: id}
	own := seqPort{addr: seqAddr{client: uint8(id)}, capability: capRead | capSubsRead, kind: portMIDI | portApplication}
	copy(own.name[:], "out")
	if err := ioctl(f, seqGetClient, &c); err != nil {
		t.Fatal(err)
	}
	c.name = [64]byte{}
	copy(c.name[:], name)
	for _, err := range []error{ioctl(f, seqSetClient, &c), ioctl(f, seqCreatePort, &own)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *program) stop() { p.f.Close() }

// send sends an event to whoever is subscribed, at once.
func (p *program) send(kind, channel, note, velocity byte, param uint32, value int32) {
	var e [eventSize]byte
	e[0], e[3], e[14] = kind, 253, 254 // no queue; to subscribers
	e[16], e[17], e[18] = channel, note, velocity
	if kind >= evController {
		order.PutUint32(e[20:], param)
		order.PutUint32(e[24:], uint32(value))
	}
	if _, err := p.f.Write(e[:]); err != nil {
		p.t.Error(err)
	}
}

func TestSequencerHotPlug(t *testing.T) {
	virtualCard(t)
	sink, _ := observe(t, sequencerOnly(), "Soft Keys")
	healthy(t, sink, "device_missing")
	for i := range byte(3) {
		p := startProgram(t, "Soft Keys")
		healthy(t, sink, "")
		p.send(evProgram, 0, 0, 0, 0, int32(i))
		gestures(t, sink, int(i)+1)
		p.stop()
		healthy(t, sink, "device_missing")
	}
}

// Programs send what no cable carries: whole parameters and 14-bit controllers.
func TestSequencerEvents(t *testing.T) {
	virtualCard(t)
	p := startProgram(t, "Soft Keys")
	sink, _ := observe(t, sequencerOnly(), "Soft Keys")
	healthy(t, sink, "")
	p.send(evNoteOn, 1, 60, 90, 0, 0)
	p.send(evNoteOff, 1, 60, 0, 0, 0)
	p.send(evProgram, 0, 0, 0, 0, 9)
	p.send(evController14, 0, 0, 0, 7, 385)
	p.send(evPrivate, 0, 0, 0, 136, 8320)
	p.send(evBend, 2, 0, 0, 0, -8192)
	p.send(evStart, 0, 0, 0, 0, 0)
	got := gestures(t, sink, 6)
	want := []string{"Soft Keys: note 2 [60] 90-0 n2", "Soft Keys: program 1 [9] 0-0 n1", "Soft Keys: transport 0 [] 0-0 n1",
		"Soft Keys: control 1 [7] 385-385 n2", "Soft Keys: control 1 [136] 8320-8320 n4", "Soft Keys: pitch_bend 3 [] -8192--8192 n1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// picky is the raw source reduced to one port of all those that the virtual card has under one name.
type picky struct {
	source
	port rawPort
}

func (p *picky) ports() ([]port, error) {
	all, err := p.source.ports()
	return slices.DeleteFunc(all, func(x port) bool { return x.ref != p.port }), err
}

// Of a device with sixteen ports the requested one is opened, and bytes come from it.
func TestRawDevice(t *testing.T) {
	card := virtualCard(t)
	connect(t, card[0], card[1])
	at := card[1]
	at.sub = 3
	sink, _ := observe(t, only(func() source { return &picky{rawSources("/")[0], at} }), "VirMIDI")
	healthy(t, sink, "")
	b, err := os.ReadFile(fmt.Sprintf("/proc/asound/card%d/midi%d", at.card, at.device))
	if err != nil {
		t.Fatal(err)
	}
	_, input, _ := strings.Cut(string(b), "Input 3\n")
	input, _, _ = strings.Cut(input, "Input 4\n")
	if strings.Count(string(b), "Owner PID") != 1 || !strings.Contains(input, "Owner PID") {
		t.Errorf("open ports:\n%s", b)
	}
	c := plugIn(t, card[0])
	c.press(61)
	c.play(0xB0, 7, 1, 7, 2, 0xF8, 7, 3)
	got := gestures(t, sink, 2)
	if want := []string{"VirMIDI: note 1 [61] 100-0 n2", "VirMIDI: control 1 [7] 1-3 n3"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A raw device belongs to one program: a second one reports it as busy, and gets it when the first closes it.
func TestRawDeviceIsBusy(t *testing.T) {
	at := virtualCard(t)[1]
	var held []*os.File
	for range 20 { // it has sixteen ports: take them all
		f, err := os.OpenFile(fmt.Sprintf("/dev/snd/midiC%dD%d", at.card, at.device), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			break
		}
		held = append(held, f)
	}
	sink, _ := observe(t, only(func() source { return &picky{rawSources("/")[0], at} }), "VirMIDI")
	healthy(t, sink, "device_busy")
	for _, f := range held {
		f.Close()
	}
	healthy(t, sink, "")
}

// A device reachable both ways is read once, through the sequencer.
func TestReadOnce(t *testing.T) {
	card := virtualCard(t)
	name := fmt.Sprintf("Virtual Raw MIDI %d-%d", card[0].card, card[0].device)
	a := New(Options{})
	if h := a.Probe(t.Context()); h.State != adapters.Ready {
		t.Errorf("%+v", h)
	}
	sink, _ := observe(t, a, name)
	c := plugIn(t, card[0])
	c.play(0xC0, 1)
	c.press(40)
	gestures(t, sink, 2)
	c.play(0xC0, 2)
	if got := gestures(t, sink, 3); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}

// connect routes what one device of the virtual card sends to another one.
func connect(t *testing.T, from, to rawPort) {
	t.Helper()
	s := &sequencer{dev: "/dev/snd"}
	t.Cleanup(s.close)
	ports, err := s.ports()
	if err != nil {
		t.Fatal(err)
	}
	addr := func(at rawPort) seqAddr {
		for _, p := range ports {
			if p.names[0] == fmt.Sprintf("Virtual Raw MIDI %d-%d", at.card, at.device) {
				return p.ref.(seqAddr)
			}
		}
		t.Fatal("no such port")
		return seqAddr{}
	}
	f, err := s.client()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := ioctl(f, seqSubscribe, &seqSubscription{sender: addr(from), dest: addr(to)}); err != nil {
		t.Fatal(err)
	}
}
