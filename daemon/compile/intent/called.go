package intent

import (
	"slices"
	"strings"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// token matches a word of a sentence, or one of its signs.
var token = lazyre.New(`[\p{L}\p{N}][\p{L}\p{N}_'-]*|[^\s]`)

// Called returns what a sentence that mentions a value calls it: "user" for `like the post of user "Vera"`, "list" for
// "choose Vera from the list", "from" for "from: Vera"; "" if it says nothing.
func Called(sentence, value string) string {
	all, own := token.FindAllString(sentence, -1), token.FindAllString(value, -1)
	if len(own) == 0 {
		return ""
	}
	for i := 0; i+len(own) <= len(all); i++ {
		if !slices.EqualFunc(all[i:i+len(own)], own, strings.EqualFold) {
			continue
		}
		if noun := calledBefore(all[:i]); noun != "" {
			return noun
		}
		if noun := calledAfter(all[:i], all[i+len(own):]); noun != "" {
			return noun
		}
	}
	return ""
}

// calledBefore returns the noun that a value directly follows, or of whose noun it says which one: "the email by".
func calledBefore(ws []string) string {
	ws = withoutSigns(ws, quoting)
	n := len(ws)
	if n > 1 && ws[n-1] == ":" && plain.Letters(ws[n-2]) > 0 {
		return strings.ToLower(ws[n-2]) // "to:" is what the page calls it
	}
	if n > 1 && owning.Has(strings.ToLower(ws[n-1])) {
		n--
	}
	if n < 2 || !nounLike(ws[n-1]) || isSign(ws[n-2], ".,;:!?") ||
		clauses.Has(strings.ToLower(ws[n-2])) {
		return "" // what begins a clause is its verb, as is what follows "to"
	}
	return strings.ToLower(ws[n-1])
}

// calledAfter returns the noun that follows a value: after an article, as in "the Vera box", or after a preposition, as
// in "from the list".
func calledAfter(before, ws []string) string {
	before = withoutSigns(before, quoting)
	n := len(before)
	for len(ws) > 0 && isSign(ws[0], quoting) {
		ws = ws[1:]
	}
	for len(ws) > 1 && (ws[0] == "and" || ws[0] == ",") { // one of several values
		k := 1
		for k < len(ws) && isSign(ws[k], quoting) {
			k++
		}
		if k == len(ws) || plain.LowerFirst(ws[k]) == ws[k] {
			break
		}
		for ws = ws[k+1:]; len(ws) > 0 && isSign(ws[0], quoting); {
			ws = ws[1:]
		}
	}
	if n == 0 || !determiners.Has(strings.ToLower(before[n-1])) {
		if len(ws) < 3 || !circumstances.Has(strings.ToLower(ws[0])) || !determiners.Has(strings.ToLower(ws[1])) {
			return ""
		}
		ws = ws[2:]
	}
	var out []string
	for len(ws) > 0 && nounLike(ws[0]) {
		out, ws = append(out, strings.ToLower(ws[0])), ws[1:]
	}
	if len(out) == 0 {
		return ""
	}
	return out[len(out)-1]
}

var (
	clauses = lang.English("clauses") // words before a clause's verb
	owning  = lang.English("owning")  // words between a noun and the value that says which one
)

const quoting = `"'“”„«»‘’@#(`

func isSign(w, signs string) bool { return len([]rune(w)) == 1 && strings.Contains(signs, w) }

func withoutSigns(ws []string, signs string) []string {
	for len(ws) > 0 && isSign(ws[len(ws)-1], signs) {
		ws = ws[:len(ws)-1]
	}
	return ws
}

func nounLike(w string) bool {
	w = strings.ToLower(w)
	return plain.Letters(w) > 2 && plain.Digits(w) == 0 && !StopWords.Has(w) && !determiners.Has(w) && !prepositions.Has(w) &&
		!circumstances.Has(w) && !slices.Contains(particles, w)
}
