package ability

import (
	"slices"
	"sync"
	"time"

	"showhow/internal/clock"
)

// runQuiet is how long a reporter must be silent for its next report to belong to a new run.
const runQuiet = time.Hour

// Reporter identifies who reports a checkpoint: kind is agent, rehearsal or machine, key tells callers apart, and name is
// an agent's name in policies, by which it is known at the door, too. names are those by which an approval may name the
// agent, empty if it was not identified; nil for a person and for Showhow itself, whom no approval limits.
type Reporter struct {
	Kind, Key, Name string
	Names           []string
}

// admitted reports whether the reporter may follow the ability.
func (r Reporter) admitted(a Ability) bool { return r.Names == nil || a.Permissions.Admits(r.Names...) }

// dispatches assigns runs to reporters that name none, as the line in every SKILL.md does. A reporter follows an
// ability in one run at a time, forward: a new run begins with a lookup of the ability, with a report of an earlier
// checkpoint than the last, or after an hour's silence. A reporter that follows an ability several times at once names
// the runs. Kept in memory: a restart begins new runs.
type dispatches struct {
	mu      sync.Mutex
	open    map[runKey]openRun
	reports []*runReport // oldest first
}

type runKey struct{ reporter, ability string }

type openRun struct {
	id    string
	place int // of the last checkpoint reported
	last  clock.Time
}

// of is the run that a report belongs to; place is the index of its checkpoint.
func (d *dispatches) of(k runKey, place int, now clock.Time, newID func() string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.open[k]
	if !ok || place < r.place || now.Sub(r.last.Time) > runQuiet {
		r = openRun{id: newID()}
	}
	r.place, r.last = place, now
	d.open[k] = r
	return r.id
}

// NoteLookup records that a reporter looked abilities up: its next report on one of them begins a new run. What is only
// listed it does not follow.
func (s *Checkpoints) NoteLookup(by Reporter, found []LookupMatch) {
	s.runs.mu.Lock()
	defer s.runs.mu.Unlock()
	for _, m := range found {
		delete(s.runs.open, runKey{by.Key, m.AbilityID})
	}
}

// dispatch names the run of a report that names neither run nor session.
func (s *Checkpoints) dispatch(a Ability, checkpoint string, by Reporter) string {
	return s.runs.of(runKey{by.Key, a.AbilityID}, slices.Index(a.Checkpoints, checkpoint), s.now(), s.o.NewID)
}
