// Package plain holds the few things that every room does with plain text: white space, words, ASCII, first letters.
//
// All of it is pure and knows no language; what depends on one is internal/lang's. It imports nothing of ours, and everybody may
// import it. Tests need no fixture.
package plain
