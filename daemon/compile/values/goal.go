package values

import (
	"strings"

	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
)

// goalNouns is one of the things that the person said the work is about: "Approve expenses" is about an expense.
func goalNouns(s *Study) string {
	g := intent.Read(draft.GoalOf(s.In), func(text string) string { return text })
	noun := strings.ToLower(strings.TrimSpace(g.Noun()))
	if one := intent.OneOf(noun); g.English && one != noun && len(strings.Fields(noun)) == 1 && !intent.Uncountable.Has(noun) {
		return one
	}
	return ""
}

// goalNoun is the thing that the person said the work is about, in one word: "Close a card" is about a card.
func goalNoun(s *Study) string {
	g := intent.Read(draft.GoalOf(s.In), func(text string) string { return text })
	if !g.English {
		return ""
	}
	noun := strings.ToLower(intent.Bare(g.Noun()))
	if len(strings.Fields(noun)) != 1 || noun == intent.Bare(strings.ToLower(g.Noun())) && !intent.HasArticle(g.Noun()) || page.IDLike(noun) ||
		intent.Uncountable.Has(noun) && !intent.CountedIn(g.Noun()) {
		return ""
	}
	return noun
}
