// Package page interprets pages: names of controls, addresses, messages, tables, and the differences between two
// states of a page. It also defines how texts refer to values (Ref, MasksToRefs), because every text of a page passes
// through it.
//
// It guarantees that nothing it returns contains the text behind a mask: it never sees one. It does not know who did
// what on a page.
//
// It is a leaf of compile: all stages and the performer of a workflow may import it. It is pure; tests need only
// states and texts.
package page
