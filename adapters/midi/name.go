package midi

import (
	"showhow/internal/lazyre"
	"slices"
	"strings"
)

var (
	addressRE = lazyre.New(`\s+\d+:\d+(?:\s|$)`)                               // "APC mini:APC mini MIDI 1 24:0", ALSA's address
	clientRE  = lazyre.New(`\s*(?:\[\d+\]|\((?:capture|playback)(?:_\d+)?\))`) // "APC mini [24] (capture)", of bridges
	bridges   = []string{"a2j", "midi-bridge", "alsa_midi", "system", "jackmidi"}
)

// namesOf returns the names by which a scope may name a port with this full system name: the device without the
// numbers that change with each plugging in, then the port of the device, then the full name.
func namesOf(full string) []string {
	full = plain(full)
	s := plain(clientRE.ReplaceAllString(addressRE.ReplaceAllString(full, " "), " "))
	device, port, two := strings.Cut(s, ":")
	if two && slices.Contains(bridges, strings.ToLower(plain(device))) && plain(port) != "" {
		s = plain(port)
		device, port, two = strings.Cut(s, ":")
	}
	var out []string
	add := func(name string) {
		if name = plain(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if two {
		add(device)
		add(port)
	}
	add(s)
	add(full)
	return out
}

// plain normalises a name as scopes are written: one blank between words, nothing unprintable.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F || r == 0xA0 || r >= 0x80 && r < 0xA0 }), " ")
}

// named is the first of the names that the scope's devices list, "" if none is: the same comparison as capture's.
func named(names, devices []string) string {
	for _, n := range names {
		if slices.ContainsFunc(devices, func(d string) bool { return strings.EqualFold(plain(d), n) }) {
			return n
		}
	}
	return ""
}
