package door

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/internal/fault"
)

// An agent's program of the newest revision is sent no requests: what a service asks in return is the result of its call,
// and the program repeats the call with the answer. Meanwhile the call to the service is parked here.

// parked is a call whose service waits for an answer.
type parked struct {
	at     berth
	asks   chan asked
	answer chan mcp.InputResponseMap
	early  mcp.InputResponseMap // answers that came with the call: the program knew what would be asked
	done   chan outcome
	cancel context.CancelFunc
	turn   sync.Mutex // one question at a time
}

// asked is a question with its name.
type asked struct {
	id string
	q  mcp.InputRequest
}

// berth is whose call it is and which: only its identical repeat brings the answer.
type berth struct {
	room          room
	session, tool string
	args          string // their hash
}

type outcome struct {
	res *mcp.CallToolResult
	err error
}

// parkMost bounds the calls that are parked.
const parkMost = 256

// parking are the parked calls, by the state that their agents hold.
type parking struct {
	mu  sync.Mutex
	all map[string]*parked
}

// parks reports whether a call may have to be parked.
func parks(c caller, s *connector.Server) bool {
	if c.session == nil || c.own || !s.Entry.AllowSampling && !s.Entry.AllowElicitation {
		return false
	}
	p := c.session.InitializeParams()
	return p == nil || p.ProtocolVersion >= SelfContained
}

// call is Door.call for a program of the newest revision.
func (k *parking) call(ctx context.Context, d *Door, c caller, v shown, p *mcp.CallToolParamsRaw, args json.RawMessage) (
	*mcp.CallToolResult, error) {
	hash, err := askfirst.HashArguments(args)
	if err != nil {
		return nil, err
	}
	at := berth{c.room, c.name, v.name, hash}
	x := k.take(p.RequestState, at)
	switch {
	case x != nil:
		x.answer <- p.InputResponses
	case p.RequestState != "":
		return nil, noneWaits
	default:
		var going context.Context
		x = &parked{at: at, asks: make(chan asked), answer: make(chan mcp.InputResponseMap, 1), done: make(chan outcome, 1),
			early: p.InputResponses}
		going, x.cancel = context.WithCancel(context.WithoutCancel(ctx))
		c.parked = x
		go func() {
			defer x.cancel()
			res, err := d.call(going, c, v, args)
			x.done <- outcome{res, err}
		}()
	}
	select {
	case o := <-x.done:
		return o.res, o.err
	case q := <-x.asks:
		state := d.o.NewID()
		if !k.put(state, x) {
			x.cancel()
			return nil, fault.New(fault.ConnectorThrottled, "too many calls wait for an answer already").WithHint("answer those first")
		}
		return needs(q, state), nil
	case <-ctx.Done():
		x.cancel()
		return nil, fault.New(fault.Cancelled, "the caller went away")
	}
}

var noneWaits = fault.New(fault.InvalidRequest, "no call waits for this answer any more").WithHint("call again without it")

// needs is a result that asks.
func needs(q asked, state string) *mcp.CallToolResult {
	out := &mcp.CallToolResult{}
	_ = json.Unmarshal([]byte(`{"content":[],"resultType":"input_required"}`), out)
	out.Content, out.InputRequests, out.RequestState = nil, mcp.InputRequestMap{q.id: q.q}, state
	return out
}

// ask has the agent's program answer a question.
func (x *parked) ask(ctx context.Context, id string, q mcp.InputRequest) (mcp.InputResponse, error) {
	x.turn.Lock()
	defer x.turn.Unlock()
	if r := x.early[id]; r != nil {
		delete(x.early, id)
		return r, nil
	}
	select {
	case x.asks <- asked{id, q}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case all := <-x.answer:
		if all[id] == nil {
			return nil, errNotPassed
		}
		return all[id], nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (k *parking) put(state string, x *parked) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) >= parkMost {
		return false
	}
	if k.all == nil {
		k.all = map[string]*parked{}
	}
	k.all[state] = x
	time.AfterFunc(parkTime, func() { k.drop(state) })
	return true
}

// parkTime is when a state is forgotten that no answer came for: the question has expired before.
const parkTime = 10 * time.Minute

func (k *parking) drop(state string) {
	k.mu.Lock()
	x := k.all[state]
	delete(k.all, state)
	k.mu.Unlock()
	if x != nil {
		x.cancel()
	}
}

// take returns a parked call to whoever made it, once.
func (k *parking) take(state string, at berth) *parked {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.all[state]
	if state == "" || x == nil || x.at != at {
		return nil
	}
	delete(k.all, state)
	return x
}

// clear cancels all.
func (k *parking) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, x := range k.all {
		x.cancel()
	}
	clear(k.all)
}
