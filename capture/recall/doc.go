// Package recall finds values again that a person supplied: wherever one comes back in a text, a mask or a token takes its place.
//
// A value is found whole, as a whole word of four characters or more, inside other words from eight on, and by three words in a
// row of a longer one; short codes as codes.go says; of what looks like a person's name also each word, unless a page used it
// before. Of a secret that an adapter must not hand over only keyed hashes are known (capture.Blot): it is found by these.
//
// It lives in memory only and belongs to one goroutine. Not guaranteed: that a value is found that was reworded, translated or
// split. Only package clean needs it.
package recall
