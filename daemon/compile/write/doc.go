// Package write makes the bundle from the results of the other stages: SKILL.md, the references, the tests, the manifest
// and its sidecar, and the interpretation and verdict for the reviewer.
//
// It guarantees that a bundle passes package skill's validation and stays within its bounds however long the
// demonstration was, and that it contains no demonstrated value unless a person chose so. It decides nothing about the
// workflow.
//
// It reads prove and flow; revise asks about its result.
package write
