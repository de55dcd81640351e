package ability

import (
	"context"
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// mostFollowed bounds how many runs' reports are remembered for Progress.
const mostFollowed = 1000

// runReport is what one reporter reported of one run.
type runReport struct {
	key     followKey
	ability string
	status  map[string]wire.CheckpointProgress
}

type followKey struct{ reporter, dispatch string }

// follow remembers a report, so that its reporter can ask how far it is. Others' reports of the same run are not shown
// to it.
func (d *dispatches) follow(k followKey, ability, checkpoint, status string, at clock.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.reports, func(f *runReport) bool { return f.key == k && f.ability == ability })
	if i < 0 {
		if len(d.reports) >= mostFollowed {
			d.reports = slices.Delete(d.reports, 0, mostFollowed/10)
		}
		d.reports = append(d.reports, &runReport{key: k, ability: ability, status: map[string]wire.CheckpointProgress{}})
		i = len(d.reports) - 1
	}
	d.reports[i].status[checkpoint] = wire.CheckpointProgress{CheckpointID: checkpoint, Status: status, At: at.Ptr()}
}

// reported returns what a reporter reported of a run; with dispatch "" of its current run of the ability.
func (d *dispatches) reported(reporter, dispatch, ability string) (id string, out runReport, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dispatch == "" {
		dispatch = d.open[runKey{reporter, ability}].id
	}
	for _, f := range slices.Backward(d.reports) {
		if f.key == (followKey{reporter, dispatch}) && (ability == "" || f.ability == ability) {
			out = runReport{ability: f.ability, status: map[string]wire.CheckpointProgress{}}
			for id, c := range f.status {
				out.status[id] = c
			}
			return dispatch, out, true
		}
	}
	return dispatch, out, false
}

// Progress is how far a reporter is with a run of an ability: its own reports since the daemon started, and the
// checkpoints that are still open. A run that names no dispatch is the reporter's current one.
func (s *Checkpoints) Progress(ctx context.Context, reporter string, r wire.ProgressRequest) (wire.DispatchProgress, error) {
	if r.DispatchID == "" && r.AbilityID == "" {
		return wire.DispatchProgress{}, fault.New(fault.InvalidRequest, "progress is asked of a dispatch or of an ability").
			WithHint("name the ability for your current run of it")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return wire.DispatchProgress{}, err
	}
	id := ""
	if r.AbilityID != "" {
		i := find(w.abilities, r.AbilityID)
		if i < 0 {
			return wire.DispatchProgress{}, notFound()
		}
		id = w.abilities[i].AbilityID
	}
	dispatch, said, ok := s.runs.reported(reporter, r.DispatchID, id)
	i := find(w.abilities, said.ability)
	if !ok || i < 0 {
		return wire.DispatchProgress{}, fault.New(fault.NotFound, "you have reported no checkpoint of this run").
			WithHint("reports of other agents, and those from before the daemon's start, are not shown")
	}
	a := w.abilities[i]
	out := wire.DispatchProgress{DispatchID: dispatch, AbilityID: a.AbilityID, SkillSlug: a.Slug, Checkpoints: []wire.CheckpointProgress{},
		SchemaVersion: 1}
	for _, name := range a.Checkpoints {
		c, reported := said.status[name]
		if !reported {
			c = wire.CheckpointProgress{CheckpointID: name, Status: "open"}
			out.Open++
		}
		out.Checkpoints = append(out.Checkpoints, c)
	}
	return out, nil
}
