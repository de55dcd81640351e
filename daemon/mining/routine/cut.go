package routine

import (
	"math"
	"slices"
	"time"
)

// The occurrences of a routine that is repeated without a break may have been cut anywhere in the round: the last step
// of one and the first of the next follow each other as regularly as all its steps. The routine begins where most
// other work, or the longest pause, precedes it.

// cut cuts a family's occurrences where the routine begins.
func (j *joiner) cut(f *family, steps []Step) {
	core, stats := j.core(f)
	if len(f.in) < 2 || len(core) < 2 {
		return
	}
	before := j.before(f, steps)
	rank := func(a int32) float64 {
		n := 0.
		for _, b := range core {
			if stats[b].rank < stats[a].rank {
				n++
			}
		}
		return n
	}
	now, start, most := 0., int32(-1), 0.
	for _, a := range core {
		r := rank(a)
		if r <= 1 {
			now = max(now, before[a])
		} else if before[a] > most || before[a] == most && start >= 0 && r < rank(start) {
			start, most = a, before[a]
		}
	}
	if start < 0 || most <= 1.5*now {
		return
	}
	var pieces []*instance
	for _, in := range f.in {
		i := len(in.at) - 1
		for ; i >= 0 && j.act[in.at[i]] != start; i-- {
		}
		if i <= 0 {
			pieces = append(pieces, in)
			continue
		}
		pieces = append(pieces, &instance{slices.Clone(in.at[:i])}, &instance{slices.Clone(in.at[i:])})
	}
	var out []*instance
	for _, p := range pieces {
		if len(out) > 0 {
			last := out[len(out)-1]
			begins := j.act[p.at[0]] == start
			if !begins && j.act[last.at[0]] == start && !last.closed(j, p) && p.first() > last.last() {
				last.at = append(last.at, p.at...)
				continue
			}
		}
		out = append(out, p)
	}
	f.in = out
}

// closed reports whether p cannot be the rest of in.
func (in *instance) closed(j *joiner, p *instance) bool {
	return p.first()-in.last() > int32(j.o.Reach)+1 || p.last() > j.until[in.last()] ||
		2*shared(in.set(j.act), p.set(j.act)) > min(len(in.at), len(p.at))
}

// before returns for each activity how much precedes it on average: other steps, or a pause; the beginning of a
// stretch counts as much.
func (j *joiner) before(f *family, steps []Step) map[int32]float64 {
	type place struct {
		at, instance int32
	}
	var all []place
	for i, in := range f.in {
		for _, at := range in.at {
			all = append(all, place{at, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return int(a.at - b.at) })
	usual := usualPause(steps)
	sum, n := map[int32]float64{}, map[int32]float64{}
	seen := map[[2]int32]bool{}
	for i, p := range all {
		a := j.act[p.at]
		if seen[[2]int32{p.instance, a}] { // done again in the same occurrence
			continue
		}
		seen[[2]int32{p.instance, a}] = true
		n[a]++
		const much = 4.
		if i == 0 || j.until[all[i-1].at] != j.until[p.at] {
			sum[a] += much
			continue
		}
		gap := math.Log(float64(p.at - all[i-1].at))
		if x, y := steps[all[i-1].at].At, steps[p.at-0].At; usual > 0 && !x.IsZero() && !y.IsZero() && p.at == all[i-1].at+1 {
			gap += max(0, math.Log(float64(y.Sub(x))/float64(usual))-1) / 2
		}
		sum[a] += min(gap, much)
	}
	for a := range sum {
		sum[a] /= n[a]
	}
	return sum
}

// usualPause is the median time between two steps.
func usualPause(steps []Step) time.Duration {
	var all []time.Duration
	for i := 1; i < len(steps); i++ {
		if a, b := steps[i-1].At, steps[i].At; !a.IsZero() && !b.IsZero() && b.After(a) {
			all = append(all, b.Sub(a))
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
