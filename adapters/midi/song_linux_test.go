package midi

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlab.com/gomidi/midi/v2"
	"gitlab.com/gomidi/midi/v2/smf"

	"showhow/adapters/adaptertest"
)

// song writes a Standard MIDI File: a bar of piano with a filter sweep, then the wheel and another program of another
// bank. It returns the expected gestures.
func song(t testing.TB) (file string, want []string) {
	const beat = 480
	clock := smf.MetricTicks(beat)
	var s smf.SMF
	s.TimeFormat = clock
	var piano, knobs smf.Track
	piano.Add(0, smf.MetaTempo(240)) // a beat is 250 ms
	at := map[*smf.Track]uint32{}
	add := func(tr *smf.Track, tick uint32, m midi.Message) {
		tr.Add(tick-at[tr], m)
		at[tr] = tick
	}
	for i, notes := range [][]uint8{{48, 60, 64, 67}, {72}, {71}, {45, 60, 64}} {
		begin := uint32(i) * beat
		for j, n := range notes {
			add(&piano, begin+uint32(j*10), midi.NoteOn(0, n, 90-uint8(j))) // fingers are not quite together
		}
		for j, n := range notes {
			add(&piano, begin+beat/2+uint32(j*10), midi.NoteOn(0, n, 0))
		}
		what := "note"
		if len(notes) > 1 {
			what = "chord"
		}
		want = append(want, fmt.Sprintf("%s 1 %v n%d", what, sorted(notes), 2*len(notes)))
	}
	for i := range uint32(64) { // 64 steps over two beats
		add(&knobs, 100+i*beat/32, midi.ControlChange(0, 74, uint8(i*2)))
	}
	want = append(want, "control 1 [74] n64")
	for i := range uint32(9) {
		add(&knobs, 5*beat+i*beat/16, midi.Pitchbend(0, int16(math.Sin(float64(i)/8*math.Pi)*8191)))
	}
	want = append(want, "pitch_bend 1 [] n9")
	add(&knobs, 8*beat, midi.ControlChange(9, 0, 1))
	add(&knobs, 8*beat, midi.ControlChange(9, 32, 2))
	add(&knobs, 8*beat, midi.ProgramChange(9, 25))
	want = append(want, "program 10 [25] n3")
	for _, tr := range []*smf.Track{&piano, &knobs} {
		tr.Close(0)
		if err := s.Add(*tr); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(t.TempDir(), "song.mid")
	if err := s.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	return file, want
}

func sorted(notes []uint8) []int {
	var out []int
	for _, n := range notes {
		out = append(out, int(n))
	}
	slices.Sort(out)
	return out
}

// perform plays a file at its tempo.
func perform(t testing.TB, file string, play func(...byte)) {
	type event struct {
		at  time.Duration
		msg []byte
	}
	var events []event
	smf.ReadTracks(file).Do(func(e smf.TrackEvent) {
		if e.Message.IsPlayable() {
			events = append(events, event{time.Duration(e.AbsMicroSeconds) * time.Microsecond, e.Message})
		}
	})
	slices.SortStableFunc(events, func(a, b event) int { return int(a.at - b.at) })
	if len(events) == 0 {
		t.Fatal("an empty song")
	}
	begin := time.Now()
	for _, e := range events {
		time.Sleep(time.Until(begin.Add(e.at))) // pace: the song's
		play(e.msg...)
	}
}

// A song is played at its tempo while a clock runs. Where a gesture ends depends on time, so a machine that stalls in
// the middle gets another try; no message is ever lost.
func TestSong(t *testing.T) {
	file, want := song(t)
	want = append(want, "transport 0 [] n1")
	var got []string
	for range 5 {
		if got = performance(t, file, want); slices.Equal(got, want) {
			return
		}
	}
	t.Errorf("got\n%q\nwant\n%q", got, want)
}

func performance(t *testing.T, file string, want []string) (got []string) {
	tr := newTree(t)
	d := tr.plug("Piano")
	sink, _ := observe(t, tr.adapter(), "Piano")
	stop := make(chan struct{})
	var clock sync.WaitGroup
	clock.Go(func() { // files hold no real-time messages; a device sends them all the time
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				d.play(0xF8, 0xFE)
			}
		}
	})
	perform(t, file, d.play)
	close(stop)
	clock.Wait()
	d.play(0xFC)
	messages := 0
	for _, w := range want {
		messages += count(w)
	}
	seen := sink.Wait(t, "the song's messages", time.Minute, func(s []adaptertest.Seen) bool { return total(s) >= messages })
	if total(seen) != messages {
		t.Errorf("%d messages of %d", total(seen), messages)
	}
	for _, o := range seen {
		got = append(got, fmt.Sprintf("%s %d %v n%d", o.MIDI.Gesture, o.MIDI.Channel, o.MIDI.Numbers, o.MIDI.Messages))
	}
	slices.Sort(got)
	return got
}

// count is the number of messages in a line of a song.
func count(line string) (n int) {
	fmt.Sscanf(line[strings.LastIndex(line, " n")+2:], "%d", &n)
	return n
}

// total is how many messages are in what was seen.
func total(seen []adaptertest.Seen) (n int) {
	for _, o := range seen {
		n += o.MIDI.Messages
	}
	return n
}
