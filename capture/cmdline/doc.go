// Package cmdline parses command lines: bash and zsh with mvdan.cc/sh, fish with a parser of its own, because none
// exists in Go. It reports which ranges are commands, words, comments and heredocs, the role of each argument, and
// which parts of a pattern or small program a person wrote as text. What happens to them is up to the caller (package
// clean).
//
// Guarantees: every offset is a byte offset into the given line; nothing is executed and nothing is expanded.
//
// Not guaranteed: that an argument's role is right. Roles come from conventions (git's -m takes a message), not from
// the programs themselves.
//
// Any package may import it; it imports internal packages only. Tests give it lines.
package cmdline
