// Package routine finds work that was repeated in a log: a person's clicks, an agent's calls, anything with a place, a
// kind and a target. It is not told where a piece of work begins or ends, how many routines there are or how long they
// are. Other work may stand between the steps of a routine or be interleaved with it; steps may be missing, repeated,
// or done in another order.
//
// Method: steps become activities (activity.go). Two activities, and then two groups of them, are joined where one
// follows the other more regularly than chance explains, in bits, the strongest first (join.go). Groups that share
// most of their activities are variants of one routine; repeats and optional steps inside its occurrences are added to
// it (gather.go). Then the log is cut into occurrences again, beginning where the routine begins (cut.go), and their
// differences are described (routine.go).
//
// Guaranteed: pure and deterministic; steps of two sources are never joined; what occurs fewer times than
// Options.Times is no routine. It needs no values: a step names the kind of its value, never the value.
//
// Not guaranteed: that two routines which share most of their steps are told apart, and where a routine begins if
// nothing ever precedes it.
package routine
