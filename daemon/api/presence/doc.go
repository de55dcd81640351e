// Package presence asks for a person's word on one action on one subject as it was seen (decisions D2): by a code on the caller's own
// terminal, in our own window, or by a click in the tray. It also words what the person reads, so that terminal, page and tray say the
// same.
//
// What it guarantees: a confirmation fits one action, subject, revision and content, is used once, lasts two minutes and allows three
// guesses; a click in the tray fits one request only. What it does not: that whoever reads the terminal is a person. A program that
// controls the terminal's other end can read the code.
//
// It does not decide who may ask; package engine does, and hands in the subject as it is now. Packages engine, routes and api import it.
// Test it with New and a clock.
package presence
