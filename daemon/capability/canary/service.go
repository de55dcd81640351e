package canary

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Options configures a Service. All but Machine, Every and Log are required.
type Options struct {
	Store   Store
	Perform Performer
	Machine func(ctx context.Context) Machine // nil means that nothing prevents a look
	Every   time.Duration                     // how often it checks what is due; 0 means a minute
	Now     func() clock.Time
	Log     *slog.Logger
}

// Service stores consents and looks when allowed. The caller of a method that gives or widens a consent has made sure
// that it is a person.
type Service struct {
	o    Options
	wake chan struct{}
	turn chan struct{} // one look at a time

	mu      sync.Mutex
	looking string // the ability that is looked at, "" none
	end     context.CancelFunc
	fared   map[string]bool // abilities whose health may have changed since it was read; nil: all
}

// New makes a service.
func New(o Options) *Service {
	if o.Machine == nil {
		o.Machine = func(context.Context) Machine { return Machine{} }
	}
	if o.Every == 0 {
		o.Every = time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o, wake: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
}

// Run performs due looks until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(s.o.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-s.wake:
		}
		for s.once(ctx) && ctx.Err() == nil { // one after the other, each checked again
		}
	}
}

// Any reports whether any ability has a consent, so that the daemon must keep running.
func (s *Service) Any(ctx context.Context) bool {
	all, set, err := s.records(ctx)
	return err == nil && set.Enabled && len(all) > 0
}

// once performs the first due look if one may start; true when it did.
func (s *Service) once(ctx context.Context) bool {
	all, set, err := s.records(ctx)
	if err != nil || len(all) == 0 {
		return false
	}
	now := s.o.Now()
	var day Day
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { day, err = tx.CanaryDay(now.Format(time.DateOnly)); return err }); err != nil {
		return false
	}
	all = s.read(ctx, all, now)
	r, due := Next(now, all)
	if !due {
		return false
	}
	if WhyNot(set, s.o.Machine(ctx), day) != "" {
		return false
	}
	_, err = s.look(ctx, r.AbilityID)
	return err == nil
}

// Fared says that an ability's health changed, or that the ability is gone: what that means for its looks is worked
// out soon. It does not block.
func (s *Service) Fared(abilityID string) {
	s.mu.Lock()
	if s.fared != nil {
		s.fared[abilityID] = true
	}
	s.mu.Unlock()
	s.nudge()
}

// read reads the health of the abilities that fared since it was read last, of all at first: it brings looks forward
// and forgets the consents for abilities that are gone.
func (s *Service) read(ctx context.Context, all []Record, now clock.Time) []Record {
	s.mu.Lock()
	fared := s.fared
	s.fared = map[string]bool{}
	s.mu.Unlock()
	left := all[:0]
	sooner := []Record{}
	for _, r := range all {
		if fared == nil || fared[r.AbilityID] {
			h, there := s.o.Perform.Health(ctx, r.AbilityID)
			if !there {
				s.forget(ctx, r.AbilityID)
				continue
			}
			next := r.Sooner(now, h)
			if next.SoonerAt != r.SoonerAt {
				sooner = append(sooner, next)
			} else if h.Suspect() && (r.LastAt == nil || h.FailedAt.After(r.LastAt.Time)) { // it may be brought forward later
				s.again(r.AbilityID)
			}
			r = next
		}
		left = append(left, r)
	}
	if len(sooner) > 0 {
		s.keep(ctx, sooner...)
	}
	return left
}

func (s *Service) again(abilityID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fared[abilityID] = true
}

