package midi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var zero = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// played is what one hand did: bytes at milliseconds.
type played struct {
	ms    int
	bytes []byte
}

// fold plays everything and lets all gestures end.
func fold(in []played) []string {
	var out []string
	f := newFolder(func(g gesture) { out = append(out, line(g)) })
	var p parser
	for _, x := range in {
		for _, b := range x.bytes {
			if m, ok := p.feed(b); ok {
				f.take(m, zero.Add(time.Duration(x.ms)*time.Millisecond))
			}
		}
	}
	for due := f.due(); !due.IsZero(); due = f.due() {
		f.tick(due)
	}
	return out
}

// line formats a gesture: when it began, then what it was.
func line(g gesture) string {
	b, _ := json.Marshal(g.MIDIGesture)
	s := strings.NewReplacer(`"gesture":`, "", `"`, "", "duration_ms", "ms", "messages", "n").Replace(strings.Trim(string(b), "{}"))
	return fmt.Sprintf("%d %s", g.at.Sub(zero).Milliseconds(), s)
}

func sweep(status, number byte, ms, step int, values ...byte) []played {
	var out []played
	for i, v := range values {
		out = append(out, played{ms + i*step, []byte{status, number, v}})
	}
	return out
}

func TestFold(t *testing.T) {
	for name, tc := range map[string]struct {
		in   []played
		want []string
	}{
		"note": {[]played{{0, []byte{0x90, 36, 100}}, {120, []byte{0x80, 36, 0}}},
			[]string{"0 note,channel:1,numbers:[36],from:100,n:2,ms:120"}},
		"note-on without velocity is a release": {[]played{{0, []byte{0x99, 36, 100}}, {120, []byte{0x99, 36, 0}}},
			[]string{"0 note,channel:10,numbers:[36],from:100,n:2,ms:120"}},
		"chord": {[]played{{0, []byte{0x90, 64, 90}}, {12, []byte{67, 95}}, {30, []byte{60, 80}}, {800, []byte{64, 0}}, {810, []byte{60, 0}},
			{900, []byte{67, 0}}},
			[]string{"0 chord,channel:1,numbers:[60,64,67],from:95,n:6,ms:900"}},
		"a chord's channel is one": {[]played{{0, []byte{0x90, 64, 90, 0x91, 65, 91}}, {100, []byte{0x80, 64, 0, 0x81, 65, 0}}},
			[]string{"0 note,channel:1,numbers:[64],from:90,n:2,ms:100", "0 note,channel:2,numbers:[65],from:91,n:2,ms:100"}},
		"legato is no chord": {[]played{{0, []byte{0x90, 60, 90}}, {100, []byte{62, 90}}, {110, []byte{60, 0}}, {300, []byte{62, 0}}},
			[]string{"0 note,channel:1,numbers:[60],from:90,n:2,ms:110", "100 note,channel:1,numbers:[62],from:90,n:2,ms:200"}},
		"one after the other is no chord": {[]played{{0, []byte{0x90, 60, 90}}, {10, []byte{60, 0}}, {20, []byte{62, 90}}, {30, []byte{62, 0}}},
			[]string{"0 note,channel:1,numbers:[60],from:90,n:2,ms:10", "20 note,channel:1,numbers:[62],from:90,n:2,ms:10"}},
		"struck again without a release": {[]played{{0, []byte{0x90, 60, 90}}, {500, []byte{60, 91}}, {700, []byte{60, 0}}},
			[]string{"0 note,channel:1,numbers:[60],from:90,n:1,ms:500", "500 note,channel:1,numbers:[60],from:91,n:2,ms:200"}},
		"never released": {[]played{{0, []byte{0x90, 60, 90}}},
			[]string{"0 note,channel:1,numbers:[60],from:90,n:1,ms:30000"}},
		"all notes off": {[]played{{0, []byte{0x90, 60, 90, 64, 90}}, {500, []byte{0xB0, 123, 0}}, {510, []byte{0x80, 60, 0}}},
			[]string{"0 chord,channel:1,numbers:[60,64],from:90,n:3,ms:500"}},
		"pressure belongs to the note": {[]played{{0, []byte{0x90, 60, 90}}, {50, []byte{0xD0, 20}}, {60, []byte{0xA0, 60, 30}},
			{90, []byte{0x80, 60, 0}}, {95, []byte{0xD0, 0}}},
			[]string{"0 note,channel:1,numbers:[60],from:90,n:4,ms:90"}},
		"release of nothing": {[]played{{0, []byte{0x80, 60, 90, 0x90, 61, 0}}}, nil},

		"sweep": {sweep(0xB0, 21, 0, 20, 10, 20, 30, 40, 127),
			[]string{"0 control,channel:1,numbers:[21],from:10,to:127,n:5,ms:80"}},
		"two sweeps": {slices.Concat(sweep(0xB0, 21, 0, 20, 10, 20, 30), sweep(0xB0, 21, 40+250, 20, 31, 32)),
			[]string{"0 control,channel:1,numbers:[21],from:10,to:30,n:3,ms:40", "290 control,channel:1,numbers:[21],from:31,to:32,n:2,ms:20"}},
		"slow sweep": {sweep(0xB0, 21, 0, 249, 10, 20, 30),
			[]string{"0 control,channel:1,numbers:[21],from:10,to:30,n:3,ms:498"}},
		"two hands": {[]played{{0, []byte{0xB0, 21, 1}}, {3, []byte{22, 127}}, {20, []byte{21, 2}}, {23, []byte{22, 126}}},
			[]string{"0 control,channel:1,numbers:[21],from:1,to:2,n:2,ms:20", "3 control,channel:1,numbers:[22],from:127,to:126,n:2,ms:20"}},
		"up and back": {sweep(0xB0, 1, 0, 20, 0, 60, 127, 60, 0),
			[]string{"0 control,channel:1,numbers:[1],peak:127,n:5,ms:80"}},
		"button": {sweep(0xB0, 44, 0, 90, 127, 0),
			[]string{"0 control,channel:1,numbers:[44],from:127,n:2,ms:90"}},
		"toggle": {sweep(0xB0, 44, 0, 90, 127),
			[]string{"0 control,channel:1,numbers:[44],from:127,to:127,n:1,ms:0"}},

		"14 bits": {[]played{{0, []byte{0xB0, 7, 1, 39, 5}}, {20, []byte{7, 2, 39, 0}}, {40, []byte{39, 9}}, {60, []byte{7, 3, 39, 1}}},
			[]string{"0 control,channel:1,numbers:[7],from:133,to:385,max:16383,n:7,ms:60"}},
		"14 bits downwards have no dip": {[]played{{0, []byte{0xB0, 7, 2, 39, 0}}, {20, []byte{7, 1, 39, 127}}, {40, []byte{7, 2, 39, 1}}},
			[]string{"0 control,channel:1,numbers:[7],from:256,to:257,peak:255,max:16383,n:6,ms:40"}},
		"two knobs 32 apart": {[]played{{0, []byte{0xB0, 7, 1}}, {100, []byte{39, 5}}, {120, []byte{39, 6}}, {140, []byte{7, 2}}},
			[]string{"100 control,channel:1,numbers:[39],from:5,to:6,n:2,ms:20", "0 control,channel:1,numbers:[7],from:1,to:2,n:2,ms:140"}},
		"nrpn": {[]played{{0, []byte{0xB0, 99, 1, 98, 8, 6, 64}}, {20, []byte{99, 1, 98, 8, 6, 66}}, {40, []byte{6, 70}},
			{41, []byte{101, 127, 100, 127}}},
			[]string{"0 control,channel:1,numbers:[136],parameter:nrpn,from:64,to:70,n:9,ms:41"}},
		"nrpn of 14 bits": {[]played{{0, []byte{0xB0, 99, 1, 98, 8, 6, 64, 38, 3}}, {20, []byte{6, 65, 38, 0}}},
			[]string{"0 control,channel:1,numbers:[136],parameter:nrpn,from:8195,to:8320,max:16383,n:6,ms:20"}},
		"rpn in steps": {[]played{{0, []byte{0xB0, 101, 0, 100, 1}}, {5, []byte{96, 0, 96, 0, 97, 0, 96, 0}}},
			[]string{"0 control,channel:1,numbers:[1],parameter:rpn,to:2,n:6,ms:5"}},
		"data entry is a knob when nothing is picked": {sweep(0xB0, 6, 0, 10, 1, 2),
			[]string{"0 control,channel:1,numbers:[6],from:1,to:2,n:2,ms:10"}},
		"a knob that happens to be 98": {sweep(0xB0, 98, 0, 10, 1, 2),
			[]string{"0 control,channel:1,numbers:[98],from:1,to:2,n:2,ms:10"}},

		"program":           {[]played{{0, []byte{0xC2, 5}}}, []string{"0 program,channel:3,numbers:[5],n:1,ms:0"}},
		"program in a bank": {[]played{{0, []byte{0xB2, 0, 1, 32, 3, 0xC2, 5}}}, []string{"0 program,channel:3,numbers:[5],bank:131,n:3,ms:0"}},
		"upper bank alone": {[]played{{0, []byte{0xB2, 0, 1}}, {5, []byte{0xC2, 5}}},
			[]string{"0 program,channel:3,numbers:[5],bank:128,n:2,ms:5"}},
		"bend": {[]played{{0, []byte{0xE0, 0, 64}}, {20, []byte{0, 96}}, {40, []byte{127, 127}}, {60, []byte{0, 64}}},
			[]string{"0 pitch_bend,channel:1,peak:8191,max:8191,n:4,ms:60"}},
		"transport": {[]played{{0, []byte{0xFA}}, {500, []byte{0xFC}}, {900, []byte{0xFB}}},
			[]string{"0 transport,n:1,ms:0,transport:start", "500 transport,n:1,ms:0,transport:stop", "900 transport,n:1,ms:0,transport:continue"}},
		"machine control":   {[]played{{0, []byte{0xF0, 0x7F, 0x7F, 6, 6, 0xF7}}}, []string{"0 transport,n:1,ms:0,transport:record"}},
		"both dialects":     {[]played{{0, []byte{0xF0, 0x7F, 0x7F, 6, 2, 0xF7, 0xFA}}}, []string{"0 transport,n:2,ms:0,transport:play"}},
		"clock and sensing": {[]played{{0, []byte{0xF8, 0xFE}}, {20, []byte{0xF8}}, {40, []byte{0xF8, 0xF1, 3}}}, nil},
		"exclusive is none": {[]played{{0, []byte{0xF0, 0x41, 0x10, 0x42, 0xF7}}}, nil},
		"unknown command":   {[]played{{0, []byte{0xF0, 0x7F, 0x7F, 6, 0x0D, 0xF7}}}, nil},
		"a note in a sweep": {[]played{{0, []byte{0xB0, 21, 1}}, {10, []byte{0x90, 60, 9}}, {20, []byte{0x80, 60, 0}},
			{30, []byte{0xB0, 21, 5}}}, []string{"10 note,channel:1,numbers:[60],from:9,n:2,ms:10",
			"0 control,channel:1,numbers:[21],from:1,to:5,n:2,ms:30"}},
		"other channel, too": {[]played{{0, []byte{0xB0, 7, 1, 0xB1, 39, 2}}},
			[]string{"0 control,channel:1,numbers:[7],from:1,to:1,n:1,ms:0", "0 control,channel:2,numbers:[39],from:2,to:2,n:1,ms:0"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fold(tc.in); !slices.Equal(got, tc.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(tc.want, "\n  "))
			}
		})
	}
}

