package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"showhow/daemon/pdf/table"
)

// gap is what separates a word from the next one.
type gap int

const (
	narrow gap = iota // so little that it may stand within a word
	spread            // as much as between all letters of letter-spaced text
	blank
	lineEnd // of a line, a paragraph, a column or a page
)

// placed is a word on a page. line counts the lines of the run that it stands in.
type placed struct {
	page, line int
	table.Word
}

// hit is a place where something was found: the words that it stands in.
type hit struct {
	pattern string
	words   []placed
}

// lines are the words of a hit by line.
func (h hit) lines() (out []line) {
	at := -1
	for _, w := range h.words {
		if w.line != at {
			at = w.line
			out = append(out, line{page: w.page})
		}
		l := &out[len(out)-1]
		l.words = append(l.words, w.Word)
	}
	return out
}

// covers says whether all words of another hit are of this one too.
func (h hit) covers(other hit) bool {
	return !slices.ContainsFunc(other.words, func(w placed) bool {
		return !slices.ContainsFunc(h.words, w.same)
	})
}

func (w placed) same(o placed) bool { return w.page == o.page && w.Word == o.Word }

// normal is the form in which texts are compared: composed as one letter, without what is not seen, and with one sign for all
// hyphens and dashes, one for all apostrophes and one for all quotation marks. A soft hyphen at the end stays, as a hyphen.
func normal(s string) string {
	cut, soft := strings.CutSuffix(s, "\u00ad")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return -1
		case unicode.Is(unicode.Pd, r), r == '\u2212', r == '\u2043', r == '\u02d7':
			return '-'
		case strings.ContainsRune("\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc\u02b9\u02bb\u00b4`", r):
			return '\''
		case unicode.In(r, unicode.Pi, unicode.Pf), r == '\u201e', r == '\u2033':
			return '"'
		}
		return r
	}, norm.NFKC.String(spacing.Replace(cut)))
	if soft {
		s += "-"
	}
	return s
}

// spacing keeps an accent that stands alone from being taken apart into a blank and an accent.
var spacing = strings.NewReplacer("\u00b4", "'")

// fold makes letters equal that differ in case.
func fold(s string) string { return cases.Fold().String(s) }

// run is words in the order in which they are read, each with its normal form and the gap after it.
type run struct {
	words []placed
	text  []string
	gaps  []gap
}

// runOf is the run of lines.
func runOf(lines []line) (out run) {
	for i, l := range lines {
		for k, w := range l.words {
			g := lineEnd
			if k+1 < len(l.words) {
				g = between(w.Rect, l.words[k+1].Rect)
			}
			text := normal(w.Text)
			if g != lineEnd && strings.HasSuffix(w.Text, "\u00ad") {
				text = strings.TrimSuffix(text, "-")
			}
			if strings.TrimSpace(text) == "" {
				if n := len(out.gaps); n > 0 {
					out.gaps[n-1] = max(out.gaps[n-1], g)
				}
				continue
			}
			out.words = append(out.words, placed{l.page, i, w})
			out.text, out.gaps = append(out.text, text), append(out.gaps, g)
		}
	}
	out.letterSpaced()
	return out
}

// apart is how far two words of a line are from each other, and how high the smaller one is. A line may go down a page.
func apart(a, b table.Rect) (far, high float64) {
	across := max(a.X0, b.X0) - min(a.X1, b.X1)
	down := max(a.Y0, b.Y0) - min(a.Y1, b.Y1)
	if down > across {
		return down, min(a.X1-a.X0, b.X1-b.X0)
	}
	return across, min(a.Y1-a.Y0, b.Y1-b.Y0)
}

// widestNarrow is the widest gap, in heights of its words, that may stand within a word. A blank is wider in most fonts.
const widestNarrow = 0.22

func between(a, b table.Rect) gap {
	if far, high := apart(a, b); far <= widestNarrow*high {
		return narrow
	}
	return blank
}

// fewestSpread is how many letters in a row, each read as a word, are letter-spaced text.
const fewestSpread = 4

func oneLetter(s string) bool {
	r := []rune(s)
	return len(r) == 1 && (unicode.IsLetter(r[0]) || unicode.IsDigit(r[0]) || unicode.In(r[0], unicode.P))
}

