package align

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// Anchors returns the anchors of a column's acts in all demonstrations, the first demonstration's first.
func (c *Column) Anchors() []string {
	var out []string
	for _, a := range c.Acts {
		if a != nil {
			out = append(out, a.Anchor())
		}
	}
	return out
}

// Column is one step in all demonstrations: Acts[t] is nil if demonstration t omitted it.
type Column struct {
	ID     int // index in the table
	Acts   []*Cell
	Rounds []Repetition // of a loop: the acts of the further rounds
	Sought bool         // a demonstration opened folders or turned pages to find its object
	key    string
}

// Table holds several demonstrations side by side: one column per step, and the loops, which are columns that were done
// for several items.
type Table struct {
	Columns []*Column
	Loops   []Loop
}

// Traces folds the loops of each demonstration into one round and aligns all demonstrations.
func Traces(traces []trace.Trace) Table {
	acts := make([][]*Cell, len(traces))
	for t := range traces {
		if t > 0 {
			sameTabs(traces[0].Acts, traces[t].Acts)
		}
		acts[t] = cells(traces[t].Acts)
	}
	markLines(acts)
	for t := range acts {
		acts[t] = collapse(acts[t])
	}
	t := Table{Columns: columns(acts)}
	t.Loops = findLoops(t.Columns)
	for i, c := range t.Columns {
		c.ID, c.Rounds = i, furtherRounds(c)
	}
	return t
}

// Base returns the step's act in the first demonstration that has it, and the index of that demonstration.
func (c *Column) Base() (*Cell, int) {
	for t, a := range c.Acts {
		if a != nil {
			return a, t
		}
	}
	return nil, 0
}

// Missing counts the demonstrations that omitted the step.
func (c *Column) Missing() int {
	n := 0
	for _, a := range c.Acts {
		if a == nil {
			n++
		}
	}
	return n
}

// TimesDiffer reports whether all demonstrations did the step, and not as often in a row.
func (c *Column) TimesDiffer() bool {
	first, _ := c.Base()
	return c.Missing() == 0 && slices.ContainsFunc(c.Acts, func(a *Cell) bool { return a.Times != first.Times })
}

// columns aligns the acts of several demonstrations by meaning. Each further demonstration is merged into the columns of
// the earlier ones.
func columns(traces [][]*Cell) []*Column {
	var cols []*Column
	for t, acts := range traces {
		cols = merge(cols, acts, t, len(traces))
	}
	for _, c := range cols {
		c.markSiblings()
	}
	cols = withoutLooking(cols) // before numbers that differ are hidden: they tell one section from another
	for _, c := range cols {
		c.dropVaryingNames()
		c.hideVaryingNumbers()
		c.dropVaryingOptions()
	}
	return cols
}

// markSiblings marks a step as a choice if the demonstrations chose different ones of several sibling elements.
func (c *Column) markSiblings() {
	first, _ := c.Base()
	others := slices.DeleteFunc(slices.Clone(c.Acts), func(a *Cell) bool {
		return a == nil || strings.EqualFold(nameWithoutRow(a), nameWithoutRow(first))
	})
	if len(others) == 0 && len(c.Acts) > 1 && c.Missing() == 0 && ofRowMenu(first) {
		for _, a := range c.Acts {
			a.varies, a.entry = true, true
		}
		return
	}
	if len(others) == 0 || slices.ContainsFunc(others, func(a *Cell) bool { return !(first.Role() == "tab" || areSiblings(first, a)) }) {
		return
	}
	for _, a := range c.Acts {
		if a != nil {
			a.varies = true
		}
	}
}

func merge(cols []*Column, acts []*Cell, t, n int) []*Column {
	single := func(a *Cell) *Column {
		c := &Column{Acts: make([]*Cell, n), key: a.meaning()}
		c.Acts[t] = a
		return c
	}
	if len(cols) == 0 {
		out := make([]*Column, len(acts))
		for i, a := range acts {
			out[i] = single(a)
		}
		return out
	}
	var out []*Column
	i, j := 0, 0
	for _, p := range append(match(cols, acts), [2]int{len(cols), len(acts)}) {
		for ; i < p[0]; i++ {
			out = append(out, cols[i])
		}
		for ; j < p[1]; j++ {
			out = append(out, single(acts[j]))
		}
		if i < len(cols) && j < len(acts) {
			cols[i].Acts[t] = acts[j]
			out = append(out, cols[i])
			i, j = i+1, j+1
		}
	}
	return inAnyOrder(out, t)
}

// match pairs columns with acts that are the same step: first those that agree in everything, then, between those pairs,
// acts that agree in less and less. A step that one demonstration did elsewhere on the page, sent with Enter, or did on
// another sibling, is still that step.
func match(cols []*Column, acts []*Cell) [][2]int {
	pairs := [][2]int{}
	for _, level := range []func(*Cell) string{(*Cell).meaning, ignoringPlace, byPurpose, apartFromNumbers, inPlace, sameField} {
		var more [][2]int
		i, j := 0, 0
		for _, p := range append(slices.Clone(pairs), [2]int{len(cols), len(acts)}) {
			if i < p[0] && j < p[1] {
				a, b := make([]string, p[0]-i), make([]string, p[1]-j)
				for k := range a {
					base, _ := cols[i+k].Base()
					a[k] = level(base)
				}
				for k := range b {
					b[k] = level(acts[j+k])
				}
				for _, q := range commonSubsequence(a, b) {
					base, _ := cols[i+q[0]].Base()
					if strings.HasPrefix(a[q[0]], besidePrefix) && !areSiblings(base, acts[j+q[1]]) {
						continue
					}
					more = append(more, [2]int{i + q[0], j + q[1]})
				}
			}
			if p[0] < len(cols) && p[1] < len(acts) {
				more = append(more, p)
			}
			i, j = p[0]+1, p[1]+1
		}
		pairs = more
	}
	return pairs
}

