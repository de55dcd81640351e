package compile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// phrases are what people would say to get this done, what they would also say, and what only sounds like it.
type phrases struct {
	triggers    []string
	paraphrases []string
	negatives   []string
	generated   []string // those of triggers and negatives that no person said
}

const maxPhrase = 120 // the wire's bound

// makePhrases: the person's own phrases first, then the goal and the goal with other verbs; a phrase of one word says
// nothing. Negatives are near misses: the same thing with another wish.
func makePhrases(in Input, g goalText, title, app string, does map[string]bool) phrases {
	title = cmp.Or(edited{in.Edits}.text(editPhrasesOf), title)
	var p phrases
	said := g.text != ""
	if !said { // nobody told the goal: the title's words are the best there is
		g = readGoal(title, func(s string) string { return s })
	}
	own := splitPhrases(in)
	for _, s := range own {
		p.add(&p.triggers, s, false)
	}
	e := edited{in.Edits}
	if list, ok := e.list(editTriggers); ok {
		p.triggers = nil
		for _, s := range list {
			p.add(&p.triggers, s, false)
		}
	} else {
		p.add(&p.triggers, g.phrase(), !said)
		for _, s := range variations(g, title, app) {
			if len(p.triggers) < 6 {
				p.add(&p.triggers, s, true)
			}
		}
	}
	if list, ok := e.list(editNegatives); ok {
		for _, s := range list {
			p.add(&p.negatives, s, false)
		}
	} else {
		for _, s := range nearMisses(g, title, does) {
			if len(p.negatives) < 5 && !p.insideTrigger(s) {
				p.add(&p.negatives, s, true)
			}
		}
	}
	p.paraphrase(g, title)
	return p
}

func (p *phrases) add(to *[]string, s string, made bool) {
	s = strings.TrimRight(plain.Squeeze(s), ".!?,;")
	if s == "" || len(strings.Fields(s)) < 2 || utf8.RuneCountInString(s) > maxPhrase || slices.ContainsFunc(*to, func(o string) bool { return strings.EqualFold(o, s) }) {
		return
	}
	*to = append(*to, s)
	if made {
		p.generated = append(p.generated, s)
	}
}

// splitPhrases reads the answer to "How would you ask for this?".
func splitPhrases(in Input) []string {
	a, _ := in.answer("", fieldUse)
	return strings.FieldsFunc(a, func(r rune) bool { return r == ';' || r == '\n' })
}

// phrase is the goal as somebody would say it.
func (g goalText) phrase() string {
	if g.english {
		return plainPhrase(g.text)
	}
	return g.text
}

func plainPhrase(goal string) string { return plain.LowerFirst(strings.TrimSpace(goal)) }

func variations(g goalText, title, app string) []string {
	if !g.english {
		out := []string{title}
		if app != "" {
			out = append(out, title+" "+app, app+": "+title)
		}
		return append(out, strings.Join(content(title), " "))
	}
	swap := func(at, nth int) string {
		return g.sentence(func(i int, verb string) string {
			if alt := g.alternatives(i); (at < 0 || i == at) && nth < len(alt) {
				return alt[nth]
			}
			return verb
		})
	}
	out := []string{swap(0, 0), g.turned(swap(0, 1))}
	if n := len(g.clauses); n > 1 {
		out = append(out, swap(n-1, 0), g.turned(swap(-1, 0)))
	}
	out = append(out, g.turned(g.sentence(func(_ int, v string) string { return v })))
	out = append(out, g.otherWays()...)
	if len(g.clauses) < 2 { // two wishes without their small words are no phrase
		out = append(out, briefly(g.text))
	}
	return append(out, "I want to "+plainPhrase(g.text), plainPhrase(title), "help me to "+plainPhrase(g.text))
}

// briefly is a wish as people type it who are in a hurry: without articles.
func briefly(s string) string {
	ws := slices.DeleteFunc(strings.Fields(s), func(w string) bool { w = strings.ToLower(w); return w == "a" || w == "an" || w == "the" })
	return plain.LowerFirst(strings.Join(ws, " "))
}

// content is a text's words without stop words, as people type into a search box.
func content(s string) []string {
	var out []string
	for _, w := range strings.Fields(strings.ReplaceAll(s, "'s", "")) {
		if w = strings.Trim(w, ".,;:!?\"'()"); w != "" && !stopWords[strings.ToLower(w)] {
			out = append(out, plain.LowerFirst(w))
		}
	}
	return out
}

// gerund is a wish as a noun: "take the rent out" is "taking the rent out".
func gerund(phrase string) string {
	verb, rest, _ := strings.Cut(phrase, " ")
	n := len(verb)
	vowel := func(i int) bool { return strings.ContainsRune("aeiou", rune(verb[i])) }
	switch {
	case n < 2:
		return phrase
	case strings.HasSuffix(verb, "ie"):
		verb = verb[:n-2] + "y"
	case verb[n-1] == 'e' && !strings.HasSuffix(verb, "ee"):
		verb = verb[:n-1]
	case doubling[verb]:
		verb += verb[n-1:]
	case n >= 3 && n <= 4 && !vowel(n-1) && vowel(n-2) && !vowel(n-3) && !strings.ContainsRune("wxy", rune(verb[n-1])) && verb != "open" && verb != "edit":
		verb += verb[n-1:]
	}
	return strings.TrimSpace(verb + "ing " + rest)
}

