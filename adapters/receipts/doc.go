// Package receipts observes work that reports itself: the tool calls of agents (mcp_receipt), which arrive through
// the agents' hooks, and commands run through `showhow wrap` (wrapper_receipt). Calls of connectors' tools go through
// Showhow itself (the door) and need no report.
//
// A Receipt is one report; package report makes and sends them, in the hook's own process. A Desk receives them and
// hands those that a session's scope admits to the adapter that observes for it. The scope names an agent as an app
// ("claude-code"); a wrapped command is also admitted by its program's name or by a folder that contains its working
// directory.
//
// Not guaranteed: completeness. An agent can omit its own calls or invent some: a receipt is only its claim. Claude
// Code reports the exit code of a failed command; Codex does not say whether a command failed, and OpenClaw not
// always.
//
// To test against it: NewDesk, Run one of its adapters, Hand it observations; adaptertest passes for both.
package receipts