// look performs one look and stores its result. The consent is read again when its turn has come, and the result is
// stored only if the consent is still the same.
func (s *Service) look(ctx context.Context, abilityID string) (Record, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Record{}, ctx.Err()
	}
	r, there, err := s.one(ctx, abilityID)
	if err != nil {
		return r, err
	}
	if !there {
		return r, unallowed()
	}
	looking, end := context.WithTimeout(ctx, lookTime)
	defer end()
	s.begin(abilityID, end)
	defer s.begin("", nil)
	began := s.o.Now()
	l, err := s.o.Perform.Look(looking, r.Consent)
	if err != nil {
		f := fault.From(err)
		l = Look{Outcome: health.Outcome{Source: health.Canary, Result: health.Inconclusive, Code: string(f.Code)}, Told: f.Message,
			Took: s.o.Now().Sub(began.Time)}
	}
	h, _ := s.o.Perform.Health(context.WithoutCancel(ctx), abilityID)
	if ctx.Err() != nil && l.Outcome.Result == health.Inconclusive { // the daemon ends, or nobody waits any more: it has still cost something
		return r, errors.Join(ctx.Err(), s.o.Store.Update(context.WithoutCancel(ctx), func(tx Tx) error { return charge(tx, s.o.Now(), l) }))
	}
	return s.after(context.WithoutCancel(ctx), r, l, h)
}

// after stores the result of a look.
func (s *Service) after(ctx context.Context, was Record, l Look, h health.State) (r Record, err error) {
	now := s.o.Now()
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		if err := charge(tx, now, l); err != nil {
			return err
		}
		all, err := tx.Canaries()
		i := slices.IndexFunc(all, func(x Record) bool {
			return x.AbilityID == was.AbilityID && x.GrantedAt.Equal(was.GrantedAt.Time)
		})
		if err != nil || i < 0 {
			return err // withdrawn or changed meanwhile
		}
		r = all[i].After(now, l, h)
		if err := tx.PutCanary(r); err != nil {
			return err
		}
		payload := map[string]any{"ability_id": r.AbilityID, "result": r.LastResult, "code": r.LastCode, "step_id": r.LastStep,
			"repairs": l.Repairs}
		if err := tx.AddReceipt(journal.Receipt{Kind: journal.CanaryLooked, AbilityID: r.AbilityID, Reason: r.LastCode,
			Summary: "Showhow looked whether the skill still works: " + r.LastResult + "."}); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.CanaryLooked, Payload: payload})
	})
	return r, err
}

// charge adds a look's cost to the day's.
func charge(tx Tx, now clock.Time, l Look) error {
	day, err := tx.CanaryDay(now.Format(time.DateOnly))
	if err != nil {
		return err
	}
	day.Date = now.Format(time.DateOnly)
	day.Looks, day.Seconds, day.Requests = day.Looks+1, day.Seconds+int(l.Took.Seconds()+0.999), day.Requests+l.Requests
	return tx.PutCanaryDay(day)
}

// begin remembers which ability is looked at, so that withdrawing its consent stops the look.
func (s *Service) begin(abilityID string, end context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking, s.end = abilityID, end
}

// stop stops a running look at an ability.
func (s *Service) stop(abilityID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looking == abilityID && s.end != nil {
		s.end()
	}
}

func unallowed() error {
	return fault.New(fault.InvalidRequest, "Showhow may not look at this ability by itself").
		WithHint("`showhow canary allow NAME` gives the consent")
}

func (s *Service) one(ctx context.Context, abilityID string) (Record, bool, error) {
	all, _, err := s.records(ctx)
	i := slices.IndexFunc(all, func(r Record) bool { return r.AbilityID == abilityID })
	if i < 0 {
		return Record{}, false, err
	}
	return all[i], true, err
}

// Now looks at once, due or not, within the consent and the day's bounds, because a person asked for it.
func (s *Service) Now(ctx context.Context, abilityID string) (Consent, error) {
	_, there, err := s.one(ctx, abilityID)
	if err != nil {
		return Consent{}, err
	}
	if !there {
		return Consent{}, unallowed()
	}
	_, set, spent, _, err := s.List(ctx)
	if err != nil {
		return Consent{}, err
	}
	switch WhyNot(set, Machine{}, spent) {
	case WhyOff:
		return Consent{}, fault.New(fault.InvalidRequest, "looks are switched off").WithHint("`showhow canary settings --on` allows them")
	case WhyBudget:
		return Consent{}, fault.New(fault.InvalidRequest, "today's looks are used up").WithHint("`showhow canary settings` shows the bounds")
	}
	r, err := s.look(ctx, abilityID)
	return r.shown(), err
}

