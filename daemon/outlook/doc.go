// Package outlook reads and writes mail and calendars of Microsoft Outlook on this Mac, by AppleScript (R9 2).
//
// The scripts in scripts/ are fixed files, compiled in: a library, and a wrapper for each operation. Nothing that a person
// or an agent wrote becomes part of a script. What an operation is to work on goes to osascript as one JSON document on
// its standard input, which no list of processes shows; the script parses it, does what only Outlook can do, and answers
// with JSON. What can be done without Outlook is done here: checking arguments, widening a search, keys of messages, times,
// occurrences of events, names of files, the switches.
//
// Guarantees: a script ends within its time, with all of its processes. One write goes on at a time on this computer, also
// among several programs. Before each write the switches are read again; a write that only plans has changed nothing
// (Planned). An attachment is saved under a harmless name into the folder that was named and replaces nothing. No error
// holds what a mail, an event or an argument says.
//
// Not guaranteed: that the scripts work. They were never run: there was no Mac. The tests play Outlook behind osascript's
// interface (stub_test.go). To test against it: put a program named osascript on PATH, or name one in Options.
package outlook
