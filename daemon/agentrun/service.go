package agentrun

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Service. Store, Skills and Dir are required.
type Options struct {
	Store   Store
	Skills  Skills
	Secrets Secrets  // nil: none can be delivered
	Dir     string   // of the runs' folders, which only we can enter
	Cache   string   // of prepared packages; "": none are prepared
	Home    string   // the person's: no run may read all of it
	Private []string // Showhow's own folders: no run may read them

	// Redact removes secrets from what is stored of a command, a goal, a question and the output.
	Redact func(string) string
	// Receipts receives what the agent's hooks reported, with agent and run filled in; nil means that it is only
	// counted.
	Receipts func(ctx context.Context, rs []report.Receipt)
	// API answers what else the agent asks Showhow for from inside the sandbox; over is called when the run has ended.
	// nil: nothing.
	API func(agent, run string) (answer http.Handler, over func())
	// Scan scans a skill that a run made; nil means that nobody does.
	Scan func(ctx context.Context, b skill.Bundle) (scan.Report, error)
	// Ended receives every run of a skill that has ended; nil means that nobody counts.
	Ended func(ctx context.Context, r Run)
	// Wait is how long a question may wait before the run is given up; 0 means an hour.
	Wait time.Duration
	// Dial is how the proxy connects; tests only.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Now   func() clock.Time
	NewID func() string
	Log   *slog.Logger
}

// Service provides every operation on runs. Identity and permission are the caller's business.
type Service struct {
	o         Options
	preparing sync.Mutex // one at a time

	mu      sync.Mutex
	live    *live // the one run, nil when none
	last    *output
	lastID  string
	closing bool
	wg      sync.WaitGroup
}

// New makes a service; call Recover once before serving.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Wait == 0 {
		o.Wait = time.Hour
	}
	return &Service{o: o}
}

// Recover fails runs that the end of an earlier process interrupted, so that they can be repeated, and removes their
// remains.
func (s *Service) Recover(ctx context.Context) error {
	if err := remove(s.o.Dir); err != nil {
		s.o.Log.Warn("what an earlier run left could not be removed", "code", string(fault.CodeOf(err)))
	}
	s.forgetUnused()
	return s.o.Store.Update(ctx, func(tx Tx) error {
		open, err := tx.OpenAgentRuns()
		if err != nil {
			return err
		}
		for _, r := range open {
			r.State, r.ReasonCode, r.Reason, r.Retryable, r.Question = Failed, "daemon_restart", "the daemon ended while it ran", true, nil
			r.EndedAt = s.o.Now().Ptr()
			if err := s.put(tx, &r, journal.RunEnded, "The agent's run was interrupted."); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close cancels the active run, if any, and waits for its end.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closing = true
	l := s.live
	s.mu.Unlock()
	if l != nil {
		l.stop("daemon_restart")
	}
	s.wg.Wait()
	return nil
}

// Busy reports whether a run is active.
func (s *Service) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live != nil
}

// put stores a run with its receipt and event.
func (s *Service) put(tx Tx, r *Run, kind journal.EventKind, summary string) error {
	r.Revision++
	if err := tx.PutAgentRun(*r); err != nil {
		return err
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, LearnSessionID: r.LearnSessionID, AbilityID: r.AbilityID, DispatchID: r.RunID,
		Reason: r.ReasonCode, Summary: summary}); err != nil {
		return err
	}
	payload := map[string]any{"run_id": r.RunID, "state": string(r.State), "agent": r.Agent, "revision": r.Revision}
	if r.For != "" {
		payload["for"] = r.For
	}
	if r.ReasonCode != "" {
		payload["reason_code"] = r.ReasonCode
	}
	if r.Question != nil {
		payload["question_id"], payload["question_kind"] = r.Question.QuestionID, r.Question.Kind
	}
	if r.AbilityID != "" {
		payload["ability_id"] = r.AbilityID
	}
	return tx.Emit(journal.Event{Kind: kind, SessionID: r.LearnSessionID, Payload: payload})
}

func notFound() error {
	return fault.New(fault.NotFound, "there is no such run").WithHint("`showhow run list` names them")
}

// Get is one run.
func (s *Service) Get(ctx context.Context, id string) (r Run, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		var ok bool
		if r, ok, err = tx.AgentRun(id); err == nil && !ok {
			err = notFound()
		}
		return err
	})
	return r, err
}

// Runs is a page of runs, newest first.
func (s *Service) Runs(ctx context.Context, page, size int) (l List, err error) {
	page, size = max(page, 1), min(max(size, 1), 100)
	l = List{Page: page, PageSize: size, SchemaVersion: 1}
	err = s.o.Store.View(ctx, func(tx Tx) error { l.Runs, l.Total, err = tx.AgentRuns(page, size); return err })
	return l, err
}

// Evidence is what was observed of a run; during the run, so far.
func (s *Service) Evidence(ctx context.Context, id string) (e Evidence, err error) {
	var ok bool
	err = s.o.Store.View(ctx, func(tx Tx) error { e, ok, err = tx.RunEvidence(id); return err })
	if err != nil || ok {
		return e, err
	}
	if l := s.running(id); l != nil {
		return l.evidence(), nil
	}
	return e, notFound()
}

// Output returns a run's output from after on. It waits briefly for more when there is none.
func (s *Service) Output(ctx context.Context, id string, after int64) (Output, error) {
	s.mu.Lock()
	o, known := s.last, s.lastID == id
	s.mu.Unlock()
	if known {
		return o.read(ctx, after), nil
	}
	if _, err := s.Get(ctx, id); err != nil {
		return Output{}, err
	}
	return Output{Next: after, Ended: true}, nil
}

// Cancel ends a run and returns once it has ended.
func (s *Service) Cancel(ctx context.Context, id string) (Run, error) {
	l := s.running(id)
	if l == nil {
		r, err := s.Get(ctx, id)
		if err == nil {
			err = fault.New(fault.InvalidLearnStateTransition, "the run has ended already")
		}
		return r, err
	}
	l.stop("cancelled")
	select {
	case <-l.done:
	case <-ctx.Done():
		return Run{}, ctx.Err()
	}
	return s.Get(ctx, id)
}

func (s *Service) running(id string) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil && s.live.id == id {
		return s.live
	}
	return nil
}

// Probe checks whether runs are possible here; the error says what to do.
func Probe() error { return sandbox.Probe() }

// folder is a run's own: workspace and socket.
func (s *Service) folder(id string) string { return filepath.Join(s.o.Dir, id) }

func makeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "work"), 0o700); err != nil {
		return full(err)
	}
	return nil
}
