package values

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// anything are the labels that a field of any thing may have.
var anything = lang.Exactly("thing.name", "thing.id", "thing.number", "thing.code")

// nameByGoal labels a value after the thing that the goal names and that the value itself shows: "customer3" in a field "Name" is the
// customer of "Enter a booking for a customer". Where the field says more than that it has a name, the field is right.
func nameByGoal(in draft.Input, params []*Param) {
	said := plain.Words(draft.GoalOf(in))
	for _, p := range params {
		if p.Label != "" && !anything.Has(strings.ToLower(plain.Squeeze(p.Label))) {
			continue
		}
		noun := ""
		for _, text := range p.Texts {
			word := strings.ToLower(strings.TrimRightFunc(strings.TrimSpace(text), func(r rune) bool { return !unicode.IsLetter(r) }))
			if text == "" {
				continue
			}
			if strings.EqualFold(word, strings.TrimSpace(text)) || noun != "" && word != noun { // a word alone is a value like any other
				noun = ""
				break
			}
			noun = word
		}
		named := func(w string) bool {
			return len(w) > 2 && cmp.Or(intent.OneOf(w), w) == noun && !intent.StopWords.Has(w) && !intent.DoesSomething(w)
		}
		if noun != "" && slices.ContainsFunc(said, named) && !slices.ContainsFunc(params, func(q *Param) bool { return q.Label == noun }) {
			p.Label = noun
		}
	}
}
