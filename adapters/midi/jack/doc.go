// Package jack listens to MIDI ports of a JACK server (or of PipeWire, which speaks the same language), through libjack.
//
// libjack allows a program one client at a time: when a server has ended, opening a client frees those that are still open,
// whoever holds them. So there is one client, shared by every Conn and every Input, and it is closed before the next is opened.
//
// JACK calls the client from a thread of its own that must never wait. That thread runs C only: it writes each message into a
// pipe that never blocks, as a record of when it came and what it was, and Go reads the pipe with a deadline like any file.
// What the thread uses is taken away only after it has been seen to have let go of it.
//
// What does not fit is counted (Input.Missed), and a message never passed on in half: 1 MB waits for a reader, where the
// kernel grants it (about 50,000 short messages; 3,000 otherwise), and a message longer than MaxMessage is left out.
//
// It needs cgo and the tag midi_jack; without them this package is empty.
package jack
