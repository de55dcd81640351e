// Package interchange reads browser recordings made elsewhere and writes a learned skill's browser part for other
// players: Chrome DevTools Recorder (JSON) and Playwright codegen (JSONL).
//
// Guaranteed: an imported recording is untrusted text. It is bounded, every string in it is data and never a program,
// what could be one (expressions, custom steps, schemes other than http) is left out with a sentence that says so, and
// the rest becomes observations that pass the scope, the redactor and the vault like any other. Importing reaches no
// network and opens no file that a recording names.
//
// Not guaranteed: evidence. A recording made elsewhere says what was done, rarely with which result; checkpoints are
// made only from its assertions. Exports have no inputs, because the formats have none: a value stands in its place.
//
// Testing against it: the real packages judge what is written (build/judges); real recordings are in testdata.
package interchange
