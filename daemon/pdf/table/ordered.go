package table

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Word processors, browsers and typesetters write a table cell by cell: all lines of a cell, then the next cell of its row, which
// begins higher and farther right. Where a page's content is written so, its order says which lines are one cell, and which cells
// are one row, whatever their lines' heights are.

// run is what the content writes on one line without a wide gap.
type run struct{ chunk }

// row is a row of cells, or a line that stands alone: runs from one on, in the order of the content.
type row struct {
	from, to int // runs
	last     float64
	several  bool
	Rect
}

// lower is how far, as a part of a line's height, something must reach below the top of another to stand beside or below it: the
// boxes of lines that follow each other overlap a little.
const lower = 0.3

// runsOf puts words into runs; nil if the order of one is not known.
func runsOf(words []Word) (out []run) {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.Order, b.Order) })
	for i := 0; i < len(words); {
		k := i + 1
		for k < len(words) && beside(words[k-1].Rect, words[k].Rect) && words[k].X0 >= words[k-1].X1-lower*words[k].height() {
			k++
		}
		if words[i].Order == 0 {
			return nil
		}
		for _, c := range chunksOf(words[i:k]) {
			out = append(out, run{c})
		}
		i = k
	}
	return out
}

// beside says whether two places are on one line.
func beside(a, b Rect) bool { return min(a.Y1, b.Y1)-max(a.Y0, b.Y0) > min(a.height(), b.height())/2 }

// rowsInOrder puts runs into rows. What stands right of the runs before it, and not below them, is in their row; what follows below
// it is in the same cell.
func rowsInOrder(runs []run, e *effort) (out []row) {
	for i, r := range runs {
		h, m := r.words[0].height(), i
		for m > 0 && e.spend(1) && runs[m-1].X1 <= r.X0 && runs[m-1].Y1 > r.Y0+lower*h {
			m--
		}
		n := len(out) - 1
		switch {
		case m < i:
			at := row{from: m, to: i + 1, last: r.X0, several: true, Rect: r.Rect}
			for ; n >= 0 && out[n].to > m; n-- {
				at.from, at.Rect = min(at.from, out[n].from), at.union(out[n].Rect)
			}
			out = append(out[:n+1], at)
		case n >= 0 && out[n].several && r.Y0 > runs[i-1].Y0 && (r.Y0-runs[i-1].Y1 <= farBelow*h || r.Y1 <= out[n].Y1) &&
			r.X1 > out[n].last && r.X0 >= out[n].free(runs, e):
			out[n].to, out[n].last, out[n].Rect = i+1, min(out[n].last, r.X0), out[n].union(r.Rect)
		default:
			out = append(out, row{from: i, to: i + 1, last: r.X0, Rect: r.Rect})
		}
	}
	return out
}

// free is where the place of a row's last cell begins: behind what stands left of it.
func (r row) free(runs []run, e *effort) float64 {
	x := math.Inf(-1)
	for i := r.from; i < r.to && e.spend(1); i++ {
		if runs[i].X1 <= r.last {
			x = max(x, runs[i].X1)
		}
	}
	return x
}

// cells are the cells of a row: it is cut where all that was written before stands left of all that follows.
func (r row) cells(runs []run) line {
	in := runs[r.from:r.to]
	left := make([]float64, len(in)) // of it and what follows
	for i := len(in) - 1; i >= 0; i-- {
		if left[i] = in[i].X0; i+1 < len(in) {
			left[i] = min(left[i], left[i+1])
		}
	}
	out := line{Rect: r.Rect}
	edge := math.Inf(-1)
	for i, x := range in {
		if n := len(out.chunks) - 1; i > 0 && left[i] < edge {
			out.chunks[n].Rect, out.chunks[n].words = out.chunks[n].union(x.Rect), append(out.chunks[n].words, x.words...)
		} else {
			out.chunks = append(out.chunks, chunk{x.Rect, slices.Clone(x.words)})
		}
		edge = max(edge, x.X1)
	}
	return out
}

// tall says whether a chunk has several lines.
func (c chunk) tall() bool { return c.height() > 1.5*c.words[0].height() }

