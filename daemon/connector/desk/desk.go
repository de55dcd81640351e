// Package desk holds the calls that wait for a person: it stores them, tells callers the decision, and lets an
// approved call through.
//
// Guarantees: what is approved is what is sent (package askfirst); an approval lets one call through, also after a
// restart of the daemon, and then only the identical repeat; stored arguments are sealed, and deleted once a call is
// decided. The same question is asked once, however often an agent repeats it.
//
// Not guaranteed: that the caller still waits. Approvals for a turn or a session end with the daemon, because its
// callers' sessions do; those for a project are stored, and end with the project's binding.
//
// Package door asks here, the API decides here. To test against it: New over a store in t.TempDir.
package desk

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Desk.
type Options struct {
	Store connector.Store
	Key   func(ctx context.Context) ([]byte, error) // seals arguments
	// Project is the id of the project that a name stands for; "" for a name that no binding has. Nil means that there
	// are no projects.
	Project func(ctx context.Context, name string) (string, error)
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}

// Desk holds the calls that wait.
type Desk struct {
	o     Options
	load  sync.Once
	loadE error

	mu      sync.Mutex
	records map[string]askfirst.Record
	waiting map[string]int           // callers that wait, by dispatch
	told    map[string]chan struct{} // closed when a dispatch changes
	grants  []askfirst.Grant
	callers map[string]int            // that were admitted, by agent
	last    map[string]askfirst.Marks // of the arguments of the last approved call, by server and tool
	pepper  []byte                    // of the marks
}

// New makes a desk. It reads the store on first use.
func New(o Options) *Desk {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	pepper := make([]byte, 32)
	rand.Read(pepper)
	return &Desk{o: o, records: map[string]askfirst.Record{}, waiting: map[string]int{}, told: map[string]chan struct{}{},
		callers: map[string]int{}, last: map[string]askfirst.Marks{}, pepper: pepper}
}

// keptFor is how long a decided or expired dispatch is shown.
const keptFor = 24 * time.Hour

func (d *Desk) ready(ctx context.Context) error {
	d.load.Do(func() {
		var all []askfirst.Record
		d.loadE = d.o.Store.View(context.WithoutCancel(ctx), func(tx connector.Tx) (err error) {
			all, err = connector.All[askfirst.Record](tx, connector.KindDispatch)
			return err
		})
		for _, r := range all {
			d.records[r.DispatchID] = r
		}
		if d.loadE == nil {
			d.loadE = d.o.Store.View(context.WithoutCancel(ctx), func(tx connector.Tx) (err error) {
				d.grants, err = connector.All[askfirst.Grant](tx, connector.KindGrant)
				return err
			})
		}
	})
	return d.loadE
}

// Call is what an agent wants to do.
type Call struct {
	Binding  askfirst.Binding
	Session  string
	Provider string
	Class    connector.Class
	Data     []string
	Args     json.RawMessage // as a person sees them; Binding has what is sent
	About    []string        // what the person is told besides
	Target   connector.Target
}

// Allowed is the reason why a call may be made.
type Allowed struct {
	DispatchID, CorrelationID string
	By                        string // as approval_mode has it: ask_first, standing_order
}

// Ask waits until a person has allowed the call. It calls beat every beatEvery meanwhile, to keep the caller alive.
func (d *Desk) Ask(ctx context.Context, c Call, beat func(askfirst.Record)) (Allowed, error) {
	if err := showable(c.Args); err != nil {
		return Allowed{}, err
	}
	if err := d.ready(ctx); err != nil {
		return Allowed{}, err
	}
	if err := d.tidy(ctx); err != nil {
		return Allowed{}, err
	}
	for {
		a, err := d.await(ctx, c, beat)
		if !errors.Is(err, errTaken) {
			return a, err
		}
	}
}

// errTaken means that an identical call went on with the approval that this one waited for, too. What was granted beyond one call may
// cover this one; else the person is asked again.
var errTaken = errors.New("desk: an identical call took the approval")

