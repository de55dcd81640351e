// Package interchange reads recordings of browser work that were made elsewhere and writes a learned skill's browser part for
// players elsewhere: Chrome DevTools Recorder (JSON) and Playwright codegen (JSONL).
//
// What it promises: an imported recording is text by a stranger. It is bounded, every string in it is data and never a
// program, what could be one (expressions, custom steps, other schemes than http) is left out with a sentence that says so,
// and whatever remains are observations that pass the scope, the redactor and the vault like any other. Importing reaches no
// network and opens no file that a recording names.
//
// What it does not promise: evidence. A recording made elsewhere says what was done, seldom what came of it; checkpoints are
// made only from what it asserts. Exports carry no inputs, since the formats have none: a value stands in its place.
//
// Testing against it: the real packages are the judges of what is written (build/judges); real recordings are in testdata.
package interchange