// letterSpaced finds the letters in a row that are about equally far from each other. What is clearly wider is a blank.
func (x *run) letterSpaced() {
	for from := 0; from < len(x.words); {
		to := from
		for to < len(x.words) && oneLetter(x.text[to]) && x.words[to].line == x.words[from].line {
			to++
		}
		if to-from >= fewestSpread {
			var far []float64
			for i := from; i+1 < to; i++ {
				f, _ := apart(x.words[i].Rect, x.words[i+1].Rect)
				far = append(far, f)
			}
			middle := slices.Sorted(slices.Values(far))[len(far)/2]
			for i, f := range far {
				if x.gaps[from+i] == blank && f <= 1.5*middle {
					x.gaps[from+i] = spread
				}
			}
		}
		from = max(to, from+1)
	}
}

// byLetters says whether a part of the run was read letter by letter: it is letter-spaced, or stands at an angle.
func (x run) byLetters() bool {
	n := 0
	for _, s := range x.text {
		r := []rune(s)
		if len(r) != 1 || !unicode.IsLetter(r[0]) || !spaced(r[0]) {
			n = 0
		} else if n++; n >= fewestSpread {
			return true
		}
	}
	return false
}

// sign is a letter of a run. With first, a blank stands before it in its word.
type sign struct {
	r     rune
	word  int
	first bool
}

func (x run) signs() (out []sign) {
	for i, s := range x.text {
		first := false
		for _, r := range fold(s) {
			if r != ' ' {
				out = append(out, sign{r, i, first})
			}
			first = r == ' '
		}
	}
	return out
}

// find says where wanted words stand. Whatever gap there is stands for a blank of theirs. Within a word a gap may be narrow or
// spread, or the end of a line after a hyphen or another sign that ends no word; there the hyphen may be dropped.
func (x run) find(want []wanted) (out []hit) {
	signs := x.signs()
	after := func(i int) gap { // what follows a sign; -1: the same word
		if i+1 < len(signs) && signs[i+1].word == signs[i].word {
			if signs[i+1].first {
				return blank
			}
			return -1
		}
		return x.gaps[signs[i].word]
	}
	inWord := func(i int) bool { // whether signs i and i+1 are of a word
		return i >= 0 && i+1 < len(signs) && spaced(signs[i].r) && spaced(signs[i+1].r) && (after(i) < narrow || after(i) == spread)
	}
	for _, w := range want {
		var match func(at, n int, loose bool) int
		match = func(at, n int, loose bool) int {
			switch {
			case n == len(w.folded):
				return at
			case w.folded[n] == ' ':
				return match(at, n+1, true)
			case at == len(signs):
				return -1
			}
			if n > 0 && !loose {
				switch g := after(at - 1); {
				case g == blank, g == lineEnd && spaced(signs[at-1].r) && spaced(signs[at].r):
					return -1
				}
			}
			if signs[at].r == w.folded[n] {
				if to := match(at+1, n+1, false); to >= 0 {
					return to
				}
			}
			if n > 0 && signs[at].r == '-' && after(at) == lineEnd {
				return match(at+1, n, true)
			}
			return -1
		}
		for i := 0; i < len(signs) && len(out) < mostPlaces; i++ {
			if signs[i].r != w.folded[0] || inWord(i-1) {
				continue
			}
			if to := match(i, 0, true); to > i && !inWord(to-1) {
				out = append(out, x.hit(wordsMark+w.said, signs[i].word, signs[to-1].word))
				i = to - 1
			}
		}
	}
	return out
}

func (x run) hit(pattern string, first, last int) hit {
	return hit{pattern, x.words[first : last+1]}
}

// joint is how words at the ends of lines are joined in a text.
type joint int

const (
	asLines joint = iota
	asBlanks
	joined // a word that is hyphenated is whole, and what stands in letters is too
	kept   // the same with its hyphen
)

