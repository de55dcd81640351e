package values

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// goalSingular returns the singular of the plural noun in the goal: "expense" for "Approve expenses"; "" for none.
func goalSingular(s *Study) string {
	g := intent.Read(draft.GoalOf(s.In), func(text string) string { return text })
	noun := strings.ToLower(strings.TrimSpace(g.Noun()))
	if one := intent.OneOf(noun); g.English && one != noun && len(strings.Fields(noun)) == 1 && !intent.Uncountable.Has(noun) {
		return one
	}
	return ""
}

// goalNoun returns the noun of the goal in one word: "card" for "Close a card"; "" for none.
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

// labelFromGoal names a value whose field has no name: by the kind of field, else by the noun of the goal, else "".
func labelFromGoal(s *Study, a *align.Cell) string {
	if t := a.Target; t != nil {
		switch t.InputType {
		case "date", "time", "month", "week", "email", "color":
			return t.InputType
		case "tel":
			return "phone"
		case "datetime-local":
			return "date"
		}
	}
	if a.Value != nil && a.Value.Kind == capture.KindDate {
		return "date"
	}
	if a.Value != nil {
		if called := s.goalCalls(s.Open(a.Value)); called != "" {
			return called
		}
		if at := a.Value.Source; at != nil { // the page's own words around it
			const it = "\uFFFC"
			if called := intent.Called(page.StripMasks(at.Before)+" x"+it+"x "+page.StripMasks(at.After), "x"+it+"x"); called != "" {
				return called
			}
		}
	}
	noun := goalNoun(s)
	if noun == "" || slices.ContainsFunc(s.Params, func(q *Param) bool { return q.Label == noun }) {
		return ""
	}
	return noun
}

// goalCalls returns what the goal calls a value that it mentions, or "" if it mentions none.
func (s *Study) goalCalls(text string) string {
	if plain.Letters(text)+plain.Digits(text) == 0 {
		return ""
	}
	return intent.Called(draft.GoalOf(s.In), text)
}
