// Package page reads what pages say: names of controls, addresses, messages, tables, and what differs between two states of a page.
// It also holds the written form of references to values in texts (Ref, MasksToRefs), because every text of a page passes through it.
//
// It guarantees that nothing it returns holds the text behind a mask: it never sees one. It does not know who did what on a page.
//
// It is a leaf of the room: all stages and whoever performs a workflow may import it. It is pure; tests need states and texts alone.
package page
