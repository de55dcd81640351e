package word

import (
	"strings"

	"showhow/daemon/word/ooxml"
	"showhow/internal/fault"
)

// Bounds of what all edits of an opened document add to it. An edit is made before anybody is asked about it, so
// what it comes to in memory must not be a long text times the places that a document has for it.
const (
	maxGrown = 16 << 20 // bytes, as they are written
	maxMade  = 600_000  // nodes
)

// additions are what the edits of a document added to it so far.
type additions struct {
	bytes, nodes int
	full         error // it would have been too much
}

// charge counts what is about to be written: whoever makes text, or copies elements of the document, asks here first.
// What was refused once stays refused, so that a document that is only changed in part is not saved.
func (a *additions) charge(bytes, nodes int) error {
	if a.full != nil {
		return a.full
	}
	if a.bytes, a.nodes = a.bytes+bytes, a.nodes+nodes; a.bytes > maxGrown || a.nodes > maxMade {
		a.full = fault.New(fault.WordTooLarge, "the document would become too large: the changes add more than 16 MiB or 600000 elements").
			WithHint("give a shorter text, change fewer places, or split the document")
	}
	return a.full
}

// chargeText charges a text as fillRun writes it: tabs and line breaks are elements, and what is between them is in one of
// its own.
func (a *additions) chargeText(text string) error {
	const element = len(`<w:t xml:space="preserve"></w:t>`)
	breaks := strings.Count(text, "\t") + strings.Count(text, "\n")
	return a.charge(len(ooxml.Escape(text))+(1+breaks)*element, 2+3*breaks)
}

// copied copies an element with all that is in it.
func (a *additions) copied(n *ooxml.Node) (*ooxml.Node, error) {
	if err := a.charge(n.Size()); err != nil {
		return nil, err
	}
	return n.Clone(), nil
}

// shell copies an element without what is in it.
func (a *additions) shell(n *ooxml.Node) (*ooxml.Node, error) {
	s := n.Shell()
	return s, a.charge(s.Size())
}
