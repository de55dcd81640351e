// Package importmirror shows every import as an Import Skill session that moves along in the import's own transactions
// (decisions A7): the upload is its capture, the scan its review, staging its drafting.
//
// Guarantees: such a session observes nothing and takes no slot. It decides nothing; it only repeats the decision on
// the import. No text of an imported skill reaches a file before a person has decided.
//
// Package learn may import it.
package importmirror

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
)

// Deps holds what a Mirror needs.
type Deps struct {
	Store   state.Store
	Changes *change.Store
}

// Mirror shows imports as sessions. It is safe for concurrent use.
type Mirror struct{ d Deps }

// New makes a mirror.
func New(d Deps) *Mirror { return &Mirror{d: d} }
