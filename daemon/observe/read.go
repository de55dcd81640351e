package observe

import (
	"cmp"
	"context"
	"slices"

	"showhow/capture"
	"showhow/capture/seal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Agents lists what is known of each agent, by name.
func (j *Journal) Agents(ctx context.Context) ([]Agent, error) {
	runs, err := j.runs(ctx)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out := []Agent{}
	for _, a := range j.agents {
		x := Agent{Agent: a.Agent, Journal: a.Journal, JournalSince: a.JournalSince, LastHeardAt: a.LastHeardAt, Missed: j.missed[a.Agent]}
		for _, r := range runs {
			if r.Agent == a.Agent && !r.Gone {
				x.Runs++
			}
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Agent) int { return cmp.Compare(a.Agent, b.Agent) })
	return out, nil
}

// Runs is a page of the kept runs of an agent, newest first; of all agents when agent is "".
func (j *Journal) Runs(ctx context.Context, agent string, page, size int) (RunList, error) {
	if err := j.flush(ctx); err != nil {
		return RunList{}, err
	}
	page, size = max(page, 1), min(max(size, 1), 100)
	out := RunList{Runs: []Run{}, Page: page, PageSize: size, SchemaVersion: 1}
	err := j.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Runs()
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(r StoredRun) bool { return r.Gone || agent != "" && r.Agent != agent })
		out.Total = len(all)
		from := min((page-1)*size, len(all))
		for _, r := range all[from:min(from+size, len(all))] {
			run, err := described(tx, r)
			if err != nil {
				return err
			}
			out.Runs = append(out.Runs, run)
		}
		return nil
	})
	return out, err
}

func described(tx Tx, r StoredRun) (Run, error) {
	run := Run{RunID: r.RunID, Agent: r.Agent, AgentRunID: r.AgentRunID, StartedAt: r.StartedAt, EndedAt: r.EndedAt,
		ExpiresAt: r.StartedAt.Plus(KeepFor), SchemaVersion: 1}
	n, first, last, err := tx.Kept(r.RunID)
	if err != nil || n == 0 {
		return run, err
	}
	run.Observations, run.First, run.Last = n, first.Event.ActionLabel, last.Event.ActionLabel
	run.LastAt = clock.At(last.Event.CreatedAt.Time).Ptr()
	return run, nil
}

// Get is one kept run with a page of its records.
func (j *Journal) Get(ctx context.Context, id string, page, size int) (RunDetail, error) {
	if err := j.flush(ctx); err != nil {
		return RunDetail{}, err
	}
	page, size = max(page, 1), min(max(size, 1), 100)
	out := RunDetail{Page: page, PageSize: size, SchemaVersion: 1}
	err := j.o.Store.View(ctx, func(tx Tx) error {
		r, ok, err := tx.Run(id)
		if err != nil {
			return err
		}
		if !ok || r.Gone {
			return notKept()
		}
		out.Run, err = described(tx, r)
		return err
	})
	if err != nil {
		return RunDetail{}, err
	}
	records, total, err := j.o.Store.Page(ctx, id, (page-1)*size, size)
	out.Total = total
	out.Observations = twin.To[[]wire.Observation](records)
	if out.Observations == nil {
		out.Observations = []wire.Observation{}
	}
	return out, err
}

func notKept() error {
	return fault.New(fault.NotFound, "no such run is kept").WithHint("`showhow agent journal list` shows the runs; each is kept for a day")
}

// DeleteRun purges one run; NOT_FOUND when it is not kept.
func (j *Journal) DeleteRun(ctx context.Context, m Meta, id string) error {
	n, err := j.delete(ctx, m, "", func(r StoredRun) bool { return r.RunID == id })
	if err == nil && n == 0 {
		err = notKept()
	}
	return err
}

// DeleteRuns purges every run of an agent, of all agents when agent is "", and returns their number.
func (j *Journal) DeleteRuns(ctx context.Context, m Meta, agent string) (int, error) {
	return j.delete(ctx, m, cmp.Or(agent, "*"), func(r StoredRun) bool { return agent == "" || r.Agent == agent })
}

// Ready makes the runs' reports so far durable and returns their agents. NOT_FOUND for a run that is not kept.
func (j *Journal) Ready(ctx context.Context, ids []string) ([]string, error) {
	if err := j.flush(ctx); err != nil {
		return nil, err
	}
	agents := []string{}
	err := j.o.Store.View(ctx, func(tx Tx) error {
		for _, id := range ids {
			r, ok, err := tx.Run(id)
			if err != nil {
				return err
			}
			if !ok || r.Gone {
				return notKept()
			}
			if !slices.Contains(agents, r.Agent) {
				agents = append(agents, r.Agent)
			}
		}
		return nil
	})
	return agents, err
}

// Adopt copies the runs' records, in the order of the runs, for a session of a learning target. It only reads the
// store.
func (j *Journal) Adopt(ctx context.Context, ids []string, session, trace, target string) ([]capture.Record, error) {
	key, err := j.o.Keys.Key(ctx, target)
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(key, target)
	if err != nil {
		return nil, err
	}
	a := seal.Adoption{Session: session, Trace: trace, Sealer: sealer, NewID: j.o.NewID, Now: j.o.Now()}
	var out []capture.Record
	for _, id := range ids {
		records, rows, values, err := j.opened(ctx, id)
		if err != nil {
			return nil, err
		}
		adopted, err := a.Adopt(records, rows, values)
		if err != nil {
			return nil, err
		}
		out = append(out, adopted...)
	}
	return out, nil
}

// opened reads a run with its sealed values, in memory.
func (j *Journal) opened(ctx context.Context, id string) ([]capture.Record, []capture.SealedRow, map[string]string, error) {
	records, err := j.o.Store.Records(ctx, id)
	if err != nil {
		return nil, nil, nil, err
	}
	rows, err := j.o.Store.Sealed(ctx, id)
	if err != nil || len(rows) == 0 {
		return records, nil, nil, err
	}
	key, err := j.o.Keys.Key(ctx, id)
	if err != nil {
		return nil, nil, nil, err
	}
	values, err := seal.Open(key, rows)
	return records, rows, values, err
}
