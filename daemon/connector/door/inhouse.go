package door

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Tools of Showhow's own that write something for a person ask first, as a connector's do: the same desk, the same
// receipts, the same switches. Nothing but an approval lets them through: a policy can turn them off, not allow them.

// ownTool is the connector as which a tool of Showhow's own is asked for. It is registered nowhere.
func ownTool(def connector.Definition) shown {
	s := &connector.Server{Entry: connector.Entry{ServerID: connector.Self, DisplayName: "Showhow", DataClasses: def.Data,
		Enabled: true, ActiveBuildSurface: true}, Tools: []connector.Definition{def}}
	return shown{entry: entry{server: s, def: &def, name: def.Name}, mode: connector.Ask}
}

// askingTool returns the tool of this name, if it is one that asks.
func askingTool(own Own, name string) (v shown, asks bool, err error) {
	all, err := own.Asking()
	if err != nil {
		return v, false, err
	}
	i := slices.IndexFunc(all, func(x connector.Definition) bool { return x.Name == name })
	if i < 0 {
		return v, false, nil
	}
	return ownTool(all[i]), true, nil
}

// inhouse calls the tools of Showhow's own that ask.
type inhouse struct{ d *Door }

// off reports whether a tool is turned off for who is in the room.
func (i inhouse) off(k room, v shown) bool {
	return i.d.o.Registry.Decide(v.server, v.def, k.agent, nil).Mode == connector.Disabled
}

// stands reports whether an approval is for a tool as it is now, and nothing turns that off.
func (i inhouse) stands(k room, b askfirst.Binding) bool {
	if i.d.o.Own == nil {
		return false
	}
	v, asks, err := askingTool(i.d.o.Own, b.Tool)
	return err == nil && asks && v.def.Hash == b.Definition && !i.off(k, v)
}

// list lists the tools of Showhow's own that an agent may use. Those that ask say so. The registry has been read.
func (i inhouse) list(k room, own Own) ([]*mcp.Tool, error) {
	all, err := own.Tools(k.guest())
	if err != nil {
		return nil, err
	}
	out := make([]*mcp.Tool, 0, len(all))
	for _, t := range all {
		v, asks, err := askingTool(own, t.Name)
		switch {
		case err != nil:
			return nil, err
		case asks && i.off(k, v):
			continue
		case asks:
			told := *t // it belongs to Own
			told.Description = asksFirst + t.Description
			t = &told
		}
		out = append(out, t)
	}
	return out, nil
}

// call makes a call of a tool that asks: it is prepared, the person is asked for exactly this, and the
// receipt is stored before anything is done.
func (i inhouse) call(ctx context.Context, c caller, own Own, v shown, args json.RawMessage) (*mcp.CallToolResult, error) {
	d := i.d
	args, err := askfirst.Single(args) // what is shown is what is done
	if err != nil {
		return nil, err
	}
	r := d.receipt(c, v, args)
	if err := d.tools.readSwitches(ctx); err != nil {
		return nil, err
	}
	if i.off(c.room, v) {
		return nil, d.blocked(r, "denied", turnedOff(v.def.Name))
	}
	leave, err := d.admit(ctx, c, v, args)
	if err != nil {
		return nil, d.blocked(r, "denied", err)
	}
	defer leave()
	deed, err := own.Prepare(ctx, c.guest(), v.def.Name, args)
	if err != nil { // nobody is asked about what cannot be done
		return nil, d.blocked(r, "denied", err)
	}
	var n atomic.Int64
	allowed, err := c.ask(ctx, d, v, args, deed, &n, &r)
	if err != nil {
		return nil, err
	}
	leave()
	// The person took their time.
	again, asks, err := askingTool(own, v.def.Name)
	switch {
	case err != nil || !asks || again.def.Hash != v.def.Hash:
		return nil, d.blocked(r, "denied", fault.New(fault.ConnectorToolChanged,
			"the tool is not any more what it was when a person was asked"))
	case i.off(c.room, v):
		return nil, d.blocked(r, "denied", turnedOff(v.def.Name))
	}
	r.Call.ApprovalMode = allowed.By
	if err := d.o.live(ctx, c.room); err != nil {
		return nil, d.blocked(r, "denied", err)
	}
	if err := d.o.Store.Intend(ctx, r); err != nil {
		return nil, err
	}
	stop := c.working(ctx, d.o.Beat, &n)
	defer stop()
	res, err := deed.Do(ctx)
	a := answer{}
	if err == nil {
		a = answer{kinds: kinds(res), failed: res.IsError}
	}
	d.settle(r, a, err)
	return res, err
}

func turnedOff(tool string) error {
	return fault.Newf(fault.ConnectorOff, "the person turned %s off", tool).WithHint("ask the person; do not do it another way")
}

// working tells the caller now and then that its call is being done: one with a timeout would give up.
func (c caller) working(ctx context.Context, every time.Duration, n *atomic.Int64) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go clock.Every(ctx, every, func() { c.tell(ctx, n, "It is allowed, and being done.") })
	return stop
}
