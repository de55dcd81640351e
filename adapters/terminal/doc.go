// Package terminal observes commands in the shells that a session names: bash, zsh and fish.
//
// Script is what a shell's start-up file evaluates. Its hooks check once per prompt whether a pipe for their terminal
// exists (<runtime>/shell/pts-3.fifo). Run creates that pipe for each terminal in the scope, so it alone decides
// which shells are captured; when the pipe is removed, at a pause or at the end, the shells stop reporting and remove
// the mark from their prompt.
//
// Guarantees:
//
//   - The shell never waits for Showhow: its end of the pipe is non-blocking and open for reading and writing, so if the
//     pipe is full or its reader is stopped, dead or absent, a write is refused at once. Refused records are counted.
//   - No process is started per command (in bash one short helper when a shell joins).
//   - A captured shell carries a mark in its prompt; Indicate is called only while a living shell has reported showing it.
//   - What was written before Run, during a pause or for another daemon stays in a pipe that nobody reads.
//   - Lines that the shell keeps out of its history are withheld, and counted, inside the shell (decisions B7).
//   - A line beyond MaxLine is withheld and counted, never cut: half a line could hide a secret from the redactor.
//
// Not guaranteed: in bash, a repeated list (`a && b`) is withheld under HISTCONTROL=ignoreboth, because there it
// cannot be distinguished from a private line; a zshaddhistory hook that keeps a line out of the history is not
// noticed. Another program of the same user can write into the pipe, as it could type into the terminal.
//
// fish cannot write to a pipe without blocking: it appends to a file in memory instead (spool.go), and is not
// captured where there is none.
//
// Test against it with a real shell in a pty, see shell_test.go; the records' grammar is in record.go.
package terminal