// ignoringPlace is a key for an act that ignores its place on the page: the same control, wherever it stood.
func ignoringPlace(a *Cell) string {
	switch {
	case a.Command != nil:
		return "run|" + strings.Join(shell.Read(a.Command).Programs, "|")
	case a.Surface != workflow.OnBrowser || a.Target == nil:
		return a.meaning()
	}
	name := strings.ToLower(page.Clean(a.Name()))
	switch {
	case a.IsPick():
		name = "#"
	case a.Role() == "tab":
		name = "#tab" // any tab
	case name == "":
		return a.meaning()
	}
	return string(verbClass(a)) + "|" + name
}

// byPurpose is a key for an act by its purpose: sending the form of a page. Other acts have the key of roughly.
func byPurpose(a *Cell) string {
	if a.Verb == capture.Submit {
		return "sends|" + page.PathPattern(a.URLBefore())
	}
	return ignoringPlace(a)
}

// apartFromNumbers is a key for an act by the words of its control's name: "Pay $104.20" and "Pay $98". Other acts have the key of
// byPurpose.
func apartFromNumbers(a *Cell) string {
	if words := wordsAndNumbers(a); words != "" {
		return string(verbClass(a)) + "|" + a.Role() + "|" + page.PathPattern(a.URLBefore()) + "|" + words
	}
	return byPurpose(a)
}

// wordsAndNumbers is the name of a control that is pressed, with # for each number, or "" where the name has no number or nothing else.
func wordsAndNumbers(a *Cell) string {
	if a.Surface != workflow.OnBrowser || a.Target == nil || !page.IsClick(a.Verb) && a.Verb != capture.Submit {
		return ""
	}
	name := strings.ToLower(page.Clean(a.Name()))
	words := number.ReplaceAllString(name, "#")
	if words == name || !strings.ContainsFunc(words, unicode.IsLetter) {
		return ""
	}
	return words
}

// number matches an amount in a name, with the marks that group and part its digits.
var number = lazyre.New(`\d+(?:[.,:]\d+)*`)

func verbClass(a *Cell) capture.Verb {
	switch a.Verb {
	case capture.Uncheck:
		if a.ManyBoxes() {
			return a.Verb
		}
		return capture.Check
	case capture.DoubleClick, capture.Submit, capture.Press:
		return capture.Click
	}
	return a.Verb
}

// inAnyOrder joins fields of one form that demonstration t filled in in another order.
func inAnyOrder(cols []*Column, t int) []*Column {
	for i := 0; i < len(cols); i++ {
		if cols[i].Acts[t] != nil || !fillsOnly(cols[i]) {
			continue
		}
		for _, step := range []int{1, -1} {
			for j := i + step; j >= 0 && j < len(cols) && fillsOnly(cols[j]); j += step {
				if cols[j].Acts[t] != nil && cols[j].Missing() == len(cols[j].Acts)-1 && cols[j].key == cols[i].key {
					cols[i].Acts[t] = cols[j].Acts[t]
					cols = slices.Delete(cols, j, j+1)
					if j < i {
						i--
					}
					break
				}
			}
			if cols[i].Acts[t] != nil {
				break
			}
		}
	}
	return cols
}

func fillsOnly(c *Column) bool {
	a, _ := c.Base()
	return a.Fills() && !a.Moved
}

// maxAlign bounds the table of the exact alignment; longer sequences are matched greedily in order.
const maxAlign = 4_000_000

// commonSubsequence returns the longest common subsequence of a and b as index pairs.
func commonSubsequence(a, b []string) [][2]int {
	var head [][2]int
	for len(head) < len(a) && len(head) < len(b) && a[len(head)] == b[len(head)] {
		head = append(head, [2]int{len(head), len(head)})
	}
	at := len(head)
	n, m := len(a)-at, len(b)-at
	if n == 0 || m == 0 {
		return head
	}
	rest := a[at:]
	table := [][2]int(nil)
	if n*m > maxAlign {
		table = greedy(rest, b[at:])
	} else {
		table = longest(rest, b[at:])
	}
	for _, p := range table {
		head = append(head, [2]int{p[0] + at, p[1] + at})
	}
	return head
}

func longest(a, b []string) [][2]int {
	n, m := len(a), len(b)
	table := make([]int32, (n+1)*(m+1))
	at := func(i, j int) *int32 { return &table[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	return pairs
}

func greedy(a, b []string) [][2]int {
	places := map[string][]int{}
	for j, k := range b {
		places[k] = append(places[k], j)
	}
	var pairs [][2]int
	next := 0
	for i, k := range a {
		for ps := places[k]; len(ps) > 0; ps = places[k] {
			places[k] = ps[1:]
			if ps[0] >= next {
				pairs = append(pairs, [2]int{i, ps[0]})
				next = ps[0] + 1
				break
			}
		}
	}
	return pairs
}
