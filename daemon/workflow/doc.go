// Package workflow defines what a learned skill is made of: the graph with its steps, parameters and loops, checks and
// checkpoints, and the interpretation that a person reviews.
//
// It guarantees that these types mean the same to whoever compiles, stores, rehearses or shows them, and that derived
// parameters are computed the same way everywhere (Derive, Part). It does not compile, judge drafts or perform steps.
//
// It is a leaf: besides capture, which defines a step's targets, pages and states, it imports internal packages only.
// Every package may import it. Its functions are pure, so a test needs only values.
package workflow
