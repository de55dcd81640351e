package door

import (
	"context"
	"slices"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/connector/registry"
	"showhow/internal/fault"
)

// standing tells which questions and approvals stand.
type standing struct{ *Door }

// changed cancels the questions and approvals of calls that cannot be made any more.
func (d standing) changed() {
	if err := d.withdraw(context.Background()); err != nil {
		d.o.Log.Warn("questions about a connector that has changed still stand", "code", string(fault.CodeOf(err)))
	}
}

func (d standing) withdraw(ctx context.Context) error {
	if err := d.tools.readSwitches(ctx); err != nil {
		return err
	}
	return d.o.Desk.CancelFor(ctx, "the connector or the tool was turned off, or is not what it was",
		func(b askfirst.Binding) bool { return d.stands(ctx, b) })
}

// stands reports whether the agent could still make the call that a question or an approval is for: nothing turns the tool off, and it
// is what it was, also in the newest list of its service.
func (d standing) stands(ctx context.Context, b askfirst.Binding) bool {
	k := room{agent: b.Agent}
	if b.Server == connector.Self {
		return inhouse{d.Door}.stands(k, b)
	}
	s, err := d.o.Registry.Server(ctx, b.Server)
	if err != nil || !s.Entry.Enabled || !s.Entry.ActiveBuildSurface {
		return false
	}
	i := slices.IndexFunc(s.Tools, func(t connector.Definition) bool { return t.Name == b.Tool })
	if i < 0 || s.Tools[i].Hash != b.Definition || !registry.Visible(&s, &s.Tools[i]) {
		return false
	}
	_, ok := d.tools.visibleTo(k, entry{server: &s, def: &s.Tools[i]})
	return ok
}
