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

// genericLabels are the labels that a field of any thing may have: name, number.
var genericLabels = lang.Exactly("thing.name", "thing.id", "thing.number", "thing.code")

// nameByGoal labels a value by the noun of the goal that the value itself contains: "customer3" in a field "Name" is the
// customer of "Enter a booking for a customer". A more specific label of the field is kept.
func nameByGoal(in draft.Input, params []*Param) {
	said := plain.Words(draft.GoalOf(in))
	for _, p := range params {
		if p.Label != "" && !genericLabels.Has(strings.ToLower(plain.Squeeze(p.Label))) {
			continue
		}
		noun := ""
		for _, text := range p.Texts {
			word := strings.ToLower(strings.TrimRightFunc(strings.TrimSpace(text), func(r rune) bool { return !unicode.IsLetter(r) }))
			if text == "" {
				continue
			}
			if strings.EqualFold(word, strings.TrimSpace(text)) || noun != "" && word != noun { // the bare word is an ordinary value
				noun = ""
				break
			}
			noun = word
		}
		named := func(w string) bool {
			return len(w) > 2 && cmp.Or(intent.OneOf(w), w) == noun && !intent.StopWords.Has(w) && !intent.IsActionWord(w)
		}
		if noun != "" && slices.ContainsFunc(said, named) && !slices.ContainsFunc(params, func(q *Param) bool { return q.Label == noun }) {
			p.Label = noun
		}
	}
}