// await looks for an approval that covers the call, and waits for the answer to its question otherwise.
func (d *Desk) await(ctx context.Context, c Call, beat func(askfirst.Record)) (Allowed, error) {
	if a, ok, err := d.granted(ctx, c); ok || err != nil {
		return a, err
	}
	r, err := d.enter(ctx, c)
	if err != nil {
		return Allowed{}, err
	}
	defer d.leave(r.DispatchID)
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		d.mu.Lock()
		now, changed := d.records[r.DispatchID], d.told[r.DispatchID]
		d.mu.Unlock()
		switch {
		case ctx.Err() != nil: // an approval in the meantime is kept for the identical repeat
			return Allowed{now.DispatchID, now.CorrelationID, "ask_first"}, fault.New(fault.Cancelled,
				"the caller went away, or Showhow is ending, while a person was asked").WithHint(
				"an answer counts for the identical call, once, within ten minutes")
		case askfirst.Approved(now.Status):
			return d.resume(ctx, now, c)
		case now.Status == askfirst.Resumed:
			return Allowed{}, errTaken
		case now.Status == askfirst.Denied:
			return Allowed{now.DispatchID, now.CorrelationID, "ask_first"}, denied(now)
		case now.Status == askfirst.Canceled:
			return Allowed{now.DispatchID, now.CorrelationID, "ask_first"}, fault.New(fault.MCPAskFirstExpired,
				"the connector or the tool was turned off, or is not what it was when the person was asked").WithHint("look at the tools again")
		case now.Status != askfirst.Pending:
			return Allowed{now.DispatchID, now.CorrelationID, "ask_first"}, fault.New(fault.MCPAskFirstExpired,
				"nobody allowed the call in time").WithHint("call again, and the person is asked again")
		}
		beat(now)
		late := time.NewTimer(max(now.ExpiresAt.Sub(d.o.Now().Time), time.Millisecond))
		select {
		case <-changed:
		case <-tick.C:
		case <-late.C:
			if err := d.tidy(ctx); err != nil {
				return Allowed{}, err
			}
		case <-ctx.Done():
		}
		late.Stop()
	}
}

// beatEvery keeps a caller with a timeout from giving up.
const beatEvery = 5 * time.Second

func denied(r askfirst.Record) error {
	return fault.New(fault.MCPAskFirstRequired, "the person said no to this call").WithDetail("decision", "denied").
		WithHint("do not repeat it; ask the person what they want instead")
}

// granted finds an approval that covers the call already.
func (d *Desk) granted(ctx context.Context, c Call) (Allowed, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.o.Now()
	if err := d.end(ctx, func(g askfirst.Grant) bool { return g.Over(now) }); err != nil {
		return Allowed{}, false, err
	}
	for i := range d.grants {
		if d.grants[i].Covers(c.Binding, c.Session, now) {
			if p := c.Binding.Project; d.grants[i].Scope == askfirst.Project {
				if id, err := d.Project(ctx, p); err != nil || id != p { // it is not bound any more
					return Allowed{}, false, err
				}
			}
			d.grants[i].LastUsedAt = now
			return Allowed{DispatchID: d.grants[i].GrantID, By: "standing_order"}, true, nil
		}
	}
	return Allowed{}, false, nil
}

