package flow

import (
	"fmt"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/intent"
)

// gestureOf returns what all demonstrations of the step have in common: a position that differs is left out.
func gestureOf(c *align.Column) *capture.MIDIGesture {
	base, _ := c.Base()
	if base.MIDI == nil {
		return nil
	}
	g := *base.MIDI
	for _, a := range c.Acts {
		if a != nil && a.MIDI != nil && g.Gesture == "control" && (a.MIDI.To != g.To || a.MIDI.Momentary() != g.Momentary()) {
			g.From, g.To, g.Peak = 0, 0, nil
			g.Messages = max(g.Messages, 3) // turned by an unknown amount
		}
	}
	return &g
}

// playPhrase describes what was played in words and numbers: a person knows the knob, a program needs its number.
func playPhrase(st *Step, past bool) string {
	out := gesturePhrase(st, past) + onDevice(st)
	if st.Times > 1 {
		out += " " + strconv.Itoa(st.Times) + " times"
	}
	return out
}

func onDevice(st *Step) string {
	out := ""
	if st.Device != "" {
		out = ` on "` + st.Device + `"`
	}
	if st.MIDI.Channel > 1 {
		out += fmt.Sprintf(" (channel %d)", st.MIDI.Channel)
	}
	return out
}

func gesturePhrase(st *Step, past bool) string {
	g := st.MIDI
	switch {
	case st.Act.Passage != nil:
		return tense(past, "play ", "played ") + passageWords(st.Act.Passage)
	case g.Gesture == "note" && g.Channel == drums:
		return tense(past, "hit", "hit") + fmt.Sprintf(" the pad %d", numberOf(g))
	case g.Gesture == "note":
		return tense(past, "play ", "played ") + "the note " + noteName(numberOf(g))
	case g.Gesture == "chord" && g.Channel == drums:
		return tense(past, "hit", "hit") + " the pads " + intent.AndList(numbers(g.Numbers)) + " together"
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

// drums is the percussion channel (General MIDI), where notes are pads.
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

// noteName returns a note's number with its name; middle C, 60, is C4 here as for most makers.
func noteName(n int) string { return fmt.Sprintf("%d (%s%d)", n, pitches[n%12], n/12-1) }

func chordName(notes []int) string {
	names := make([]string, len(notes))
	for i, n := range notes {
		names[i] = noteName(n)
	}
	return intent.AndList(names)
}

// passageWords describes a passage by its length and its beginning.
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
