package midi

import (
	"bytes"
	"slices"
	"testing"

	"gitlab.com/gomidi/midi/v2"
	"gitlab.com/gomidi/midi/v2/drivers"
	"pgregory.net/rapid"
)

func parseAll(b []byte) []message {
	var p parser
	var out []message
	for _, x := range b {
		if m, ok := p.feed(x); ok {
			out = append(out, m)
		}
	}
	return out
}

func TestParse(t *testing.T) {
	for name, tc := range map[string]struct {
		in   []byte
		want []message
	}{
		"note":                    {[]byte{0x90, 60, 100, 0x80, 60, 0}, []message{{0x90, 60, 100}, {0x80, 60, 0}}},
		"running status":          {[]byte{0xB3, 7, 1, 7, 2, 7, 3}, []message{{0xB3, 7, 1}, {0xB3, 7, 2}, {0xB3, 7, 3}}},
		"one data byte":           {[]byte{0xC1, 5, 6, 0xD1, 9}, []message{{0xC1, 5, 0}, {0xC1, 6, 0}, {0xD1, 9, 0}}},
		"clock inside":            {[]byte{0x90, 0xF8, 60, 0xFE, 100, 0xF8}, []message{{0x90, 60, 100}}},
		"start inside":            {[]byte{0x90, 60, 0xFA, 100}, []message{{status: 0xFA}, {0x90, 60, 100}}},
		"cut short":               {[]byte{0x90, 60, 0x90, 61, 100}, []message{{0x90, 61, 100}}},
		"data without status":     {[]byte{1, 2, 3, 0x90, 60, 100}, []message{{0x90, 60, 100}}},
		"exclusive":               {[]byte{0xF0, 0x43, 1, 2, 3, 4, 5, 6, 7, 0xF7, 0x90, 60, 100}, []message{{0x90, 60, 100}}},
		"exclusive, no end":       {[]byte{0xF0, 0x43, 1, 0x90, 60, 100}, []message{{0x90, 60, 100}}},
		"exclusive ends running":  {[]byte{0x90, 60, 100, 0xF0, 1, 0xF7, 61, 100}, []message{{0x90, 60, 100}}},
		"long exclusive":          {append(append([]byte{0xF0}, bytes.Repeat([]byte{1}, 1<<16)...), 0xF7, 0xC0, 1), []message{{0xC0, 1, 0}}},
		"machine control":         {[]byte{0xF0, 0x7F, 0x7F, 6, 2, 0xF7}, []message{{0xF0, 2, 0}}},
		"machine control, clock":  {[]byte{0xF0, 0x7F, 0xF8, 1, 6, 1, 0xF7}, []message{{0xF0, 1, 0}}},
		"machine control, locate": {[]byte{0xF0, 0x7F, 0x7F, 6, 0x44, 6, 1, 0, 0, 0, 0, 0, 0xF7}, nil},
		"machine control, cut":    {[]byte{0xF0, 0x7F, 0x7F, 6, 2, 0xF0, 0xF7}, nil},
		"time code, song select":  {[]byte{0xF1, 0x12, 0xF3, 4, 0xF6, 0xF2, 1, 2, 0xFC}, []message{{status: 0xFC}}},
		"system common and data":  {[]byte{0x90, 60, 100, 0xF6, 61, 100}, []message{{0x90, 60, 100}}},
		"reset, undefined":        {[]byte{0xFF, 0xF9, 0xFD, 0xF4, 0xF5}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parseAll(tc.in); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// On streams that are whole, the parser agrees with the library's reader.
func TestParseAgrees(t *testing.T) {
	data := rapid.Uint8Range(0, 127)
	one := rapid.Custom(func(t *rapid.T) []byte {
		ch := rapid.Uint8Range(0, 15).Draw(t, "channel")
		a, b := data.Draw(t, "a"), data.Draw(t, "b")
		switch rapid.IntRange(0, 7).Draw(t, "what") {
		case 0:
			return midi.NoteOn(ch, a, b)
		case 1:
			return midi.NoteOffVelocity(ch, a, b)
		case 2:
			return midi.ControlChange(ch, a, b)
		case 3:
			return midi.ProgramChange(ch, a)
		case 4:
			return midi.Pitchbend(ch, int16(a)*64)
		case 5:
			return midi.AfterTouch(ch, a)
		case 6:
			return midi.TimingClock()
		default:
			return midi.PolyAfterTouch(ch, a, b)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		var stream []byte
		for _, m := range rapid.SliceOf(one).Draw(t, "messages") {
			stream = append(stream, m...)
		}
		var want []message
		r := drivers.NewReader(drivers.ListenConfig{}, func(m []byte, _ int32) {
			if len(m) == 3 {
				want = append(want, message{m[0], m[1], m[2]})
			}
		})
		r.EachMessage(stream, 0)
		if got := parseAll(stream); !slices.Equal(got, want) {
			t.Fatalf("% X: got %v, the library %v", stream, got, want)
		}
	})
}

func FuzzFold(f *testing.F) {
	f.Add([]byte{0x90, 60, 100, 0x90, 64, 100, 0x80, 60, 0, 64, 0})
	f.Add([]byte{0xB0, 99, 1, 98, 2, 6, 3, 38, 4, 101, 127, 100, 127, 0xC0, 5})
	f.Add([]byte{0xF0, 0x7F, 0x7F, 6, 2, 0xF7, 0xFA, 0xE0, 0, 64, 0xB0, 123, 0})
	f.Add([]byte{0xB0, 1, 5, 33, 6, 1, 7, 33, 8, 0, 1, 32, 2, 0xC0, 9})
	f.Fuzz(func(t *testing.T, b []byte) { checkFold(t, b) })
}
