package routine

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Options says what counts as a routine; zero fields mean the defaults.
type Options struct {
	Times int           // how often it occurred at least: 3
	Steps int           // how many different steps it has at least: 3
	Reach int           // how many other steps may stand between two of its steps: 20
	Apart time.Duration // steps further apart are never joined: 2 h
	Share float64       // in how many of the occurrences of one thing the other follows: .5
}

func (o Options) withDefaults() Options {
	o.Times, o.Steps, o.Reach = cmp.Or(o.Times, 3), cmp.Or(o.Steps, 3), cmp.Or(o.Reach, 20)
	o.Apart, o.Share = cmp.Or(o.Apart, 2*time.Hour), cmp.Or(o.Share, .5)
	return o
}

// Routine is work that was repeated.
type Routine struct {
	Places      []Place // in the usual order
	Occurrences []Occurrence
	Variation   float64 // 0: always the same way; 1: never twice
	Coverage    float64 // share of the acting places whose effect can be seen
}

// Place is one step of a routine.
type Place struct {
	App, Kind, Target string // Target is "" where its occurrences have no name in common
	In                int    // in how many occurrences
	Again             int    // in how many it was done more than once
	Moved             int    // in how many it stood elsewhere than usual
	Value             string // the kind of value that it usually took; "" none
	Shown             bool   // its effect can usually be seen
	Targets           int    // how many different things it was done to, when only digits tell them apart
	activity          int32
}

// Occurrence is one time that a routine was done.
type Occurrence struct {
	Source string
	Steps  []int // places in the log given to Find, in order
	Failed bool  // a step of it failed and was not done again with success
}

// Find finds the routines of a log in order of time, those with the most work first.
func Find(log []Step, o Options) []Routine {
	o = o.withDefaults()
	order, until := stretches(log, o.Apart)
	steps := make([]Step, len(log))
	for i, at := range order {
		steps[i] = log[at]
	}
	act, n, pooled := activities(steps, o.Times)
	j := newJoiner(o, act, until, n)
	j.pooled = pooled
	var out []Routine
	for _, f := range j.gather() {
		if !f.inTurn(j) || !j.round(f, steps) {
			j.cut(f, steps)
		}
		if r, ok := j.tell(f, steps, order); ok {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Routine) int { return cmp.Compare(b.work(), a.work()) })
	return out
}

func (r *Routine) work() int {
	n := 0
	for _, o := range r.Occurrences {
		n += len(o.Steps)
	}
	return n
}

// stretches orders a log by source and returns for every position where its stretch ends: at the source's end, or at a
// long pause.
func stretches(log []Step, apart time.Duration) (order []int, until []int32) {
	rank := map[string]int{}
	for i := range log {
		if _, ok := rank[log[i].Source]; !ok {
			rank[log[i].Source] = len(rank)
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[log[a].Source], rank[log[b].Source]) })
	until = make([]int32, len(log))
	for i := len(order) - 1; i >= 0; i-- {
		until[i] = int32(i)
		if i+1 == len(order) {
			continue
		}
		a, b := &log[order[i]], &log[order[i+1]]
		if a.Source == b.Source && (a.At.IsZero() || b.At.IsZero() || b.At.Sub(a.At) <= apart) {
			until[i] = until[i+1]
		}
	}
	return order, until
}

// seen is the statistics of one activity over the occurrences.
type seen struct {
	in, again int
	rank      float64 // mean, of its first time, as a share of the occurrence
	ranks     []float64
}

// tell makes a routine of a family; false when it is none.
func (j *joiner) tell(f *family, steps []Step, order []int) (Routine, bool) {
	core, stats := j.core(f)
	if len(core) < j.o.Steps {
		return Routine{}, false
	}
	var occ []*instance
	for _, in := range f.in {
		if 2*shared(in.set(j.act), core) >= len(core) {
			occ = append(occ, in)
		}
	}
	if len(occ) < j.o.Times {
		return Routine{}, false
	}
	f.in = occ
	core, stats = j.core(f)
	named := slices.DeleteFunc(slices.Clone(core), func(a int32) bool { return j.pooled[a] })
	if len(named) < j.o.Steps || !j.own(named, occ) || len(named) < short && !j.firm(named, occ) {
		return Routine{}, false
	}
	var r Routine
	for _, in := range occ {
		o := Occurrence{Source: steps[in.at[0]].Source}
		last := map[int32]bool{}
		for _, at := range in.at {
			o.Steps = append(o.Steps, order[at])
			last[j.act[at]] = steps[at].Failed
		}
		for _, a := range core {
			o.Failed = o.Failed || last[a]
		}
		r.Occurrences = append(r.Occurrences, o)
	}
	typical := slices.SortedFunc(slices.Values(core), func(a, b int32) int {
		return cmp.Or(cmp.Compare(stats[a].rank, stats[b].rank), cmp.Compare(a, b))
	})
	r.Variation = j.variation(occ, typical)
	places := slices.SortedFunc(slices.Values(often(stats, max(2, len(occ)/5))), func(a, b int32) int {
		return cmp.Or(cmp.Compare(stats[a].rank, stats[b].rank), cmp.Compare(a, b))
	})
	for _, a := range places {
		r.Places = append(r.Places, j.place(a, stats[a], occ, steps))
	}
	r.Coverage = coverage(r.Places)
	return r, true
}