// checkFold holds for any bytes: every gesture is within its bounds, none stays in progress for ever, and every
// message of a controller, note-on, program, bend or transport is in exactly one gesture.
func checkFold(t *testing.T, b []byte) {
	count, sent := 0, 0
	f := newFolder(func(g gesture) {
		count += g.Messages
		if g.Messages < 1 || g.DurationMS < 0 || g.at.Before(zero) || g.Channel < 0 || g.Channel > 16 {
			t.Errorf("%+v", g)
		}
		for _, n := range append(slices.Clone(g.Numbers), max(0, g.From), max(0, g.To), g.Bank) {
			if n < 0 || n > 1<<14-1 {
				t.Errorf("%+v", g)
			}
		}
	})
	var p parser
	at := zero
	for i, x := range b {
		if m, ok := p.feed(x); ok {
			at = at.Add(time.Duration(i%7) * 20 * time.Millisecond)
			f.take(m, at)
			switch hi := m.status & 0xF0; {
			case hi == noteOn && m.b > 0, hi == controlChange && m.a != allSoundOff && m.a != allNotesOff, hi == programChange, hi == pitchBend,
				m.status == exclusive && machineControl[m.a] != "", m.status > exclusive:
				sent++
			}
		}
	}
	for n := 0; !f.due().IsZero(); n++ {
		if n > len(b) {
			t.Fatal("something is under way for ever")
		}
		f.tick(f.due())
	}
	if count < sent {
		t.Errorf("%d messages, %d in gestures", sent, count)
	}
}
