// Package presence gets a person's confirmation of one action on one subject as it was seen (decisions D2): by a code
// on the caller's own terminal, in our own window, or by a click in the tray. It also writes the text that the person
// reads, so that terminal, page and tray say the same.
//
// Guaranteed: a confirmation fits one action, subject, revision and content, is used once, lasts two minutes and
// allows three guesses; a click in the tray fits one request only. Not guaranteed: that a person reads the terminal. A
// program that controls the terminal's other end can read the code.
//
// It does not decide who may ask; package engine does, and passes in the subject in its current state. Packages
// engine, routes and api import it. Test it with New and a clock.
package presence
