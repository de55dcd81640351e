package pipeline

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"showhow/capture"
	"showhow/capture/clean"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/scope"
	"showhow/capture/seal"
	"showhow/internal/fault"
)

// Config is everything a pipeline needs. Zero Queue and Batch mean 2048 and 256.
type Config struct {
	SessionID       string
	TraceID         string
	Target          string // learning target: sessions that share it share link ids
	ObservationMode string
	Scope           capture.Scope
	Values          capture.ValuePolicy
	Key             []byte              // the target's key (Keyring)
	Sealed          []capture.SealedRow // rows of the target's earlier sessions, so that their values are masked here too
	Home            string              // shown as ~
	Log             capture.Log
	Redactor        *redact.Redactor // owned by the caller, who closes it after the pipeline
	Now             func() time.Time
	NewID           func() string
	OnStored        func([]capture.Record) // after commit, in order, from one goroutine; must not block for long
	// Document reads a document that a command of the person's has read. nil: none is.
	Document     func(ctx context.Context, path string) (capture.Document, error)
	OnFailure    func(error) // once, when the store refused records; capture must be stopped visibly
	Queue, Batch int
}

// Pipeline turns observations into stored records for one session: scope -> redaction -> sealing -> batch ->
// Log.Append -> OnStored. It starts in state Off.
//
// Delivery: Emit never blocks. What the queue cannot take is counted as overflow; each record that the store
// acknowledged is passed to OnStored exactly once, in order. Observations keep their order of arrival, except
// evidence, which waits for its cause (correlate.go), in memory only, at most two seconds, and never longer than
// Flush or Close; and except what was started in a watched shell, which waits until the shell says that its command
// is not private (private.go).
type Pipeline struct {
	cfg   Config
	clean *clean.Cleaner
	time  timeline
	queue chan item

	mu       sync.RWMutex // closed against sends
	closed   bool
	running  atomic.Bool
	stop     chan struct{}
	done     chan struct{}
	stopOnce sync.Once

	blotting sync.Mutex
	blots    []capture.Blot // not yet known to the cleaner

	kept     atomic.Int64
	failed   atomic.Bool
	counts   counters
	causes   causes
	clues    correlator
	verdicts verdicts
	readings readings
}

// item is an observation, or a marker that answers a Flush.
type item struct {
	o    capture.Observation
	mark chan struct{}
}

// New checks the configuration and derives the sealing keys.
func New(cfg Config) (*Pipeline, error) {
	if cfg.Log == nil || cfg.Redactor == nil || cfg.Now == nil || cfg.NewID == nil || cfg.SessionID == "" {
		return nil, errors.New("capture: a pipeline needs a session, a log, a redactor, Now and NewID")
	}
	scope, err := scope.Normalise(cfg.Scope)
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(cfg.Key, cfg.Target)
	if err != nil {
		return nil, err
	}
	cfg.Queue, cfg.Batch = cmp.Or(cfg.Queue, 2048), cmp.Or(cfg.Batch, 256)
	p := &Pipeline{cfg: cfg, queue: make(chan item, cfg.Queue), stop: make(chan struct{}), done: make(chan struct{})}
	cleaning := clean.Config{SessionID: cfg.SessionID, TraceID: cfg.TraceID, Home: cfg.Home, Values: cfg.Values, Redactor: cfg.Redactor,
		Now: cfg.Now}
	if cfg.Document != nil {
		cleaning.Shown = p.readings.find
	}
	p.clean = clean.New(cleaning, sealer)
	p.time.scopes, p.time.values = []scopeAt{{scope: scope}}, []valuesAt{{values: cfg.Values}}
	if err := p.clean.Learn(cfg.Key, cfg.Sealed); err != nil {
		return nil, fault.Wrap(err, fault.StoreCorrupt, "values of an earlier demonstration cannot be opened")
	}
	return p, nil
}

