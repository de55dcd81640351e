package compile

// rounds is a run of columns that was done several times: columns [start, start+period) are the first round, the further
// rounds' acts are kept beside them.
type rounds struct {
	start, period int
	items         [][]*column // every round's columns, the first one's included
}

const maxPeriod = 40

// findLoops collapses the same work over several items into its first round. Only a run in which something that names one
// thing among many differs from round to round is a loop; a click repeated with nothing new is none.
func findLoops(cols []*column) ([]*column, []rounds) {
	var out []*column
	var loops []rounds
	for i := 0; i < len(cols); {
		period, count := repetition(cols, i)
		if count < 2 {
			out = append(out, cols[i])
			i++
			continue
		}
		r := rounds{start: len(out), period: period}
		for k := range count {
			r.items = append(r.items, cols[i+k*period:i+(k+1)*period])
		}
		out = append(out, cols[i:i+period]...)
		loops = append(loops, r)
		i += period * count
	}
	return out, loops
}

// repetition is the shortest period with which columns repeat from i on, and how often; count 1 when they do not.
func repetition(cols []*column, i int) (period, count int) {
	for p := 1; p <= maxPeriod && i+2*p <= len(cols); p++ {
		if !sameKeys(cols[i:i+p], cols[i+p:i+2*p]) || !differs(cols[i:i+p], cols[i+p:i+2*p]) {
			continue
		}
		n := 2
		for i+(n+1)*p <= len(cols) && sameKeys(cols[i:i+p], cols[i+n*p:i+(n+1)*p]) {
			n++
		}
		if n >= 3 || p >= 2 {
			return p, n
		}
	}
	return 1, 1
}

func sameKeys(a, b []*column) bool {
	for i := range a {
		if a[i].key != b[i].key || a[i].missing() != b[i].missing() {
			return false
		}
	}
	return true
}

// differs reports whether the two rounds were about different things.
func differs(a, b []*column) bool {
	for i := range a {
		x, _ := a[i].base()
		y, _ := b[i].base()
		if itemOf(x) != itemOf(y) {
			return true
		}
	}
	return false
}

// itemOf is what an act was about, as it stands in the trace: the picked row, the value's link, the command line.
func itemOf(a *act) string {
	switch {
	case a.command != nil:
		return a.command.Line
	case a.supplies():
		return a.value.LinkID + "\x00" + a.value.Text
	case dataLike(a):
		s := a.name()
		if a.target.Landmark != nil {
			s += "\x00" + a.target.Landmark.Name
		}
		return s
	}
	return ""
}
