package mining

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Service.
type Options struct {
	Store Store
	// Read reads the work that is kept now of a source. It is only called with the source's consent.
	Read  func(ctx context.Context, k Kind) ([]Work, error)
	Learn Learn
	// Blocked names apps and sites of abilities that are quarantined or need repair: those come first. nil means none.
	Blocked func(ctx context.Context) ([]string, error)
	Every   time.Duration // how often the sources are looked at; 0: every hour
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}

// Service finds routines and stores the decisions about them.
type Service struct {
	o  Options
	mu sync.Mutex // one scan, change or decision at a time
}

// New makes a service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Every <= 0 {
		o.Every = time.Hour
	}
	return &Service{o: o}
}

// soon is how long after the start the first scan runs.
const soon = 2 * time.Minute

// Run scans the allowed sources periodically.
func (s *Service) Run(ctx context.Context) error {
	look := time.NewTicker(min(s.o.Every, soon)) // wall time counts a suspended machine's sleep; a ticker does not
	defer look.Stop()
	for last := (clock.Time{}); ; { // the first scan comes soon: an unused daemon ends after ten minutes, runs after a day
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
		if s.o.Now().Sub(last.Time) < s.o.Every {
			continue
		}
		last = s.o.Now()
		if err := s.Tick(ctx); err != nil && ctx.Err() == nil {
			s.o.Log.Warn("work could not be looked through for routines", "code", string(fault.CodeOf(err)))
		}
	}
}

// Tick does what is due: it deletes expired fingerprints, and scans if any source is allowed.
func (s *Service) Tick(ctx context.Context) error {
	set, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	if err := s.expire(ctx); err != nil || len(allowed(set)) == 0 {
		return err
	}
	_, err = s.Scan(ctx, state.SystemMeta())
	return err
}

// expire deletes fingerprints that are older than 60 days, and candidates that did not occur for as long.
func (s *Service) expire(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.o.Now().Plus(-KeepFor)
	var due bool
	err := s.o.Store.View(ctx, func(tx Tx) error {
		fs, err := tx.Fingerprints()
		due = len(fs) > 0 && fs[0].At.Before(before.Time)
		if err != nil || due {
			return err
		}
		cs, err := tx.Candidates()
		due = slices.ContainsFunc(cs, func(c Stored) bool { return old(c, before) })
		return err
	})
	if err != nil || !due {
		return err
	}
	return s.o.Store.Update(ctx, func(tx Tx) error {
		n, err := tx.DropFingerprints("", nil, before)
		if err != nil {
			return err
		}
		if err := reduce(tx, func(c Stored) bool { return old(c, before) }); err != nil || n == 0 {
			return err
		}
		return s.tell(tx, journal.MiningForgotten, state.Meta{}, "Fingerprints of work were deleted.", map[string]any{"fingerprints": n})
	})
}

func old(c Stored, before clock.Time) bool {
	return len(c.Routine.Steps) > 0 && c.Routine.LastAt.Before(before.Time)
}

// tell writes receipt and event.
func (s *Service) tell(tx Tx, kind journal.EventKind, m state.Meta, summary string, payload map[string]any) error {
	now := s.o.Now()
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, CorrelationID: m.CorrelationID, CreatedAt: now}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Timestamp: now, Payload: payload})
}

// List lists every candidate: waiting ones first, then those held back, postponed, learned, and never wanted.
func (s *Service) List(ctx context.Context) ([]Routine, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := s.kept(ctx, set)
	if err != nil {
		return nil, err
	}
	out := []Routine{}
	for _, c := range kept {
		out = append(out, s.became(ctx, c.Routine))
	}
	return out, nil
}

// became adds what was installed from a routine.
func (s *Service) became(ctx context.Context, r Routine) Routine {
	if r.ProposalID != "" && s.o.Learn != nil {
		if d, err := s.o.Learn.Proposal(ctx, r.ProposalID); err == nil { // a deleted draft became nothing
			r.AbilityID = d.Proposal.AbilityID
		}
	}
	return r
}

// Waiting lists the candidates that wait for a person's decision, for the inbox.
func (s *Service) Waiting(ctx context.Context) ([]Candidate, error) {
	all, err := s.List(ctx)
	return slices.DeleteFunc(all, func(r Routine) bool { return r.State != Waiting }), err
}

// Summary returns which sources are allowed, and how many candidates wait.
func (s *Service) Summary(ctx context.Context) (looks []string, waiting int, err error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, k := range allowed(set) {
		looks = append(looks, string(k))
	}
	all, err := s.Waiting(ctx)
	return looks, len(all), err
}

// throughGates reports whether every gate passed the routine in the last scan.
func throughGates(r Routine) bool {
	return !slices.ContainsFunc(r.Gates, func(g Gate) bool { return !g.Passed })
}

var ranks = map[string]int{Waiting: 0, HeldBack: 1, NotNow: 2, Learned: 3, Never: 4}

// kept reads the candidates in the order of List. A postponed one whose time has come waits again; none waits while
// mining is off.
func (s *Service) kept(ctx context.Context, set Settings) (out []Stored, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { out, err = tx.Candidates(); return err })
	now := s.o.Now()
	for i := range out {
		r := &out[i].Routine
		if r.State == NotNow && r.Until != nil && !now.Before(r.Until.Time) {
			if r.State, r.Until = Waiting, nil; !throughGates(*r) {
				r.State = HeldBack
			}
		}
		if r.State == Waiting && set.Mode == Off {
			r.State = HeldBack
		}
	}
	slices.SortStableFunc(out, func(a, b Stored) int {
		if d := ranks[a.Routine.State] - ranks[b.Routine.State]; d != 0 {
			return d
		}
		return b.Routine.LastAt.Compare(a.Routine.LastAt.Time)
	})
	return out, err
}
