package table

import (
	"strings"
	"unicode"
)

// mostWords is how many words the lines of cells have on average, at most: running text has more.
const mostWords = 4.5

// prose says whether what stands beside each other is running text and not a table: columns of text, a text with something in its
// margin, or a list with its marks. One column of a table may hold running text. It is told from text with a margin by where it
// goes on in the next line: there the other cells of its row have mostly ended.
func prose(lines []line, at strips) bool {
	words, chunks := make([]float64, len(at)), make([]float64, len(at))
	all, in := 0.0, 0.0
	for _, l := range lines {
		for _, c := range l.chunks {
			n := float64(len(c.words))
			all, in = all+n, in+1
			if from, to := at.reaches(c.Rect); from == to {
				words[from], chunks[from] = words[from]+n, chunks[from]+1
			}
		}
	}
	if all <= mostWords*in {
		return false
	}
	runs := -1
	for j := range at {
		if words[j] <= mostWords*chunks[j] {
			continue
		}
		if runs >= 0 {
			return true // two of them
		}
		runs = j
	}
	return runs < 0 || goesOnBeside(lines, at, runs) || runs == 1 && len(at) == 2 && marks(lines, at)
}

// goesOnBeside says whether the running text of a column goes on in lines that mostly have something in another column, too, as
// the line above has.
func goesOnBeside(lines []line, at strips, column int) bool {
	edge := at[column].to
	goes, beside := 0, 0
	var above *chunk
	wide := false // the line above has something else
	for i := range lines {
		var here *chunk
		other := false
		for k, c := range lines[i].chunks {
			from, to := at.reaches(c.Rect)
			if from <= column && column <= to {
				here = &lines[i].chunks[k]
			}
			other = other || from != column || to != column
		}
		if here != nil && above != nil && !fits(*above, here.words[0], edge) {
			goes++
			if other && wide {
				beside++
			}
		}
		above, wide = here, other
	}
	return beside*2 > goes
}

// fits says whether a word had room behind a chunk.
func fits(c chunk, w Word, edge float64) bool { return c.X1+blank*w.height()+w.X1-w.X0 <= edge }

// marks says whether the first column has nothing but the marks of a list: signs, or what is followed by a point or a bracket.
func marks(lines []line, at strips) bool {
	for _, l := range lines {
		for _, c := range l.chunks {
			if from, _ := at.reaches(c.Rect); from > 0 {
				continue
			}
			if len(c.words) > 1 || !isMark(c.words[0].Text) {
				return false
			}
		}
	}
	return true
}

// longestMark is how many letters and digits the mark of a list has, at most, as in (viii).
const longestMark = 4

func isMark(s string) bool {
	solid := strings.Trim(s, ".)(")
	n := len([]rune(solid))
	letter := strings.ContainsFunc(solid, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	return n <= 1 || n <= longestMark && (!letter || solid != s)
}
