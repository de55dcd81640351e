package ability

import (
	"slices"
	"sync"
	"time"

	"showhow/internal/clock"
)

// runQuiet ends a run that nobody named: the next report belongs to another one.
const runQuiet = time.Hour

// Reporter is who reports a checkpoint: kind is agent, rehearsal or machine, key tells callers apart.
type Reporter struct{ Kind, Key string }

// dispatches are the runs of reporters that name none, as the line in every SKILL.md does. A reporter follows an ability in one
// run at a time, forward: to look it up again, to report a checkpoint before the last one, or an hour's silence begins the next
// run. Whoever follows it several times at once names the runs. Kept in memory: a restart begins new runs.
type dispatches struct {
	mu   sync.Mutex
	open map[runKey]openRun
}

type runKey struct{ reporter, ability string }

type openRun struct {
	id    string
	place int // of the last checkpoint reported
	last  clock.Time
}

// of is the run that a report belongs to; place is where its checkpoint stands among the ability's.
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

// NoteLookup records that a reporter looked abilities up: what it reports of them next is of another run.
func (s *Checkpoints) NoteLookup(reporter string, found []LookupMatch) {
	s.runs.mu.Lock()
	defer s.runs.mu.Unlock()
	for _, m := range found {
		delete(s.runs.open, runKey{reporter, m.AbilityID})
	}
}

// dispatch names the run of a report that names neither run nor session.
func (s *Checkpoints) dispatch(a Ability, checkpoint string, by Reporter) string {
	return s.runs.of(runKey{by.Key, a.AbilityID}, slices.Index(a.Checkpoints, checkpoint), s.now(), s.o.NewID)
}
