package registry

import (
	"context"
	"maps"
	"slices"

	"showhow/daemon/connector"
	"showhow/daemon/connector/policy"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// SetPolicy sets the policy of a target, or takes it away if the wish is connector.Default.
func (r *Registry) SetPolicy(ctx context.Context, t connector.Target, w wire.MCPPolicyDecisionWish) (wire.MCPEffectivePolicy, error) {
	if err := r.CheckTarget(ctx, t); err != nil {
		return wire.MCPEffectivePolicy{}, err
	}
	if t.ServerID == connector.Self && w.Mode == connector.Enabled {
		return wire.MCPEffectivePolicy{}, fault.New(fault.ConnectorAlwaysAsks,
			"a policy cannot allow Showhow's own writing tools; it can only turn them off").
			WithHint("say ask or off; a call that waits can be approved for the turn, the session or the project")
	}
	r.write.Lock()
	defer r.write.Unlock()
	row := connector.PolicyRow{Target: t, Decision: connector.Decision{Mode: w.Mode, ExpiresAt: w.ExpiresAt, ReasonCode: w.ReasonCode,
		UpdatedBy: "user", UpdatedAt: r.o.Now(), SchemaVersion: 1}}
	err := r.o.Store.Update(ctx, func(tx connector.Tx) error {
		var err error
		if w.Mode == connector.Default {
			err = tx.DeleteRecord(connector.KindPolicy, policy.Key(t))
		} else {
			err = tx.PutRecord(connector.KindPolicy, policy.Key(t), row)
		}
		if err != nil {
			return err
		}
		if err := r.note(tx, r.receipt("policy_update", t.ServerID, "ok",
			"What agents may call was decided: "+t.TargetKind+", "+w.Mode+".")); err != nil {
			return err
		}
		return r.putPolicy(tx)
	})
	if err != nil {
		return wire.MCPEffectivePolicy{}, err
	}
	r.mu.Lock()
	policies := maps.Clone(r.book.Policies)
	if policies[policy.Key(t)] = row; w.Mode == connector.Default {
		delete(policies, policy.Key(t))
	}
	r.book.Policies = policies
	r.mu.Unlock()
	r.changed()
	return r.effective(t), nil
}

func (r *Registry) effective(t connector.Target) wire.MCPEffectivePolicy {
	r.mu.RLock()
	s := r.servers[t.ServerID]
	r.mu.RUnlock()
	q := policy.Question{Provider: t.Provider, Server: t.ServerID, Tool: t.ToolName, Class: connector.Other}
	if s != nil {
		q.Provider = s.Entry.Provider
		if i := slices.IndexFunc(s.Tools, func(d connector.Definition) bool { return d.Name == t.ToolName }); i >= 0 {
			q.Class = s.Tools[i].Class
		}
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return effective(t, policy.Decide(r.book, q, r.o.Now()))
}

// Toggle turns a switch (R9 1.1R). A switch that is on again is not stored.
func (r *Registry) Toggle(ctx context.Context, x connector.Switch) (wire.MCPToggleResponse, error) {
	out := wire.MCPToggleResponse{SchemaVersion: 1}
	if err := r.CheckSwitch(ctx, x); err != nil {
		return out, err
	}
	r.write.Lock()
	defer r.write.Unlock()
	next := slices.DeleteFunc(r.switches(), func(o connector.Switch) bool { return policy.SwitchKey(o) == policy.SwitchKey(x) })
	words := "on"
	if x.Off {
		next, words = append(next, x), "off"
	}
	rec := r.receipt("policy_update", x.ServerID, "ok", "A switch was turned "+words+": "+x.Scope+".")
	err := r.o.Store.Update(ctx, func(tx connector.Tx) error {
		var err error
		if x.Off {
			err = tx.PutRecord(connector.KindSwitch, policy.SwitchKey(x), x)
		} else {
			err = tx.DeleteRecord(connector.KindSwitch, policy.SwitchKey(x))
		}
		if err != nil {
			return err
		}
		if err := r.note(tx, rec); err != nil {
			return err
		}
		return r.putPolicy(tx)
	})
	if err != nil {
		return out, err
	}
	r.mu.Lock()
	r.book.Switches = next
	r.mu.Unlock()
	r.changed()
	out.Switches, out.ReceiptID = slices.Concat([]wire.MCPSwitch{}, next), rec.ReceiptID
	return out, nil
}
