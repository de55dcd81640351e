package midi

import (
	"time"

	"showhow/capture"
)

// Timeouts for folding messages. A person who strikes a chord spreads it over some 30 ms; a hand that turns a knob
// pauses for less than a quarter of a second.
const (
	together = 40 * time.Millisecond  // notes that begin within it and are held together are a chord
	quiet    = 250 * time.Millisecond // a controller that is silent so long has been let go
	adjacent = 10 * time.Millisecond  // the halves of a 14-bit value follow each other
	longest  = 30 * time.Second       // a key that is never released is reported after so long
)

// gesture is what a person did and when it began.
type gesture struct {
	capture.MIDIGesture
	at time.Time
}

// folder folds one port's messages into gestures. It has no clock: each call passes the time.
type folder struct {
	emit   func(gesture)
	chords []*chord // with a key down, in order of their beginning
	held   map[key]*chord
	moves  []*move   // under way, in order of their beginning
	latest [16]*move // of a channel's controllers, the one that moved last
	picked [16]parameter
}

type key struct{ channel, note byte }

func newFolder(emit func(gesture)) *folder {
	return &folder{emit: emit, held: map[key]*chord{}}
}

// take folds one message.
func (f *folder) take(m message, at time.Time) {
	f.tick(at)
	ch := m.status & 0x0F
	switch {
	case m.status == exclusive:
		f.transport(machineControl[m.a], at)
	case m.status > exclusive:
		f.transport(realTime[m.status], at)
	case m.status&0xF0 == noteOn && m.b > 0:
		f.press(key{ch, m.a}, m.b, at)
	case m.status&0xF0 == noteOn, m.status&0xF0 == noteOff:
		f.release(key{ch, m.a}, at, 1)
	case m.status&0xF0 == keyPressure:
		if c := f.held[key{ch, m.a}]; c != nil {
			c.messages++
		}
	case m.status&0xF0 == channelPressure:
		f.lean(ch)
	case m.status&0xF0 == controlChange:
		f.control(ch, m.a, m.b, at)
	case m.status&0xF0 == programChange:
		f.program(ch, m.a, at)
	case m.status&0xF0 == pitchBend:
		f.move(moveKey{bending, ch, 0}, at).set(int(m.b)<<7|int(m.a)-8192, at)
	}
}

// due is when tick has something to do, zero if no gesture is in progress.
func (f *folder) due() time.Time {
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, m := range f.moves {
		sooner(m.ends())
	}
	for _, c := range f.chords {
		sooner(c.at.Add(longest))
	}
	return next
}

// tick ends gestures that have been quiet for long enough.
func (f *folder) tick(now time.Time) {
	for i := 0; i < len(f.moves); {
		if m := f.moves[i]; !now.Before(m.ends()) {
			f.endMove(i)
		} else {
			i++
		}
	}
	for len(f.chords) > 0 && !now.Before(f.chords[0].at.Add(longest)) {
		f.endChord(f.chords[0], now)
	}
}

// flush ends every gesture in progress as it is: the device is lost, or observation must stop.
func (f *folder) flush(now time.Time) {
	for len(f.moves) > 0 {
		f.endMove(0)
	}
	for len(f.chords) > 0 {
		f.endChord(f.chords[0], now)
	}
	f.forget()
}

// forget drops every gesture in progress.
func (f *folder) forget() { *f = *newFolder(f.emit) }

// Names of transport bytes and of machine control commands (MIDI 1.0, "MIDI Machine Control" 1.0).
var (
	realTime       = map[byte]string{start: "start", goOn: "continue", stop: "stop"}
	machineControl = map[byte]string{1: "stop", 2: "play", 3: "play", 4: "fast forward", 5: "rewind", 6: "record", 7: "stop recording",
		9: "pause"}
)

// transport handles a transport button. Devices that speak both dialects send two messages for one press.
func (f *folder) transport(name string, at time.Time) {
	if name == "" {
		return
	}
	m := f.move(moveKey{transporting, 0, 0}, at)
	if m.name == "" {
		m.name = name
	}
	m.messages++
}

// program handles a program change; a bank just selected with controllers 0 and 32 belongs to it.
func (f *folder) program(ch, number byte, at time.Time) {
	g := gesture{at: at, MIDIGesture: capture.MIDIGesture{Gesture: "program", Channel: int(ch) + 1, Numbers: []int{int(number)}, Messages: 1}}
	for _, half := range []byte{0, 32} {
		m := f.running(moveKey{turning, ch, int(half)})
		if m == nil {
			continue
		}
		v := m.value()
		if half == 0 && m.max == 0 {
			v <<= 7
		}
		g.Bank += v
		g.Messages += m.messages
		g.at = earlier(g.at, m.at)
		f.drop(m)
	}
	g.DurationMS = at.Sub(g.at).Milliseconds()
	f.emit(g)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
