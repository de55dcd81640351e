package capture

import (
	"showhow/capture/secret"
)

// Blot is a keyed hash of a text that must stay unreadable. This package knows only the hash: a page's recorder never
// lets a secret leave the page, yet another document, a title or a command may repeat it. The key (Salt) is random,
// created for one pipeline and handed to its adapters in memory; neither it nor a hash is ever stored, so a short
// code cannot be guessed from anything that remains.
type Blot struct {
	Hash uint64      // SipHash-2-4 of the folded text
	Size int         // bytes of the folded text: found anywhere. 0: one to three words in a row, joined by single spaces
	Kind secret.Kind // Name is not a secret, but private
}

// Salt is the key of a pipeline's blots.
type Salt [16]byte