// doubling are longer verbs that double their last letter.
var doubling = set("commit submit permit refer transfer cancel label unzip unpin begin forget")

// aboutProgram are titles that were made of a command: they name a program, not a thing.
var aboutProgram = regexp.MustCompile(`(?i)^run \S+$|^[a-z -]+ with [a-z0-9_.-]+$`)

// families are what the work itself does: what its goal says, what its controls are called, what became of its lists.
func (d *draft) families() map[string]bool {
	does := map[string]bool{}
	for _, c := range d.goal.clauses {
		does[c.family()] = true
		if c.verb == "report" && strings.HasPrefix(c.rest, "to ") || c.verb == "file" || c.verb == "submit" || c.verb == "log" {
			does["create"] = true // what is reported to somebody is a new thing there
		}
	}
	for _, st := range d.steps {
		if st.act.surface != workflow.OnBrowser || st.act.fills() {
			continue
		}
		if ws := plain.Words(st.label()); len(ws) > 0 && (ws[0] == "new" || ws[0] == "create" || ws[0] == "add") {
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

// nearMisses are other wishes about the same thing: none that the work itself fulfils.
func nearMisses(g goalText, title string, does map[string]bool) []string {
	noun := ""
	if g.english {
		noun = g.thing()
	}
	if !g.english {
		return []string{`undo "` + title + `"`, `explain "` + title + `"`, `stop "` + title + `"`} // in what language is not known
	}
	if noun == "" || len(strings.Fields(noun)) > 4 || aboutProgram.MatchString(title) && g.text == title {
		base := plainPhrase(title)
		if g.text == title && len(g.clauses) > 0 && g.clauses[0].verb != "" { // one wish is enough to be mistaken for
			base = plainPhrase(g.clauses[0].String())
		} else if len(g.clauses) > 0 && g.clauses[0].verb != "" {
			base = g.clauses[0].String()
		}
		return []string{"undo " + gerund(base), "explain how to " + base, "stop " + gerund(base), "write a guide to " + gerund(base)}
	}
	used := map[string]bool{}
	for _, c := range g.clauses {
		used[c.verb] = true
		for _, s := range synonyms[c.verb] {
			used[s] = true
		}
	}
	if v := g.clauses[0].verb; makesNew[v] && v != "book" && v != "reserve" && v != "open" || v == "sign up" {
		used["create"] = true // "create a new member" asks for what "register a member" does
	}
	var out []string
	for _, verb := range append(slices.Clone(opposites[g.clauses[0].family()]), "delete", "cancel", "create", "restore", "archive", "rename", "share") {
		if used[verb] || does["create"] && verb == "create" || does["delete"] && (verb == "delete" || verb == "cancel") || verb == "cancel" && !cancellable[lastWord(strings.ToLower(noun))] && !cancellable[singular(lastWord(strings.ToLower(noun)))] {
			continue
		}
		used[verb] = true
		out = append(out, verb+" "+nounFor(verb, noun))
	}
	return out
}

// nounFor fits a noun to a verb: "create a new order", "change an existing order", "delete an order".
func nounFor(verb, noun string) string {
	word := bare(noun)
	many := singular(lastWord(word)) != "" || uncountable[strings.ToLower(lastWord(word))]
	switch {
	case verb == "create" && many:
		return "new " + word
	case verb == "create":
		return "a new " + word
	case verb == "change" && many:
		return "existing " + word
	case verb == "change" && word != noun && definite(noun):
		return noun
	case verb == "change":
		return "an existing " + word
	case word != noun && (definite(noun) || !isNew(noun)):
		return noun
	case many:
		return word
	}
	return article(word)
}

// uncountable are nouns that take no article, or are plurals already.
var uncountable = set("people children men women data information feedback software hardware stock news money mail email post equipment furniture staff inventory music research advice access progress feet mice")

var cancellable = set("order booking reservation subscription meeting appointment ticket request payment trip flight shipment delivery job run build deployment plan claim event visit")

// isNew reports whether a noun is of something that is only to come: "a new member".
func isNew(noun string) bool { return slices.Contains(strings.Fields(strings.ToLower(noun)), "new") }

func definite(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "the" || first == "my" || first == "our"
}

// insideTrigger: a negative phrase shuts a skill out, so none may be part of what asks for it.
func (p *phrases) insideTrigger(s string) bool {
	low := strings.ToLower(s)
	for _, t := range p.triggers {
		if strings.Contains(strings.ToLower(t), low) {
			return true
		}
	}
	return false
}

// paraphrase makes sentences that must still be understood: what a trigger test asks besides the phrases themselves.
func (p *phrases) paraphrase(g goalText, title string) {
	base := cmp.Or(g.phrase(), title)
	if !g.english {
		for _, s := range []string{base + ", please", "please: " + base, "I need this: " + base} {
			p.add(&p.paraphrases, s, false)
		}
		return
	}
	base = g.sentence(func(_ int, verb string) string { return verb })
	other := base
	if len(p.triggers) > 1 && !strings.HasPrefix(p.triggers[1], "I want") && !strings.HasPrefix(p.triggers[1], "help me") {
		other = p.triggers[1]
	}
	for _, s := range []string{"can you " + base + " for me", "I need to " + base, "could you " + other + ", please", "I'd like you to " + base + " today"} {
		p.add(&p.paraphrases, s, false)
	}
}
