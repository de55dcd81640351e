// Package write makes the bundle of what the stages before it found: SKILL.md, the references, the tests, the manifest and its sidecar,
// and the interpretation and verdict that a reviewer sees.
//
// It guarantees that a bundle passes package skill's validation and stays within its bounds however long the demonstration was, and
// that no value of that one time stands in it unless somebody chose so. It decides nothing about the workflow.
//
// It reads prove and flow; revise asks about what it found.
package write
