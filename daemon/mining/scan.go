package mining

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/mining/routine"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// maxSteps bounds the steps of one scan; the newest work counts.
const maxSteps = 20_000

// Scan searches the allowed sources and updates the candidates.
func (s *Service) Scan(ctx context.Context, m state.Meta) (Scan, error) {
	if err := state.UserOnly(m); err != nil {
		return Scan{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	set, err := s.Settings(ctx)
	if err != nil {
		return Scan{}, err
	}
	if set.Mode == Off {
		return Scan{}, fault.New(fault.NoScope, "looking for routines is turned off").
			WithHint("showhow mine settings --mode build_then_review")
	}
	may := allowed(set)
	if len(may) == 0 {
		return Scan{}, fault.New(fault.NoScope, "nothing may be looked at: no consent is given").
			WithHint("`showhow mine settings --allow runs` lets agents' kept runs be looked at; receipts and sessions are the others")
	}
	works, err := s.look(ctx, m, set, may)
	if err != nil {
		return Scan{}, err
	}
	out := Scan{Looked: []string{}, Works: len(works), ScannedAt: s.o.Now(), SchemaVersion: 1}
	for _, k := range may {
		out.Looked = append(out.Looked, string(k))
	}
	for _, w := range works {
		out.Steps += len(w.Marks)
	}
	if set.Mode == AutoInstall {
		s.auto(ctx, set)
	}
	kept, err := s.kept(ctx, set)
	out.Routines = []Routine{}
	for _, c := range kept {
		out.Routines = append(out.Routines, s.became(ctx, c.Routine))
	}
	return out, err
}

// errForgotten means that a person deleted work between a scan's reading and its writing.
var errForgotten = errors.New("mining: work was deleted during the scan")

// maxLooks bounds how often a scan restarts because work was deleted meanwhile.
const maxLooks = 5

// look reads the work, finds its routines and stores them. If a person deletes work meanwhile, it stores nothing and
// starts again.
func (s *Service) look(ctx context.Context, m state.Meta, set Settings, may []Kind) (works []Work, err error) {
	blocked := []string{}
	if s.o.Blocked != nil {
		if blocked, err = s.o.Blocked(ctx); err != nil {
			return nil, err
		}
	}
	for range maxLooks {
		var deletions int
		if err := s.o.Store.View(ctx, func(tx Tx) (err error) { deletions, err = tx.Deletions(); return err }); err != nil {
			return nil, err
		}
		if works, err = s.works(ctx, set, may); err != nil {
			return nil, err
		}
		if err = s.keep(ctx, m, set, works, s.find(set, works, blocked), deletions); !errors.Is(err, errForgotten) {
			return works, err
		}
	}
	return nil, fault.New(fault.Cancelled, "the scan was given up: work was deleted again and again while it ran").
		WithHint("run the scan again when nothing is being deleted")
}

// works returns all allowed work, in order of time: what is kept now, and fingerprints of what was.
func (s *Service) works(ctx context.Context, set Settings, may []Kind) ([]Work, error) {
	var all []Work
	have := map[string]bool{}
	for _, k := range may {
		ws, err := s.o.Read(ctx, k)
		if err != nil {
			return nil, err
		}
		for _, w := range ws {
			if len(w.Marks) > 0 && !have[w.ID] {
				w.Kept = true
				all = append(all, w)
				have[w.ID] = true
			}
		}
	}
	if set.Sources.Fingerprints {
		var prints []Work
		if err := s.o.Store.View(ctx, func(tx Tx) (err error) { prints, err = tx.Fingerprints(); return err }); err != nil {
			return nil, err
		}
		for _, w := range prints {
			if !have[w.ID] && slices.Contains(may, w.Kind) && s.o.Now().Sub(w.At) < KeepFor {
				all = append(all, w)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Work) int { return a.At.Compare(b.At) })
	n := 0
	for i := len(all) - 1; i >= 0; i-- {
		if n += len(all[i].Marks); n > maxSteps {
			return all[i+1:], nil
		}
	}
	return all, nil
}

// find finds the routines of all work and judges them.
func (s *Service) find(set Settings, works []Work, blocked []string) (out []Stored) {
	var log []routine.Step
	type origin struct{ work, mark int }
	var from []origin
	for i, w := range works {
		for k, m := range w.Marks {
			log = append(log, m.step(strconv.Itoa(i)))
			from = append(from, origin{i, k})
		}
	}
	for _, r := range routine.Find(log, routine.Options{Times: max(2, min(3, set.MinSuccessfulTraces))}) {
		f := finding{r: r, works: works}
		for _, o := range r.Occurrences {
			oc := occurrence{failed: o.Failed}
			for _, at := range o.Steps {
				oc.work = from[at].work
				oc.marks = append(oc.marks, works[oc.work].Marks[from[at].mark])
			}
			f.occ = append(f.occ, oc)
		}
		c := f.candidate(set, blocked)
		c.Routine.Cluster.CreatedAt, c.Routine.Cluster.UpdatedAt = s.o.Now(), s.o.Now()
		out = append(out, c)
	}
	return out
}

// keep stores the results, with earlier decisions about them, and fingerprints where those may be kept. It fails with
// errForgotten if the number of deletions has changed.
func (s *Service) keep(ctx context.Context, m state.Meta, set Settings, works []Work, found []Stored, deletions int) error {
	return s.o.Store.Update(ctx, func(tx Tx) error {
		if n, err := tx.Deletions(); err != nil {
			return err
		} else if n != deletions {
			return errForgotten
		}
		if set.Sources.Fingerprints {
			for _, w := range works {
				if !w.Kept {
					continue
				}
				if err := tx.PutFingerprint(w); err != nil {
					return err
				}
			}
		}
		known, err := tx.Candidates()
		if err != nil {
			return err
		}
		waiting := 0
		for _, c := range found {
			i := slices.IndexFunc(known, func(k Stored) bool { return alike(k.Signature, c.Signature) })
			if i >= 0 {
				c = again(known[i], c)
				known = slices.Delete(known, i, i+1)
			} else {
				c.Routine.Cluster.ClusterID = s.o.NewID()
			}
			if c.Routine.State == Waiting && !c.Announced {
				c.Announced = true
				waiting++
				err := tx.Emit(journal.Event{Kind: journal.MiningOffered, Timestamp: s.o.Now(), Payload: map[string]any{
					"cluster_id": c.Routine.Cluster.ClusterID, "times": c.Routine.Times, "own": c.Routine.Own}})
				if err != nil {
					return err
				}
			}
			if err := tx.PutCandidate(c); err != nil {
				return err
			}
		}
		for _, k := range known { // a routine that is not found any more is no longer offered
			if k.Routine.State == Waiting || k.Routine.State == HeldBack {
				if err := tx.DropCandidate(k.Routine.Cluster.ClusterID); err != nil {
					return err
				}
			}
		}
		if waiting == 0 {
			return nil
		}
		steps := 0
		for _, w := range works {
			steps += len(w.Marks)
		}
		return s.tell(tx, journal.MiningScanned, m, "Work that was done again and again was found.",
			map[string]any{"works": len(works), "steps": steps, "waiting": waiting})
	})
}

// again merges a candidate with its earlier record: its identity and decision stay.
func again(known, now Stored) Stored {
	now.Routine.Cluster.ClusterID, now.Routine.Cluster.CreatedAt = known.Routine.Cluster.ClusterID, known.Routine.Cluster.CreatedAt
	now.Announced = known.Announced
	switch known.Routine.State {
	case NotNow, Never, Learned:
		now.Routine.State, now.Routine.Until = known.Routine.State, known.Routine.Until
		now.Routine.LearnSessionID, now.Routine.ProposalID = known.Routine.LearnSessionID, known.Routine.ProposalID
	}
	return now
}

// signature is a hash of a routine's essential steps, by which it is recognised later.
func signature(r routine.Routine) (out []uint64) {
	for _, p := range r.Places {
		if 2*p.In < len(r.Occurrences) {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(p.App + "\x00" + p.Kind + "\x00" + routine.Masked(p.Target)))
		out = append(out, h.Sum64())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// alike reports whether two signatures belong to one routine: most of their steps are the same.
func alike(a, b []uint64) bool {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return 5*n >= 3*(len(a)+len(b)-n)
}

// lastAt is the time of the newest of some works.
func lastAt(ws []Work, in []int) clock.Time {
	var t time.Time
	for _, i := range in {
		if ws[i].At.After(t) {
			t = ws[i].At
		}
	}
	return clock.At(t)
}
