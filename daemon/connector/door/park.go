package door

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/mcp/message"
	"showhow/internal/fault"
)

// An agent's program of the newest revision is sent no requests: what a service asks in return is the result of its call,
// and the program repeats the call with the answer. Meanwhile the call to the service is parked here.

// parked is a call whose service waits for an answer.
type parked struct {
	in     *parking
	at     berth
	asks   chan *asked
	early  mcp.InputResponseMap // answers that came with the call: the program knew what would be asked
	done   chan outcome
	cancel context.CancelFunc
	turn   sync.Mutex // what is asked together, one after another; for what follows, too
	named  int        // questions that got their name here
	alone  bool       // a question ended unanswered: the program's state leads here no longer
}

// asked are questions with their names, and where their answers go: late answers reach no other questions.
type asked struct {
	all    mcp.InputRequestMap
	answer chan mcp.InputResponseMap

	over, taken bool // by parking.mu: nobody waits for the answers; the answers came
}

// berth is whose call it is and which: only its identical repeat brings the answer.
type berth struct {
	room                  room
	session, method, name string // name: of the tool, the prompt or the resource
	args                  string // their hash
}

type outcome struct {
	res mcp.Result
	err error
}

// asking is a request whose service may ask something in return, and what it brings if it repeats one: the state and the answers.
type asking struct {
	method, name string
	args         json.RawMessage
	state        string
	answers      mcp.InputResponseMap
}

// Bounds of the calls that are parked: of all, and of one agent, whatever rooms it opens. A newcomer is let in beyond the
// first bound at the cost of the agent that has most.
const (
	parkMost = 256
	parkEach = 64
)

// parking are the parked calls, by the state that their agents hold.
type parking struct {
	mu    sync.Mutex
	all   map[string]berthed
	turns int            // that were parked, to tell which came later
	going sync.WaitGroup // calls that may be parked
	shut  bool
}

// berthed is a parked call with the question that a state stands for.
type berthed struct {
	*parked
	asked *asked
	turn  int
}

// parks reports whether a call may have to be parked.
func parks(c caller, s *connector.Server) bool {
	if c.session == nil || c.own || !connector.MayAsk(s.Entry) {
		return false
	}
	p := c.session.InitializeParams()
	return p == nil || p.ProtocolVersion >= message.SelfContained
}

// call makes a request to a service by do, for a program of the newest revision.
func (k *parking) call(ctx context.Context, d *Door, c caller, r asking,
	do func(context.Context, caller) (mcp.Result, error)) (mcp.Result, error) {
	hash, err := askfirst.HashArguments(r.args)
	if err != nil {
		return nil, err
	}
	at := berth{c.room, c.name, r.method, r.name, hash}
	x, q := k.take(r.state, at)
	switch {
	case x != nil:
		q.answer <- r.answers
	case r.state != "":
		return nil, noneWaits
	default:
		var going context.Context
		x = &parked{in: k, at: at, asks: make(chan *asked), done: make(chan outcome, 1), early: r.answers}
		going, x.cancel = detached(ctx)
		c.parked = x
		began := k.begin(func() {
			defer x.cancel()
			res, err := do(going, c)
			x.done <- outcome{res, err}
		})
		if !began {
			x.cancel()
			return nil, goneAway()
		}
	}
	select {
	case o := <-x.done:
		return o.res, o.err
	case q := <-x.asks:
		state := d.o.NewID()
		if !k.put(state, x, q) {
			x.cancel()
			return nil, fault.New(fault.ConnectorThrottled, "too many calls of this agent wait for an answer already, or of all agents").
				WithHint("answer those first")
		}
		if ctx.Err() != nil { // nobody learns the state
			k.drop(state)
		}
		return needs(r.method, q, state)
	case <-ctx.Done():
		x.cancel()
		return nil, goneAway()
	}
}

func goneAway() error {
	return fault.New(fault.Cancelled, "the caller went away, or Showhow is ending")
}

// begin makes a call that may be parked; false when none begins any more.
func (k *parking) begin(call func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.shut {
		k.going.Go(call)
	}
	return !k.shut
}

// close cancels what is parked, and returns when all of it has ended.
func (k *parking) close() {
	k.mu.Lock()
	k.shut = true
	k.mu.Unlock()
	k.clear(func(room) bool { return true })
	k.going.Wait()
}

