package routine

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// group is a set of activities that belong together, with their occurrences.
type group struct {
	id      int32
	set     []int32 // activities, sorted
	occ     []*chunk
	version int // counts the changes of occ

	units   []*chunk // occurrences, those that follow each other at once as one
	unitsOf int      // the version that units belongs to, plus one
}

// usualRun and longestRun are how often something is done in a row, on average and at most, when it is one step of
// something larger rather than a routine repeated without a break.
const usualRun, longestRun = 4, 12

// runs merges occurrences of a group that follow each other directly: "three times in a row" is one unit that other
// steps precede and follow.
func (j *joiner) runs(g *group) []*chunk {
	if g.unitsOf == g.version+1 {
		return g.units
	}
	g.unitsOf = g.version + 1
	g.units = g.occ
	var out []*chunk
	for _, c := range g.occ {
		if len(out) > 0 {
			a := out[len(out)-1]
			if c.first() == a.last()+1 && c.first() <= j.until[a.last()] && len(a.parts) < longestRun {
				if a.parts == nil {
					a = &chunk{of: g, at: a.at, parts: []*chunk{a}}
					out[len(out)-1] = a
				}
				a.at, a.parts = slices.Concat(a.at, c.at), append(a.parts, c)
				continue
			}
		}
		out = append(out, c)
	}
	if len(out) < len(g.occ) && len(g.occ) <= usualRun*len(out) {
		g.units = out
	}
	return g.units
}

// chunk is one occurrence of a group: positions of its steps in the log.
type chunk struct {
	of    *group
	at    []int32  // sorted
	parts []*chunk // of several in a row: each of them
}

func (c *chunk) first() int32 { return c.at[0] }
func (c *chunk) last() int32  { return c.at[len(c.at)-1] }

// joiner joins small groups into larger ones.
type joiner struct {
	o      Options
	act    []int32 // by place
	until  []int32 // by place: the last place of the same stretch
	groups []*group
	by     map[string]*group // by set
	owner  []*chunk          // by place
	alive  int               // chunks
	rare   []float64         // by activity: how specific it is to two groups that share it
	queue  pairs
	queued map[[2]int32]bool
	pooled map[int32]bool // activities that become part of a routine only through their neighbours
}

// pair is two groups of which the second follows the first.
type pair struct {
	x, y   *group
	vx, vy int
	bits   float64 // what joining them explains
	gaps   float64
}

type pairs []*pair

func (p pairs) Len() int { return len(p) }
func (p pairs) Less(i, j int) bool {
	a, b := p[i], p[j]
	return cmp.Or(cmp.Compare(b.bits, a.bits), cmp.Compare(a.gaps, b.gaps), cmp.Compare(a.x.id, b.x.id), cmp.Compare(a.y.id, b.y.id)) < 0
}
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *pairs) Push(x any)   { *p = append(*p, x.(*pair)) }
func (p *pairs) Pop() any {
	old := *p
	x := old[len(old)-1]
	*p = old[:len(old)-1]
	return x
}