// Allow gives or changes the consent for an ability; the first look is due at once.
func (s *Service) Allow(ctx context.Context, c Consent) (Consent, error) {
	now := s.o.Now()
	c.GrantedAt, c.SchemaVersion = now, 1
	if c.EveryHours == 0 {
		c.EveryHours = int(everyDefault / time.Hour)
	}
	r := Record{Consent: c, NextAt: now}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutCanary(r); err != nil {
			return err
		}
		return record(tx, journal.CanaryAllowed, c, "You allowed automatic checks of the skill.")
	})
	if err == nil {
		s.stop(c.AbilityID) // it runs under another consent
		s.nudge()
	}
	return r.shown(), err
}

// Withdraw ends the consent; false when there was none.
func (s *Service) Withdraw(ctx context.Context, abilityID string) (bool, error) {
	there := false
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		all, err := tx.Canaries()
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(r Record) bool { return r.AbilityID == abilityID })
		if there = i >= 0; !there {
			return nil
		}
		if err := tx.DeleteCanary(abilityID); err != nil {
			return err
		}
		return record(tx, journal.CanaryWithdrawn, all[i].Consent, "The skill is no longer checked automatically.")
	})
	if there {
		s.stop(abilityID)
	}
	return there, err
}

// List returns every consent with its results, the settings, and what was used today.
func (s *Service) List(ctx context.Context) (out []Consent, set Settings, spent Day, why string, err error) {
	all, set, err := s.records(ctx)
	if err != nil {
		return nil, set, spent, "", err
	}
	date := s.o.Now().Format(time.DateOnly)
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { spent, err = tx.CanaryDay(date); return err })
	spent.Date = date
	for _, r := range all {
		out = append(out, r.shown())
	}
	return out, set, spent, WhyNot(set, s.o.Machine(ctx), spent), err
}

// Change replaces the settings.
func (s *Service) Change(ctx context.Context, set Settings) (Settings, error) {
	set.SchemaVersion = 1
	err := s.o.Store.Update(ctx, func(tx Tx) error { return tx.PutCanarySettings(set) })
	if err == nil {
		s.nudge()
	}
	return set, err
}

func (r Record) shown() Consent {
	c := r.Consent
	c.NextAt, c.SchemaVersion = r.NextAt.Ptr(), 1
	c.LastTold = plain.Cut(c.LastTold, 400)
	return c
}

func record(tx Tx, kind journal.EventKind, c Consent, summary string) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, AbilityID: c.AbilityID, Summary: summary}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"ability_id": c.AbilityID, "sites": len(c.Sites),
		"every_hours": c.EveryHours}})
}

func (s *Service) records(ctx context.Context) (all []Record, set Settings, err error) {
	set = DefaultSettings()
	err = s.o.Store.View(ctx, func(tx Tx) error {
		if all, err = tx.Canaries(); err != nil {
			return err
		}
		kept, ok, err := tx.CanarySettings()
		if ok {
			set = kept
		}
		return err
	})
	return all, set, err
}

func (s *Service) keep(ctx context.Context, all ...Record) {
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		now, err := tx.Canaries()
		if err != nil {
			return err
		}
		for _, r := range all {
			i := slices.IndexFunc(now, func(x Record) bool { return x.AbilityID == r.AbilityID })
			if i < 0 || r.NextAt.After(now[i].NextAt.Time) {
				continue
			}
			now[i].NextAt, now[i].SoonerAt = r.NextAt, r.SoonerAt
			if err := tx.PutCanary(now[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		s.o.Log.Warn("looks could not be brought forward", "code", string(fault.CodeOf(err)))
	}
}

// forget deletes the consent for an ability that is gone.
func (s *Service) forget(ctx context.Context, abilityID string) {
	if _, err := s.Withdraw(ctx, abilityID); err != nil && ctx.Err() == nil {
		s.o.Log.Warn("the consent for an ability that is gone could not be removed", "code", string(fault.CodeOf(err)))
	}
}

func (s *Service) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
