package routine

import (
	"math"
	"slices"
)

// A routine that is repeated without a break is a circle in the log: the last step of one round and the first of the
// next follow each other as regularly as all its steps. So its steps are laid out on a circle, and the circle is cut
// where the log begins, where other work stands, or where people pause; each round ends where the circle passes the
// cut.

// event is one step of a family in the order of the log.
type event struct {
	at, a int32
	gap   float64 // what precedes it: other work, a pause
	opens bool    // a stretch begins with it
}

// inTurn reports whether most occurrences directly follow another.
func (f *family) inTurn(j *joiner) bool {
	tight, n := 0, 0
	for i := 1; i < len(f.in); i++ {
		if a, b := f.in[i-1], f.in[i]; j.until[a.last()] == j.until[b.first()] {
			n++
			if b.first()-a.last() <= 2 {
				tight++
			}
		}
	}
	return n >= 4 && 2*tight > n
}

// round cuts the occurrences of such a family again.
func (j *joiner) round(f *family, steps []Step) bool {
	core, _ := j.core(f)
	es := j.events(f, steps)
	if len(core) < 3 {
		return false
	}
	place := circle(es, core)
	if place == nil {
		return false
	}
	cut := cutOf(es, place)
	phase := func(a int32) float64 {
		p, ok := place[a]
		if !ok {
			return -1
		}
		return math.Mod(p-cut+1, 1)
	}
	var out []*instance
	var now *instance
	last, furthest := 0., 0.
	seen := map[int32]bool{}
	for i, e := range es {
		p := phase(e.a)
		begins := now == nil || e.opens || e.at-es[i-1].at > int32(j.o.Reach)+1
		if p >= 0 && !begins {
			begins = last-p > .5 || p < .2 && seen[e.a] && last > .35 && furthest > .35
		}
		if begins {
			now = &instance{}
			out = append(out, now)
			last, furthest = 0, 0
			clear(seen)
		}
		now.at = append(now.at, e.at)
		seen[e.a] = true
		if p >= 0 {
			last, furthest = p, max(furthest, p)
		}
	}
	f.in = out
	return true
}

// events lists the steps of a family, in order.
func (j *joiner) events(f *family, steps []Step) (es []event) {
	for _, in := range f.in {
		for _, at := range in.at {
			es = append(es, event{at: at, a: j.act[at]})
		}
	}
	slices.SortFunc(es, func(a, b event) int { return int(a.at - b.at) })
	usual := usualPause(steps)
	for i := range es {
		e := &es[i]
		if i == 0 || j.until[es[i-1].at] != j.until[e.at] {
			e.opens = true
			continue
		}
		e.gap = max(0, math.Log(float64(e.at-es[i-1].at)/3)) // one or two may be steps that only some rounds have
		if x, y := steps[e.at-1].At, steps[e.at].At; usual > 0 && !x.IsZero() && !y.IsZero() {
			e.gap += max(0, math.Log(float64(y.Sub(x))/float64(usual))-1) / 2
		}
	}
	return es
}

// circle lays out a family's activities, as fractions of a round. Rounds are counted by the activity between two
// occurrences of which the others are most often found exactly once. nil when there is none.
func circle(es []event, core []int32) map[int32]float64 {
	best, most := int32(-1), 0.
	n := map[int32]int{}
	for _, a := range core {
		rounds, once := 0, 0
		clear(n)
		end := func() {
			rounds++
			for _, b := range core {
				if b != a && n[b] == 1 {
					once++
				}
			}
			clear(n)
		}
		began := false
		for i, e := range es {
			if e.a == a && (i == 0 || es[i-1].a != a) {
				if began {
					end()
				}
				began = true
				continue
			}
			n[e.a]++
		}
		if rounds == 0 {
			continue
		}
		// A rare activity makes few rounds, each with several of every other.
		if score := float64(once) / float64(rounds) / float64(len(core)-1); score > most {
			best, most = a, score
		}
	}
	if best < 0 {
		return nil
	}
	at := map[int32][]float64{}
	var round []event
	for i, e := range es {
		if e.a == best && (i == 0 || es[i-1].a != best) || e.opens {
			if len(round) > 1 && round[0].a == best && !e.opens {
				for k, x := range round {
					at[x.a] = append(at[x.a], float64(k)/float64(len(round)))
				}
			}
			round = round[:0]
		}
		round = append(round, e)
	}
	place := map[int32]float64{}
	for a, ps := range at {
		slices.Sort(ps)
		place[a] = ps[len(ps)/2]
	}
	place[best] = 0
	return place
}

// cutOf is where the circle is cut: right before the activity with the most before it, where what follows its
// predecessor counts as well.
func cutOf(es []event, place map[int32]float64) float64 {
	type on struct {
		p        float64
		evidence float64
	}
	var ring []on
	for _, p := range place {
		ring = append(ring, on{p: p})
	}
	slices.SortFunc(ring, func(a, b on) int {
		switch {
		case a.p < b.p:
			return -1
		case a.p > b.p:
			return 1
		}
		return 0
	})
	ring = slices.CompactFunc(ring, func(a, b on) bool { return a.p == b.p })
	index := func(a int32) int {
		p, ok := place[a]
		if !ok {
			return -1
		}
		i, _ := slices.BinarySearchFunc(ring, p, func(x on, p float64) int {
			switch {
			case x.p < p:
				return -1
			case x.p > p:
				return 1
			}
			return 0
		})
		return i
	}
	const opens, closes = 4., 2.
	vote := func(i int, after bool, w float64) {
		if i < 0 {
			return
		}
		if after {
			i = (i + 1) % len(ring)
		}
		ring[i].evidence += w
	}
	for i, e := range es {
		k := index(e.a)
		if !e.opens {
			vote(k, false, e.gap/2)
			vote(index(es[i-1].a), true, e.gap/2)
			continue
		}
		vote(k, false, opens)
		if i > 0 {
			vote(index(es[i-1].a), true, closes)
		}
	}
	vote(index(es[len(es)-1].a), true, closes)
	cut := ring[0]
	for _, x := range ring[1:] {
		if x.evidence > cut.evidence {
			cut = x
		}
	}
	return cut.p
}
