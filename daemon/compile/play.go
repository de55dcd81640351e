package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/capture"
)

// turnGap is how long after the beginning of a knob's movement another one still corrects it.
const turnGap = 5 * time.Second

// joined is what two gestures of one act are together: of a knob that was moved twice the last position counts.
func joined(a, b *capture.MIDIGesture) *capture.MIDIGesture {
	if a == nil || b == nil {
		return keep(a, b)
	}
	c := *a
	c.To, c.Messages = b.To, a.Messages+b.Messages
	return &c
}

// sameKnob reports whether a gesture goes on with what the last act moved. Buttons are not moved.
func sameKnob(last *act, r *capture.Record) bool {
	a, b := last.midi, r.Action.MIDI
	return a != nil && b != nil && a.Gesture == "control" && !a.Momentary() && !b.Momentary() &&
		last.device == r.Action.Device && control(last.device, a) == control(r.Action.Device, b)
}

// control names what was played on, or with notes what was played.
func control(device string, g *capture.MIDIGesture) string {
	if g == nil {
		return ""
	}
	return fmt.Sprintf("%s|%s|%d|%v|%s|%s", strings.ToLower(device), g.Gesture, g.Channel, g.Numbers, g.Parameter, g.Transport)
}

// Notes in a row are one passage from this many on; a pause longer than the gap ends it.
const (
	passageNotes = 5
	passageGap   = 2 * time.Second
)

// passages joins notes and chords that were played in a row on one device: music is not a list of key presses.
func (n *normalised) passages() {
	for i := 0; i < len(n.acts); i++ {
		j := i + 1
		for j < len(n.acts) && follows(n.acts[j-1], n.acts[j]) {
			j++
		}
		if j-i < passageNotes {
			continue
		}
		a := n.acts[i]
		for _, b := range n.acts[i:j] {
			a.passage = append(a.passage, b.midi.Numbers)
			if b != a {
				a.recs = append(a.recs, b.recs...)
				a.after, a.changed = keep(b.after, a.after), a.changed || b.changed
			}
		}
		n.acts = slices.Delete(n.acts, i+1, j)
	}
}

func follows(a, b *act) bool {
	return isNote(a.midi) && isNote(b.midi) && a.device == b.device && a.midi.Channel == b.midi.Channel &&
		b.at.Sub(a.at)-time.Duration(a.midi.DurationMS)*time.Millisecond < passageGap
}

func isNote(g *capture.MIDIGesture) bool {
	return g != nil && (g.Gesture == "note" || g.Gesture == "chord")
}

// pressedAgain counts a button, a pad or a transport key that was pressed several times in a row.
func (n *normalised) pressedAgain() {
	for i := 1; i < len(n.acts); i++ {
		a, b := n.acts[i-1], n.acts[i]
		if a.midi == nil || b.midi == nil || a.passage != nil || b.passage != nil || control(a.device, a.midi) != control(b.device, b.midi) ||
			a.midi.Gesture == "control" && (!a.midi.Momentary() || !b.midi.Momentary()) {
			continue
		}
		a.times += b.times
		a.recs = append(a.recs, b.recs...)
		n.acts = slices.Delete(n.acts, i, i+1)
		i--
	}
}

// gestureOf is what all demonstrations of the step have in common: a position that differed is none.
func gestureOf(c *column) *capture.MIDIGesture {
	base, _ := c.base()
	if base.midi == nil {
		return nil
	}
	g := *base.midi
	for _, a := range c.acts {
		if a != nil && a.midi != nil && g.Gesture == "control" && (a.midi.To != g.To || a.midi.Momentary() != g.Momentary()) {
			g.From, g.To, g.Peak = 0, 0, nil
			g.Messages = max(g.Messages, 3) // turned, nobody knows how far
		}
	}
	return &g
}

// playPhrase says what was played in words and in numbers: a person knows the knob, a program needs its number.
func playPhrase(st *step, past bool) string {
	out := gesturePhrase(st, past) + onDevice(st)
	if st.Times > 1 {
		out += " " + strconv.Itoa(st.Times) + " times"
	}
	return out
}

func onDevice(st *step) string {
	out := ""
	if st.Device != "" {
		out = ` on "` + st.Device + `"`
	}
	if st.MIDI.Channel > 1 {
		out += fmt.Sprintf(" (channel %d)", st.MIDI.Channel)
	}
	return out
}

