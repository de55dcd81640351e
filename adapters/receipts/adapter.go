package receipts

import (
	"context"

	"showhow/adapters"
	"showhow/capture"
)

// Tools returns the adapter of agents' tool calls.
func (d *Desk) Tools() adapters.Adapter { return tools{d} }

// Wrapped returns the adapter of commands run through `showhow wrap`.
func (d *Desk) Wrapped() adapters.Adapter { return wrapped{d} }

type tools struct{ desk *Desk }

func (tools) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.MCPReceipt,
		ID:    "mcp_receipt",
		Title: "Agents' tool calls",
		Sees: []string{
			"each tool call of the agents you name (as --app claude-code, codex, openclaw or another), as the agent's own hook reports it",
			"commands an agent runs, with folder and, where the agent says, exit code; names and sizes of files it writes",
			"other arguments of its calls; sealed unless you decide otherwise",
			"calls of connectors' tools through Showhow's own door, by the agents or of the connectors you name, without any hook"},
		NeverSees: []string{"what you say to an agent or it to you", "what a tool answers and what a command prints",
			"what an agent writes into a file", "agents that you do not name"},
		DataClasses:  []string{"tool_calls", "commands", "file_names"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{"the agent's hook: showhow agent hook install AGENT"},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.WrapperReceipt, capture.TerminalCommand},
	}
}

// Probe implements adapters.Adapter. Without a hook that we installed there may still be one that the person wrote.
func (t tools) Probe(context.Context) adapters.Health {
	if t.desk.o.Hooked != nil && !t.desk.o.Hooked() {
		return adapters.Health{State: adapters.Degraded, Code: "no_hook", Reason: "no agent's hook was installed by Showhow",
			Fix: "showhow agent hook install claude-code"}
	}
	return adapters.Health{State: adapters.Ready}
}

func (t tools) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	return t.desk.run(ctx, capture.MCPReceipt, s, sink, ready)
}

type wrapped struct{ desk *Desk }

func (wrapped) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.WrapperReceipt,
		ID:    "wrapper_receipt",
		Title: "Wrapped commands",
		Sees: []string{"each command run as  showhow wrap -- COMMAND  by an agent or program you name, or in a folder you name",
			"its exit code and duration; names and sizes of files created, changed or removed under its folder"},
		NeverSees:    []string{"what a command prints or reads", "what is in a file", "commands that are not wrapped"},
		DataClasses:  []string{"commands", "file_names"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.TerminalCommand},
	}
}

func (wrapped) Probe(context.Context) adapters.Health {
	return adapters.Health{State: adapters.Ready}
}

func (w wrapped) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	return w.desk.run(ctx, capture.WrapperReceipt, s, sink, ready)
}