// Emit queues one observation. It returns at once and is safe for concurrent use.
func (p *Pipeline) Emit(o capture.Observation) {
	o.OccurredAt = p.occurred(o.OccurredAt)
	if reason := p.judge(&o); reason != "" {
		p.counts.add(o.Kind, reason, 1)
		return
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.closed {
		p.counts.add(o.Kind, capture.NotCapturing, 1)
		return
	}
	select {
	case p.queue <- item{o: o}:
	default:
		p.counts.add(o.Kind, capture.Overflow, 1)
	}
}

func (p *Pipeline) occurred(t time.Time) time.Time {
	if t.IsZero() {
		t = p.cfg.Now()
	}
	return t.Round(0).UTC().Truncate(time.Microsecond)
}

// judge returns why an observation is withheld, "" if it is not.
func (p *Pipeline) judge(o *capture.Observation) capture.WithheldReason {
	if p.failed.Load() {
		return capture.StoreFailed
	}
	state, within := p.time.at(o.OccurredAt)
	if ok, reason := scope.Admits(within, o.Kind, o.Origin); !ok && reason == capture.OwnWindow {
		return reason
	} else if state != Capturing {
		return capture.NotCapturing
	} else if !capture.AdmitsKind(p.cfg.ObservationMode, o.Kind) {
		return capture.WrongMode
	} else if !ok {
		return reason
	}
	return ""
}

// Withhold counts what an adapter itself dropped.
func (p *Pipeline) Withhold(kind capture.Kind, reason capture.WithheldReason, n int64) {
	p.counts.add(kind, reason, n)
}

// Salt is the key under which this pipeline's adapters hash texts that must stay unreadable. Memory only.
func (p *Pipeline) Salt() capture.Salt { return p.clean.Salt() }

// Blot makes texts unreadable in everything processed from now on, given their hashes under Salt.
func (p *Pipeline) Blot(known []capture.Blot) {
	p.blotting.Lock()
	defer p.blotting.Unlock()
	if len(p.blots) < recall.MaxBlots {
		p.blots = append(p.blots, known...)
	}
}

func (p *Pipeline) takeBlots() {
	p.blotting.Lock()
	known := p.blots
	p.blots = nil
	p.blotting.Unlock()
	if len(known) > 0 {
		p.clean.Blot(known)
	}
}

// Withheld returns what was dropped so far, by adapter and reason, in that order.
func (p *Pipeline) Withheld() []capture.Withheld { return p.counts.snapshot() }

// Kept is the number of records that the store acknowledged.
func (p *Pipeline) Kept() int64 { return p.kept.Load() }

// Failed reports whether the store refused records: this pipeline then keeps nothing any more.
func (p *Pipeline) Failed() bool { return p.failed.Load() }

// Run works until Close or the end of ctx; then it stores what was emitted before and returns. Call it once.
func (p *Pipeline) Run(ctx context.Context) error {
	if p.running.Swap(true) {
		return errors.New("capture: the pipeline runs already")
	}
	defer close(p.done)
	defer p.readings.end()
	held := time.NewTimer(0)
	defer held.Stop()
	for {
		held.Stop()
		if at, some := p.clues.due(); some {
			held.Reset(max(0, at.Sub(p.cfg.Now())))
		}
		if len(p.verdicts.waiting) > 0 {
			held.Reset(lookAgain)
		}
		select {
		case it := <-p.queue:
			p.work(ctx, it)
		case <-held.C:
			p.launches(ctx, false)
			p.resolve(ctx, false)
		case <-p.stop:
			p.drain(ctx)
			return nil
		case <-ctx.Done():
			p.refuse()
			p.drain(ctx)
			return nil
		}
	}
}

// drainTime bounds the last writes after ctx has ended.
const drainTime = 5 * time.Second

func (p *Pipeline) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	for {
		select {
		case it := <-p.queue:
			p.work(ctx, it)
		default:
			p.launches(ctx, true)
			p.resolve(ctx, true)
			return
		}
	}
}

// refuse ends the acceptance of observations; when it returns, no send is in progress.
func (p *Pipeline) refuse() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
}

// Close refuses further observations, stores what was emitted and waits for Run to return.
func (p *Pipeline) Close() error {
	p.refuse()
	p.stopOnce.Do(func() { close(p.stop) })
	if p.running.Load() {
		<-p.done
	}
	return nil
}

