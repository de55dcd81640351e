// Package arch keeps the house rules as tests: who may import whom, that every package says what it is for, and that
// nothing in the tree depends on the machine it was written on.
package arch
