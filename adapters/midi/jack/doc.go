// Package jack reads MIDI ports of a JACK server (or of PipeWire, which speaks the same protocol), through libjack.
//
// libjack allows a program one client at a time: when a server has ended, opening a client frees those that are still
// open, whoever holds them. So there is one client, shared by every Conn and every Input, and it is closed before the
// next is opened.
//
// JACK calls the client on a thread of its own that must never wait. That thread runs C only: it writes each message
// into a non-blocking pipe, as a record of its time and content, and Go reads the pipe with a deadline like any file.
// What the thread uses is freed only after the thread is seen to have released it.
//
// What does not fit is counted (Input.Missed), and a message is never passed on in part: 1 MB waits for a reader, if
// the kernel grants it (about 50,000 short messages; 3,000 otherwise), and a message longer than MaxMessage is
// dropped.
//
// It needs cgo and the tag midi_jack; without them this package is empty.
package jack