var noneWaits = fault.New(fault.InvalidRequest, "no call waits for this answer any more").WithHint("call again without it")

// needs is a method's result that asks.
func needs(method string, q *asked, state string) (mcp.Result, error) {
	kind := []byte(`{"resultType":"input_required"}`)
	switch method {
	case prompting.Name:
		out := &mcp.GetPromptResult{}
		err := json.Unmarshal(kind, out)
		out.Messages, out.InputRequests, out.RequestState = []*mcp.PromptMessage{}, q.all, state
		return out, err
	case reading.Name:
		out := &mcp.ReadResourceResult{}
		err := json.Unmarshal(kind, out)
		out.Contents, out.InputRequests, out.RequestState = []*mcp.ResourceContents{}, q.all, state
		return out, err
	}
	out := &mcp.CallToolResult{}
	err := json.Unmarshal(kind, out)
	out.Content, out.InputRequests, out.RequestState = nil, q.all, state
	return out, err
}

// ask has the agent's program answer questions, by the service's own names of them; "" for none.
func (x *parked) ask(ctx context.Context, all mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	x.turn.Lock()
	defer x.turn.Unlock()
	if x.alone {
		return nil, errNotPassed
	}
	a := &asked{all: mcp.InputRequestMap{}, answer: make(chan mcp.InputResponseMap, 1)}
	called, out := map[string]string{}, mcp.InputResponseMap{}
	for id, q := range all {
		if r := x.early[id]; id != "" && r != nil {
			delete(x.early, id)
			out[id] = r
			continue
		}
		name := id
		if name == "" {
			x.named++
			name = fmt.Sprintf("question-%d", x.named)
		}
		a.all[name], called[name] = q, id
	}
	if len(a.all) == 0 {
		return out, nil
	}
	select {
	case x.asks <- a:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case given := <-a.answer:
		for name, id := range called {
			if out[id] = given[name]; out[id] == nil {
				return nil, errNotPassed
			}
		}
		return out, nil
	case <-ctx.Done():
		x.alone = x.in.end(a)
		return nil, ctx.Err()
	}
}

// end forgets questions that ended unanswered, and reports whether the program is gone with it.
func (k *parking) end(q *asked) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	q.over = true
	maps.DeleteFunc(k.all, func(_ string, b berthed) bool { return b.asked == q })
	return !q.taken
}

func (k *parking) put(state string, x *parked, q *asked) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q.over { // already: its answer comes too late
		return true
	}
	if !k.room(x.at.room.agent) {
		return false
	}
	if k.all == nil {
		k.all = map[string]berthed{}
	}
	k.turns++
	k.all[state] = berthed{x, q, k.turns}
	time.AfterFunc(parkTime, func() { k.drop(state) })
	return true
}

// room reports whether an agent may park one more call. When all places are taken, the newest call of the agent that has
// most is given up for one that has fewer: nobody keeps others out by being first.
func (k *parking) room(agent string) bool {
	held, most := map[string]int{}, agent
	for _, b := range k.all {
		held[b.at.room.agent]++
	}
	if held[agent] >= parkEach {
		return false
	}
	if len(k.all) < parkMost {
		return true
	}
	for a, n := range held {
		if n > held[most] || n == held[most] && a < most {
			most = a
		}
	}
	if held[most] <= held[agent]+1 {
		return false
	}
	newest := ""
	for state, b := range k.all {
		if b.at.room.agent == most && (newest == "" || b.turn > k.all[newest].turn) {
			newest = state
		}
	}
	x := k.all[newest]
	delete(k.all, newest)
	x.cancel()
	return true
}

// parkTime is when a state is forgotten that no answer came for: the question has expired before.
const parkTime = 10 * time.Minute

func (k *parking) drop(state string) {
	k.mu.Lock()
	x, there := k.all[state]
	delete(k.all, state)
	k.mu.Unlock()
	if there {
		x.cancel()
	}
}

// take returns a parked call, with the question, to whoever made it, once.
func (k *parking) take(state string, at berth) (*parked, *asked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x, there := k.all[state]
	if state == "" || !there || x.at != at {
		return nil, nil
	}
	delete(k.all, state)
	x.asked.taken = true
	return x.parked, x.asked
}

// clear cancels what was parked in rooms.
func (k *parking) clear(of func(room) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for state, x := range k.all {
		if of(x.at.room) {
			x.cancel()
			delete(k.all, state)
		}
	}
}
