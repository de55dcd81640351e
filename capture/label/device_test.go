package label

import (
	"testing"

	"showhow/capture"
)

func TestPlayLabels(t *testing.T) {
	for want, g := range map[string]capture.MIDIGesture{
		"Played note 36":                     {Gesture: "note", Numbers: []int{36}, From: 100, Messages: 2},
		"Played a chord of 3 notes":          {Gesture: "chord", Numbers: []int{60, 64, 67}, Messages: 6},
		"Set controller 7 to 90":             {Gesture: "control", Numbers: []int{7}, From: 90, To: 90, Messages: 1},
		"Moved controller 21 from 10 to 127": {Gesture: "control", Numbers: []int{21}, From: 10, To: 127, Messages: 40},
		"Pressed controller 44":              {Gesture: "control", Numbers: []int{44}, From: 127, Messages: 2},
		// an endless encoder: it sends steps
		"Turned controller 16": {Gesture: "control", Numbers: []int{16}, From: 1, To: 1, Messages: 9},
		"Moved parameter 136 from 64 to 8192": {Gesture: "control", Parameter: "nrpn", Numbers: []int{136}, From: 64, To: 8192, Max: 16383,
			Messages: 9},
		"Chose program 5": {Gesture: "program", Numbers: []int{5}, Messages: 1},
		"Bent the pitch":  {Gesture: "pitch_bend", Messages: 9},
		"Pressed stop":    {Gesture: "transport", Transport: "stop", Messages: 1},
	} {
		if got := playLabel(&g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