// told says whether lines have what only the order can tell: cells of several lines, in two rows of several cells at least.
func told(lines []line) bool {
	rows, high := 0, false
	for _, l := range lines {
		if len(l.chunks) > 1 {
			rows++
			high = high || slices.ContainsFunc(l.chunks, chunk.tall)
		}
	}
	return rows > 1 && high
}

// ordered finds the tables that the order of the content tells, and the words outside of them.
func ordered(words []Word, e *effort) (out []Table, rest []Word) {
	runs := runsOf(words)
	rows := rowsInOrder(runs, e)
	if e.over() || !slices.ContainsFunc(rows, func(r row) bool { return r.several }) {
		return nil, words
	}
	var lines []line
	for _, r := range rows {
		lines = append(lines, r.cells(runs))
	}
	lines = centred(lines)
	for i := 0; i < len(lines) && !e.over(); {
		end := i + 1
		for end < len(lines) && follows(lines[end-1], lines[end]) {
			end++
		}
		divide(lines[i:end], e)
		for ; i < end && !e.over(); i++ {
			n := longest(lines[i:end], e, func(some []line, at strips) bool {
				return !told(some) || len(at) == 2 && marks(some, at)
			})
			t, n := whole(lines[i:i+n], e)
			if n == 0 {
				rest = append(rest, lines[i].all()...)
				continue
			}
			out = append(out, t)
			i += n - 1
		}
	}
	return out, rest
}

// centred gives a row those lines above it that are the first of its first cell: the other cells stand in the middle of its height
// then. The order does not tell such a line from a row of one cell.
func centred(lines []line) (out []line) {
	for _, l := range lines {
		if len(l.chunks) > 1 {
			first := l.chunks[0]
			for i := len(out) - 1; i >= 0 && begins(out[i], first, l.chunks[1].X0); i-- {
				above := out[i].chunks[0]
				first.Rect, first.words = first.union(above.Rect), append(slices.Clone(above.words), first.words...)
				if first.between(l.chunks[1:]) {
					l.chunks, l.Rect = append([]chunk{first}, l.chunks[1:]...), l.union(first.Rect)
					out = out[:i]
					break
				}
			}
		}
		out = append(out, l)
	}
	return out
}

// begins says whether a line may be the one above the lines of a cell: near above it, and left of the next cell.
func begins(above line, c chunk, next float64) bool {
	if len(above.chunks) > 1 || above.chunks[0].tall() {
		return false
	}
	h, a := c.words[0].height(), above.chunks[0]
	return c.Y0-a.Y1 <= loose*h && c.Y0 > a.Y0+lower*h && a.X1 <= next && a.X0 <= c.X1 && c.X0 <= a.X1
}

// between says whether others stand in the middle of a cell's height.
func (c chunk) between(others []chunk) bool {
	_, y := c.middle()
	return !slices.ContainsFunc(others, func(o chunk) bool {
		_, at := o.middle()
		return abs(at-y) > c.words[0].height()/4
	})
}

// follows says whether a row stands below another, near enough for one table.
func follows(above, l line) bool {
	h := max(l.chunks[0].words[0].height(), above.chunks[0].words[0].height())
	return l.Y0 >= above.Y1-h/2 && l.Y0-above.Y1 <= farBelow*h
}

// divide cuts cells where the cells of other rows begin: a number may stand as close before a text as a blank is wide.
func divide(lines []line, e *effort) {
	var starts []float64
	for _, l := range lines {
		for _, c := range l.chunks[1:] {
			starts = append(starts, c.X0)
		}
	}
	slices.Sort(starts)
	for i := 0; i < len(starts); {
		k := i + 1
		for k < len(starts) && starts[k]-starts[i] <= near {
			k++
		}
		x, times := starts[i], k-i
		i = k
		var at []*line
		for j := range lines {
			if e.spend(len(lines[j].chunks)); len(lines[j].chunks) > 1 && lines[j].over(x) >= 0 {
				at = append(at, &lines[j])
			}
		}
		if times < 2 || times < len(at) || e.over() {
			continue
		}
		for _, l := range at {
			if two, ok := l.parts(x, e); ok && stands(two[0], lines, x, e) {
				k := l.over(x)
				l.chunks = slices.Replace(l.chunks, k, k+1, two[:]...)
			}
		}
	}
}

