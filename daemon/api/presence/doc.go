// Package presence asks for a person's word: for one action on one subject as it was seen (decisions D2), by a code on the caller's own
// terminal, in our own window, or by a click in the tray. It also words what the person reads, so that terminal, page and tray say the
// same.
//
// It decides nothing about who may ask; the engine does, and hands in the subject as it is now. Test it with New and a clock.
package presence
