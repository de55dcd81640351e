// Package agentrun runs an agent's program inside a sandbox, to work or to work on a skill: in a fresh workspace that
// holds a copy of the skill and nothing of the person's.
//
// Guarantees: the agent's program runs in a box of package sandbox or not at all. What it changed in the skill's own
// files is extracted only after it has ended well, checked by the same rules as any other skill, merged file by file
// with what is installed by then, and waits for a person (pending_review); permissions stay what a person allowed. A
// question of the agent's (a further host, an input) stops everything in the box, including its clock, until a person
// answers. Only one run is active at a time. A run that the daemon's end interrupted is failed and can be repeated.
// Secrets reach a run only under names that the approved skill declares; the record holds names, never values.
//
// Not guaranteed: that what the agent wrote is harmless (the scan and the person judge that), or true; that an allowed
// host does not learn what the workspace holds; more isolation than package sandbox promises.
//
// Inside a run: $SHOWHOW_GOAL and .showhow/brief.md say what to do; `showhow-ask` asks (docs/runs.md); `showhow hook`
// reports.
//
// Test against it with the real sandbox and a script as the agent; see run_linux_test.go.
package agentrun
