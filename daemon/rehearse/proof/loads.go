package proof

import (
	"math"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
)

// Loads is what an address showed at several loads between which nothing was done. What differs between them varies by itself, so that a
// difference to what was there before the step proves something only if every load has it, and if the page's varying would hardly give it
// to every one of them by chance. The first load is the one that is judged.
type Loads struct {
	pages []port.Page
	same  []map[string]port.Row // by load: what became of the rows of the first one, by key
	moved map[Column][]int      // columns in which rows differed: of each such row, how many loads had the same
}

// A page is loaded at least so often where it proves something, and at most so often where it varies.
const (
	MinLoads = 3
	MaxLoads = 6
)

// byChance is the probability at which what is the same at all loads may be so by chance.
const byChance = 0.01

// Add adds a load.
func (l *Loads) Add(p port.Page) {
	p = Unsaid(p)
	l.pages, l.moved = append(l.pages, p), nil
	same, first := map[string]port.Row{}, l.pages[0]
	for _, pair := range between(first.Rows, p.Rows).pairs() {
		same[pair.was.Key()] = pair.is
	}
	for _, r := range first.Rows {
		if Contain(p.Rows, r) {
			same[r.Key()] = r
		} else if i := slices.IndexFunc(p.Rows, func(n port.Row) bool { return n.List == r.List && onlyCounts(r.Text, n.Text) }); i >= 0 {
			same[r.Key()] = p.Rows[i]
		}
	}
	l.same = append(l.same, same)
}

// between are the changes from one load to another.
func between(was, now []port.Row) Changes {
	return Changes{Was: was, Now: now, Gone: slices.DeleteFunc(slices.Clone(was), func(r port.Row) bool { return Contain(now, r) })}
}

// Page is what all loads show. Its rows are those of the first one: see Settle.
func (l *Loads) Page() port.Page {
	out := l.pages[0]
	if len(l.pages) == 1 {
		return out
	}
	out.State.Headings, out.State.Tables = slices.Clone(out.State.Headings), slices.Clone(out.State.Tables)
	out.State.Fields, out.State.Details = slices.Clone(out.State.Fields), slices.Clone(out.State.Details)
	for _, p := range l.pages[1:] {
		if p.State.Title != out.State.Title {
			out.State.Title = ""
		}
		out.Status = max(out.Status, p.Status)
		out.State.Headings = shared(out.State.Headings, p.State.Headings, func(a, b string) bool { return a == b })
		out.State.Tables = shared(out.State.Tables, p.State.Tables, func(a, b capture.Table) bool {
			return a.Name == b.Name && a.Rows == b.Rows && a.Total == b.Total && slices.Equal(a.Columns, b.Columns)
		})
		alike := func(a, b capture.Field) bool {
			return a.Label == b.Label && a.Role == b.Role && check.ValueOf(a) == check.ValueOf(b)
		}
		out.State.Fields = shared(out.State.Fields, p.State.Fields, alike)
		out.State.Details = shared(out.State.Details, p.State.Details, alike)
	}
	out.Text = strings.Join(l.lines(), "\n")
	return out
}

