// Package receipts observes work that reports itself: the tool calls of agents (mcp_receipt), which arrive through the hooks
// of the agents, and commands run through `showhow wrap` (wrapper_receipt). Calls of connectors' tools through Showhow's own door come
// without a report: they are known.
//
// A Receipt is one report; package report makes and sends them, in the hook's own process. A Desk takes them in and hands
// those that a session's scope admits to the adapter that observes for it. The scope names an agent as an app ("claude-code"); a wrapped
// command is also admitted by its program's name or by a folder that its working directory lies in.
//
// Not guaranteed: completeness. An agent can leave its own calls out or invent some: a receipt is its word. Claude Code
// says of a failed command what it exited with; Codex does not say whether a command failed, and OpenClaw not always.
//
// To test against it: NewDesk, Run one of its adapters, Hand it observations; adaptertest passes for both.
package receipts
