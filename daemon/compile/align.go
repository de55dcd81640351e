package compile

// column is one step in all traces: acts[t] is nil where trace t did not do it.
type column struct {
	acts []*act
	key  string
}

// base is the first demonstration of the step.
func (c *column) base() (*act, int) {
	for t, a := range c.acts {
		if a != nil {
			return a, t
		}
	}
	return nil, 0
}

// missing counts the traces that did without the step.
func (c *column) missing() int {
	n := 0
	for _, a := range c.acts {
		if a == nil {
			n++
		}
	}
	return n
}

// align puts the acts of several demonstrations of one goal beside each other, by meaning. One trace is its own alignment.
// Each further trace is merged into what the earlier ones have in common.
func align(traces [][]*act) []*column {
	var cols []*column
	for t, acts := range traces {
		keys := make([]string, len(acts))
		for i, a := range acts {
			keys[i] = meaning(a)
		}
		cols = merge(cols, acts, keys, t, len(traces))
	}
	return cols
}

// maxAlign bounds the table of the exact alignment; beyond it equal ends are cut off and the rest is matched in order.
const maxAlign = 4_000_000

func merge(cols []*column, acts []*act, keys []string, t, n int) []*column {
	single := func(i int) *column {
		c := &column{acts: make([]*act, n), key: keys[i]}
		c.acts[t] = acts[i]
		return c
	}
	if len(cols) == 0 {
		out := make([]*column, len(acts))
		for i := range acts {
			out[i] = single(i)
		}
		return out
	}
	pairs := match(cols, keys)
	var out []*column
	i, j := 0, 0
	for _, p := range append(pairs, [2]int{len(cols), len(acts)}) {
		for ; i < p[0]; i++ {
			out = append(out, cols[i])
		}
		for ; j < p[1]; j++ {
			out = append(out, single(j))
		}
		if i < len(cols) && j < len(acts) {
			cols[i].acts[t] = acts[j]
			out = append(out, cols[i])
			i, j = i+1, j+1
		}
	}
	return out
}

// match is the longest common subsequence of the columns' keys and keys, as index pairs.
func match(cols []*column, keys []string) [][2]int {
	n, m := len(cols), len(keys)
	if n*m > maxAlign {
		return greedy(cols, keys)
	}
	table := make([]int32, (n+1)*(m+1))
	at := func(i, j int) *int32 { return &table[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if cols[i].key == keys[j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case cols[i].key == keys[j]:
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

func greedy(cols []*column, keys []string) [][2]int {
	places := map[string][]int{}
	for j, k := range keys {
		places[k] = append(places[k], j)
	}
	var pairs [][2]int
	next := 0
	for i, c := range cols {
		for ps := places[c.key]; len(ps) > 0; ps = places[c.key] {
			places[c.key] = ps[1:]
			if ps[0] >= next {
				pairs = append(pairs, [2]int{i, ps[0]})
				next = ps[0] + 1
				break
			}
		}
	}
	return pairs
}
