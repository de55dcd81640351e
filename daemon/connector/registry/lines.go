package registry

import (
	"maps"

	"showhow/daemon/connector/link"
)

// lane is a connector's connection. A service that may ask something in return has one for each agent, so that what it
// asks is never about another agent's call; agent "" is everybody else.
type lane struct{ server, agent string }

// lines are the connections.
type lines map[lane]*link.Link

// of are those of one connector.
func (all lines) of(id string) (out []*link.Link) {
	for at, l := range all {
		if at.server == id {
			out = append(out, l)
		}
	}
	return out
}

// detach takes out those of one connector: the next call makes another.
func (all lines) detach(id string) []*link.Link {
	out := all.of(id)
	maps.DeleteFunc(all, func(at lane, _ *link.Link) bool { return at.server == id })
	return out
}

// renew lets the next call make another connection; what is under way ends on the old one.
func (r *Registry) renew(id string) {
	r.mu.Lock()
	all := r.links.detach(id)
	r.mu.Unlock()
	for _, l := range all {
		l.Retire()
	}
}

// leave lets no call of a connector begin while it is being removed; "" ends that. r.write is held.
func (r *Registry) leave(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leaving = id
}

// unused closes a connector's connections, unless a call is under way.
func (r *Registry) unused(id string) bool {
	r.mu.RLock()
	all := r.links.of(id)
	r.mu.RUnlock()
	for _, l := range all {
		if !l.CloseUnused() {
			r.mu.Lock()
			maps.DeleteFunc(r.links, func(_ lane, l *link.Link) bool { return l.Over() })
			r.mu.Unlock()
			return false
		}
	}
	return true
}
