// Package arch enforces the house rules by tests: which package may import which, that every package has a doc
// comment, and that nothing in the tree depends on the machine it was written on.
package arch
