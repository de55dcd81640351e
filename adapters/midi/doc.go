// Package midi observes MIDI controllers: what a person plays, turns and presses on the devices that the scope names.
//
// An observation is a gesture, not a message. Notes that begin together and are held together are one chord; a knob's sweep,
// a bend of the pitch and a bank with its program are one gesture each, with their beginning, their end and the number of
// messages folded into them. Clock, active sensing, time code and system exclusive data are read past and counted nowhere;
// of system exclusive only the transport commands of MIDI machine control mean something.
//
// How it reads (source): on Linux, without cgo, the sequencer of ALSA, which shares a device with other programs, and where
// there is none the raw devices below /dev/snd, which do not. A build with cgo and the tag midi_jack adds JACK (package jack),
// one with cgo and the tag midi_rtmidi adds CoreMIDI on macOS and WinMM on Windows, through RtMidi. Nothing else exists for
// macOS and Windows: a build without the tag says so.
//
// Guarantees: a port of a device that the scope does not name is never opened, only its name is read from the system's list.
// A device may come and go while it is observed; one that is missing, busy or lost makes the adapter degraded, never more.
// Of a byte stream that is cut short or garbled, whole messages are used and the rest is skipped.
//
// Not guaranteed: a moment is when the bytes were read here, not when a key went down (about a millisecond earlier over
// USB). Two devices of one name are both observed and cannot be told apart afterwards. A knob that sends steps instead of
// positions looks like one that moves a little. While paused an open device stays open and what it sends is thrown away.
//
// Tests run real bytes through the kernel: a tree of FIFOs stands for /dev/snd (New's Options), into which a Standard MIDI
// File is played at its tempo; with the tag, ports of a JACK server (`make midi`); and where the kernel has a virtual MIDI card,
// sequencer and raw devices themselves (`make midi-kernel` boots such a kernel).
package midi