// enter returns the pending question for the call, or asks it.
func (d *Desk) enter(ctx context.Context, c Call) (askfirst.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.records {
		if r.Binding == c.Binding && (r.Status == askfirst.Pending || askfirst.Approved(r.Status)) {
			r.Session = c.Session // it was repeated, perhaps in another session
			d.records[r.DispatchID] = r
			d.waiting[r.DispatchID]++
			if d.told[r.DispatchID] == nil { // it was asked before the daemon was started
				d.told[r.DispatchID] = make(chan struct{})
			}
			return r, nil
		}
	}
	its := 0
	for _, r := range d.records {
		if r.Binding.Agent == c.Binding.Agent && r.Status == askfirst.Pending {
			its++
		}
	}
	if its >= mostPending {
		return askfirst.Record{}, tooMany()
	}
	sealed, err := d.seal(ctx, c.Args)
	if err != nil {
		return askfirst.Record{}, err
	}
	var told []byte
	if len(c.About) > 0 {
		b, err := json.Marshal(c.About)
		if err != nil {
			return askfirst.Record{}, err
		}
		if told, err = d.seal(ctx, b); err != nil {
			return askfirst.Record{}, err
		}
	}
	now, id := d.o.Now(), d.o.NewID()
	r := askfirst.Record{Dispatch: connector.Dispatch{DispatchID: id, CorrelationID: d.o.NewID(), ServerID: c.Binding.Server,
		ToolName: c.Binding.Tool, RequestSummary: summary(c), RequestPayloadRef: "sealed:" + id, Status: askfirst.Pending,
		PausedDispatchRef: "call:" + id, EffectivePolicyTarget: c.Target, ExpiresAt: now.Plus(askfirst.Wait), CreatedAt: now, UpdatedAt: now,
		ProjectID: c.Binding.Project, Provider: c.Provider, Agent: c.Binding.Agent, ActionClass: string(c.Class), DataClasses: c.Data,
		SchemaVersion: 1},
		Binding: c.Binding, Session: c.Session, Sealed: sealed, Told: told}
	rec := connector.NewReceipt(d.o.NewID(), "ask_first_decision", r.ServerID, "blocked", "A call waits for a person.", r.CorrelationID, now)
	if err := d.keep(ctx, r, rec, journal.ConnectorAsks); err != nil {
		return r, err
	}
	d.waiting[id]++
	return r, nil
}

func summary(c Call) string {
	s := c.Binding.Agent + " wants to call " + c.Binding.Tool + " of " + c.Binding.Server
	if r := []rune(s); len(r) > 500 {
		return string(r[:500])
	}
	return s
}

func (d *Desk) leave(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting[id]--; d.waiting[id] <= 0 {
		delete(d.waiting, id)
	}
}

// resume lets the call through, once.
func (d *Desk) resume(ctx context.Context, r askfirst.Record, c Call) (Allowed, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r = d.records[r.DispatchID]
	if r.Status == askfirst.Resumed {
		return Allowed{}, errTaken
	}
	now := d.o.Now()
	grant, more := askfirst.GrantOf(r, now)
	next, err := r.Resume(c.Binding, now)
	if err != nil {
		return Allowed{}, err
	}
	rec := connector.NewReceipt(d.o.NewID(), "ask_first_decision", r.ServerID, "ok", "A call that a person allowed goes on.", r.CorrelationID,
		now)
	grant.Session = c.Session
	var kept []askfirst.Grant
	if more && grant.Scope == askfirst.Project {
		kept = append(kept, grant)
	}
	if err := d.keep(ctx, next, rec, journal.ConnectorDecided, kept...); err != nil {
		return Allowed{}, err
	}
	if more {
		d.grants = append(d.grants, grant)
	}
	if marks, err := askfirst.MarksOf(d.pepper, c.Args); err == nil {
		d.last[r.ServerID+"/"+r.ToolName] = marks
	}
	return Allowed{r.DispatchID, r.CorrelationID, "ask_first"}, nil
}

// keep commits a record, with what it grants beyond the daemon's end, and wakes its waiters. d.mu is held.
func (d *Desk) keep(ctx context.Context, r askfirst.Record, rec connector.Receipt, event journal.EventKind,
	grants ...askfirst.Grant) error {
	if r.Status != askfirst.Pending {
		r.Sealed, r.Told = nil, nil
	}
	err := d.o.Store.Update(context.WithoutCancel(ctx), func(tx connector.Tx) error {
		if err := tx.PutRecord(connector.KindDispatch, r.DispatchID, r); err != nil {
			return err
		}
		for _, g := range grants {
			if err := tx.PutRecord(connector.KindGrant, g.GrantID, g); err != nil {
				return err
			}
		}
		if err := tx.AddConnectorReceipt(rec); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: event, Payload: map[string]any{"dispatch_id": r.DispatchID, "server_id": r.ServerID,
			"status": r.Status}})
	})
	if err != nil {
		return err
	}
	d.records[r.DispatchID] = r
	if ch := d.told[r.DispatchID]; ch != nil {
		close(ch)
	}
	d.told[r.DispatchID] = make(chan struct{})
	return nil
}

