package midi

import (
	"slices"
	"time"

	"showhow/capture"
)

// kind is the kind of control that moves.
type kind int

const (
	turning      kind = iota // a controller
	registered               // a registered parameter (RPN), set with controllers 101, 100 and 6, 38
	private                  // a non-registered parameter (NRPN), set with controllers 99, 98 and 6, 38
	bending                  // the pitch wheel
	transporting             // a transport button
)

type moveKey struct {
	kind    kind
	channel byte
	number  int
}

// move is a sweep of one controller in progress.
type move struct {
	moveKey
	at, last time.Time
	messages int

	from, to, low, high int
	values              int // that were set

	max  int  // 16383 once its values are known to have 14 bits
	half int  // the upper seven bits, while the lower ones are awaited
	open bool // they are
	name string
}

// ends is when the move counts as over unless another message comes.
func (m *move) ends() time.Time {
	if m.kind == transporting {
		return m.at.Add(together)
	}
	return m.last.Add(quiet)
}

// set notes a value.
func (m *move) set(v int, at time.Time) {
	m.last = at
	m.messages++
	m.note(v)
}

func (m *move) note(v int) {
	if m.values++; m.values == 1 {
		m.from, m.low, m.high = v, v, v
	}
	m.to, m.low, m.high = v, min(m.low, v), max(m.high, v)
}

// upper notes the upper half of a value, or the whole value of a controller with 7 bits.
func (m *move) upper(v int, at time.Time) {
	m.settle()
	m.half = v
	if m.max == 0 {
		m.set(v, at)
		return
	}
	m.open, m.last = true, at
	m.messages++
}

// lower notes the lower half: from the first one on the move's values have 14 bits.
func (m *move) lower(v int, at time.Time) {
	v |= m.half << 7
	if m.max == 0 {
		m.max = 1<<14 - 1
		m.from, m.to, m.low, m.high = m.from<<7, m.to<<7, m.low<<7, m.high<<7
		if m.values == 1 { // the sweep began with this pair
			m.values = 0
		}
	}
	m.open = false
	m.set(v, at)
}

// settle takes an upper half without a lower one as the value.
func (m *move) settle() {
	if m.open {
		m.open = false
		m.note(m.half << 7)
	}
}

// value is the last value.
func (m *move) value() int {
	m.settle()
	return m.to
}

// peak is the extreme value if the move went beyond its two ends, else nil.
func (m *move) peak() *int {
	over, under := m.high-max(m.from, m.to), min(m.from, m.to)-m.low
	switch {
	case over <= 0 && under <= 0:
		return nil
	case over >= under:
		return &m.high
	}
	return &m.low
}

// move returns the move in progress, or a new one.
func (f *folder) move(k moveKey, at time.Time) *move {
	if m := f.running(k); m != nil {
		return m
	}
	m := &move{moveKey: k, at: at, last: at}
	f.moves = append(f.moves, m)
	return m
}

func (f *folder) running(k moveKey) *move {
	for _, m := range f.moves {
		if m.moveKey == k {
			return m
		}
	}
	return nil
}

func (f *folder) drop(m *move) {
	f.moves = slices.DeleteFunc(f.moves, func(o *move) bool { return o == m })
}

func (f *folder) endMove(i int) {
	m := f.moves[i]
	f.moves = slices.Delete(f.moves, i, i+1)
	m.settle()
	g := gesture{at: m.at, MIDIGesture: capture.MIDIGesture{Gesture: "control", Channel: int(m.channel) + 1, Numbers: []int{m.number},
		From: m.from, To: m.to, Peak: m.peak(), Max: m.max, Messages: m.messages, DurationMS: m.last.Sub(m.at).Milliseconds()}}
	switch m.kind {
	case registered:
		g.Parameter = "rpn"
	case private:
		g.Parameter = "nrpn"
	case bending:
		g.Gesture, g.Numbers, g.Max = "pitch_bend", nil, 8191
	case transporting:
		g.MIDIGesture = capture.MIDIGesture{Gesture: "transport", Transport: m.name, Messages: m.messages}
	}
	f.emit(g)
}

// Controllers that mean something other than their own position.
const (
	dataUpper    = 6
	dataLower    = 38
	increment    = 96
	decrement    = 97
	privateLower = 98
	privateUpper = 99
	registLower  = 100
	registUpper  = 101
	allSoundOff  = 120
	allNotesOff  = 123
	nothing      = 0x7F // as both halves of a parameter's number: none is picked
)

// parameter is the parameter that a channel's data entry sets.
type parameter struct {
	kind         kind
	upper, lower byte
	has          byte // bits: 1 upper, 2 lower
}

func (p parameter) picked() bool {
	return p.has == 3 && (p.upper != nothing || p.lower != nothing)
}

func (p parameter) number() int { return int(p.upper)<<7 | int(p.lower) }

// control folds a controller's message.
func (f *folder) control(ch, n, v byte, at time.Time) {
	pick := &f.picked[ch]
	switch {
	case (n == allSoundOff || n == allNotesOff) && v == 0:
		f.releaseAll(ch, at)
		return
	case n >= privateLower && n <= registUpper:
		if f.pick(ch, n, v, at) {
			return
		}
	case (n == dataUpper || n == dataLower || n == increment || n == decrement) && pick.picked():
		f.enter(ch, n, v, at)
		return
	case n >= 32 && n < 64:
		upper := f.running(moveKey{turning, ch, int(n) - 32})
		if upper != nil && (upper.max > 0 || f.latest[ch] == upper && at.Sub(upper.last) <= adjacent) {
			upper.lower(int(v), at)
			return
		}
	}
	m := f.move(moveKey{turning, ch, int(n)}, at)
	f.latest[ch] = m
	m.upper(int(v), at)
}

// pick notes half of a parameter's number. Until a value follows, the message counts as that controller's own;
// selecting the null parameter after a value belongs to that value's gesture, and is then reported as used.
func (f *folder) pick(ch, n, v byte, at time.Time) (used bool) {
	p := &f.picked[ch]
	k := registered
	if n <= privateUpper {
		k = private
	}
	if v == nothing {
		for _, m := range f.moves {
			if (m.kind == registered || m.kind == private) && m.channel == ch {
				m.messages++
				m.last = at
				used = true
				break
			}
		}
	}
	if p.kind != k {
		*p = parameter{kind: k}
	}
	if n == privateUpper || n == registUpper {
		p.upper, p.has = v, p.has|1
	} else {
		p.lower, p.has = v, p.has|2
	}
	return used
}

// enter sets the selected parameter. The messages that selected it belong to the gesture.
func (f *folder) enter(ch, n, v byte, at time.Time) {
	p := f.picked[ch]
	m := f.move(moveKey{p.kind, ch, p.number()}, at)
	for c := privateLower; c <= registUpper; c++ {
		if picking := f.running(moveKey{turning, ch, c}); picking != nil {
			m.at = earlier(m.at, picking.at)
			m.messages += picking.messages
			f.drop(picking)
		}
	}
	switch n {
	case dataUpper:
		m.upper(int(v), at)
	case dataLower:
		m.lower(int(v), at)
	default: // steps: what they start from is not known
		if m.values == 0 {
			m.note(0)
		}
		m.set(m.value()+map[byte]int{increment: 1, decrement: -1}[n], at)
	}
}