func gesturePhrase(st *step, past bool) string {
	g := st.MIDI
	switch {
	case st.act.passage != nil:
		return tense(past, "play ", "played ") + passageWords(st.act.passage)
	case g.Gesture == "note" && g.Channel == drums:
		return tense(past, "hit", "hit") + fmt.Sprintf(" the pad %d", numberOf(g))
	case g.Gesture == "note":
		return tense(past, "play ", "played ") + "the note " + noteName(numberOf(g))
	case g.Gesture == "chord" && g.Channel == drums:
		return tense(past, "hit", "hit") + " the pads " + andList(numbers(g.Numbers)) + " together"
	case g.Gesture == "chord":
		return tense(past, "play ", "played ") + "the chord " + chordName(g.Numbers)
	case g.Gesture == "control":
		return controlPhrase(g, past)
	case g.Gesture == "program" && g.Bank > 0:
		return tense(past, "choose ", "chose ") + fmt.Sprintf("the program %d of the bank %d", numberOf(g), g.Bank)
	case g.Gesture == "program":
		return tense(past, "choose ", "chose ") + fmt.Sprintf("the program %d", numberOf(g))
	case g.Gesture == "pitch_bend":
		return tense(past, "bend ", "bent ") + "the pitch" + bentTo(g)
	case g.Gesture == "transport":
		return tense(past, "press ", "pressed ") + g.Transport
	}
	return tense(past, "play", "played")
}

// drums is the channel of percussion (General MIDI), where notes are pads.
const drums = 10

func controlPhrase(g *capture.MIDIGesture, past bool) string {
	what := fmt.Sprintf("knob %d", numberOf(g))
	if g.Parameter != "" {
		what = fmt.Sprintf("the parameter %d (%s)", numberOf(g), strings.ToUpper(g.Parameter))
	}
	switch {
	case g.Momentary():
		return tense(past, "press ", "pressed ") + fmt.Sprintf("the button %d", numberOf(g))
	case g.Messages == 1 && g.Parameter == "":
		return tense(past, "set ", "set ") + fmt.Sprintf("controller %d to %d", numberOf(g), g.To)
	case g.Peak != nil:
		return tense(past, "turn ", "turned ") + what + fmt.Sprintf(" to %d and then to %d", *g.Peak, g.To) + outOf(g)
	case g.From == g.To:
		return tense(past, "turn ", "turned ") + what
	}
	return tense(past, "turn ", "turned ") + what + fmt.Sprintf(" to %d", g.To) + outOf(g)
}

func outOf(g *capture.MIDIGesture) string {
	if g.Max > 127 {
		return " of " + strconv.Itoa(g.Max)
	}
	return ""
}

func bentTo(g *capture.MIDIGesture) string {
	if g.Peak != nil {
		return fmt.Sprintf(" to %d and then to %d", *g.Peak, g.To)
	}
	return fmt.Sprintf(" to %d", g.To)
}

func numberOf(g *capture.MIDIGesture) int {
	if len(g.Numbers) == 0 {
		return 0
	}
	return g.Numbers[0]
}

func numbers(in []int) []string {
	out := make([]string, len(in))
	for i, n := range in {
		out[i] = strconv.Itoa(n)
	}
	return out
}

var pitches = [12]string{"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"}

// noteName is a note's number with its name; middle C, 60, is C4 here as for most makers.
func noteName(n int) string { return fmt.Sprintf("%d (%s%d)", n, pitches[n%12], n/12-1) }

func chordName(notes []int) string {
	names := make([]string, len(notes))
	for i, n := range notes {
		names[i] = noteName(n)
	}
	return andList(names)
}

// passageWords tells a passage by its length and its beginning.
func passageWords(p [][]int) string {
	var begin []string
	for _, notes := range p[:min(len(p), 8)] {
		begin = append(begin, strings.Join(numbers(notes), "+"))
	}
	if len(p) > 8 {
		return fmt.Sprintf("%d notes in a row (%s, ...)", len(p), strings.Join(begin, ", "))
	}
	return fmt.Sprintf("%d notes in a row (%s)", len(p), strings.Join(begin, ", "))
}
