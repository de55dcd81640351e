package midi

import (
	"testing"
	"time"
)

// BenchmarkSeen floods a device with 1,000 messages a second, a mix of knobs, notes and the wheel, and reports how
// many of them are in the resulting gestures.
func BenchmarkSeen(b *testing.B) {
	tr := newTree(b)
	d := tr.plug("Pad")
	sink, _ := observe(b, tr.adapter(), "Pad")
	sent := 0
	for b.Loop() {
		begin := time.Now()
		for i := range 1000 {
			time.Sleep(time.Until(begin.Add(time.Duration(i) * time.Millisecond))) // bench: a message each millisecond
			v := byte(i % 128)
			switch i % 4 {
			case 0:
				d.play(0x90, 60+v%12, 100)
			case 1:
				d.play(0x80, 60+(v-1)%12, 0)
			case 2:
				d.play(0xB0, 20+v%8, v)
			case 3:
				d.play(0xE0, v, 64)
			}
		}
		sent += 1000
		time.Sleep(quiet) // bench: the hand is taken off before the next round
	}
	seen := 0
	for deadline := time.Now().Add(5 * time.Second); seen < sent && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		seen = 0
		for _, o := range sink.Seen() {
			seen += o.MIDI.Messages
		}
	}
	b.ReportMetric(float64(seen)/float64(sent), "midi_seen_ratio")
	b.ReportMetric(float64(len(sink.Seen())), "gestures")
}

// BenchmarkFold measures the work per message.
func BenchmarkFold(b *testing.B) {
	f := newFolder(func(gesture) {})
	var p parser
	at := zero
	for i := 0; b.Loop(); i++ {
		at = at.Add(time.Millisecond)
		for _, x := range []byte{0xB0, byte(i % 64), byte(i % 128)} {
			if m, ok := p.feed(x); ok {
				f.take(m, at)
			}
		}
	}
}
