package midi

import (
	"slices"
	"time"

	"showhow/capture"
)

// chord is one or more notes that began together and are held together.
type chord struct {
	at       time.Time
	channel  byte
	notes    []int
	down     int // keys that are still down
	velocity byte
	messages int
}

// press begins a note. If it is down already, its release was lost.
func (f *folder) press(k key, velocity byte, at time.Time) {
	f.release(k, at, 0)
	c := f.joinable(k.channel, at)
	if c == nil {
		c = &chord{at: at, channel: k.channel}
		f.chords = append(f.chords, c)
	}
	c.notes = append(c.notes, int(k.note))
	c.down++
	c.messages++
	c.velocity = max(c.velocity, velocity)
	f.held[k] = c
}

// joinable is the chord that a note at this time belongs to.
func (f *folder) joinable(channel byte, at time.Time) *chord {
	for _, c := range slices.Backward(f.chords) {
		if c.channel == channel {
			if at.Sub(c.at) <= together {
				return c
			}
			return nil
		}
	}
	return nil
}

// release ends a note; the last one ends its chord.
func (f *folder) release(k key, at time.Time, messages int) {
	c := f.held[k]
	if c == nil {
		return
	}
	delete(f.held, k)
	c.messages += messages
	if c.down--; c.down == 0 {
		f.endChord(c, at)
	}
}

// releaseAll handles "all notes off".
func (f *folder) releaseAll(channel byte, at time.Time) {
	for _, c := range slices.Clone(f.chords) {
		if c.channel == channel {
			c.messages++
			f.endChord(c, at)
		}
	}
}

// lean counts key pressure messages with the notes struck last.
func (f *folder) lean(channel byte) {
	for _, c := range slices.Backward(f.chords) {
		if c.channel == channel {
			c.messages++
			return
		}
	}
}

func (f *folder) endChord(c *chord, at time.Time) {
	for k, held := range f.held {
		if held == c {
			delete(f.held, k)
		}
	}
	f.chords = slices.DeleteFunc(f.chords, func(o *chord) bool { return o == c })
	g := gesture{at: c.at, MIDIGesture: capture.MIDIGesture{Gesture: "note", Channel: int(c.channel) + 1, Numbers: c.notes,
		From: int(c.velocity), Messages: c.messages, DurationMS: at.Sub(c.at).Milliseconds()}}
	if len(c.notes) > 1 {
		g.Gesture = "chord"
		slices.Sort(g.Numbers)
	}
	f.emit(g)
}
