// Package flow makes the workflow's steps from columns and values: each step's title, when it is needed, where a part of
// the work ends, and which steps have a lasting effect.
//
// It guarantees that every text in a step passed through a template, so that it contains no supplied value, and that
// edits which would break the order are refused. Names renders templates once names and roles are settled. It does not
// decide how success is recognised; package prove does.
//
// It reads align and values; prove, write, revise and tell read it. To test against it, build steps or compile a
// fixture.
package flow
