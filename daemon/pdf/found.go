package pdf

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"showhow/daemon/pdf/table"
	"showhow/internal/fault"
)

// Secret is the bytes [Start, End) of a text that the redactor recognises, and what they are.
type Secret struct {
	Start, End int
	Class      string
}

// line is a line of words; block tells its paragraph.
type line struct {
	block int
	words []table.Word
}

// patterns is what is looked for.
type patterns struct {
	classes []string
	words   []wanted
}

// wanted is what a person named: its text, and how it is compared.
type wanted struct{ said, folded string }

// Bounds of what is looked for and found.
const (
	mostPatterns = 100
	mostPlaces   = 20_000
	classMark    = "class:"
	wordsMark    = "words:"
)

// patternsOf reads a pattern set: class:NAME is a class of the redactor's, anything else a person's words. Nothing at all
// means every class.
func patternsOf(set, classes []string) (out patterns, err error) {
	bad := func(what string) (patterns, error) {
		return out, fault.New(fault.InvalidRequest, what).WithDetail("classes", classes).
			WithHint("name words that stand in the document, or classes: " + strings.Join(classes, ", "))
	}
	if len(set) > mostPatterns {
		return bad("more than 100 patterns are named")
	}
	if len(set) == 0 {
		out.classes = classes
	}
	for _, p := range set {
		if name, ok := strings.CutPrefix(p, classMark); ok {
			if !slices.Contains(classes, name) {
				return bad("a class is unknown")
			}
			out.classes = append(out.classes, name)
			continue
		}
		said := strings.TrimPrefix(p, wordsMark)
		folded := strings.Join(strings.Fields(fold(said)), " ")
		if len([]rune(folded)) < 2 {
			return bad("words are shorter than two letters")
		}
		out.words = append(out.words, wanted{said, folded})
	}
	return out, nil
}

// fold makes texts equal that a person takes for the same: letters' case, and how they are composed.
func fold(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }

// hit is a place where something was found: the words that it stands in, by line.
type hit struct {
	pattern string
	lines   [][]table.Word
}

// printed is the text of a page, and which word each of its bytes is of (-1: of none).
type printed struct {
	text   strings.Builder
	of     []int
	breaks []int // bytes that end a line within a paragraph
	words  []table.Word
	line   []int // of each word
}

func (p *printed) add(s string, word int) {
	p.text.WriteString(s)
	for range len(s) {
		p.of = append(p.of, word)
	}
}

// print writes the lines, each word as change has it. With joined, a word that is hyphenated at the end of a line is whole.
func print(lines []line, joined bool, change func(string) string) *printed {
	p := &printed{}
	for i, l := range lines {
		for k, w := range l.words {
			text := change(w.Text)
			last := k == len(l.words)-1
			goesOn := last && i+1 < len(lines) && lines[i+1].block == l.block
			cut := strings.TrimSuffix(text, "-")
			hyphen := joined && goesOn && cut != text && cut != ""
			if hyphen {
				text = cut
			}
			p.add(text, len(p.words))
			p.words, p.line = append(p.words, w), append(p.line, i)
			switch {
			case hyphen:
			case !last:
				p.add(" ", -1)
			case goesOn:
				p.breaks = append(p.breaks, len(p.of))
				p.add("\n", -1)
			default:
				p.add("\n\n", -1)
			}
		}
	}
	return p
}

// hit is what stands in the bytes [from, to).
func (p *printed) hit(pattern string, from, to int) (out hit) {
	out.pattern = pattern
	last, at := -1, -1
	for _, w := range p.of[max(from, 0):min(to, len(p.of))] {
		if w < 0 || w == last {
			continue
		}
		last = w
		if n := len(out.lines); n > 0 && p.line[w] == at {
			out.lines[n-1] = append(out.lines[n-1], p.words[w])
			continue
		}
		at = p.line[w]
		out.lines = append(out.lines, []table.Word{p.words[w]})
	}
	return out
}

// find looks for patterns in the lines of a page. The redactor sees it twice, the second time without the ends of lines in a
// paragraph, because a number may go on in the next line. judged says whether it could judge the page.
func (p patterns) find(lines []line, secrets func(string) []Secret) (out []hit, judged bool) {
	judged = true
	if len(p.classes) > 0 {
		page := print(lines, false, func(s string) string { return s })
		text := page.text.String()
		flat := []byte(text)
		for _, i := range page.breaks {
			flat[i] = ' '
		}
		seen := map[Secret]bool{}
		for _, t := range []string{text, string(flat)} {
			for _, s := range secrets(t) {
				judged = judged && (slices.Contains(p.classes, s.Class) || s.Class != withheld)
				if slices.Contains(p.classes, s.Class) && !seen[s] && len(out) < mostPlaces {
					seen[s] = true
					out = append(out, page.hit(classMark+s.Class, s.Start, s.End))
				}
			}
		}
	}
	for _, joined := range []bool{false, true} {
		if len(p.words) == 0 {
			break
		}
		page := print(lines, joined, fold)
		text := strings.ReplaceAll(page.text.String(), "\n", " ")
		for _, w := range p.words {
			for at := 0; len(out) < mostPlaces; {
				i := strings.Index(text[at:], w.folded)
				if i < 0 {
					break
				}
				from, to := at+i, at+i+len(w.folded)
				at = to
				if whole(text, from, to) {
					out = append(out, page.hit(wordsMark+w.said, from, to))
				}
			}
		}
	}
	return distinct(out), judged
}

// withheld is the class of a text that the redactor could not judge.
const withheld = "withheld"

// distinct removes what was found more than once, and a place that lies within another of the same pattern.
func distinct(hits []hit) (out []hit) {
	covers := func(a, b hit) bool {
		in := map[table.Word]bool{}
		for _, l := range a.lines {
			for _, w := range l {
				in[w] = true
			}
		}
		for _, l := range b.lines {
			for _, w := range l {
				if !in[w] {
					return false
				}
			}
		}
		return true
	}
	byWord := map[table.Word][]int{} // places by one of their words
	for _, h := range hits {
		if len(h.lines) == 0 {
			continue
		}
		known := false
		for _, i := range byWord[h.lines[0][0]] {
			if out[i].pattern == h.pattern && covers(out[i], h) {
				known = true
			}
		}
		if known {
			continue
		}
		for _, l := range h.lines {
			for _, w := range l {
				byWord[w] = append(byWord[w], len(out))
			}
		}
		out = append(out, h)
	}
	return out
}

// whole says whether [from, to) of a text is not the middle of a word. Scripts that write no spaces have no such middle.
func whole(text string, from, to int) bool {
	before, _ := lastRune(text[:from])
	first, _ := firstRune(text[from:to])
	last, _ := lastRune(text[from:to])
	after, _ := firstRune(text[to:])
	return !(spaced(before) && spaced(first)) && !(spaced(last) && spaced(after))
}

func firstRune(s string) (rune, bool) {
	for _, r := range s {
		return r, true
	}
	return 0, false
}

func lastRune(s string) (rune, bool) {
	r := []rune(s[max(0, len(s)-4):])
	if len(r) == 0 {
		return 0, false
	}
	return r[len(r)-1], true
}

// spaced says whether a rune is of a word that spaces end.
func spaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
