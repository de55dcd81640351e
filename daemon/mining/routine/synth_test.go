package routine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"showhow/daemon/mining/routine"
)

// labelled is a log of which is known what belongs to which routine: for every step the routine and its occurrence, -1 none.
type labelled struct {
	name        string
	steps       []routine.Step
	of, instant []int
}

// world makes one log after another.
type world struct {
	r *rand.Rand
	n int
}

// act is something that can be done, and how it varies.
type act struct {
	app, kind, target, value string
	optional                 float64
	rows                     bool // each time another row
	named                    bool // each time another name
}

// task is a routine: blocks of acts; a block may be done in any order, repeated, or be one of several ways.
type task struct{ blocks []block }

type block struct {
	acts  []act
	any   bool    // in any order
	again int     // up to so many times
	ways  [][]act // one of these instead of acts
}

var apps = []string{"excel", "mail", "crm.example", "erp.example", "files", "bank.example", "bash", "calendar"}

func (w *world) act(task int) act {
	w.n++
	kinds := []string{"click", "fill", "select", "open", "copy", "paste"}
	a := act{app: apps[w.r.IntN(len(apps))], kind: kinds[w.r.IntN(len(kinds))],
		target: fmt.Sprintf("%s thing of %s", letters(w.n), letters(task))}
	if a.kind == "fill" || a.kind == "select" {
		a.value = "text"
	}
	return a
}

func letters(n int) string {
	s := ""
	for ; n >= 0; n = n/26 - 1 {
		s = string(rune('a'+n%26)) + s
	}
	return s
}

// recipe says what kind of log is made.
type recipe struct {
	name            string
	tasks, least    int // routines; occurrences of each at least
	steps           [2]int
	between, inside float64 // other work between occurrences, on average; and after each step, the chance
	optional        float64 // share of optional steps
	drop            float64 // a step is left out
	any, again      float64 // share of blocks in any order; repeated
	ways            float64 // share of blocks with alternatives
	glue            float64 // share of steps that all routines have (copy, paste, switch window)
	rows            float64 // share of steps done to another row each time
	named           float64 // share of steps done to something with another name each time
	parallel        bool    // two occurrences at the same time
	habit           bool    // other work has habits of its own (a chain with strong transitions)
	sources         bool    // every occurrence, with the work around it, in a source of its own
	once            int     // pieces of work that happen once
	siblings        float64 // share of a routine's steps that the one before it has, too
	tools           float64 // share of the other work that uses the routines' own steps
}

func (w *world) log(rc recipe, events int) labelled {
	l := labelled{name: rc.name}
	glue := []act{{app: "desk", kind: "copy", target: "selection"}, {app: "desk", kind: "paste", target: "field"},
		{app: "desk", kind: "switch", target: "window"}}
	tasks := make([]task, rc.tasks)
	for i := range tasks {
		tasks[i] = w.task(rc, i, glue)
		for k := range tasks[i].blocks {
			if i > 0 && k < len(tasks[i-1].blocks) && w.r.Float64() < rc.siblings {
				tasks[i].blocks[k] = tasks[i-1].blocks[k]
			}
		}
	}
	noise := make([]act, 40+w.r.IntN(80))
	for i := range noise {
		noise[i] = w.act(1000)
	}
	at, last, source := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), 0, 0
	other := func() {
		i := int(float64(len(noise)) * w.r.Float64() * w.r.Float64())
		if rc.habit && w.r.Float64() < .6 { // one of four usual next things
			i = (last*7 + []int{3, 11, 17, 29}[w.r.IntN(4)]) % len(noise)
		}
		last = i
		if w.r.Float64() < rc.tools {
			b := tasks[w.r.IntN(len(tasks))].blocks
			as := b[w.r.IntN(len(b))].acts
			l.add(w, as[w.r.IntN(len(as))], &at, source, -1, -1)
			return
		}
		l.add(w, noise[i], &at, source, -1, -1)
	}
	count, turn := 0, 0
	for len(l.steps) < events || count < rc.tasks*rc.least {
		for range int(w.r.ExpFloat64() * rc.between) {
			other()
		}
		if rc.between > 0 {
			at = at.Add(time.Duration(w.r.IntN(40)) * time.Second)
		}
		if rc.tasks == 0 {
			continue
		}
		t := turn % rc.tasks
		if rc.between > 0 {
			t = w.r.IntN(rc.tasks)
		} else if w.r.Float64() < .1 {
			turn++
		}
		own := [][]act{w.perform(tasks[t], rc)}
		ids, nth := []int{t}, []int{count}
		if rc.parallel && w.r.Float64() < .4 {
			u := w.r.IntN(rc.tasks)
			if u != t {
				own, ids, nth = append(own, w.perform(tasks[u], rc)), append(ids, u), append(nth, count+1)
			}
		}
		count += len(own)
		for len(own) > 0 {
			k := w.r.IntN(len(own))
			for range 1 + w.r.IntN(3) {
				if len(own[k]) == 0 {
					break
				}
				l.add(w, own[k][0], &at, source, ids[k], nth[k])
				own[k] = own[k][1:]
				for w.r.Float64() < rc.inside {
					other()
				}
			}
			if len(own[k]) == 0 {
				own, ids, nth = slices.Delete(own, k, k+1), slices.Delete(ids, k, k+1), slices.Delete(nth, k, k+1)
			}
		}
		if rc.sources {
			source++
		}
	}
	for i := range rc.once {
		t := w.task(rc, 500+i, glue)
		for _, a := range w.perform(t, rc) {
			l.add(w, a, &at, source, -1, -1)
		}
	}
	return l
}

