// Package routine finds what was done again and again in a log of work: a person's clicks, an agent's calls, anything that has a
// place, a kind and a target. Nobody tells it where a piece of work begins or ends, how many routines there are or how long they
// are. Other work may stand between the steps of a routine and be done at the same time; steps may be missing, repeated, or done in
// another order.
//
// How: steps become activities (activity.go). Two activities, and then two groups of them, are joined where one follows the other
// more regularly than chance explains, in bits, the strongest first (join.go). Groups that share most of their activities are
// variants of one routine; repeats and optional steps inside its occurrences join it (gather.go). Then the log is cut into
// occurrences once more, beginning where the routine begins (cut.go), and what they differ in is told (routine.go).
//
// Guaranteed: pure and deterministic; steps of two sources are never joined; what occurs fewer times than Options.Times is no
// routine. It needs no values: a step says what kind of value it took, never which.
//
// Not guaranteed: that two routines which share most of their steps are told apart, and where a routine begins when nothing ever
// stands before it.
package routine
