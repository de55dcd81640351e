package observe

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Tick does what is due: it closes idle runs, and purges expired ones. Run calls it; tests may, while Run does not.
func (j *Journal) Tick(ctx context.Context) {
	now := j.o.Now()
	for k, run := range j.open {
		if now.Sub(run.last) >= openFor {
			j.close(ctx, k)
		}
	}
	if now.Sub(j.restSince) >= restAfter {
		j.rest()
	}
	j.storeHeard(ctx)
	err := j.markDue(ctx)
	if err == nil && now.Sub(j.lastPurge) >= purgeEvery {
		err = j.purgeGone(ctx)
	}
	if err != nil && ctx.Err() == nil {
		j.o.Log.Error("runs that are due could not be purged", "code", string(fault.CodeOf(err)))
	}
}

// markDue removes runs from every list: those beyond an agent's last 20, expired ones, those without a consent.
func (j *Journal) markDue(ctx context.Context) error {
	now := j.o.Now()
	return j.mark(ctx, func(all []StoredRun) []StoredRun {
		kept := map[string]int{}
		return slices.DeleteFunc(all, func(r StoredRun) bool {
			kept[r.Agent]++
			return kept[r.Agent] <= MaxRuns && now.Sub(r.StartedAt.Time) < dueAfter && j.Consented(r.Agent)
		})
	})
}

// mark marks for deletion the runs that choose selects among the kept ones (newest first), and closes their pipelines.
func (j *Journal) mark(ctx context.Context, choose func([]StoredRun) []StoredRun) error {
	all, err := j.runs(ctx)
	if err != nil {
		return err
	}
	gone := choose(slices.DeleteFunc(all, func(r StoredRun) bool { return r.Gone }))
	if len(gone) == 0 {
		return nil
	}
	for _, r := range gone {
		if k := (runKey{r.Agent, r.AgentRunID}); j.open[k] != nil && j.open[k].RunID == r.RunID {
			j.close(ctx, k)
		}
	}
	return j.o.Store.Update(ctx, func(tx Tx) error {
		for _, r := range gone {
			r.Gone = true
			if err := tx.PutRun(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// purgeGone purges every marked run and forgets it. An interrupted purge is finished at the next start.
func (j *Journal) purgeGone(ctx context.Context) error {
	all, err := j.runs(ctx)
	if err != nil {
		return err
	}
	var ids []string
	for _, r := range all {
		if r.Gone {
			ids = append(ids, r.RunID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if err := j.o.Store.Purge(ctx, ids); err != nil {
		return err
	}
	j.lastPurge = j.o.Now()
	return j.o.Store.Update(ctx, func(tx Tx) error {
		for _, id := range ids {
			if err := tx.DeleteRun(id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (j *Journal) runs(ctx context.Context) (all []StoredRun, err error) {
	err = j.o.Store.View(ctx, func(tx Tx) (err error) { all, err = tx.Runs(); return err })
	return all, err
}

// delete purges the runs that which selects, at once, and returns their number.
//
// What others derived from them is deleted in the same transaction: from those runs, or with agent from all that this
// agent ever did ("*": every agent).
func (j *Journal) delete(ctx context.Context, m Meta, agent string, which func(StoredRun) bool) (int, error) {
	n := 0
	var gone []string
	var err error
	asked := j.ask(ctx, func(ctx context.Context) {
		err = j.mark(ctx, func(all []StoredRun) []StoredRun {
			chosen := slices.DeleteFunc(all, func(r StoredRun) bool { return !which(r) })
			n = len(chosen)
			for _, r := range chosen {
				gone = append(gone, r.RunID)
			}
			return chosen
		})
		if err != nil || n == 0 && agent == "" {
			return
		}
		err = j.o.Store.Update(ctx, func(tx Tx) error {
			if err := tx.DropDerived(agent, gone); err != nil || n == 0 {
				return err
			}
			return tell(tx, journal.RunsDeleted, "", "kept runs were deleted", m, j.now(), map[string]any{"runs": n})
		})
		if err == nil && n > 0 {
			err = j.purgeGone(ctx)
		}
	})
	if asked != nil {
		return 0, asked
	}
	return n, err
}

// storeHeard stores when agents last reported; once per tick is enough.
func (j *Journal) storeHeard(ctx context.Context) {
	j.mu.Lock()
	var news []StoredAgent
	for name := range j.heard {
		news = append(news, j.agents[name])
	}
	clear(j.heard)
	j.mu.Unlock()
	if len(news) == 0 {
		return
	}
	err := j.o.Store.Update(ctx, func(tx Tx) error {
		for _, a := range news {
			if err := tx.PutAgent(a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		j.o.Log.Warn("when agents were heard could not be stored", "code", string(fault.CodeOf(err)))
	}
}