func (l *labelled) add(w *world, a act, at *time.Time, source, of, instant int) {
	*at = at.Add(time.Duration(500+w.r.IntN(4000)) * time.Millisecond)
	t := a.target
	if a.rows {
		t = fmt.Sprintf("%s %d", t, w.r.IntN(500))
	}
	if a.named {
		t = "entry " + letters(10_000+w.r.IntN(400_000))
	}
	l.steps = append(l.steps, routine.Step{Source: fmt.Sprint("s", source), At: *at, App: a.app, Kind: a.kind, Target: t, Value: a.value,
		Shown: a.value == ""})
	l.of, l.instant = append(l.of, of), append(l.instant, instant)
}

func (w *world) task(rc recipe, id int, glue []act) task {
	n := rc.steps[0] + w.r.IntN(rc.steps[1]-rc.steps[0]+1)
	var t task
	for n > 0 {
		size := min(n, 1+w.r.IntN(3))
		var b block
		for range size {
			a := w.act(id)
			if w.r.Float64() < rc.glue {
				a = glue[w.r.IntN(len(glue))]
			}
			if w.r.Float64() < rc.optional {
				a.optional = .2 + .5*w.r.Float64()
			}
			a.rows = w.r.Float64() < rc.rows
			a.named = rc.named > 0 && w.r.Float64() < rc.named
			b.acts = append(b.acts, a)
		}
		b.any = w.r.Float64() < rc.any
		if w.r.Float64() < rc.again {
			b.again = 3
		}
		if w.r.Float64() < rc.ways {
			b.ways = [][]act{b.acts, {w.act(id), w.act(id)}}
		}
		t.blocks = append(t.blocks, b)
		n -= size
	}
	return t
}

