package align

import (
	"path"

	"showhow/daemon/compile/shell"
)

// run is the same work over several items in one demonstration. Rounds[k][i] is what round k did at position i, nil if
// it omitted that; the first act at a position represents all rounds.
type run struct{ Rounds [][]*Cell }

// Loop is a run of columns [Start, End) that was done Count times.
type Loop struct{ Start, End, Count int }

const maxPeriod = 40

// collapse folds the same work over several items into one round. A repetition is a loop only if an object's name
// differs from round to round; repeating a click is not. Rounds need not be identical: one may have an additional step,
// the last may lack the way back.
func collapse(acts []*Cell) []*Cell {
	keys := make([]string, len(acts))
	places := map[string][]int{}
	for i, a := range acts {
		keys[i] = a.meaning() + amongWhat(a)
		if itemOf(a) != "" {
			places[keys[i]] = append(places[keys[i]], i)
		}
	}
	l := looper{acts: acts, keys: keys, places: places}
	var out []*Cell
	for i := 0; i < len(acts); {
		cuts := l.exact(i)
		if cuts == nil {
			cuts = l.alike(i)
		}
		if cuts == nil {
			out = append(out, acts[i])
			i++
			continue
		}
		out = append(out, oneRound(acts, cuts)...)
		i = cuts[len(cuts)-1]
	}
	return out
}

// amongWhat tells apart the things that have no role and stand in no row by the list that they are in: a button that is
// drawn as a box is no further entry of the list above it.
func amongWhat(a *Cell) string {
	if a.Role() != "generic" || a.Target == nil || a.Target.Landmark != nil || !a.IsPick() {
		return ""
	}
	return "|" + nth.ReplaceAllString(cssOf(a.Target), "#")
}

// oneRound returns the round that represents all rounds between the cuts.
func oneRound(acts []*Cell, cuts []int) []*Cell {
	rs := make([][]*Cell, len(cuts)-1)
	for k := range rs {
		rs[k] = acts[cuts[k]:cuts[k+1]]
	}
	cols := columns(rs)
	r := &run{Rounds: make([][]*Cell, len(rs))}
	out := make([]*Cell, len(cols))
	for i, c := range cols {
		for k, a := range c.Acts {
			r.Rounds[k] = append(r.Rounds[k], a)
		}
		out[i], _ = c.Base()
		out[i].Run, out[i].Place = r, i
	}
	return out
}

// looper finds repetitions in one demonstration.
type looper struct {
	acts   []*Cell
	keys   []string
	places map[string][]int // key of an act on one thing among many -> the indices where it occurs
}

// exact finds rounds that agree step by step, the shortest first; a last round that breaks off counts. It returns where
// each round begins and the last one ends, or nil when there is no repetition at i.
func (l *looper) exact(i int) []int {
	for p := 1; p <= maxPeriod && i+2*p <= len(l.keys); p++ {
		if !l.same(i, i+p, p) || !l.differ(i, i+p, p) {
			continue
		}
		end := i + 2*p
		cuts := []int{i, i + p, end}
		for end+p <= len(l.keys) && l.same(i, end, p) {
			end += p
			cuts = append(cuts, end)
		}
		if n := len(cuts) - 1; n >= 3 || p >= 2 || l.perItem(i, i+1) {
			return l.brokenOff(cuts, p)
		}
	}
	return nil
}

// perItem reports whether two successive acts do the same to two objects: rows that were ticked, entries of one list that were marked and
// stay so, or commands that differ only in file-like words.
func (l *looper) perItem(i, j int) bool {
	a, b := l.acts[i], l.acts[j]
	if a.TicksItem() && b.TicksItem() || a.Marks() && b.Marks() && inOneList(a, b) {
		return true
	}
	if a.Command == nil || b.Command == nil {
		return false
	}
	x, y := shell.Read(a.Command), shell.Read(b.Command)
	if len(x.Words) != len(y.Words) || x.Opaque || y.Opaque {
		return false
	}
	files := 0
	for k := range x.Words {
		if x.Words[k].Text == y.Words[k].Text {
			continue
		}
		if !x.Words[k].FileLike() || path.Ext(x.Words[k].Text) != path.Ext(y.Words[k].Text) {
			return false
		}
		files++
	}
	return files > 0
}

