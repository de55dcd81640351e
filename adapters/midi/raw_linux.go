package midi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// raw reads the character devices of ALSA's raw MIDI, /dev/snd/midiC<card>D<device>. Their names come from
// /proc/asound and, for devices with several ports, from the card's control device: neither opens the MIDI device
// itself.
type raw struct {
	dev  string // /dev/snd
	proc string // /proc/asound
}

func rawSources(root string) []source {
	return []source{&raw{dev: filepath.Join(root, "dev/snd"), proc: filepath.Join(root, "proc/asound")}}
}

// rawPort locates a port.
type rawPort struct{ card, device, sub int }

func (*raw) close() {}

// ports implements source.
func (s *raw) ports() ([]port, error) {
	entries, err := os.ReadDir(s.dev)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, errNoSound
		}
		return nil, meaning(err)
	}
	var out []port
	for _, e := range entries {
		var at rawPort
		if _, err := fmt.Sscanf(e.Name(), "midiC%dD%d", &at.card, &at.device); err != nil ||
			e.Name() != fmt.Sprintf("midiC%dD%d", at.card, at.device) {
			continue
		}
		name, inputs := s.describe(at)
		for _, sub := range inputs {
			p := port{id: fmt.Sprintf("%s.%d", e.Name(), sub), ref: rawPort{at.card, at.device, sub}}
			for _, n := range []string{name, s.subname(rawPort{at.card, at.device, sub}), s.cardID(at.card)} {
				if n = plain(n); n != "" && !slices.Contains(p.names, n) {
					p.names = append(p.names, n)
				}
			}
			if len(p.names) > 0 {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// describe reads a device's name and the numbers of its inputs, which the kernel lists as "Input 0", "Input 1", ...
func (s *raw) describe(at rawPort) (name string, inputs []int) {
	f, err := os.Open(filepath.Join(s.proc, fmt.Sprintf("card%d", at.card), fmt.Sprintf("midi%d", at.device)))
	if err != nil {
		return "", nil
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	if sc.Scan() {
		name = sc.Text()
	}
	for sc.Scan() {
		if n, ok := strings.CutPrefix(sc.Text(), "Input "); ok {
			if i, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
				inputs = append(inputs, i)
			}
		}
	}
	return name, inputs
}

// cardID is the card's short name.
func (s *raw) cardID(card int) string {
	b, _ := os.ReadFile(filepath.Join(s.proc, fmt.Sprintf("card%d", card), "id"))
	return string(b)
}

// open implements source. A device with several ports is opened once for each; the thread that opens selects the port
// through the card's control device.
func (s *raw) open(p port) (input, error) {
	at := p.ref.(rawPort)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ctl, err := s.control(at.card); err == nil {
		defer ctl.Close()
		if err := preferSubdevice(ctl, at.sub); err != nil {
			return nil, meaning(err)
		}
	} else if at.sub > 0 {
		return nil, meaning(err)
	}
	f, err := os.OpenFile(filepath.Join(s.dev, fmt.Sprintf("midiC%dD%d", at.card, at.device)), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, meaning(err)
	}
	return &rawInput{f}, nil
}

// meaning translates a system error for the person.
func meaning(err error) error {
	switch {
	case errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EAGAIN):
		return errBusy
	case errors.Is(err, os.ErrPermission):
		return errDenied
	}
	return err
}

type rawInput struct{ f *os.File }

func (r *rawInput) read(p []byte, deadline time.Time) (int, time.Time, error) {
	if err := r.f.SetReadDeadline(deadline); err != nil {
		return 0, time.Now(), err
	}
	n, err := r.f.Read(p)
	return n, time.Now(), err
}

func (r *rawInput) close() error { return r.f.Close() }

// watch implements source: the kernel and udev create and remove the device nodes and set their permissions.
func (s *raw) watch(ctx context.Context, changed func()) { watchDir(ctx, s.dev, changed) }
