package door

import (
	"context"
	"maps"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/askfirst"
)

// entrance is the MCP server for one room, with its HTTP sessions. All that goes on in the room ends with its life.
type entrance struct {
	life   context.Context
	end    context.CancelFunc
	server *mcp.Server
	http   *mcp.StreamableHTTPHandler
	single *mcp.StreamableHTTPHandler // each request for itself
	params func(method string) any    // of the methods that Showhow itself adds; may be nil
}

// rooms are those in which somebody was.
type rooms struct {
	mu   sync.Mutex
	all  map[room]*entrance
	shut bool // for good: nothing goes on in a room that is opened now
}

// add adds a room. The caller holds the lock.
func (r *rooms) add(k room, e *entrance) {
	if r.shut {
		e.end()
		return
	}
	if r.all == nil {
		r.all = map[room]*entrance{}
	}
	r.all[k] = e
}

// vacate forgets rooms and cancels what goes on in them, so that nothing waits for a person or a service any more.
func (r *rooms) vacate(which func(room) bool) (left []*entrance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, e := range r.all {
		if which(k) {
			left = append(left, e)
			delete(r.all, k)
			e.end()
		}
	}
	return left
}

// close vacates all rooms for good.
func (r *rooms) close() []*entrance {
	r.mu.Lock()
	r.shut = true
	r.mu.Unlock()
	return r.vacate(func(room) bool { return true })
}

func (r *rooms) list() map[room]*entrance {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.all)
}

// servers returns the MCP servers of rooms.
func (r *rooms) servers(which func(room) bool) (out []*mcp.Server) {
	for k, e := range r.list() {
		if which(k) {
			out = append(out, e.server)
		}
	}
	return out
}

// session returns a conversation over HTTP; nil: there is none of that id.
func (e *entrance) session(id string) *mcp.ServerSession {
	for s := range e.server.Sessions() {
		if s.ID() == id {
			return s
		}
	}
	return nil
}

// close ends the sessions. The SDK waits for the requests that are being answered.
func (e *entrance) close() {
	for s := range e.server.Sessions() {
		_ = s.Close() // whether an agent closes cleanly is its own business
	}
}

// Evict ends what a guest on another computer does here: its requests and sessions, the calls that are parked, the
// questions that it asked and its approvals.
func (d *Door) Evict(ctx context.Context, agent, reporter string) error {
	its := func(k room) bool { return k.remote && k.reporter == reporter }
	left := d.rooms.vacate(its)
	d.parking.clear(its)
	for _, e := range left {
		go e.close() // nothing new reaches them; what still writes to a caller that does not read must not hold a person up
	}
	return d.o.Desk.CancelFor(ctx, "the caller from elsewhere is not there any more",
		func(b askfirst.Binding) bool { return b.Agent != agent })
}

type lifeKey struct{}

// living makes a request end with its conversation, or with its room if each of its requests stands for itself. What goes on after the
// request finds that life in its context.
func (e *entrance) living(ctx context.Context) (context.Context, func()) {
	life, ok := ctx.Value(lifeKey{}).(context.Context)
	if !ok {
		life = e.life
		ctx = context.WithValue(ctx, lifeKey{}, life)
	}
	ctx, end := context.WithCancel(ctx)
	stop := context.AfterFunc(life, end)
	return ctx, func() { stop(); end() }
}

// conversation is the life of a conversation in the room: it ends with ctx, too, and its requests find it in the other context. The SDK
// ends no request of a pair of streams with the context that these were connected under.
func (e *entrance) conversation(ctx context.Context) (life, connect context.Context, end func()) {
	life, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(e.life, cancel)
	return life, context.WithValue(ctx, lifeKey{}, life), func() { stop(); cancel() }
}

// detached is a context for what goes on after its request, as long as its conversation or its room is there.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	life, _ := ctx.Value(lifeKey{}).(context.Context)
	going, end := context.WithCancel(context.WithoutCancel(ctx))
	if life == nil {
		return going, end
	}
	stop := context.AfterFunc(life, end)
	return going, func() { stop(); end() }
}
