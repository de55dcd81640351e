package registry

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/connector/policy"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// targets says what a decision can be about.
type targets struct{ of *shelf }

// CheckTarget refuses a target that does not exist: whoever decided about it would believe that something is turned off. A
// tool exists also while its service does not list it, and whatever has a decision can be decided about again.
func (x targets) CheckTarget(ctx context.Context, t connector.Target) error {
	r := x.of
	if err := r.ready(ctx); err != nil {
		return err
	}
	bad := func(field string) error {
		return fault.New(fault.InvalidRequest, "this target does not say what it is about").WithHint("a target of this kind needs "+field).
			WithDetail("violations", []wire.Violation{{Path: "body.target." + field, Rule: "required"}})
	}
	switch t.TargetKind {
	case "provider":
		if t.Provider == "" {
			return bad("provider")
		}
	case "server", "tool":
		if t.ServerID == "" {
			return bad("server_id")
		}
		if t.TargetKind == "tool" && t.ToolName == "" {
			return bad("tool_name")
		}
		if t.ServerID == connector.Self {
			return checkOwn(r.o.Asking, t.ToolName)
		}
		r.mu.RLock()
		_, decided := r.book.Policies[policy.Key(t)]
		r.mu.RUnlock()
		if decided {
			return nil
		}
		return checkTool(ctx, r, t.ServerID, t.ToolName)
	case "temporary_grant":
		return fault.New(fault.InvalidRequest, "a temporary grant is made by answering a call that waits").
			WithHint("`showhow connector pending`, then approve")
	}
	return nil
}

// checkOwn refuses a name that none of Showhow's own tools that ask has: a decision about it would count for nothing. "" is all of them.
func checkOwn(asking func() ([]connector.Definition, error), tool string) error {
	if tool == "" {
		return nil
	}
	var all []connector.Definition
	if asking != nil {
		var err error
		if all, err = asking(); err != nil {
			return err
		}
	}
	names := []string{}
	for _, d := range all {
		if d.Name == tool {
			return nil
		}
		names = append(names, d.Name)
	}
	slices.Sort(names)
	f := fault.Newf(fault.NotFound, "Showhow has no tool %s that asks first", plain.Clip(tool, 120))
	if len(names) == 0 {
		return f
	}
	return f.WithHint("these can be turned off: " + strings.Join(names, ", "))
}

// checkTool refuses a connector that does not exist, and a tool that it neither lists nor listed when a person saw its tools.
// "" is all of them.
func checkTool(ctx context.Context, r *shelf, server, tool string) error {
	s, err := r.Server(ctx, server)
	if err != nil || tool == "" || hasTool(&s, tool) {
		return err
	}
	f := fault.Newf(fault.NotFound, "the connector %s has no tool %s", s.ID(), plain.Clip(tool, 120))
	if s.Entry.ToolSchemaHash == "" {
		return f.WithHint("its tools are not known yet; `showhow connector test " + s.ID() + "` looks whether it can be reached")
	}
	return f.WithHint("`showhow connector tools " + s.ID() + "` lists them")
}

func hasTool(s *connector.Server, name string) bool {
	is := func(d connector.Definition) bool { return d.Name == name }
	return slices.ContainsFunc(s.Tools, is) || slices.ContainsFunc(s.Seen, is)
}

// CheckSwitch refuses a switch for what does not exist, unless it is one that is off.
func (x targets) CheckSwitch(ctx context.Context, s connector.Switch) error {
	r := x.of
	if err := r.ready(ctx); err != nil {
		return err
	}
	if s.Scope != "global" && s.Name == "" {
		return fault.New(fault.InvalidRequest, "the switch does not say whose it is").WithHint("name the provider, or the agent")
	}
	r.mu.RLock()
	off := slices.ContainsFunc(r.book.Switches, func(o connector.Switch) bool { return policy.SwitchKey(o) == policy.SwitchKey(s) })
	r.mu.RUnlock()
	if off {
		return nil
	}
	if err := checkSwitchedTool(ctx, r, s); err != nil {
		return err
	}
	switch s.Scope {
	case "provider":
		if !slices.Contains(wire.MCPProviders, s.Name) {
			return fault.Newf(fault.NotFound, "there is no provider %s", plain.Clip(s.Name, 120)).
				WithHint("a provider is one of " + strings.Join(wire.MCPProviders, ", "))
		}
	case "runtime":
		return checkAgent(ctx, r, s.Name)
	}
	return nil
}

func checkSwitchedTool(ctx context.Context, r *shelf, x connector.Switch) error {
	switch {
	case x.ServerID == connector.Self:
		return checkOwn(r.o.Asking, x.ToolName)
	case x.ServerID != "":
		return checkTool(ctx, r, x.ServerID, x.ToolName)
	case x.ToolName == "":
		return nil
	}
	all, err := r.Servers(ctx) // a tool of this name, whosever it is
	if err != nil || slices.ContainsFunc(all, func(s *connector.Server) bool { return hasTool(s, x.ToolName) }) ||
		checkOwn(r.o.Asking, x.ToolName) == nil {
		return err
	}
	return fault.Newf(fault.NotFound, "no connector has a tool %s", plain.Clip(x.ToolName, 120)).
		WithHint("`showhow connector list` names the connectors")
}

// checkAgent refuses the name of an agent that Showhow does not know and that has called nothing yet.
func checkAgent(ctx context.Context, r *shelf, name string) error {
	if r.o.Agents == nil {
		return nil
	}
	known, err := r.o.Agents(ctx)
	if err != nil || slices.Contains(known, name) {
		return err
	}
	called, err := r.Receipts(ctx, connector.ReceiptFilter{Agent: name, Limit: 1})
	if err != nil || len(called.Receipts) > 0 {
		return err
	}
	slices.Sort(known)
	return fault.Newf(fault.NotFound, "no agent %s is known", plain.Clip(name, 120)).
		WithHint("known are " + strings.Join(slices.Compact(known), ", ") + ", and every agent that has called a tool")
}
