// Package cmdline reads command lines: bash and zsh by the grammar of mvdan.cc/sh, fish by a parser of its own, because none
// exists in Go. It says which stretches are commands, words, comments and heredocs, which role each argument plays, and which
// parts of a pattern or small program a person wrote as text. What becomes of them is the caller's business (package clean).
//
// Guarantees: every offset is a byte offset into the line that was given; nothing is executed and nothing is expanded.
//
// Not guaranteed: that an argument's role is right. Roles come from conventions (-m of git takes a message), not from the
// programs themselves.
//
// Anybody may import it; it imports internal packages alone. Tests give it lines.
package cmdline