// over is the chunk that lies over a place, or -1.
func (l line) over(x float64) int {
	return slices.IndexFunc(l.chunks, func(c chunk) bool { return c.X0 < x-near && x+near < c.X1 })
}

// parts are the chunk over a place, cut there, if one of its words begins there and all others are on one side.
func (l line) parts(x float64, e *effort) (two [2]chunk, ok bool) {
	for _, w := range l.chunks[l.over(x)].words {
		side := 0
		switch {
		case w.X0 >= x-near:
			side = 1
		case w.X1 > x:
			return two, false
		}
		ok = ok || abs(w.X0-x) <= near
		if two[side].words == nil {
			two[side].Rect = w.Rect
		}
		two[side].Rect, two[side].words = two[side].union(w.Rect), append(two[side].words, w)
	}
	return two, e.spend(len(two[1].words)) && ok && two[0].words != nil
}

// stands says whether other rows have cells left of a place where a chunk is, too. What begins there by chance is no column.
func stands(c chunk, lines []line, x float64, e *effort) bool {
	n := 0
	for _, l := range lines {
		for _, o := range l.chunks {
			if o.X1 <= x+near && o.X0 < c.X1 && c.X0 < o.X1 {
				n++
			}
		}
		e.spend(len(l.chunks))
	}
	return n > 1
}

func (l line) all() (out []Word) {
	for _, c := range l.chunks {
		out = append(out, c.words...)
	}
	return out
}

// whole makes a table of rows and says how many of them it has: 0 if they are none. One cell alone is no last row.
func whole(lines []line, e *effort) (t Table, n int) {
	n = len(lines)
	for n > 0 && len(lines[n-1].chunks) < 2 {
		n--
	}
	if t, ok := grid(lines[:n], e); ok && t.Columns > 1 && t.Rows > 1 && len(t.Cells)*2 >= t.Rows*t.Columns && inColumns(t) {
		return t, n
	}
	return Table{}, 0
}

// ReadsInOrder says whether a page is read in the order in which its content is written: that goes through tables cell by cell, or
// along rows that are no lines of running text in columns, and never back on a line.
func ReadsInOrder(words []Word) bool {
	if slices.ContainsFunc(words, func(w Word) bool { return strings.ContainsFunc(w.Text, fromRight) }) {
		return false
	}
	e := &effort{mostWork}
	runs := runsOf(words)
	var lines []line
	rows, prose := 0, 0
	for _, r := range rowsInOrder(runs, e) {
		l := r.cells(runs)
		if lines = append(lines, l); len(l.chunks) < 2 {
			continue
		}
		rows++
		if l.proseBeside() {
			prose++
		}
	}
	return !e.over() && (told(lines) || rows > 0 && prose*4 < rows && (rows >= leastRows || rows*4 <= len(lines))) && !goesBack(runs)
}

// leastRows is how many rows of a few words tell that a page is written row by row, if they are most of the page: two may as well be
// two short columns. On a page with much else they are rows.
const leastRows = 3

// proseBeside says whether a line has several chunks that are as long as those of running text.
func (l line) proseBeside() bool {
	long := 0
	for _, c := range l.chunks {
		if len(c.words) >= longChunk {
			long++
		}
	}
	return long > 1
}

// goesBack says whether something is written left of what stands on its line already, or above all that is written, other than a
// page's foot.
func goesBack(runs []run) bool {
	far := map[int]float64{} // how far right something begins, by height
	top := math.Inf(1)
	for i, r := range runs {
		if i > mostFoot && r.Y1 <= top {
			return true
		}
		top = min(top, r.Y0)
		from, to := int(r.Y0+lower*r.height()), int(r.Y1-lower*r.height())
		for y := from; y <= to && y-from < mostPoints; y++ {
			if x, ok := far[y]; ok && x > r.X0+near {
				return true
			} else if !ok || r.X0 > x {
				far[y] = r.X0
			}
		}
	}
	return false
}

// mostFoot is how many runs a page's foot has, at most.
const mostFoot = 3

// mostPoints is how high a line of text is at most.
const mostPoints = 1000
