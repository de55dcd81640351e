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

// Phrases are what people say to request this work, paraphrases of that, and requests that only sound like it.
type Phrases struct {
	Triggers    []string
	Paraphrases []string
	Negatives   []string
	Generated   []string // those of Triggers and Negatives that were generated, not given by a person
}

const MaxPhrase = 120 // the bound of the API

// MakePhrases returns the person's own phrases first, then the goal and the goal with other verbs; a phrase needs at
// least two words. Negatives are near misses: other requests about the same thing.
func MakePhrases(in draft.Input, g intent.Goal, title, app string, does map[string]bool) Phrases {
	title = cmp.Or(decision.Edits(in.Edits).Text(decision.EditPhrasesOf), title)
	var p Phrases
	said := g.Text != ""
	if !said { // without a goal, the title is the best source
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

// splitPhrases parses the answer to "How would you ask for this?".
func splitPhrases(in draft.Input) []string {
	a, _ := in.Answer("", decision.FieldUse)
	return strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' })
}

// families returns the kinds of effects of the work itself, judged by its goal, its controls and the changes of its
// lists.
func (d *Understanding) families() map[string]bool {
	does := map[string]bool{}
	for _, c := range d.Goal.Clauses {
		does[c.Family()] = true
		if c.Verb == "report" && strings.HasPrefix(c.Rest, "to ") || c.Verb == "file" || c.Verb == "submit" || c.Verb == "log" {
			does["create"] = true // what is reported to somebody is new there
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
		for _, k := range c.Checks() {
			if k.Kind == "row_count" && k.Delta > 0 && !does["change"] { // a moved or closed item left one list and appeared in another
				does["create"] = true
			}
		}
	}
	return does
}

// insideTrigger reports whether a phrase is part of a trigger. A negative phrase excludes the skill, so it must not be.
func (p *Phrases) insideTrigger(s string) bool {
	low := strings.ToLower(s)
	for _, t := range p.Triggers {
		if strings.Contains(strings.ToLower(t), low) {
			return true
		}
	}
	return false
}

// paraphrase makes sentences that must still be understood; trigger tests use them besides the phrases themselves.
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
