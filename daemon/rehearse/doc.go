// Package rehearse runs validation: it says whether a draft is fit to be installed, and on what evidence.
//
// A run belongs to one revision of a proposal and to the content hash of its bundle; another revision makes it void
// (decisions C1). It has one or more kinds (lint, trigger, dependency_check, adapter_check, dry_run), each of which leaves
// step results; the run's result is the worst of them. Runs are durable, cancellable, and carry no overall_result while they
// run. Kinds that perform the workflow (canary, rehearsal) are refused in a build that has no performer for them: a run is
// never a pass for something that was not done.
//
// Not guaranteed: a passed dry_run performed nothing; it explains what would happen under the test policy. The runner serves
// validation only: nothing executes an installed ability with it (DOC3 0C.9A rule 1).
//
// To test against it: build a Runner over a store in t.TempDir, Start a run, Wait for it, read its steps.
package rehearse