func setKey(set []int32) string {
	b := make([]byte, 0, 4*len(set))
	for _, s := range set {
		b = append(b, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(b)
}

func newJoiner(o Options, act, until []int32, n int) *joiner {
	j := &joiner{o: o, act: act, until: until, by: map[string]*group{}, owner: make([]*chunk, len(act)), alive: len(act),
		queued: map[[2]int32]bool{}}
	for a := range n {
		j.add([]int32{int32(a)})
	}
	j.rare = make([]float64, n)
	for _, a := range act {
		j.rare[a]++
	}
	for a, k := range j.rare {
		w := math.Log(1 + float64(len(act))/max(1, k))
		j.rare[a] = w * w
	}
	for at, a := range act {
		c := &chunk{of: j.groups[a], at: []int32{int32(at)}}
		j.groups[a].occ = append(j.groups[a].occ, c)
		j.owner[at] = c
	}
	return j
}

func (j *joiner) add(set []int32) *group {
	g := &group{id: int32(len(j.groups)), set: set}
	j.groups = append(j.groups, g)
	j.by[setKey(set)] = g
	return g
}

// run joins until no join explains anything more.
func (j *joiner) run() {
	for _, g := range j.groups {
		j.offer(g)
	}
	for j.queue.Len() > 0 {
		p := heap.Pop(&j.queue).(*pair)
		if p.vx != p.x.version || p.vy != p.y.version { // something of it was joined meanwhile
			if q := j.weigh(p.x, p.y); q != nil {
				heap.Push(&j.queue, q)
			} else {
				delete(j.queued, [2]int32{p.x.id, p.y.id})
			}
			continue
		}
		delete(j.queued, [2]int32{p.x.id, p.y.id})
		j.join(p)
	}
}

// offer queues what stands near a group's occurrences.
func (j *joiner) offer(g *group) {
	if len(g.occ) < 2 {
		return
	}
	near := map[[2]int32]int{}
	seen := map[*group]bool{}
	for _, c := range g.occ {
		clear(seen)
		for at := c.first() + 1; at <= min(c.last()+int32(j.o.Reach)+1, j.until[c.last()]); at++ {
			if y := j.owner[at]; y != c && !seen[y.of] && y.first() == at {
				seen[y.of] = true
				near[[2]int32{g.id, y.of.id}]++
			}
		}
		clear(seen)
		for at := c.first() - 1; at >= max(0, c.first()-int32(j.o.Reach)-1) && j.until[at] == j.until[c.first()]; at-- {
			if x := j.owner[at]; x != c && !seen[x.of] {
				seen[x.of] = true
				near[[2]int32{x.of.id, g.id}]++
			}
		}
	}
	for k, n := range near {
		if n < 2 || j.queued[k] {
			continue
		}
		if p := j.weigh(j.groups[k[0]], j.groups[k[1]]); p != nil {
			j.queued[k] = true
			heap.Push(&j.queue, p)
		}
	}
}

// shared counts the intersection of two sorted sets.
func shared(a, b []int32) int {
	n := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			n, i, k = n+1, i+1, k+1
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return n
}

// link is an occurrence of one group with the following occurrence of another.
type link struct{ x, y *chunk }

// links pairs each occurrence of x with the next of y that begins before x occurs again.
func (j *joiner) links(x, y *group, keep func(link, int32)) (alone []int32) {
	k, xs, ys := 0, j.runs(x), j.runs(y)
	for i, a := range xs {
		end := min(a.last()+int32(j.o.Reach)+1, j.until[a.last()])
		if i+1 < len(xs) {
			end = min(end, xs[i+1].first()-1)
		}
		for k < len(ys) && ys[k].first() <= a.first() {
			k++
		}
		if k < len(ys) && ys[k].first() <= end && (ys[k].last() <= j.until[a.last()]) {
			keep(link{a, ys[k]}, max(0, ys[k].first()-a.last()-1))
			k++
			continue
		}
		alone = append(alone, max(0, end-a.last()))
	}
	return alone
}

// unseen is the assumed amount of unlogged work: only some work is ever kept, and in a short log everything would seem
// to follow everything.
const unseen = 150

// same reports whether two sets are the same work, by their rare activities: one thing done twice is not something
// larger.
func (j *joiner) same(a, b []int32) bool {
	in, wa, wb := 0., 0., 0.
	for i, k := 0, 0; i < len(a) || k < len(b); {
		switch {
		case k == len(b) || i < len(a) && a[i] < b[k]:
			wa += j.rare[a[i]]
			i++
		case i == len(a) || b[k] < a[i]:
			wb += j.rare[b[k]]
			k++
		default:
			in += j.rare[a[i]]
			i, k = i+1, k+1
		}
	}
	return in >= 2*min(wa, wb) // most of one of them
}

// weigh computes what joining two groups explains: how much better "y follows x at about this distance" describes the
// log than "y occurs as often as it does", less the cost of saying so. nil when it explains nothing, or less than most
// of either.
func (j *joiner) weigh(x, y *group) *pair {
	if len(x.set) == 1 && j.pooled[x.set[0]] || len(y.set) == 1 && j.pooled[y.set[0]] {
		return nil
	}
	if x == y || len(x.occ) < 2 || len(y.occ) < 2 || j.same(x.set, y.set) {
		return nil
	}
	// Joined steps are one unit: the length of the log and the distances count units.
	total, scale := float64(j.alive)+unseen, float64(j.alive)/float64(len(j.act))
	nx, ny := len(j.runs(x)), len(j.runs(y))
	p := min(float64(ny)/total, .5)
	m, gaps, chance := 0, 0., 0.
	alone := j.links(x, y, func(l link, gap int32) {
		m++
		between := float64(gap) * scale
		gaps += between
		if gap == 0 && l.y.first() < l.x.last() { // inside: anywhere in x would have done
			inside := max(1, scale*float64(l.x.last()-l.x.first()))
			chance += math.Log(1 - math.Pow(1-p, inside))
			return
		}
		chance += math.Log(p) + between*math.Log(1-p)
	})
	// A single step may be optional, or one of several alternatives; a long group is part of something only if it
	// usually is.
	share := j.o.Share + .05*float64(min(len(x.set), len(y.set), 6)-1)
	if m < 2 || float64(m) < share*float64(min(nx, ny)) {
		return nil
	}
	for _, w := range alone {
		chance += scale * float64(w) * math.Log(1-p)
	}
	r, q := float64(m)/float64(nx), (float64(m)+.5)/(float64(m)+gaps+1)
	told := float64(m)*(math.Log(r)+math.Log(q)) + gaps*math.Log(1-q)
	if m < nx {
		told += float64(nx-m) * math.Log(1-r)
	}
	bits := (told-chance)/math.Ln2 - 2*math.Log2(float64(1+len(j.by)))
	if bits <= 0 {
		return nil
	}
	return &pair{x: x, y: y, vx: x.version, vy: y.version, bits: bits, gaps: gaps}
}

// join makes one group of two, where they occur together.
func (j *joiner) join(p *pair) {
	set := slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.x.set, p.y.set))))
	z := j.by[setKey(set)]
	if z == nil {
		z = j.add(set)
	}
	gone := map[*chunk]bool{}
	j.links(p.x, p.y, func(l link, _ int32) {
		c := &chunk{of: z, at: slices.Sorted(slices.Values(slices.Concat(l.x.at, l.y.at)))}
		for _, u := range []*chunk{l.x, l.y} {
			j.alive -= max(1, len(u.parts))
			gone[u] = true
			for _, part := range u.parts {
				gone[part] = true
			}
		}
		z.occ = append(z.occ, c)
		j.alive++
		for _, at := range c.at {
			j.owner[at] = c
		}
	})
	for _, g := range []*group{p.x, p.y} {
		g.occ = slices.DeleteFunc(g.occ, func(c *chunk) bool { return gone[c] })
		g.version++
	}
	slices.SortFunc(z.occ, func(a, b *chunk) int { return cmp.Compare(a.first(), b.first()) })
	z.version++
	j.offer(z)
}
