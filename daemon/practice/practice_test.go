package practice_test

import (
	"strings"
	"testing"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/practice"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What a daemon that was killed had under way is interrupted and says what can still be made of it; nothing else changes.
func TestAnInterruptedPracticeIsNotLost(t *testing.T) {
	db := open(t)
	began := clock.At(time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC))
	session := clock.NewID()
	all := []practice.Practice{
		{PracticeID: clock.NewID(), State: practice.Drafted, Goal: "done before", ProposalID: clock.NewID(), Attempts: []practice.Attempt{}},
		{PracticeID: clock.NewID(), State: practice.Running, Goal: "one worked", LearnSessionID: session,
			Attempts: []practice.Attempt{{RunID: clock.NewID(), LearnSessionID: session, Worked: true, Ended: true},
				{RunID: clock.NewID(), LearnSessionID: clock.NewID()}}},
		{PracticeID: clock.NewID(), State: practice.Running, Goal: "none yet",
			Attempts: []practice.Attempt{{RunID: clock.NewID(), LearnSessionID: clock.NewID()}}},
	}
	if err := db.Practices().Update(t.Context(), func(tx practice.Tx) error {
		for i, p := range all {
			p.StartedAt, p.SchemaVersion = began.Plus(time.Duration(i)*time.Hour), 1
			if err := tx.PutPractice(p); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s := practice.New(practice.Options{Store: db.Practices(), Now: clock.Now, NewID: clock.NewID})
	defer s.Close()
	for range 2 { // the second finds nothing to do
		if err := s.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	l, err := s.List(t.Context())
	if err != nil || len(l) != 3 || l[0].Goal != "none yet" || l[2].State != practice.Drafted {
		t.Fatalf("%+v %v", l, err)
	}
	if p := l[0]; p.State != practice.Interrupted || !p.Attempts[0].Ended || p.Attempts[0].Worked || strings.Contains(p.Reason, "drafted") {
		t.Errorf("%+v", p)
	}
	p, err := s.Get(t.Context(), all[1].PracticeID)
	if err != nil || p.State != practice.Interrupted || !p.Attempts[0].Worked || !p.Attempts[1].Ended ||
		!strings.Contains(p.Reason, "showhow learn propose --session "+session) {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := s.Get(t.Context(), clock.NewID()); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	events, err := db.Events(t.Context(), 0, "", 100)
	if n := 0; err == nil {
		for _, e := range events {
			if e.Kind == journal.PracticeEnded {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%d ends", n)
		}
	}
}
