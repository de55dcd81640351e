// Package flow makes the workflow's steps of columns and values: what each is called, when it is needed, where a part of the work
// ends, and which steps change something that stays.
//
// It guarantees that every text in a step went through a template, so that no supplied value stands in it, and that edits which would
// break the order are refused. Names renders templates once names and roles are settled. It does not say how success is told: that
// is package prove.
//
// It reads align and values; prove, write, revise and tell read it. To test against it, build steps or compile a fixture.
package flow
