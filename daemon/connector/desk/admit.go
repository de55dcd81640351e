package desk

import (
	"context"
	"encoding/json"

	"showhow/daemon/connector/askfirst"
	"showhow/internal/fault"
)

// Bounds of what one agent can ask a person.
const (
	mostPending   = 50        // questions that wait at a time
	mostCallers   = 50        // calls that are prepared or wait at a time; those that repeat a question count, too
	mostArguments = 256 << 10 // bytes
)

func tooMany() error {
	return fault.New(fault.ConnectorThrottled, "many calls of this agent wait for a person").WithHint("wait for the answers first")
}

// Admit admits a call that a person may be asked about, until leave is called. It comes before the call is prepared: what is
// refused here has asked no service, and has read no document. A call of a tool that has a question or an approval already may be a
// repeat, and is refused only when too many calls wait.
func (d *Desk) Admit(ctx context.Context, b askfirst.Binding, args json.RawMessage) (leave func(), err error) {
	if err := showable(args); err != nil {
		return nil, err
	}
	if err := d.ready(ctx); err != nil {
		return nil, err
	}
	if err := d.tidy(ctx); err != nil {
		return nil, err
	}
	same := func(o askfirst.Binding) bool { return o.Agent == b.Agent && o.Server == b.Server && o.Tool == b.Tool }
	d.mu.Lock()
	defer d.mu.Unlock()
	pending, known := 0, false
	for _, r := range d.records {
		if r.Binding.Agent == b.Agent && r.Status == askfirst.Pending {
			pending++
		}
		known = known || same(r.Binding) && (r.Status == askfirst.Pending || askfirst.Approved(r.Status))
	}
	for _, g := range d.grants {
		known = known || same(g.Binding)
	}
	if d.callers[b.Agent] >= mostCallers || pending >= mostPending && !known {
		return nil, tooMany()
	}
	d.callers[b.Agent]++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.callers[b.Agent]--; d.callers[b.Agent] <= 0 {
			delete(d.callers, b.Agent)
		}
	}, nil
}

// showable refuses arguments that a person cannot be shown exactly as they would be sent.
func showable(args json.RawMessage) error {
	if len(args) > mostArguments {
		return fault.New(fault.TooLarge, "the arguments are larger than the 256 KB that a person can be asked about").
			WithHint("send less in one call")
	}
	_, err := askfirst.Single(args)
	return err
}

// arguments are what a call that waits would send. d.mu is held.
func (d *Desk) arguments(ctx context.Context, r askfirst.Record) (json.RawMessage, error) {
	b, err := d.open(ctx, r.Sealed)
	if err != nil {
		return nil, err
	}
	return b, showable(b)
}
