package values

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/compile/page"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

var pieceForm = lazyre.New(`[\p{L}\p{N}]+|[^\p{L}\p{N}]+`)

// isValue reports whether a differing stretch of text can be a value: a few words or numbers.
func isValue(s string) bool {
	return plain.Letters(s)+plain.Digits(s) > 0 && len(s) <= 60 && unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N},
		page.FirstRune(s)) && !strings.ContainsAny(s, `/\"'|{}()<>$;`)
}

// partOfName reports whether the last common token belongs to what differs: the year before a month, the letters before
// an order's number.
func partOfName(before, middle []string) bool {
	n := len(before)
	if len(middle) == 0 {
		return false
	}
	last := before[n-1]
	switch {
	case isJoiner(last):
		return n > 1 && plain.Digits(middle[0]) > 0 && (page.AllDigits(before[n-2]) || shortCode(before[n-2]))
	case page.AllDigits(last), shortCode(last):
		return n == 1 || len(middle) > 0 && isJoiner(middle[0]) || !isJoiner(before[n-2]) ||
			page.AllDigits(last) && plain.Digits(before[n-2]) == 0
	}
	return false
}

func partOfNameBehind(behind, middle []string) bool {
	last := middle[len(middle)-1]
	if isJoiner(behind[0]) {
		return len(behind) > 1 && page.AllDigits(behind[1]) && plain.Digits(last) > 0
	}
	return page.AllDigits(behind[0]) && isJoiner(last)
}

func isJoiner(s string) bool { return s == "-" || s == "." || s == "_" }

// shortCode reports whether a text can be the letters before a number in an id: SK-410, A-1042.
func shortCode(s string) bool {
	return len(s) <= 4 && s == strings.ToUpper(s) && plain.Letters(s) == len(s)
}

// Differing returns the stretches of a word that differ in every demonstration, where something before, between or after
// them stays the same; nil when the word differs as a whole.
func Differing(texts []string) (out [][]string) {
	var split [][]string
	at := []int{}
	for t, text := range texts {
		if text != "" {
			split, at = append(split, pieceForm.FindAllString(text, -1)), append(at, t)
		}
	}
	first := split[0]
	marks := append(inAll(split), mark{len(first), lengths(split)})
	from := mark{at: -1, in: make([]int, len(split))}
	for k := range from.in {
		from.in[k] = -1
	}
	low := 0 // end of the previous stretch
	for i := 0; i < len(marks); i++ {
		to := marks[i]
		if to.at == from.at+1 && slices.Equal(to.in, next(from.in)) {
			from = to
			continue // nothing between them differs
		}
		for i+1 < len(marks) && joinsNames(split, from, to, marks[i+1]) {
			i++
			to = marks[i]
		}
		head, tail := from.at+1, len(first)-to.at
		for head > low && partOfName(first[:head], first[head:to.at]) {
			head--
		}
		for tail > 0 && len(first)-tail > head && partOfNameBehind(first[len(first)-tail:], first[head:len(first)-tail]) {
			tail--
		}
		before, behind := from.at+1-head, len(first)-to.at-tail
		stretch := make([]string, len(texts))
		for k, ts := range split {
			begin, end := from.in[k]+1-before, to.in[k]+behind
			if begin < 0 || end > len(ts) || !isValue(strings.Join(ts[begin:end], "")) {
				stretch = nil
				break
			}
			stretch[at[k]] = strings.Join(ts[begin:end], "")
		}
		whole := head == 0 && (tail == 0 || strings.Join(first[len(first)-tail:], "") == path.Ext(texts[at[0]]))
		if stretch != nil && !whole {
			out = append(out, stretch)
		}
		from, low = to, to.at
	}
	return out
}

// mark is a piece that all demonstrations share: its index in the first one's pieces and in each demonstration's.
type mark struct {
	at int
	in []int
}

func lengths(split [][]string) []int {
	out := make([]int, len(split))
	for k, ts := range split {
		out[k] = len(ts)
	}
	return out
}

func next(in []int) []int {
	out := make([]int, len(in))
	for k, n := range in {
		out[k] = n + 1
	}
	return out
}

// joinsNames reports whether the texts on both sides of a piece are one value: "1.4" and "2.1", "Jane Doe" and "Max
// Kern".
func joinsNames(split [][]string, from, between, to mark) bool {
	for k, ts := range split {
		before, behind := ts[from.in[k]+1:between.in[k]], ts[min(between.in[k]+1, len(ts)):to.in[k]]
		if between.in[k] >= len(ts) || len(before) == 0 || len(behind) == 0 {
			return false
		}
		names := ts[between.in[k]] == " " && plain.Letters(before[len(before)-1]) > 0 && plain.Letters(behind[0]) > 0
		if !names && !isJoiner(ts[between.in[k]]) {
			return false
		}
	}
	return true
}

// maxPieces bounds the exact comparison; of longer texts only the beginnings and ends are compared.
const maxPieces = 600

// inAll returns the pieces that all texts share, in order, as many as possible.
func inAll(split [][]string) []mark {
	var out []mark
	for i := range split[0] {
		out = append(out, mark{i, []int{i}})
	}
	for _, ts := range split[1:] {
		pairs := pairsOf(split[0], ts)
		out = slices.DeleteFunc(out, func(m mark) bool { return pairs[m.at] < 0 })
		for i := range out {
			out[i].in = append(out[i].in, pairs[out[i].at])
		}
	}
	return out
}

// pairsOf returns for each piece of a its index in b, or -1, by the longest common subsequence.
func pairsOf(a, b []string) []int {
	out := make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		out[head] = head
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		out[len(a)-1-tail] = len(b) - 1 - tail
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) > maxPieces || len(y) > maxPieces {
		return out
	}
	best := make([][]int, len(x)+1)
	for i := range best {
		best[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			out[head+i] = head + j
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
