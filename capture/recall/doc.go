// Package recall recognises values that a person supplied: wherever one occurs again in a text, a mask or a token
// replaces it.
//
// A value is found as the whole text; as a whole word from four characters on; inside other words from eight on; and
// by three consecutive words of a longer one. Short codes are found as codes.go says. Of what looks like a person's
// name each word is found as well, unless a page used it before. Secrets that an adapter must not reveal are known
// and found only by keyed hashes (capture.Blot).
//
// It lives in memory only and belongs to one goroutine. Not guaranteed: that a reworded, translated or split value is
// found. Only package clean needs it.
package recall
