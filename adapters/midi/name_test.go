package midi

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for full, want := range map[string]string{
		"APC mini:APC mini MIDI 1 24:0":                         "APC mini|APC mini MIDI 1",             // ALSA, RtMidi
		"APC mini:APC mini MIDI 1 128:12":                       "APC mini|APC mini MIDI 1",             //
		"a2j:APC mini [24] (capture): APC mini MIDI 1":          "APC mini|APC mini MIDI 1",             // JACK, a2jmidid
		"a2j:APC mini [28] (capture): [0] APC mini MIDI 1":      "APC mini|APC mini MIDI 1",             //
		"Midi-Bridge:APC mini 24:0 (capture): APC mini MIDI 1":  "APC mini|APC mini MIDI 1",             // PipeWire
		"Midi-Bridge:APC mini:(capture_0) APC mini MIDI 1":      "APC mini|APC mini MIDI 1",             // PipeWire, newer
		"system:midi_capture_1":                                 "midi_capture_1|system:midi_capture_1", // JACK's own driver
		"Showhow test:keys":                                     "Showhow test|keys",                    // a program's port
		"APC mini":                                              "APC mini",                             // CoreMIDI
		"  Launchkey   Mini\tMK3 ":                              "Launchkey Mini MK3",                   //
		"Scarlett 18i20 USB":                                    "Scarlett 18i20 USB",                   //
		"nanoKONTROL2:nanoKONTROL2 nanoKONTROL2 _ CTRL 36:0":    "nanoKONTROL2|nanoKONTROL2 nanoKONTROL2 _ CTRL",
		"Digital Piano:Digital Piano Digital Piano MIDI 1 20:0": "Digital Piano|Digital Piano Digital Piano MIDI 1",
	} {
		if got := strings.Join(namesOf(full), "|"); got != want && !strings.HasPrefix(got, want+"|") {
			t.Errorf("%q is %q, want %q first", full, got, want)
		}
		if got := namesOf(full); !slices.Contains(got, plain(full)) {
			t.Errorf("%q cannot be named as it stands: %q", full, got)
		}
	}
	for _, tc := range []struct {
		devices []string
		want    string
	}{
		{[]string{"apc MINI"}, "APC mini"}, {[]string{"APC mini MIDI 1"}, "APC mini MIDI 1"}, {[]string{"APC  mini"}, "APC mini"},
		{[]string{"APC"}, ""}, {[]string{"*"}, ""}, {[]string{"APC mini 2"}, ""}, {nil, ""},
		{[]string{"APC mini:APC mini MIDI 1 24:0"}, "APC mini:APC mini MIDI 1 24:0"},
	} {
		if got := named(namesOf("APC mini:APC mini MIDI 1 24:0"), tc.devices); got != tc.want {
			t.Errorf("%q names %q, want %q", tc.devices, got, tc.want)
		}
	}
}
