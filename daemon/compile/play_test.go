package compile

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/trace"
)

func TestPlayPhrases(t *testing.T) {
	back := 127
	for want, g := range map[string]capture.MIDIGesture{
		"hit the pad 36 (channel 10)":                  {Gesture: "note", Channel: 10, Numbers: []int{36}, Messages: 2},
		"played the note 60 (C4)":                      {Gesture: "note", Channel: 1, Numbers: []int{60}, Messages: 2},
		"hit the pads 36 and 38 together (channel 10)": {Gesture: "chord", Channel: 10, Numbers: []int{36, 38}, Messages: 4},
		"set controller 7 to 90":                       {Gesture: "control", Numbers: []int{7}, From: 90, To: 90, Messages: 1},
		"turned knob 21 to 127":                        {Gesture: "control", Numbers: []int{21}, From: 3, To: 127, Messages: 9},
		"turned knob 1 to 127 and then to 0":           {Gesture: "control", Numbers: []int{1}, Peak: &back, Messages: 9},
		"turned knob 7 to 385 of 16383":                {Gesture: "control", Numbers: []int{7}, To: 385, Max: 16383, Messages: 9},
		"turned the parameter 136 (NRPN) to 70":        {Gesture: "control", Parameter: "nrpn", Numbers: []int{136}, To: 70, Messages: 9},
		"turned knob 16":                               {Gesture: "control", Numbers: []int{16}, From: 1, To: 1, Messages: 5},
		"pressed the button 44":                        {Gesture: "control", Numbers: []int{44}, From: 127, Messages: 2},
		"chose the program 5":                          {Gesture: "program", Numbers: []int{5}, Messages: 1},
		"bent the pitch to -8192":                      {Gesture: "pitch_bend", To: -8192, Max: 8191, Messages: 5},
		"pressed record":                               {Gesture: "transport", Transport: "record", Messages: 1},
	} {
		st := &flow.Step{Act: &align.Cell{Act: &trace.Act{MIDI: &g}}}
		st.MIDI, st.Verb = &g, capture.Play
		if got := flow.Told(st, &flow.Names{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Two demonstrations that leave the knob at different positions agree that it was turned, not where to.
func TestKnobsThatDiffer(t *testing.T) {
	trace := func(to string) string {
		return `{"action":{"verb":"play","device":"APC mini","midi":{"gesture":"control","channel":1,"numbers":[21],"from":3,"to":` + to +
			`,"messages":30,"duration_ms":400}}}
{"action":{"verb":"run","command":{"line":"make mix","program":"make","shell":"bash","cwd_from":"~/show","cwd_to":"~/show","exit":0}}}`
	}
	for second, want := range map[string]string{"90": `Turn knob 21 to 90 on "APC mini"`, "40": `Turn knob 21 on "APC mini"`} {
		ar := &txtar.Archive{Files: []txtar.File{{Name: "input.json", Data: []byte(`{"goal":"Mix the song"}`)},
			{Name: "trace1.jsonl", Data: []byte(trace("90"))}, {Name: "trace2.jsonl", Data: []byte(trace(second))}}}
		out, err := Compile(loadFixture(t, ar))
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Graph.Steps[0].Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if caps := out.Manifest.RequiredRuntimeCaps; len(caps) != 2 || caps[1] != "midi" {
			t.Errorf("capabilities %q", caps)
		}
	}
}
