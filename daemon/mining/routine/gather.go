package routine

import (
	"cmp"
	"math"
	"slices"
)

// family is a routine under construction: groups that are variants of each other, with their occurrences.
type family struct {
	groups []*group      // variants
	parts  []*group      // what stands inside of them: repeats, or incidental steps
	weight map[int32]int // activity: in how many occurrences
	n      int
	in     []*instance
}

// instance is one occurrence of a family.
type instance struct{ at []int32 }

func (in *instance) first() int32 { return in.at[0] }
func (in *instance) last() int32  { return in.at[len(in.at)-1] }

// set returns the activities of an instance, sorted.
func (in *instance) set(act []int32) []int32 {
	out := make([]int32, len(in.at))
	for i, at := range in.at {
		out[i] = act[at]
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *family) take(g *group) {
	f.groups = append(f.groups, g)
	f.n += len(g.occ)
	for _, a := range g.set {
		f.weight[a] += len(g.occ)
	}
}

// core returns the activities of at least half of the occurrences so far, sorted.
func (f *family) core() []int32 { return f.most(2) }

// most returns the activities of at least one in so many occurrences, sorted.
func (f *family) most(in int) (out []int32) {
	for a, n := range f.weight {
		if in*n >= f.n {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return out
}

// rounds bounds how often variants are searched and groups joined again.
const rounds = 4

// gather makes families of the groups, and completes their occurrences. If both halves of a routine have variants, the
// halves follow each other regularly, but no single pair of variants does: so variants become one group, and groups
// are joined again.
func (j *joiner) gather() []*family {
	j.run()
	fs := j.families()
	for range rounds {
		if !j.unite(fs) {
			break
		}
		j.run()
		fs = j.families()
	}
	free := make([]bool, len(j.act))
	for i := range free {
		free[i] = true
	}
	slices.SortStableFunc(fs, func(a, b *family) int { return cmp.Compare(b.n*len(b.core()), a.n*len(a.core())) })
	fs = slices.DeleteFunc(fs, func(f *family) bool { // a group too small to be a routine may be part of others
		j.piece(f.gathered())
		j.include(f)
		core, _ := j.core(f)
		return len(f.in) < j.o.Times || len(core) < min(j.o.Steps, 2) || !j.own(core, f.in)
	})
	for _, f := range fs {
		for _, in := range f.in {
			for _, at := range in.at {
				free[at] = false
			}
		}
	}
	for _, f := range fs {
		j.absorb(f, free)
	}
	return fs
}

// families collects the groups that are variants of each other.
func (j *joiner) families() (fs []*family) {
	count := map[int32]int{}
	for _, a := range j.act {
		count[a]++
	}
	rare := func(a int32) float64 { return math.Log(1 + float64(len(j.act))/float64(count[a])) }
	var cs []*group
	for _, g := range j.groups {
		if len(g.set) > 1 && len(g.occ) > 0 {
			cs = append(cs, g)
		}
	}
	slices.SortFunc(cs, func(a, b *group) int {
		return cmp.Or(cmp.Compare(len(b.occ)*len(b.set), len(a.occ)*len(a.set)), cmp.Compare(a.id, b.id))
	})
	own := affinity(cs, rare)
	for _, g := range cs {
		var best *family
		most, as := 0., variant
		for _, f := range fs {
			if s, how := j.kinship(f, g, rare, own); s > most {
				best, most, as = f, s, how
			}
		}
		switch {
		case best == nil:
			f := &family{weight: map[int32]int{}}
			f.take(g)
			fs = append(fs, f)
		case as == variant:
			best.take(g)
		case as == part:
			best.parts = append(best.parts, g)
		default: // the earlier group is part of this
			best.parts = append(best.parts, best.groups...)
			best.groups, best.n, best.weight = nil, 0, map[int32]int{}
			best.take(g)
		}
	}
	return fs
}

// unite makes one group of each family; false when every family is one already.
func (j *joiner) unite(fs []*family) bool {
	changed := false
	for _, f := range fs {
		if len(f.groups) < 2 && len(f.parts) == 0 {
			continue
		}
		before := len(f.groups)
		j.piece(f.gathered())
		if taken := j.include(f); before < 2 && taken == 0 {
			continue
		}
		changed = true
		set := f.most(5) // an activity of only one variant may be there by chance
		z := j.by[setKey(set)]
		if z == nil {
			z = j.add(set)
		}
		for _, g := range f.groups {
			if g != z {
				g.occ = nil
				g.version++
			}
		}
		z.occ = nil
		for _, in := range f.in {
			c := &chunk{of: z, at: in.at}
			z.occ = append(z.occ, c)
			for _, at := range in.at {
				j.owner[at] = c
			}
		}
		z.version++
		f.groups = []*group{z}
	}
	if changed {
		for _, g := range j.groups {
			j.offer(g)
		}
	}
	return changed
}

// include adds to occurrences the parts that stand in them, and returns their number. Parts elsewhere do not count.
func (j *joiner) include(f *family) (taken int) {
	for _, g := range f.parts {
		var rest []*chunk
		for _, c := range g.occ {
			i, _ := slices.BinarySearchFunc(f.in, c.first(), func(in *instance, at int32) int { return cmp.Compare(in.first(), at) })
			in := j.around(f, c, i-1)
			if in == nil {
				in = j.around(f, c, i)
			}
			if in == nil {
				rest = append(rest, c)
				continue
			}
			in.at = slices.Sorted(slices.Values(slices.Concat(in.at, c.at)))
			taken++
		}
		if len(rest) < len(g.occ) {
			g.occ = rest
			g.version++
		}
	}
	return taken
}

// around is the i-th occurrence, if a chunk stands in it or right beside it.
func (j *joiner) around(f *family, c *chunk, i int) *instance {
	if i < 0 || i >= len(f.in) {
		return nil
	}
	in := f.in[i]
	if c.first() < in.first()-beside || c.last() > in.last()+beside || j.until[c.first()] != j.until[in.first()] {
		return nil
	}
	return in
}

// gathered collects the family's occurrences in order.
func (f *family) gathered() *family {
	f.in = nil
	for _, g := range f.groups {
		for _, c := range g.occ {
			f.in = append(f.in, &instance{c.at})
		}
	}
	slices.SortFunc(f.in, func(a, b *instance) int { return cmp.Compare(a.first(), b.first()) })
	return f
}

// What a group is to a family.
type relation int

const (
	variant relation = iota // the same work, or a fragment of it
	part                    // what stands inside of it
	whole                   // what it stands inside of
)

// kinship returns how similar a group is to a family, 0 for not at all, and their relation.
func (j *joiner) kinship(f *family, g *group, rare func(int32) float64, own map[int32]float64) (float64, relation) {
	core := f.core()
	weigh := func(set []int32) (sum float64) {
		for _, a := range set {
			sum += rare(a)
		}
		return sum
	}
	common, kin := 0., 0.
	for _, a := range g.set {
		if _, ok := slices.BinarySearch(core, a); ok {
			common += rare(a)
			kin += rare(a) * own[a]
		}
	}
	if common == 0 {
		return 0, variant
	}
	gw, fw := weigh(g.set), weigh(core)
	like := kin / (gw + fw - common)
	switch {
	case like >= .35:
		return 1 + like, variant
	case common >= .8*gw && j.inside(g, f.groups) >= .6:
		return like, part
	case common >= .8*gw && 4*len(g.occ) <= f.n:
		return like, variant
	case common >= .8*fw && j.within(f.groups, g) >= .6:
		return like, whole
	}
	return 0, variant
}

// affinity returns for each activity how specific it is to one routine, 0 to 1: whether the groups that have it share
// other activities. Copying, pasting and changing windows occur everywhere.
func affinity(gs []*group, rare func(int32) float64) map[int32]float64 {
	const most = 200 // groups of one activity that are compared
	of := map[int32][]*group{}
	for _, g := range gs {
		for _, a := range g.set {
			if len(of[a]) < most {
				of[a] = append(of[a], g)
			}
		}
	}
	weight := func(set []int32, except int32) (sum float64) {
		for _, a := range set {
			if a != except {
				sum += rare(a) * rare(a)
			}
		}
		return sum
	}
	out := map[int32]float64{}
	for a, gs := range of {
		sum, all := 0., 0.
		for i, g := range gs {
			for _, h := range gs[:i] {
				n := weight(both(g.set, h.set), a)
				w := float64(len(g.occ)) * float64(len(h.occ))
				sum += w * n / max(1e-9, weight(g.set, a)+weight(h.set, a)-n)
				all += w
			}
		}
		out[a] = 1
		if all > 0 {
			out[a] = min(1, sum/all/.3)
		}
	}
	return out
}

// both is the intersection of two sorted sets.
func both(a, b []int32) (out []int32) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			out = append(out, a[i])
			i, k = i+1, k+1
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return out
}

// inside is the share of a group's occurrences that stand in or right beside those of others.
func (j *joiner) inside(g *group, of []*group) float64 {
	cover := j.cover(of)
	n := 0
	for _, c := range g.occ {
		if cover[c.first()] && cover[c.last()] {
			n++
		}
	}
	return float64(n) / float64(len(g.occ))
}

func (j *joiner) within(gs []*group, of *group) float64 {
	cover, n, all := j.cover([]*group{of}), 0, 0
	for _, g := range gs {
		for _, c := range g.occ {
			if all++; cover[c.first()] && cover[c.last()] {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// beside is the distance, in steps, that counts as right beside.
const beside = 3

func (j *joiner) cover(gs []*group) []bool {
	out := make([]bool, len(j.act))
	for _, g := range gs {
		for _, c := range g.occ {
			for at := max(0, c.first()-beside); at <= min(c.last()+beside, int32(len(out)-1)); at++ {
				out[at] = true
			}
		}
	}
	return out
}

// piece joins fragments: neighbours that share little and make one occurrence.
func (j *joiner) piece(f *family) {
	core := f.core()
	out := f.in[:0]
	for _, b := range f.in {
		if len(out) > 0 {
			a := out[len(out)-1]
			sa, sb := a.set(j.act), b.set(j.act)
			near := b.first()-a.last() <= int32(j.o.Reach)+1 && b.last() <= j.until[a.last()]
			if near && 3*shared(sa, sb) <= min(len(sa), len(sb)) && shared(sa, core)+shared(sb, core) <= len(core)+len(core)/5 {
				a.at = slices.Sorted(slices.Values(slices.Concat(a.at, b.at)))
				continue
			}
		}
		out = append(out, b)
	}
	f.in = out
}

// nextTo is the largest distance, in steps, to the next occurrence of a routine that is repeated without a break.
const nextTo = 8

// ends are the ends of the occurrences. In a routine that is repeated without a break, what precedes the next
// occurrence is the end of this one, or the beginning of that.
func (j *joiner) ends(f *family) []int32 {
	out, near := make([]int32, len(f.in)), 0
	for i, in := range f.in {
		out[i] = in.last()
		if i+1 < len(f.in) {
			if next := f.in[i+1]; next.first() > in.last() && next.first()-in.last() <= nextTo && j.until[in.last()] == j.until[next.first()] {
				out[i] = next.first() - 1
				near++
			}
		}
	}
	if 2*near <= len(f.in) {
		for i, in := range f.in {
			out[i] = in.last()
		}
	}
	return out
}

// anywhere is the spread of positions that are uniform over an occurrence.
const anywhere = .289

// spread is the standard deviation.
func spread(xs []float64) float64 {
	mean, sum := 0., 0.
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(xs)))
}

// absorb adds to the occurrences unassigned steps inside them: a repeated step, one that a fragment lacks, and any
// activity that is far more frequent inside than elsewhere (a step that only some have).
func (j *joiner) absorb(f *family, free []bool) {
	core := f.core()
	known := map[int32]bool{}
	for a, n := range f.weight {
		if 5*n >= f.n {
			known[a] = true
		}
	}
	total, covered, having := map[int32]int{}, map[int32]int{}, map[int32]int{}
	places := map[int32][]float64{} // where in an occurrence, as a share of it
	for at, a := range j.act {
		if free[at] {
			total[a]++
		}
	}
	cover := 0
	ends := j.ends(f)
	for i, in := range f.in {
		cover += int(ends[i] - in.first() + 1)
		once := map[int32]bool{}
		for at := in.first(); at <= ends[i]; at++ {
			if a := j.act[at]; free[at] {
				covered[a]++
				places[a] = append(places[a], float64(at-in.first())/float64(max(1, ends[i]-in.first())))
				if !once[a] {
					once[a] = true
					having[a]++
				}
			}
		}
	}
	span := float64(cover) / float64(len(f.in))
	c := min(.99, float64(cover)/float64(len(j.act)))
	takes := map[int32]bool{}
	for a, k := range covered {
		n, share := float64(total[a]), float64(k)/float64(total[a])
		// The activity is frequent everywhere, but more frequent here than chance explains.
		if h, all := float64(having[a]), float64(len(f.in)); 2*h >= all {
			chance := 1 - math.Pow(1-n/(float64(len(j.act))+unseen), span)
			bits := h * math.Log2(h/all/chance)
			if h < all {
				bits += (all - h) * math.Log2((1-h/all)/(1-chance))
			}
			if h/all > chance && bits > 5 {
				takes[a] = true
				continue
			}
		}
		if share < .6 || k < max(2, len(f.in)/12) {
			continue
		}
		if float64(k)*math.Log2(anywhere/max(.02, spread(places[a]))) > 10 { // always at about the same place
			takes[a] = true
			continue
		}
		bits := float64(k) * math.Log2(share/c)
		if share < 1 {
			bits += (n - float64(k)) * math.Log2((1-share)/(1-c))
		}
		takes[a] = bits > 10
	}
	for i, in := range f.in {
		has := map[int32]bool{}
		for _, at := range in.at {
			has[j.act[at]] = true
		}
		var more []int32
		lo, hi := in.first(), ends[i]
		for at := max(0, lo-beside); at <= min(max(hi, in.last()+beside), int32(len(j.act)-1)); at++ {
			if !free[at] || j.until[at] != j.until[lo] {
				continue
			}
			a := j.act[at]
			_, essential := slices.BinarySearch(core, a)
			if at > lo && (at < in.last() || at <= hi && hi > in.last()) && (known[a] || takes[a]) || essential && !has[a] {
				has[a] = true
				more = append(more, at)
				free[at] = false
			}
		}
		if len(more) > 0 {
			in.at = slices.Sorted(slices.Values(slices.Concat(in.at, more)))
		}
	}
}
