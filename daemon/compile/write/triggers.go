package write

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Phrases are what people would say to get this done, what they would also say, and what only sounds like it.
type Phrases struct {
	Triggers    []string
	Paraphrases []string
	Negatives   []string
	Generated   []string // those of triggers and negatives that no person said
}

const MaxPhrase = 120 // the wire's bound

// MakePhrases: the person's own phrases first, then the goal and the goal with other verbs; a phrase of one word says
// nothing. Negatives are near misses: the same thing with another wish.
func MakePhrases(in draft.Input, g intent.Goal, title, app string, does map[string]bool) Phrases {
	title = cmp.Or(decision.Edits(in.Edits).Text(decision.EditPhrasesOf), title)
	var p Phrases
	said := g.Text != ""
	if !said { // nobody told the goal: the title's words are the best there is
		g = intent.Read(title, func(s string) string { return s })
	}
	own := splitPhrases(in)
	for _, s := range own {
		p.add(&p.Triggers, s, false)
	}
	e := decision.Edits(in.Edits)
	if list, ok := e.List(decision.EditTriggers); ok {
		p.Triggers = nil
		for _, s := range list {
			p.add(&p.Triggers, s, false)
		}
	} else {
		p.add(&p.Triggers, g.Phrase(), !said)
		for _, s := range intent.Variations(g, title, app) {
			if len(p.Triggers) < 6 {
				p.add(&p.Triggers, s, true)
			}
		}
	}
	if list, ok := e.List(decision.EditNegatives); ok {
		for _, s := range list {
			p.add(&p.Negatives, s, false)
		}
	} else {
		for _, s := range intent.NearMisses(g, title, does) {
			if len(p.Negatives) < 5 && !p.insideTrigger(s) {
				p.add(&p.Negatives, s, true)
			}
		}
	}
	p.paraphrase(g, title)
	return p
}

func (p *Phrases) add(to *[]string, s string, made bool) {
	s = strings.TrimRight(plain.Squeeze(s), ".!?,;")
	if s == "" || len(strings.Fields(s)) < 2 || utf8.RuneCountInString(s) > MaxPhrase ||
		slices.ContainsFunc(*to, func(o string) bool { return strings.EqualFold(o, s) }) {
		return
	}
	*to = append(*to, s)
	if made {
		p.Generated = append(p.Generated, s)
	}
}

// splitPhrases reads the answer to "How would you ask for this?".
func splitPhrases(in draft.Input) []string {
	a, _ := in.Answer("", decision.FieldUse)
	return strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' })
}

// families are what the work itself does: what its goal says, what its controls are called, what became of its lists.
func (d *Understanding) families() map[string]bool {
	does := map[string]bool{}
	for _, c := range d.Goal.Clauses {
		does[c.Family()] = true
		if c.Verb == "report" && strings.HasPrefix(c.Rest, "to ") || c.Verb == "file" || c.Verb == "submit" || c.Verb == "log" {
			does["create"] = true // what is reported to somebody is a new thing there
		}
	}
	for _, st := range d.Steps {
		if st.Act.Surface != workflow.OnBrowser || st.Act.Fills() {
			continue
		}
		if ws := plain.Words(st.Label()); len(ws) > 0 && (ws[0] == "new" || ws[0] == "create" || ws[0] == "add") {
			does["create"] = true
		}
	}
	for _, c := range d.cps {
		for _, k := range append([]workflow.Check{*c.Check}, c.MoreChecks...) {
			if k.Kind == "row_count" && k.Delta > 0 && !does["change"] { // what was moved or closed left one list and came into another
				does["create"] = true
			}
		}
	}
	return does
}

// insideTrigger: a negative phrase shuts a skill out, so none may be part of what asks for it.
func (p *Phrases) insideTrigger(s string) bool {
	low := strings.ToLower(s)
	for _, t := range p.Triggers {
		if strings.Contains(strings.ToLower(t), low) {
			return true
		}
	}
	return false
}

// paraphrase makes sentences that must still be understood: what a trigger test asks besides the phrases themselves.
func (p *Phrases) paraphrase(g intent.Goal, title string) {
	base := cmp.Or(g.Phrase(), title)
	if !g.English {
		for _, s := range []string{base + ", please", "please: " + base, "I need this: " + base} {
			p.add(&p.Paraphrases, s, false)
		}
		return
	}
	base = g.Sentence(func(_ int, verb string) string { return verb })
	other := base
	if len(p.Triggers) > 1 && !strings.HasPrefix(p.Triggers[1], "I want") && !strings.HasPrefix(p.Triggers[1], "help me") {
		other = p.Triggers[1]
	}
	for _, s := range []string{"can you " + base + " for me", "I need to " + base, "could you " + other + ", please", "I'd like you to " +
		base + " today"} {
		p.add(&p.Paraphrases, s, false)
	}
}
