//go:build midi_jack && cgo && linux

package midi

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"gitlab.com/gomidi/midi/v2"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/midi/jack"
	"showhow/capture"
	"showhow/internal/await"
)

// server is a private JACK server without a sound card.
type server struct {
	t    *testing.T
	name string
	cmd  *exec.Cmd
}

// startJack starts a server and makes it the default of this process.
func startJack(t *testing.T) *server {
	t.Helper()
	missing := func(what string) {
		t.Helper()
		if os.Getenv("CI") != "" {
			t.Fatal(what + ": `make setup` installs it")
		}
		t.Skip(what + ": `make setup` installs it")
	}
	if _, err := exec.LookPath("jackd"); err != nil {
		missing("there is no jackd (Debian: jackd2)")
	}
	s := &server{t: t, name: fmt.Sprintf("showhow%d", os.Getpid())}
	t.Setenv("JACK_DEFAULT_SERVER", s.name)
	t.Setenv("JACK_NO_AUDIO_RESERVATION", "1")
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *server) start() {
	s.t.Helper()
	log, err := os.Create(filepath.Join(s.t.TempDir(), "jackd.log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command("jackd", "-r", "-S", "-t", "5000", "-n", s.name, "-d", "dummy", "-r", "48000", "-p", "256")
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // JACK allows 8 servers: none outlives a test that crashed
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if found, _ := filepath.Glob("/dev/shm/jack_" + s.name + "_*_0"); len(found) > 0 {
			return
		}
		if time.Now().After(deadline) {
			b, _ := os.ReadFile(log.Name())
			s.t.Fatalf("jackd does not start:\n%s", b)
		}
	}
}

func (s *server) stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		_ = s.cmd.Process.Kill()
		<-done
	}
	s.cmd = nil
}

// deviceEnv makes this program play a device of that name: libjack allows a program one client.
const deviceEnv = "SHOWHOW_TEST_JACK_DEVICE"

func init() {
	if name := os.Getenv(deviceEnv); name != "" {
		if err := beDevice(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// beDevice plays the messages from standard input, one in hexadecimal per line, and answers "?" with whether anybody
// listens, until the input ends.
func beDevice(name string) error {
	conn, err := jack.Open(name)
	if err != nil {
		return err
	}
	defer conn.Close()
	out, err := conn.Speak("out")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if in.Text() == "?" {
			fmt.Println(out.Heard())
			continue
		}
		msg, err := hex.DecodeString(in.Text())
		if err == nil {
			err = out.Send(msg)
		}
		if err != nil {
			return err
		}
	}
	return in.Err()
}

// virtual is a device: another program with a port.
type virtual struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func appear(t testing.TB, name string) *virtual {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // a busy server refuses a client now and then
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), deviceEnv+"="+name)
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		v := &virtual{t, cmd, in, bufio.NewReader(out)}
		if line, _ := v.out.ReadString('\n'); line == "ready\n" {
			t.Cleanup(v.vanish)
			return v
		}
		v.vanish()
		if time.Now().After(deadline) {
			t.Fatal("no port")
		}
	}
}

func (v *virtual) vanish() {
	if v.cmd != nil {
		_ = v.in.Close()
		_ = v.cmd.Wait()
		v.cmd = nil
	}
}

func (v *virtual) say(line string) {
	if _, err := io.WriteString(v.in, line+"\n"); err != nil {
		v.t.Error(err)
	}
}

func (v *virtual) play(msg ...byte) { v.say(hex.EncodeToString(msg)) }

// heard waits, with a limit, until somebody is connected to the port: JACK takes time, more on a busy machine, and
// discards what is played before.
func (v *virtual) heard() {
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		v.say("?")
		if line, err := v.out.ReadString('\n'); err != nil || line == "true\n" {
			return
		}
	}
}

func (v *virtual) press(note byte) {
	v.heard()
	v.play(midi.NoteOn(0, note, 100)...)
	time.Sleep(30 * time.Millisecond) // pace: a finger on a key
	v.play(midi.NoteOff(0, note)...)
}

// jackAdapter is an adapter that reads only JACK.
func jackAdapter() *Adapter {
	a := New(Options{})
	a.sources, a.look = cgoSources, 100*time.Millisecond
	return a
}