// Flush returns when everything emitted before has been stored or withheld, except what waits for its shell's
// verdict.
func (p *Pipeline) Flush(ctx context.Context) error {
	mark := make(chan struct{})
	select {
	case p.queue <- item{mark: mark}:
	case <-p.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-mark:
		return nil
	case <-p.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work stores first and whatever else is queued, up to a batch. It does not wait for more: under load the queue fills
// while the store commits, so batches grow by themselves and a single event is never delayed.
func (p *Pipeline) work(ctx context.Context, first item) {
	var marks []chan struct{}
	var b batch
	for it, more := first, true; more; {
		switch {
		case it.mark != nil:
			marks = append(marks, it.mark)
		case p.verdicts.waits(&it.o):
			p.verdicts.waiting = append(p.verdicts.waiting, waiting{it.o, p.cfg.Now()})
		default:
			p.verdicts.hear(&it.o)
			p.take(&b, it.o)
		}
		if len(b.records) >= p.cfg.Batch {
			break
		}
		select {
		case it = <-p.queue:
		default:
			more = false
		}
	}
	p.finish(ctx, &b)
	p.launches(ctx, false)
	p.resolve(ctx, len(marks) > 0)
	for _, m := range marks {
		close(m)
	}
}

// batch is what is stored at a time, with the observations that may be causes of file evidence.
type batch struct {
	records []pending
	causes  []capture.Observation
}

// take makes the record of an observation and adds it to the batch; evidence is held.
func (p *Pipeline) take(b *batch, o capture.Observation) {
	rec, ok := p.process(o)
	switch {
	case !ok:
	case isClue(&o):
		p.clues.hold(&o, rec, p.cfg.Now())
	default:
		b.records = append(b.records, rec)
		if len(p.Scope().Folders) > 0 {
			b.causes = append(b.causes, o)
		}
	}
}

func (p *Pipeline) finish(ctx context.Context, b *batch) {
	records := p.store(ctx, b.records)
	for i := range min(len(records), len(b.causes)) {
		p.clues.remember(&b.causes[i], records[i], p.cfg.Now())
	}
}

// launches stores those whose shells have reported, and counts those that are private.
func (p *Pipeline) launches(ctx context.Context, end bool) {
	keep, withheld := p.verdicts.decide(p.cfg.Now(), end)
	if withheld > 0 {
		p.counts.add(capture.ProcessLaunch, capture.ShellPrivate, withheld)
	}
	var b batch
	for _, o := range keep {
		p.take(&b, o)
	}
	p.finish(ctx, &b)
}

// resolve stores evidence that has waited long enough: with the events that caused it, else as events of its own.
func (p *Pipeline) resolve(ctx context.Context, all bool) {
	if len(p.clues.held) == 0 {
		return
	}
	amender, can := p.cfg.Log.(capture.Amender)
	amended, alone := p.clues.resolve(p.cfg.Now(), all, can)
	if len(amended) > 0 && !p.failed.Load() {
		if err := amender.Amend(ctx, amended); err != nil {
			p.fail(err)
		}
	}
	p.store(ctx, alone)
}

// store appends a batch and returns its records, none if the store refused them.
func (p *Pipeline) store(ctx context.Context, batch []pending) []capture.Record {
	if len(batch) == 0 {
		return nil
	}
	records := make([]capture.Record, len(batch))
	for i, b := range batch {
		records[i] = b.rec
		if b.cause != "" {
			records[i].Action.CauseEventID = p.causes.find(b.kind, b.cause)
		}
	}
	if !p.failed.Load() {
		err := p.cfg.Log.Append(ctx, records)
		if err == nil {
			p.kept.Add(int64(len(records)))
			if p.cfg.OnStored != nil {
				p.cfg.OnStored(records)
			}
			return records
		}
		p.fail(err)
	}
	for _, b := range batch {
		p.counts.add(b.kind, capture.StoreFailed, 1)
	}
	return nil
}

// fail notes that the store refuses records.
func (p *Pipeline) fail(err error) {
	if !p.failed.Swap(true) && p.cfg.OnFailure != nil {
		p.cfg.OnFailure(err)
	}
}

// pending is a record whose cause may still follow in the same batch.
type pending struct {
	rec   capture.Record
	kind  capture.Kind
	cause string
}

// process makes the record of one observation. A panic drops only that observation; the panic value may be captured
// text and is discarded.
func (p *Pipeline) process(o capture.Observation) (out pending, ok bool) {
	if reason := p.judge(&o); reason != "" { // a pause may have been noted since
		p.counts.add(o.Kind, reason, 1)
		return out, false
	}
	defer func() {
		if recover() != nil {
			slog.Error("an observation could not be redacted and was dropped", "adapter", string(o.Kind))
			p.counts.add(o.Kind, capture.Unredactable, 1)
			ok = false
		}
	}()
	id := p.cfg.NewID()
	p.clean.SetPolicy(p.time.policy(o.OccurredAt))
	p.takeBlots()
	rec, err := p.clean.Record(o, id)
	if err != nil {
		p.counts.add(o.Kind, capture.TooLong, 1)
		return out, false
	}
	p.causes.add(o.Kind, o.Key, id)
	p.read(o, id)
	return pending{rec: rec, kind: o.Kind, cause: o.CauseKey}, true
}

// counters count withheld observations.
type counters struct {
	mu sync.Mutex
	n  map[capture.Withheld]int64 // Count is zero in the keys
}

func (c *counters) add(k capture.Kind, r capture.WithheldReason, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[capture.Withheld]int64{}
	}
	c.n[capture.Withheld{Adapter: k, Reason: r}] += n
}

func (c *counters) snapshot() []capture.Withheld {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]capture.Withheld, 0, len(c.n))
	for w, n := range c.n {
		w.Count = n
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b capture.Withheld) int {
		return cmp.Or(cmp.Compare(a.Adapter, b.Adapter), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// causes maps adapters' keys to event ids; the oldest are forgotten.
type causes struct {
	ids   map[string]string
	order []string
}

const maxCauses = 8192

// causeKey: the browser kinds come from one adapter and share its keys.
func causeKey(k capture.Kind, key string) string {
	if k == capture.BrowserSnapshot {
		k = capture.BrowserDOM
	}
	return string(k) + "\x00" + key
}

func (c *causes) add(k capture.Kind, key, id string) {
	if key == "" {
		return
	}
	if c.ids == nil {
		c.ids = map[string]string{}
	}
	key = causeKey(k, key)
	if _, ok := c.ids[key]; !ok {
		c.order = append(c.order, key)
	}
	c.ids[key] = id
	if len(c.order) > maxCauses {
		delete(c.ids, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *causes) find(k capture.Kind, key string) string { return c.ids[causeKey(k, key)] }
