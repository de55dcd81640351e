// Package agentrun lets an agent work, or work on a skill, inside a sandbox: in a fresh workspace that holds a copy of the skill
// and nothing of the person's.
//
// What it promises: the agent's program runs in a box of package sandbox or not at all. What it changed in the skill's own
// files is taken out only after it has ended well, checked by the same rules as any other skill, merged file by file with what
// is installed by then, and waits for a person (pending_review); permissions stay what a person allowed. A question of the
// agent's (a further host, an input) stops everything in the box, its clock included, until a person answers. One run at a
// time. A run that the daemon's end interrupted is failed and can be repeated. Secrets reach a run only under names that the
// approved skill declares; the record holds names, never values.
//
// What it does not promise: that what the agent wrote is harmless (the scan and the person look at that), or true; that an
// allowed host is not told what the workspace holds; more of the walls than package sandbox says.
//
// Inside a run: $SHOWHOW_GOAL and .showhow/brief.md say what to do; `showhow-ask` asks (docs/runs.md); `showhow hook` reports.
//
// Testing against it: the real sandbox with a script as the agent; see run_linux_test.go.
package agentrun
