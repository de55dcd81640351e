// Package port declares the interfaces that learning needs: capture, kept observations, kept runs, recordings, purge,
// compiler, validation, installation and a model. The packages of learning take what they use; package daemon wires
// the implementations.
//
// It holds interfaces and their records only. Tests of package learn implement them; see kit_test.go in daemon/learn.
package port
