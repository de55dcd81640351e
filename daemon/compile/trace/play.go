package trace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/capture"
)

// turnGap is how long after the start of a knob's movement a further movement still corrects it.
const turnGap = 5 * time.Second

// joined combines two gestures of one act: of a knob that was moved twice the last position counts.
func joined(a, b *capture.MIDIGesture) *capture.MIDIGesture {
	if a == nil || b == nil {
		return keep(a, b)
	}
	c := *a
	c.To, c.Messages = b.To, a.Messages+b.Messages
	return &c
}

// sameKnob reports whether a gesture continues the movement of the last act's knob. Buttons do not count.
func sameKnob(last *Act, r *capture.Record) bool {
	a, b := last.MIDI, r.Action.MIDI
	return a != nil && b != nil && a.Gesture == "control" && !a.Momentary() && !b.Momentary() &&
		last.Device == r.Action.Device && control(last.Device, a) == control(r.Action.Device, b)
}

// control identifies what was played on; for notes also what was played.
func control(device string, g *capture.MIDIGesture) string {
	if g == nil {
		return ""
	}
	return fmt.Sprintf("%s|%s|%d|%v|%s|%s", strings.ToLower(device), g.Gesture, g.Channel, g.Numbers, g.Parameter, g.Transport)
}

// This many notes in a row form a passage; a pause longer than passageGap ends it.
const (
	passageNotes = 5
	passageGap   = 2 * time.Second
)

// passages joins notes and chords that were played in a row on one device: music is not a list of key presses.
func (n *Trace) passages() {
	for i := 0; i < len(n.Acts); i++ {
		j := i + 1
		for j < len(n.Acts) && follows(n.Acts[j-1], n.Acts[j]) {
			j++
		}
		if j-i < passageNotes {
			continue
		}
		a := n.Acts[i]
		for _, b := range n.Acts[i:j] {
			a.Passage = append(a.Passage, b.MIDI.Numbers)
			if b != a {
				a.Recs = append(a.Recs, b.Recs...)
				a.After, a.Changed = keep(b.After, a.After), a.Changed || b.Changed
			}
		}
		n.Acts = slices.Delete(n.Acts, i+1, j)
	}
}

func follows(a, b *Act) bool {
	return isNote(a.MIDI) && isNote(b.MIDI) && a.Device == b.Device && a.MIDI.Channel == b.MIDI.Channel &&
		b.At.Sub(a.At)-time.Duration(a.MIDI.DurationMS)*time.Millisecond < passageGap
}

func isNote(g *capture.MIDIGesture) bool {
	return g != nil && (g.Gesture == "note" || g.Gesture == "chord")
}

// pressedAgain counts a button, a pad or a transport key that was pressed several times in a row.
func (n *Trace) pressedAgain() {
	for i := 1; i < len(n.Acts); i++ {
		a, b := n.Acts[i-1], n.Acts[i]
		if a.MIDI == nil || b.MIDI == nil || a.Passage != nil || b.Passage != nil || control(a.Device, a.MIDI) != control(b.Device, b.MIDI) ||
			a.MIDI.Gesture == "control" && (!a.MIDI.Momentary() || !b.MIDI.Momentary()) {
			continue
		}
		a.Times += b.Times
		a.Recs = append(a.Recs, b.Recs...)
		n.Acts = slices.Delete(n.Acts, i, i+1)
		i--
	}
}