// tidy expires overdue records and deletes old ones.
func (d *Desk) tidy(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.o.Now()
	for id, r := range d.records {
		switch {
		case r.Overdue(now):
			next, err := r.Expire(now)
			if err != nil {
				return err
			}
			rec := connector.NewReceipt(d.o.NewID(), "ask_first_decision", r.ServerID, "blocked", "A call that nobody answered expired.",
				r.CorrelationID, now)
			if err := d.keep(ctx, next, rec, journal.ConnectorDecided); err != nil {
				return err
			}
		case r.Status != askfirst.Pending && now.Sub(r.UpdatedAt.Time) > keptFor && d.waiting[id] == 0:
			err := d.o.Store.Update(ctx, func(tx connector.Tx) error { return tx.DeleteRecord(connector.KindDispatch, id) })
			if err != nil {
				return err
			}
			delete(d.records, id)
			delete(d.told, id)
		}
	}
	return nil
}

// Pending lists the calls that wait and those that expired lately, oldest first, with what would be sent.
func (d *Desk) Pending(ctx context.Context) (wire.MCPAskFirstPendingListResponse, error) {
	out := wire.MCPAskFirstPendingListResponse{Dispatches: []wire.MCPAskFirstDispatchRecord{}, SchemaVersion: 1}
	if err := d.ready(ctx); err != nil {
		return out, err
	}
	if err := d.tidy(ctx); err != nil {
		return out, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.records {
		if r.Status == askfirst.Pending || r.Status == askfirst.Expired {
			out.Dispatches = append(out.Dispatches, d.shown(ctx, r))
		}
	}
	slices.SortFunc(out.Dispatches, func(a, b wire.MCPAskFirstDispatchRecord) int { return strings.Compare(a.DispatchID, b.DispatchID) })
	return out, nil
}

// Dispatch is one dispatch, as a person decides on it.
func (d *Desk) Dispatch(ctx context.Context, id string) (wire.MCPAskFirstDispatchRecord, error) {
	if err := d.ready(ctx); err != nil {
		return wire.MCPAskFirstDispatchRecord{}, err
	}
	if err := d.tidy(ctx); err != nil {
		return wire.MCPAskFirstDispatchRecord{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.records[id]
	if !ok {
		return wire.MCPAskFirstDispatchRecord{}, unknown()
	}
	return d.shown(ctx, r), nil
}

func unknown() error {
	return fault.New(fault.NotFound, "no such call waits").WithHint("`showhow connector pending` lists those that do")
}

// shown is a record with what would be sent. d.mu is held.
func (d *Desk) shown(ctx context.Context, r askfirst.Record) wire.MCPAskFirstDispatchRecord {
	x := r.Dispatch
	x.CallerWaits = d.waiting[r.DispatchID] > 0
	if r.Status != askfirst.Pending {
		return x
	}
	args, err := d.arguments(ctx, r)
	if err == nil {
		err = json.Unmarshal(args, &x.Arguments)
	}
	if err != nil {
		d.o.Log.Warn("the arguments of a call that waits cannot be read", "code", string(fault.CodeOf(err)))
		x.Arguments, x.About = nil, []string{"What would be sent cannot be read. The call cannot be allowed."}
		return x
	}
	if len(r.Told) > 0 {
		told, err := d.open(ctx, r.Told)
		if err != nil || json.Unmarshal(told, &x.About) != nil {
			x.About = []string{"What Showhow found out about this call cannot be read."}
		}
	}
	if before := d.last[r.ServerID+"/"+r.ToolName]; before != nil {
		if now, err := askfirst.MarksOf(d.pepper, args); err == nil {
			x.Changed = askfirst.Changed(before, now)
		}
	}
	return x
}

// Decide applies a person's answer.
func (d *Desk) Decide(ctx context.Context, id string, q wire.MCPAskFirstDecisionRequest, by string) (wire.MCPAskFirstDecisionResponse,
	error) {
	out := wire.MCPAskFirstDecisionResponse{SchemaVersion: 1}
	if err := d.ready(ctx); err != nil {
		return out, err
	}
	if err := d.tidy(ctx); err != nil {
		return out, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.records[id]
	if !ok {
		return out, unknown()
	}
	next, err := r.Decide(q.Decision, by, q.Reason, q.AnyArguments, d.o.Now())
	if err != nil {
		return out, err
	}
	if askfirst.Approved(next.Status) { // nobody allows what they cannot have been shown
		if _, err := d.arguments(ctx, r); err != nil {
			return out, fault.Wrap(err, fault.InvalidRequest, "the call cannot be allowed: what would be sent cannot be read").
				WithHint("refuse it; the agent can call again")
		}
	}
	status, text := "ok", "A person allowed a call."
	if next.Status == askfirst.Denied {
		status, text = "blocked", "A person said no to a call."
	}
	rec := connector.NewReceipt(d.o.NewID(), "ask_first_decision", r.ServerID, status, text, r.CorrelationID, d.o.Now())
	if err := d.keep(ctx, next, rec, journal.ConnectorDecided); err != nil {
		return out, err
	}
	out.Dispatch, out.ReceiptID = next.Dispatch, rec.ReceiptID
	out.Resumed = askfirst.Approved(next.Status) && d.waiting[id] > 0
	return out, nil
}

// CancelFor cancels waiting calls, and ends approvals, that do not hold any more, for a reason that the record keeps.
func (d *Desk) CancelFor(ctx context.Context, why string, holds func(askfirst.Binding) bool) error {
	if err := d.ready(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.end(ctx, func(g askfirst.Grant) bool { return !holds(g.Binding) }); err != nil {
		return err
	}
	for _, r := range d.records {
		if !holds(r.Binding) && (r.Status == askfirst.Pending || askfirst.Approved(r.Status)) {
			next, err := r.Cancel(why, d.o.Now())
			if err != nil {
				return err
			}
			rec := connector.NewReceipt(d.o.NewID(), "ask_first_decision", r.ServerID, "blocked", "A call that waited cannot be made any more.",
				r.CorrelationID, d.o.Now())
			if err := d.keep(ctx, next, rec, journal.ConnectorDecided); err != nil {
				return err
			}
		}
	}
	return nil
}

// EndSession ends the approvals for a caller's session.
func (d *Desk) EndSession(session string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.grants = slices.DeleteFunc(d.grants, func(g askfirst.Grant) bool {
		return g.Session == session && g.Scope != askfirst.Project
	})
}

// EndTurn ends the approvals for an agent's turn.
func (d *Desk) EndTurn(agent string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.grants = slices.DeleteFunc(d.grants, func(g askfirst.Grant) bool { return g.Scope == askfirst.Turn && g.Binding.Agent == agent })
}

func (d *Desk) cipher(ctx context.Context) (cipher.AEAD, error) {
	key, err := d.o.Key(ctx)
	if err != nil {
		return nil, err
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func (d *Desk) seal(ctx context.Context, args []byte) ([]byte, error) {
	a, err := d.cipher(ctx)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, a.NonceSize())
	rand.Read(nonce)
	return a.Seal(nonce, nonce, args, nil), nil
}

func (d *Desk) open(ctx context.Context, sealed []byte) ([]byte, error) {
	a, err := d.cipher(ctx)
	if err != nil {
		return nil, err
	}
	if len(sealed) < a.NonceSize() {
		return nil, errors.New("nothing was sealed")
	}
	return a.Open(nil, sealed[:a.NonceSize()], sealed[a.NonceSize():], nil)
}