// brokenOff adds a last round that ends early, if it did at least half of the steps on another object.
func (l *looper) brokenOff(cuts []int, p int) []int {
	begin, end := cuts[0], cuts[len(cuts)-1]
	n := 0
	for n < p && end+n < len(l.keys) && l.keys[end+n] == l.keys[begin+n] {
		n++
	}
	if n == 0 || n == p || 2*n < p || !l.differ(begin, end, n) {
		return cuts
	}
	return append(cuts, end+n)
}

func (l *looper) same(i, j, n int) bool {
	for k := range n {
		if l.keys[i+k] != l.keys[j+k] {
			return false
		}
	}
	return true
}

// differ reports whether two rounds were about different objects.
func (l *looper) differ(i, j, n int) bool {
	for k := range n {
		if itemOf(l.acts[i+k]) != itemOf(l.acts[j+k]) {
			return true
		}
	}
	return false
}

// alike finds rounds that begin with the same kind of pick, of another object, and continue nearly alike.
func (l *looper) alike(i int) []int {
	if !picksItem(l.acts[i]) {
		return nil
	}
	cuts := []int{i}
	for _, j := range l.places[l.keys[i]] {
		last := cuts[len(cuts)-1]
		if j <= last {
			continue
		}
		if j-last > maxPeriod || itemOf(l.acts[j]) == itemOf(l.acts[last]) {
			break
		}
		if len(cuts) > 1 && !l.near(cuts[len(cuts)-2], last, last, j) {
			break
		}
		cuts = append(cuts, j)
	}
	if len(cuts) < 2 {
		return nil
	}
	end := l.lastRound(cuts[len(cuts)-2], cuts[len(cuts)-1])
	if end == 0 {
		if len(cuts) == 2 {
			return nil
		}
		return cuts // the last one begins other work
	}
	return append(cuts, end)
}

// lastRound returns where the round that begins at b ends, judged by the round from a to b before it, or 0 when it is
// not like that round.
func (l *looper) lastRound(a, b int) int {
	to := min(len(l.keys), b+(b-a)+2)
	end := b
	for _, p := range commonSubsequence(l.keys[a:b], l.keys[b:to]) {
		end = b + p[1] + 1
	}
	if !l.near(a, b, b, end) {
		return 0
	}
	return end
}

// near reports whether two rounds share at least two steps and 60% of the longer one's steps.
func (l *looper) near(a, aEnd, b, bEnd int) bool {
	n := len(commonSubsequence(l.keys[a:aEnd], l.keys[b:bEnd]))
	return n >= 2 && 10*n >= 6*max(aEnd-a, bEnd-b)
}

// picksItem reports whether an act chooses the object of a round: a row, a search, a file.
func picksItem(a *Cell) bool {
	return a.Command == nil && itemOf(a) != "" && !a.Secret()
}

// itemOf identifies the object of an act: the picked row, the entered value, the command line; "" for none.
func itemOf(a *Cell) string {
	switch {
	case a.Command != nil:
		return a.Command.Line
	case a.Supplies():
		return a.Value.LinkID + "\x00" + a.Value.Text
	case a.IsPick():
		s := a.Name()
		if a.Target.Landmark != nil {
			s += "\x00" + a.Target.Landmark.Name
		}
		return s
	}
	return ""
}

// findLoops finds the columns that were done for several items in any of the demonstrations.
func findLoops(cols []*Column) []Loop {
	at := map[*run]int{}
	var out []Loop
	for i, c := range cols {
		k := -1
		for _, a := range c.Acts {
			if a != nil && a.Run != nil {
				if n, ok := at[a.Run]; ok && k < 0 {
					k = n
				}
			}
		}
		for _, a := range c.Acts {
			if a == nil || a.Run == nil {
				continue
			}
			if k < 0 {
				k = len(out)
				out = append(out, Loop{Start: i})
			}
			at[a.Run] = k
			out[k].End, out[k].Count = i+1, max(out[k].Count, len(a.Run.Rounds))
		}
	}
	return out
}

// Repetition is an act of a further round of a loop, with the index of its demonstration.
type Repetition struct {
	Trace int
	Act   *Cell // nil if that round omitted the step
}

func furtherRounds(c *Column) []Repetition {
	var out []Repetition
	for t, a := range c.Acts {
		if a == nil || a.Run == nil {
			continue
		}
		for _, round := range a.Run.Rounds {
			if round[a.Place] != a {
				out = append(out, Repetition{t, round[a.Place]})
			}
		}
	}
	return out
}
