// Package port declares what learning needs of others: capture, kept observations, kept runs, recordings, purge, compiler,
// validation, installation and a model. The rooms of learning take from it what they use; package daemon wires the real things.
//
// It holds interfaces and their records only. Tests of whole learning play these interfaces; see kit_test.go in daemon/learn.
package port
