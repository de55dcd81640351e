//go:build !cgo || !(midi_rtmidi || (midi_jack && linux))

package midi

func cgoSources() []source { return nil }