// own reports whether a routine has steps of its own, which rarely occur elsewhere: otherwise it is a habit, not work.
func (j *joiner) own(core []int32, occ []*instance) bool {
	all, in, n := map[int32]int{}, map[int32]int{}, 0
	for _, a := range j.act {
		all[a]++
	}
	for _, o := range occ {
		for _, at := range o.at {
			in[j.act[at]]++
		}
	}
	for _, a := range core {
		if 2*in[a] >= all[a] {
			n++
		}
	}
	return n >= 2 && 5*n >= len(core)
}

// short is the number of steps up to which a routine counts as a habit (copy, change the window, paste) unless its
// occurrences are whole and dense.
const short = 5

// firm reports whether three of four occurrences are whole and dense.
func (j *joiner) firm(core []int32, occ []*instance) bool {
	n := 0
	for _, in := range occ {
		steps := 0
		for _, at := range in.at {
			if _, ok := slices.BinarySearch(core, j.act[at]); ok {
				steps++
			}
		}
		if shared(in.set(j.act), core) == len(core) && 2*steps >= int(in.last()-in.first())+1 {
			n++
		}
	}
	return 4*n >= 3*len(occ)
}

// core returns the activities of at least half of the occurrences.
func (j *joiner) core(f *family) ([]int32, map[int32]*seen) {
	stats := map[int32]*seen{}
	for _, in := range f.in {
		n := map[int32]int{}
		for i, at := range in.at {
			a := j.act[at]
			if n[a]++; n[a] > 1 {
				if n[a] == 2 {
					stats[a].again++
				}
				continue
			}
			s := stats[a]
			if s == nil {
				s = &seen{}
				stats[a] = s
			}
			s.in++
			s.ranks = append(s.ranks, float64(i)/float64(len(in.at)))
		}
	}
	for _, s := range stats {
		for _, x := range s.ranks {
			s.rank += x / float64(len(s.ranks))
		}
	}
	return often(stats, max(1, (len(f.in)+1)/2)), stats
}

func often(stats map[int32]*seen, least int) (out []int32) {
	for a, s := range stats {
		if s.in >= least {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return out
}

// variation is the average deviation of the occurrences from the typical order: steps omitted, added and reordered. A
// repeated step counts once.
func (j *joiner) variation(occ []*instance, typical []int32) float64 {
	sum := 0.
	for _, in := range occ {
		var way []int32
		for _, at := range in.at {
			if a := j.act[at]; !slices.Contains(way, a) {
				way = append(way, a)
			}
		}
		sum += 1 - 2*float64(common(way, typical))/float64(len(way)+len(typical))
	}
	return math.Round(1000*sum/float64(len(occ))) / 1000
}

// common is the length of the longest common subsequence.
func common(a, b []int32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for k, y := range b {
			up := row[k+1]
			if x == y {
				row[k+1] = diagonal + 1
			} else {
				row[k+1] = max(row[k+1], row[k])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

// place describes one step.
func (j *joiner) place(a int32, s *seen, occ []*instance, steps []Step) Place {
	p := Place{In: s.in, Again: s.again, activity: a}
	targets, values, shown, all := map[string]int{}, map[string]int{}, 0, 0
	for _, in := range occ {
		for _, at := range in.at {
			if j.act[at] != a {
				continue
			}
			x := &steps[at]
			p.App, p.Kind, p.Target = x.App, x.Kind, x.Target
			targets[x.Target]++
			values[x.Value]++
			all++
			if x.Shown {
				shown++
			}
		}
	}
	if p.Targets = len(targets); p.Targets > 1 {
		p.Target = Masked(p.Target)
		for t := range targets {
			if Masked(t) != p.Target { // they have no name in common
				p.Target = ""
				break
			}
		}
	}
	most := 0
	for v, n := range values {
		if n > most || n == most && v < p.Value {
			p.Value, most = v, n
		}
	}
	p.Shown = 2*shown >= all
	for _, x := range s.ranks {
		if math.Abs(x-s.rank) > .25 {
			p.Moved++
		}
	}
	return p
}

// coverage is the share of the acting places whose effect is observable: a step that only takes a value is observable
// through the step that acts on it.
func coverage(ps []Place) float64 {
	acting, shown := 0, 0
	for _, p := range ps {
		if p.Value == "" || p.Shown {
			acting++
			if p.Shown {
				shown++
			}
		}
	}
	if acting == 0 {
		return 0
	}
	return math.Round(1000*float64(shown)/float64(acting)) / 1000
}
