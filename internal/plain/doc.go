// Package plain contains helpers for plain text that every package needs: white space, words, ASCII, first letters.
//
// All of it is pure and independent of language; what depends on a language is in internal/lang. It imports nothing
// of ours, and any package may import it. Tests need no fixture.
package plain
