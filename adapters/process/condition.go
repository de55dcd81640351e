package process

import (
	"sync"

	"showhow/adapters"
)

// condition is the adapter's health while it runs: that of the events, with a remark on the windows. Windows are only
// evidence, so their absence is a remark and not a defect.
type condition struct {
	sink adapters.Sink

	mu     sync.Mutex
	events adapters.Health // zero until it observes
	remark adapters.Health
}

// observes sets the health of the events.
func (c *condition) observes(h adapters.Health) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = h
	c.sink.Health(remarked(c.events, c.remark))
}

// windowless notes why windows are not seen.
func (c *condition) windowless(code, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remark = adapters.Health{Code: code, Reason: reason}
	if c.events.State != "" {
		c.sink.Health(remarked(c.events, c.remark))
	}
}

// remarked adds the remark if h has no message of its own.
func remarked(h, remark adapters.Health) adapters.Health {
	if h.State == adapters.Ready && h.Code == "" {
		h.Code, h.Reason = remark.Code, remark.Reason
	}
	return h
}
