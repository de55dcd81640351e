package cmdline

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture/lexical"
	"showhow/internal/lazyre"
)

// Programs whose quoted arguments are patterns or small programs rather than prose: they stay readable, except for
// the phrases in them.
var (
	patterned = []string{"grep", "egrep", "fgrep", "zgrep", "pgrep", "rg", "ag", "ack", "ugrep", "find", "fd", "expr", "pkill"}
	literal   = []string{"awk", "gawk", "mawk", "nawk", "goawk", "jq", "gojq", "jaq", "yq"}
	scripted  = nameSet(patterned, literal, []string{"sed", "gsed", "ssed"})
)

func nameSet(lists ...[]string) map[string]bool {
	out := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			out[name] = true
		}
	}
	return out
}

var (
	// A string or a regular expression within a small program.
	literalRE = lazyre.New(`\\?"((?:\\[^"]|[^"\\])*)\\?"|/((?:\\.|[^/\\\n])+)/`)
	commentRE = lazyre.New(`(?:^|[\s;{}])#(.*)`)
	insertRE  = lazyre.New(`(?:^|[\d$;{]\s*|\n)[aic]\\?\s*([^\n]*\S[^\n]*)`) // sed's a, i and c
	plainRE   = lazyre.New(`^[\p{L}\p{M}\p{N}\s.,;:!?'’"&/()-]+$`)
	pairRE    = lazyre.New(`\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+`)
)

// Phrases returns the byte ranges of src, a pattern or small program that program takes as one argument, that a
// person wrote as text, in order. A single range over all of src means that it contains no program.
func Phrases(src, program string) [][2]int {
	switch {
	case strings.HasSuffix(program, "sed"):
		return sedPhrases(src)
	case !slices.Contains(literal, program):
		if isPhrase(Unquote(src)) {
			return [][2]int{{0, len(src)}}
		}
		return nil
	}
	var out [][2]int
	inner, off := body(src)
	for _, re := range []*lazyre.Regexp{literalRE, commentRE} {
		for _, m := range re.FindAllStringSubmatchIndex(inner, -1) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 && isPhrase(inner[m[g]:m[g+1]]) {
					out = append(out, [2]int{off + m[g], off + m[g+1]})
				}
			}
		}
	}
	if len(out) == 0 && isPhrase(inner) {
		return [][2]int{{0, len(src)}}
	}
	return ordered(out)
}

// body is a word without the quotes around it, and its offset.
func body(src string) (string, int) {
	if inner := Unquote(src); inner != src {
		return inner, 1
	}
	return src, 0
}

// sedPhrases: both sides of s/../../, addresses, and the text of a, i and c.
func sedPhrases(src string) [][2]int {
	inner, off := body(src)
	var out [][2]int
	add := func(from, to int) {
		if isPhrase(inner[from:to]) {
			out = append(out, [2]int{off + from, off + to})
		}
	}
	for i := 0; i < len(inner); i++ {
		if (inner[i] == 's' || inner[i] == 'y') && i+1 < len(inner) && strings.IndexByte("/|#,:;!@+~%_", inner[i+1]) >= 0 &&
			!letterBefore(inner, i) {
			d := inner[i+1]
			mid := unescaped(inner, i+2, d)
			end := unescaped(inner, mid+1, d)
			if mid < len(inner) && end <= len(inner) {
				add(i+2, mid)
				add(mid+1, end)
				i = end
				continue
			}
		}
		if inner[i] == '/' && !letterBefore(inner, i) {
			if end := unescaped(inner, i+1, '/'); end < len(inner) {
				add(i+1, end)
				i = end
			}
		}
	}
	for _, m := range insertRE.FindAllStringSubmatchIndex(inner, -1) {
		if Spaced(inner[m[2]:m[3]]) {
			out = append(out, [2]int{off + m[2], off + m[3]})
		}
	}
	return ordered(out)
}

func letterBefore(s string, i int) bool {
	return i > 0 && lexical.IsWord(rune(s[i-1])) && !isDigitByte(s[i-1])
}

func isDigitByte(c byte) bool { return '0' <= c && c <= '9' }

// unescaped is the position of the next unescaped d from at on, len(s) if there is none.
func unescaped(s string, at int, d byte) int {
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case d:
			return i
		}
	}
	return max(at, len(s))
}

// ordered drops ranges that begin inside an earlier one.
func ordered(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	out := spans[:0]
	for _, sp := range spans {
		if len(out) == 0 || sp[0] >= out[len(out)-1][1] {
			out = append(out, sp)
		}
	}
	return out
}

// isPhrase: words as people write them. In a pattern with special characters only a name carries meaning.
func isPhrase(s string) bool {
	if !plainRE.MatchString(strings.TrimSpace(s)) {
		return pairRE.MatchString(s)
	}
	n, letters := 0, false
	for w := range strings.FieldsSeq(s) {
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			letters = true
		}
		if strings.IndexFunc(w, lexical.IsWord) >= 0 {
			n++
		}
	}
	return n > 1 && letters
}