func TestJack(t *testing.T) {
	s := startJack(t)
	t.Run("conformance", func(t *testing.T) {
		adaptertest.Run(t, adaptertest.Harness{
			ClockSkew: time.Second, // a busy server is late
			Start: func(t *testing.T) adaptertest.World {
				in, off := appear(t, "Test Keys"), appear(t, "Pads canaryq7fz2v9")
				return adaptertest.World{
					Adapter: jackAdapter(), Scope: within("Test Keys"), OffScope: within("Pads canaryq7fz2v9"),
					In:  func(t testing.TB, i int) { in.press(byte(40 + i)) },
					Off: func(t testing.TB, canary string) { off.press(1) },
					Is: func(o capture.Observation, i int) bool {
						return o.MIDI != nil && slices.Equal(o.MIDI.Numbers, []int{40 + i})
					},
					Stop: func() { in.vanish(); off.vanish() },
				}
			},
		})
	})
	t.Run("messages", testJackMessages)
	t.Run("hot-plug", testJackHotPlug)
	t.Run("server", func(t *testing.T) { testJackServer(t, s) })
}

// Of two ports one is in scope: every message of that one arrives.
func testJackMessages(t *testing.T) {
	keys, pads := appear(t, "Test Keys"), appear(t, "Test Pads")
	sink, _ := observe(t, jackAdapter(), "test keys")
	healthy(t, sink, "")
	keys.heard()
	const n = 500
	for i := range n / 5 {
		keys.play(midi.ControlChange(0, 21, uint8(i))...)
		keys.play(0xF8) // clock is nobody's gesture
		keys.play(midi.NoteOn(1, 60, 90)...)
		keys.play(midi.NoteOn(1, 64, 90)...)
		time.Sleep(5 * time.Millisecond) // pace: fingers on keys
		keys.play(midi.NoteOff(1, 60)...)
		keys.play(midi.NoteOff(1, 64)...)
		pads.play(midi.ControlChange(5, 99, uint8(i))...)
		time.Sleep(2 * time.Millisecond) // pace: between two chords
	}
	keys.play(0xF0, 0x7F, 0x7F, 6, 1, 0xF7) // machine control: stop
	seen := sink.Wait(t, "all messages", time.Minute, func(s []adaptertest.Seen) bool { return total(s) >= n+1 })
	if total(seen) != n+1 {
		t.Errorf("%d messages of %d", total(seen), n+1)
	}
	kinds := map[string]int{}
	for _, o := range seen {
		kinds[o.MIDI.Gesture]++
		if o.Origin.Device != "Test Keys" {
			t.Errorf("device %q", o.Origin.Device)
		}
	}
	if kinds["control"] == 0 || kinds["chord"] < n/10 || kinds["transport"] != 1 { // a busy machine tears some gestures apart
		t.Errorf("gestures: %v", kinds)
	}
}

func testJackHotPlug(t *testing.T) {
	appear(t, "Something else")
	sink, _ := observe(t, jackAdapter(), "Test Keys")
	healthy(t, sink, "device_missing")
	for i := range byte(2) {
		keys := appear(t, "Test Keys")
		healthy(t, sink, "")
		keys.press(40 + i)
		gestures(t, sink, int(i)+1)
		keys.vanish()
		healthy(t, sink, "device_missing")
	}
	// A busy server sometimes refuses a client.
	await.Until(t, "the other device", func() bool { return slices.Contains(jackAdapter().Devices(), "Something else") })
}

// The server ends and comes back: the adapter is degraded in between, and observes again afterwards.
func testJackServer(t *testing.T, s *server) {
	keys := appear(t, "Test Keys")
	a := jackAdapter()
	sink, _ := observe(t, a, "Test Keys")
	healthy(t, sink, "")
	keys.press(50)
	gestures(t, sink, 1)
	s.stop()
	healthy(t, sink, "device_missing")
	if h := a.Probe(t.Context()); h.State != adapters.Degraded {
		t.Errorf("without a server: %+v", h)
	}
	keys.vanish()
	s.start()
	again := appear(t, "Test Keys")
	healthy(t, sink, "")
	again.press(51)
	gestures(t, sink, 2)
}