// shared are the elements of a that b has too, as often.
func shared[T any](a, b []T, same func(a, b T) bool) []T {
	left := slices.Clone(b)
	return slices.DeleteFunc(a, func(x T) bool {
		i := slices.IndexFunc(left, func(y T) bool { return same(x, y) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i < 0
	})
}

// lines are those of the first load that all have but for numbers; none, if the other ones come and go so that a line may be in all by
// chance.
func (l *Loads) lines() []string {
	alike := func(a, b string) bool { return uncounted(a) == uncounted(b) }
	all := saidLines(l.pages[0].Text)
	for _, p := range l.pages[1:] {
		all = shared(all, saidLines(p.Text), alike)
	}
	often := map[string]int{}
	for _, p := range l.pages {
		seen := map[string]bool{}
		for _, line := range saidLines(p.Text) {
			if line = uncounted(line); !seen[line] {
				seen[line] = true
				often[line]++
			}
		}
	}
	if l.likely(often, false) {
		return nil
	}
	return all
}

// likely reports whether what comes and goes as often as these do may be in all loads by chance, or, with none, in no load.
func (l *Loads) likely(often map[string]int, none bool) bool {
	sum, n, m := 0.0, 0, len(l.pages)
	for _, k := range often {
		if k < m {
			sum += float64(k) / float64(m)
			n++
		}
	}
	if n == 0 {
		return false
	}
	p := sum / float64(n)
	if none {
		p = 1 - p
	}
	return math.Pow(p, float64(m)) > byChance
}

// Vary reports whether loads differ in more than numbers and messages.
func (l *Loads) Vary() bool {
	first := l.pages[0]
	said := func(p port.Page) []string {
		out := saidLines(p.Text)
		for i := range out {
			out[i] = uncounted(out[i])
		}
		slices.Sort(out)
		return out
	}
	held := func(a, b capture.Field) bool { return a.Label == b.Label && check.ValueOf(a) == check.ValueOf(b) }
	for i, p := range l.pages[1:] {
		if p.State.Title != first.State.Title || !slices.Equal(said(p), said(first)) ||
			!slices.EqualFunc(p.State.Fields, first.State.Fields, held) {
			return true
		}
		for _, r := range first.Rows {
			if is, ok := l.same[i+1][r.Key()]; !ok || uncounted(is.Text) != uncounted(r.Text) {
				return true
			}
		}
	}
	return false
}

// Settle leaves the changes that all loads have, and that they would not have by chance.
func (l *Loads) Settle(c Changes) Changes {
	if l == nil || len(l.pages) < 2 {
		return c
	}
	c.Loads = l
	ever := func(r port.Row) bool { return Contain(c.Ever, r) || Contain(c.Was, r) }
	often := l.often()
	var now []port.Row
	for _, r := range c.Now {
		all := true
		for _, same := range l.same {
			is, ok := same[r.Key()]
			if all = all && ok; ok && !ever(r) && ever(is) {
				r = is // it is as it was, at one load
			}
		}
		if ever(r) || all && !l.likely(often[r.List], false) {
			now = append(now, r)
		}
	}
	there := func(r port.Row) bool {
		return slices.ContainsFunc(l.pages, func(p port.Page) bool { return Contain(p.Rows, r) }) || l.likely(often[r.List], true)
	}
	c.New = slices.DeleteFunc(slices.Clone(c.New), func(r port.Row) bool { return !Contain(now, r) })
	c.Gone = slices.DeleteFunc(slices.Clone(c.Gone), func(r port.Row) bool {
		if !there(r) {
			return false
		}
		if !Contain(now, r) {
			now = append(now, r)
		}
		return true
	})
	c.Now = now
	return c
}

// often is, by list, in how many loads the rows are that not all loads have in any form.
func (l *Loads) often() map[string]map[string]int {
	out := map[string]map[string]int{}
	count := func(r port.Row, n int) {
		if out[r.List] == nil {
			out[r.List] = map[string]int{}
		}
		out[r.List][r.Key()] += n
	}
	first := map[string]bool{}
	for _, r := range l.pages[0].Rows {
		n := 0
		for _, same := range l.same {
			if _, ok := same[r.Key()]; ok {
				n++
			}
		}
		if first[r.Key()] = true; n < len(l.pages) {
			count(r, n)
		}
	}
	for i, p := range l.pages[1:] {
		forms, seen := map[string]bool{}, map[string]bool{}
		for _, is := range l.same[i+1] {
			forms[is.Key()] = true
		}
		for _, r := range p.Rows {
			if k := r.Key(); !forms[k] && !first[k] && !seen[k] {
				seen[k] = true
				count(r, 1)
			}
		}
	}
	return out
}

// Always reports whether what a row shows is shown by it at all loads.
func (l *Loads) Always(r port.Row, value string) bool {
	if l == nil {
		return true
	}
	for i, same := range l.same {
		is, ok := same[r.Key()]
		if !ok && !Contain(l.pages[i].Rows, r) || ok && len(Showing([]port.Row{is}, value)) == 0 {
			return false
		}
	}
	return true
}

// moving are the columns in which rows differed from load to load: of each such row, how many loads had what the first one had.
func (l *Loads) moving() map[Column][]int {
	if l.moved != nil {
		return l.moved
	}
	l.moved = map[Column][]int{}
	for _, r := range l.pages[0].Rows {
		differs := map[Column]int{}
		for _, same := range l.same {
			if is, ok := same[r.Key()]; ok && is.Key() != r.Key() {
				for _, at := range altered(pair{r, is}) {
					differs[Column{r.List, at}]++
				}
			}
		}
		for at, n := range differs {
			l.moved[at] = append(l.moved[at], len(l.pages)-n)
		}
	}
	return l.moved
}

// moves reports whether rows were seen to move in a column of a row that changed.
func (l *Loads) moves(p pair, col int) bool {
	return l != nil && len(l.pages) > 1 && len(l.moving()[Column{p.was.List, col}]) > 0
}

// rests reports whether a row that changed in a column may have come to it by itself: it differed there from load to load, as another one
// did or in numbers alone, or others did, and so slowly that it may be the same at all loads by chance.
func (l *Loads) rests(p pair, col int) bool {
	if !l.moves(p, col) {
		return false
	}
	steady, counts, others := true, true, l.moving()[Column{p.was.List, col}]
	for _, same := range l.same {
		if is, ok := same[p.is.Key()]; ok && is.Key() != p.is.Key() && slices.Contains(altered(pair{p.is, is}), col) {
			steady, counts = false, counts && onlyCounts(p.is.Text, is.Text)
		}
	}
	if !steady {
		return counts || len(others) > 1
	}
	sum, of := 1, 1
	for _, n := range others {
		sum, of = sum+n-1, of+len(l.pages)-1
	}
	return math.Pow(float64(sum)/float64(of), float64(len(l.pages)-1)) > byChance
}
