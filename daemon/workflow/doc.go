// Package workflow holds the nouns that a learned skill is made of: the graph with its steps, parameters and loops, checks and
// checkpoints, and the interpretation that a person reviews.
//
// It guarantees that the shapes mean the same to whoever compiles, stores, rehearses or shows them, and that derived parameters are
// worked out the same way everywhere (Derive, Part). It does not compile anything, judges no draft and performs no step.
//
// It is a leaf: beside capture, whose targets, pages and states a step is made of, it imports internal packages alone. Everybody may
// import it. Its functions are pure, so a test needs nothing but values.
package workflow
