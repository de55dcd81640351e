// Package midi observes MIDI controllers: what a person plays, turns and presses on the devices that the scope names.
//
// An observation is a gesture, not a message. Notes that begin together and are held together are one chord; a knob's
// sweep, a pitch bend, and a bank with its program are one gesture each, with their beginning, their end and the
// number of messages folded into them. Clock, active sensing, time code and system exclusive data are skipped and not
// counted; of system exclusive only the transport commands of MIDI machine control are used.
//
// Sources: on Linux, without cgo, ALSA's sequencer, which shares a device with other programs, and without a
// sequencer the raw devices below /dev/snd, which do not. A build with cgo and the tag midi_jack adds JACK (package
// jack), one with cgo and the tag midi_rtmidi adds CoreMIDI on macOS and WinMM on Windows, through RtMidi. Nothing
// else exists for macOS and Windows: a build without the tag says so.
//
// Guarantees: a port of a device that the scope does not name is never opened; only its name is read from the
// system's list. A device may come and go while it is observed; one that is missing, busy or lost degrades the
// adapter and does no more. In a byte stream that is truncated or garbled, whole messages are used and the rest is
// skipped.
//
// Not guaranteed: a timestamp is when the bytes were read, not when a key went down (about a millisecond earlier over
// USB). Two devices with one name are both observed and cannot be distinguished afterwards. A knob that sends steps
// instead of positions looks like one that moves a little. While paused an open device stays open and its messages
// are discarded.
//
// Tests run real bytes through the kernel: a tree of FIFOs stands for /dev/snd (New's Options), into which a Standard
// MIDI File is played at its tempo; with the tag, ports of a JACK server (`make midi`); and where the kernel has a
// virtual MIDI card, sequencer and raw devices themselves (`make midi-kernel` boots such a kernel).
package midi