func (w *world) perform(t task, rc recipe) (out []act) {
	for _, b := range t.blocks {
		for range 1 + w.r.IntN(b.again+1) {
			acts := b.acts
			if b.ways != nil {
				acts = b.ways[w.r.IntN(len(b.ways))]
			}
			acts = slices.Clone(acts)
			if b.any {
				w.r.Shuffle(len(acts), func(i, k int) { acts[i], acts[k] = acts[k], acts[i] })
			}
			for _, a := range acts {
				if w.r.Float64() >= a.optional && w.r.Float64() >= rc.drop {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

var recipes = []recipe{
	{name: "plain", tasks: 4, least: 8, steps: [2]int{5, 12}, between: 8},
	{name: "back to back", tasks: 1, least: 40, steps: [2]int{8, 18}},
	{name: "in blocks", tasks: 3, least: 20, steps: [2]int{7, 14}},
	{name: "noisy", tasks: 4, least: 8, steps: [2]int{6, 14}, between: 10, inside: .35, drop: .05},
	{name: "habits", tasks: 3, least: 8, steps: [2]int{6, 14}, between: 12, inside: .2, habit: true},
	{name: "optional", tasks: 4, least: 10, steps: [2]int{7, 16}, between: 8, inside: .1, optional: .25},
	{name: "any order", tasks: 4, least: 10, steps: [2]int{7, 16}, between: 8, inside: .1, any: .5},
	{name: "loops", tasks: 4, least: 10, steps: [2]int{6, 12}, between: 8, inside: .1, again: .35},
	{name: "ways", tasks: 3, least: 15, steps: [2]int{8, 16}, between: 8, inside: .1, ways: .3},
	{name: "glue", tasks: 5, least: 10, steps: [2]int{8, 16}, between: 8, inside: .1, glue: .35},
	{name: "rows", tasks: 4, least: 10, steps: [2]int{6, 14}, between: 8, inside: .1, rows: .4},
	{name: "interleaved", tasks: 4, least: 10, steps: [2]int{6, 14}, between: 8, inside: .1, parallel: true},
	{name: "few", tasks: 3, least: 4, steps: [2]int{5, 10}, between: 25, inside: .1, drop: .03},
	{name: "sources", tasks: 4, least: 6, steps: [2]int{5, 12}, between: 10, inside: .15, optional: .1, sources: true},
	{name: "siblings", tasks: 4, least: 10, steps: [2]int{8, 16}, between: 8, inside: .1, siblings: .35},
	{name: "same tools", tasks: 4, least: 10, steps: [2]int{7, 14}, between: 10, inside: .15, tools: .4},
	{name: "round and round", tasks: 1, least: 60, steps: [2]int{10, 20}, optional: .15, any: .2, again: .1, ways: .2, drop: .02},
	{name: "form filling", tasks: 3, least: 15, steps: [2]int{10, 20}, between: 3, glue: .6, rows: .2, drop: .02},
	{name: "all at once", tasks: 4, least: 12, steps: [2]int{8, 16}, between: 10, inside: .2, optional: .15, any: .25, again: .15, ways: .1,
		glue: .2, rows: .15, parallel: true, habit: true, drop: .03},
	{name: "names", tasks: 4, least: 10, steps: [2]int{6, 14}, between: 8, inside: .1, named: .3},
}

// counts are true positives, what was found and what was there, of one measure.
type counts struct{ tp, found, there int }

func (c *counts) add(d counts) { c.tp, c.found, c.there = c.tp+d.tp, c.found+d.found, c.there+d.there }

func (c counts) p() float64 { return float64(c.tp) / float64(max(1, c.found)) }
func (c counts) r() float64 { return float64(c.tp) / float64(max(1, c.there)) }
func (c counts) f1() float64 {
	return 2 * float64(c.tp) / float64(max(1, c.found+c.there))
}

// judged compares what was found with what was there: by steps, by occurrences (half of the steps of both in common), by routines
// (half of their occurrences found). Each found routine stands for one that was there.
type judged struct{ steps, occurrences, routines counts }

func judge(l labelled, found []routine.Routine) (j judged) {
	truth := map[int]map[int][]int{} // routine, occurrence: steps
	for i, of := range l.of {
		if of < 0 {
			continue
		}
		if truth[of] == nil {
			truth[of] = map[int][]int{}
		}
		truth[of][l.instant[i]] = append(truth[of][l.instant[i]], i)
		j.steps.there++
	}
	type match struct{ k, of, n int }
	var ms []match
	for k, r := range found {
		n := map[int]int{}
		for _, o := range r.Occurrences {
			for _, s := range o.Steps {
				j.steps.found++
				if l.of[s] >= 0 {
					n[l.of[s]]++
				}
			}
		}
		for of, c := range n {
			ms = append(ms, match{k, of, c})
		}
		j.occurrences.found += len(r.Occurrences)
	}
	slices.SortFunc(ms, func(a, b match) int { return b.n - a.n })
	usedK, usedOf := map[int]bool{}, map[int]bool{}
	for _, t := range truth {
		j.occurrences.there += len(t)
	}
	j.routines = counts{found: len(found), there: len(truth)}
	for _, m := range ms {
		if usedK[m.k] || usedOf[m.of] {
			continue
		}
		usedK[m.k], usedOf[m.of] = true, true
		j.steps.tp += m.n
		hit := 0
		for _, o := range found[m.k].Occurrences {
			n := map[int]int{}
			for _, s := range o.Steps {
				if l.of[s] == m.of {
					n[l.instant[s]]++
				}
			}
			for inst, c := range n {
				if 2*c >= len(o.Steps)+len(truth[m.of][inst])-c {
					hit++
					break
				}
			}
		}
		j.occurrences.tp += hit
		if 2*hit >= len(truth[m.of]) {
			j.routines.tp++
		}
	}
	return j
}

func (j *judged) add(k judged) {
	j.steps.add(k.steps)
	j.occurrences.add(k.occurrences)
	j.routines.add(k.routines)
}

func newWorld(seed uint64) *world { return &world{r: rand.New(rand.NewPCG(seed, 77))} }