// print is the text of a run, and which word each of its bytes is of (-1: of none).
func (x run) print(how joint) (string, []int) {
	var b strings.Builder
	var of []int
	add := func(s string, word int) {
		b.WriteString(s)
		for range len(s) {
			of = append(of, word)
		}
	}
	for i, s := range x.text {
		g, between := x.gaps[i], " "
		last, _ := lastRune(s)
		goesOn := g == lineEnd && (last == '-' || last == '@')
		switch {
		case g == lineEnd && how == asLines:
			between = "\n"
		case how >= joined && (g < blank || goesOn):
			between = ""
			if how == joined && last == '-' && goesOn && s != "-" {
				s = strings.TrimSuffix(s, "-")
			}
		}
		add(s, i)
		add(between, -1)
	}
	return b.String(), of
}

func lastRune(s string) (rune, bool) {
	r := []rune(s[max(0, len(s)-4):])
	if len(r) == 0 {
		return 0, false
	}
	return r[len(r)-1], true
}

// judge has the redactor look at the run in each way of joining lines, because a number or an address may go on in the next
// line. judged says whether it could.
func (x run) judge(classes []string, secrets func(string) []Secret) (out []hit, judged bool) {
	judged = true
	seen := map[string]bool{}
	for _, how := range []joint{asLines, asBlanks, joined, kept} {
		text, of := x.print(how)
		if seen[text] || len(of) == 0 {
			continue
		}
		seen[text] = true
		for _, s := range secrets(text) {
			judged = judged && (slices.Contains(classes, s.Class) || s.Class != withheld)
			if !slices.Contains(classes, s.Class) || len(out) >= mostPlaces {
				continue
			}
			words := slices.DeleteFunc(slices.Clone(of[max(s.Start, 0):min(s.End, len(of))]), func(w int) bool { return w < 0 })
			if len(words) > 0 {
				out = append(out, x.hit(classMark+s.Class, words[0], words[len(words)-1]))
			}
		}
	}
	return out, judged
}

// find looks for patterns in the lines of a page, in the order in which they are read, and for words across the page too.
func (p patterns) find(lines []line, secrets func(string) []Secret) (out []hit, judged bool) {
	judged = true
	page := runOf(lines)
	if len(p.classes) > 0 {
		out, judged = page.judge(p.classes, secrets)
	}
	if len(p.words) > 0 {
		out = append(append(out, page.find(p.words)...), runOf(across(lines)).find(p.words)...)
	}
	return distinct(out), judged
}

// lookedOver is how many lines at the end of a page, and at the beginning of the next, may be a footer and a header.
const lookedOver = 2

// nearEnd is how many lines on each side of a page's end are looked at.
const nearEnd = 8

// over looks for what begins on a page and ends on the next one, with or without a footer and a header in between.
func (p patterns) over(before, after []line, secrets func(string) []Secret) (out []hit) {
	for foot := range min(lookedOver+1, len(before)) {
		for head := range min(lookedOver+1, len(after)) {
			if foot > 0 && before[len(before)-foot].block == before[len(before)-foot-1].block ||
				head > 0 && after[head-1].block == after[head].block {
				continue // a footer and a header are paragraphs of their own
			}
			end := before[max(0, len(before)-foot-nearEnd) : len(before)-foot]
			begin := after[head:min(len(after), head+nearEnd)]
			x := runOf(slices.Concat(end, begin))
			found := x.find(p.words)
			if len(p.classes) > 0 && foot+head == 0 {
				more, _ := x.judge(p.classes, secrets)
				found = append(found, more...)
			}
			for _, h := range found {
				if h.words[0].page != h.words[len(h.words)-1].page {
					out = append(out, h)
				}
			}
		}
	}
	return distinct(out)
}

// across are the words of lines as they stand side by side on the page, whatever columns they are of.
func across(lines []line) (out []line) {
	var all []placed
	for _, l := range lines {
		for _, w := range l.words {
			all = append(all, placed{page: l.page, Word: w})
		}
	}
	middle := func(w placed) float64 { return (w.Y0 + w.Y1) / 2 }
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(middle(a), middle(b)) })
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && middle(all[to])-middle(all[from]) < (all[from].Y1-all[from].Y0)/2 {
			to++
		}
		row := all[from:to]
		slices.SortStableFunc(row, func(a, b placed) int { return cmp.Compare(a.X0, b.X0) })
		l := line{page: row[0].page, block: len(out)}
		for _, w := range row {
			l.words = append(l.words, w.Word)
		}
		out = append(out, l)
		from = to
	}
	return out
}
