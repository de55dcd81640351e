package desk

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Project is the id of the project that an agent's configuration names; "" for none, and for a name that no project's
// binding has.
func (d *Desk) Project(ctx context.Context, name string) (string, error) {
	if name == "" || d.o.Project == nil {
		return "", nil
	}
	return d.o.Project(ctx, name)
}

// ProjectsChanged ends the approvals for projects that are not bound any more.
func (d *Desk) ProjectsChanged(ctx context.Context) error {
	if err := d.ready(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	bound := map[string]bool{}
	for _, g := range d.grants {
		if p := g.Binding.Project; p != "" && !bound[p] {
			id, err := d.Project(ctx, p)
			if err != nil {
				return err
			}
			bound[p] = id == p
		}
	}
	return d.end(ctx, func(g askfirst.Grant) bool { return g.Scope == askfirst.Project && !bound[g.Binding.Project] })
}

// end ends grants, in the store first. d.mu is held.
func (d *Desk) end(ctx context.Context, over func(askfirst.Grant) bool) error {
	var stored []askfirst.Grant
	for _, g := range d.grants {
		if g.Scope == askfirst.Project && over(g) {
			stored = append(stored, g)
		}
	}
	if len(stored) > 0 {
		err := d.o.Store.Update(context.WithoutCancel(ctx), func(tx connector.Tx) error {
			for _, g := range stored {
				if err := tx.DeleteRecord(connector.KindGrant, g.GrantID); err != nil {
					return err
				}
				rec := connector.NewReceipt(d.o.NewID(), "policy_update", g.Binding.Server, "ok", "An approval ended: "+g.Words()+".", "", d.o.Now())
				if err := tx.AddConnectorReceipt(rec); err != nil {
					return err
				}
				err := tx.Emit(journal.Event{Kind: journal.ConnectorDecided, Payload: map[string]any{"dispatch_id": g.GrantID,
					"server_id": g.Binding.Server, "status": "ended"}})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	d.grants = slices.DeleteFunc(d.grants, over)
	return nil
}

// Grants lists the approvals that cover more than one call and are in force, oldest first.
func (d *Desk) Grants(ctx context.Context) (wire.MCPGrantList, error) {
	out := wire.MCPGrantList{Grants: []wire.MCPGrant{}, SchemaVersion: 1}
	if err := d.ready(ctx); err != nil {
		return out, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.o.Now()
	if err := d.end(ctx, func(g askfirst.Grant) bool { return g.Over(now) }); err != nil {
		return out, err
	}
	for _, g := range d.grants {
		out.Grants = append(out.Grants, wire.MCPGrant{DispatchID: g.GrantID, Agent: g.Binding.Agent, ServerID: g.Binding.Server,
			ToolName: g.Binding.Tool, ProjectID: g.Binding.Project, Scope: g.Scope, AnyArguments: g.Any, Words: g.Words(), GrantedAt: g.GrantedAt,
			ExpiresAt: g.ExpiresAt})
	}
	slices.SortFunc(out.Grants, func(a, b wire.MCPGrant) int { return strings.Compare(a.DispatchID, b.DispatchID) })
	return out, nil
}

// EndGrant ends an approval; the next call is asked for again.
func (d *Desk) EndGrant(ctx context.Context, id string) (wire.MCPGrantEnded, error) {
	out := wire.MCPGrantEnded{DispatchID: id, SchemaVersion: 1}
	if err := d.ready(ctx); err != nil {
		return out, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.ContainsFunc(d.grants, func(g askfirst.Grant) bool { return g.GrantID == id }) {
		return out, fault.New(fault.NotFound, "no such approval is in force").WithHint("`showhow connector approvals` lists those that are")
	}
	out.Ended = true
	return out, d.end(ctx, func(g askfirst.Grant) bool { return g.GrantID == id })
}
