package mutate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Outcome of one located step.
type Outcome string

// The outcomes.
const (
	Right   Outcome = "right"
	Refused Outcome = "refused"
	Wrong   Outcome = "wrong"
)

// Tally counts outcomes.
type Tally struct {
	Right   int `json:"right"`
	Refused int `json:"refused"`
	Wrong   int `json:"wrong"`
}

func (t *Tally) add(o Outcome) {
	switch o {
	case Right:
		t.Right++
	case Refused:
		t.Refused++
	default:
		t.Wrong++
	}
}

func (t *Tally) plus(o Tally) {
	t.Right += o.Right
	t.Refused += o.Refused
	t.Wrong += o.Wrong
}

// N is how many steps were located.
func (t Tally) N() int { return t.Right + t.Refused + t.Wrong }

// Interval is Wilson's 95% interval of k of n, as shares.
func Interval(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}

// Together is the kind in which nearly all mutations are applied at once.
const Together = "together"

// Traps are kinds in which refusing is right and only finding something else is wrong: the target is gone, has a twin
// beside it, or its name was taken over by something elsewhere. They are counted separately.
var Traps = []string{Gone, "twins", "usurped"}

// Gone is the trap in which the target was removed.
const Gone = "gone"

func trap(kind string) bool { return slices.Contains(Traps, kind) }

// Finders, in the order of the report.
const (
	Showhow    = "showhow"
	Playwright = "playwright codegen"
	Replay     = "@puppeteer/replay"
)

// Cell is the result of one finder under one kind of mutation.
type Cell struct {
	Finder string `json:"finder"`
	Kind   string `json:"kind"` // "none" is the page as it was
	Held   bool   `json:"held_out"`
	Tally
}

// Miss is a step that was not right, for analysis.
type Miss struct {
	Finder, Page, Kind, Selector string
	Outcome                      Outcome
	Why                          string
}

// Report is the whole measurement.
type Report struct {
	Pages, Of int // pages that were measured to the end, of how many

	Cells  []Cell `json:"cells"`
	Misses []Miss `json:"-"`
}

func (r *Report) add(finder, kind string, held bool, o Outcome) {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Finder == finder && c.Kind == kind && c.Held == held })
	if i < 0 {
		i = len(r.Cells)
		r.Cells = append(r.Cells, Cell{Finder: finder, Kind: kind, Held: held})
	}
	r.Cells[i].add(o)
}

// Sum adds up the matching cells.
func (r *Report) Sum(fits func(Cell) bool) (t Tally) {
	for _, c := range r.Cells {
		if fits(c) {
			t.plus(c.Tally)
		}
	}
	return t
}

// Trapped is one finder's tally over the traps.
func (r *Report) Trapped(finder string) Tally {
	return r.Sum(func(c Cell) bool { return c.Finder == finder && trap(c.Kind) })
}

// Alone is one finder's tally over all mutations applied alone; All adds the unmodified pages and all at once.
func (r *Report) Alone(finder string) Tally {
	return r.Sum(func(c Cell) bool { return c.Finder == finder && alone(c) })
}

// All is one finder's tally over everything.
func (r *Report) All(finder string) Tally {
	return r.Sum(func(c Cell) bool { return c.Finder == finder && !trap(c.Kind) })
}

func alone(c Cell) bool { return c.Kind != Together && c.Kind != None && !trap(c.Kind) }

// Print writes the table.
func (r *Report) Print(w io.Writer) {
	var kinds, finders []string
	for _, c := range r.Cells {
		if !slices.Contains(kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
		if !slices.Contains(finders, c.Finder) {
			finders = append(finders, c.Finder)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return slices.Index(Kinds, a) - slices.Index(Kinds, b) })
	fmt.Fprintf(w, "%-16s", "mutation")
	for _, f := range finders {
		fmt.Fprintf(w, " | %-36s", f+": right refused wrong")
	}
	fmt.Fprintln(w)
	line := func(name string, fits func(Cell) bool) {
		fmt.Fprintf(w, "%-16s", name)
		for _, f := range finders {
			fmt.Fprintf(w, " | %-36s", r.Sum(func(c Cell) bool { return c.Finder == f && fits(c) }))
		}
		fmt.Fprintln(w)
	}
	for _, k := range kinds {
		line(k, func(c Cell) bool { return c.Kind == k })
	}
	fmt.Fprintln(w, strings.Repeat("-", 16+39*len(finders)))
	line("alone", alone)
	line("  tuned on", func(c Cell) bool { return alone(c) && !c.Held })
	line("  held out", func(c Cell) bool { return alone(c) && c.Held })
	line("together held", func(c Cell) bool { return c.Kind == Together && c.Held })
	line("everything", func(c Cell) bool { return !trap(c.Kind) })
	line("traps", func(c Cell) bool { return trap(c.Kind) })
}

// String formats the shares of right and wrong with their intervals.
func (t Tally) String() string {
	if t.N() == 0 {
		return "-"
	}
	share := func(k int) float64 { return 100 * float64(k) / float64(t.N()) }
	_, worst := Interval(t.Wrong, t.N())
	low, _ := Interval(t.Right, t.N())
	return fmt.Sprintf("%5.1f%% (>%4.1f) %5.1f%% %4.1f%% (<%4.1f) n=%d", share(t.Right), 100*low, share(t.Refused), share(t.Wrong), 100*worst,
		t.N())
}
