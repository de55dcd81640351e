package intent

import (
	"slices"
	"strings"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Phrase returns the goal as a person would say it.
func (g Goal) Phrase() string {
	if g.English {
		return PlainPhrase(g.Text)
	}
	return g.Text
}

// PlainPhrase returns a goal for use within a sentence.
func PlainPhrase(goal string) string { return plain.LowerFirst(strings.TrimSpace(goal)) }

// Variations returns other ways to say a goal, the best first.
func Variations(g Goal, title, app string) []string {
	if !g.English {
		out := []string{title}
		if app != "" {
			out = append(out, title+" "+app, app+": "+title)
		}
		return append(out, strings.Join(content(title), " "))
	}
	swap := func(at, nth int) string {
		return g.Sentence(func(i int, verb string) string {
			if alt := g.alternatives(i); (at < 0 || i == at) && nth < len(alt) {
				return alt[nth]
			}
			return verb
		})
	}
	out := []string{swap(0, 0), g.rephrasePossessive(swap(0, 1))}
	if n := len(g.Clauses); n > 1 {
		out = append(out, swap(n-1, 0), g.rephrasePossessive(swap(-1, 0)))
	}
	out = append(out, g.rephrasePossessive(g.Sentence(func(_ int, v string) string { return v })))
	out = append(out, g.nounRequests()...)
	if len(g.Clauses) < 2 { // two requests without their small words make no phrase
		out = append(out, briefly(g.Text))
	}
	return append(out, "I want to "+PlainPhrase(g.Text), PlainPhrase(title), "help me to "+PlainPhrase(g.Text))
}

// briefly returns a request as people type it in a hurry: without articles.
func briefly(s string) string {
	ws := slices.DeleteFunc(strings.Fields(s), func(w string) bool { w = strings.ToLower(w); return w == "a" || w == "an" || w == "the" })
	return plain.LowerFirst(strings.Join(ws, " "))
}

// content returns the words of a text without stop words, as people type into a search box.
func content(s string) []string {
	var out []string
	for _, w := range strings.Fields(strings.ReplaceAll(s, "'s", "")) {
		if w = strings.Trim(w, ".,;:!?\"'()"); w != "" && !StopWords.Has(strings.ToLower(w)) {
			out = append(out, plain.LowerFirst(w))
		}
	}
	return out
}

// gerund turns a request into a noun phrase: "take the rent out" becomes "taking the rent out".
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
	case doubling.Has(verb):
		verb += verb[n-1:]
	case n >= 3 && n <= 4 && !vowel(n-1) && vowel(n-2) && !vowel(n-3) && !strings.ContainsRune("wxy", rune(verb[n-1])) && verb != "open" &&
		verb != "edit":
		verb += verb[n-1:]
	}
	return strings.TrimSpace(verb + "ing " + rest)
}

// doubling are verbs of more than one syllable that double their last letter.
var doubling = lang.English("verbs.doubling")

// programTitle matches titles that were made from a command: they name a program, not a thing.
var programTitle = lazyre.New(`(?i)^run \S+$|^[a-z -]+ with [a-z0-9_.-]+$`)

// NearMisses returns requests about the same thing that the work itself does not fulfil.
func NearMisses(g Goal, title string, does map[string]bool) []string {
	noun := ""
	if g.English {
		noun = g.nearMissNoun()
	}
	if !g.English {
		return []string{`undo "` + title + `"`, `explain "` + title + `"`, `stop "` + title + `"`} // the language is unknown
	}
	if noun == "" || len(strings.Fields(noun)) > 4 || programTitle.MatchString(title) && g.Text == title {
		base := PlainPhrase(title)
		if g.Text == title && len(g.Clauses) > 0 && g.Clauses[0].Verb != "" { // one wish is enough to be mistaken for
			base = PlainPhrase(g.Clauses[0].String())
		} else if len(g.Clauses) > 0 && g.Clauses[0].Verb != "" {
			base = g.Clauses[0].String()
		}
		return []string{"undo " + gerund(base), "explain how to " + base, "stop " + gerund(base), "write a guide to " + gerund(base)}
	}
	used := map[string]bool{}
	for _, c := range g.Clauses {
		used[c.Verb] = true
		for _, s := range Synonyms.List(c.Verb) {
			used[s] = true
		}
	}
	if v := g.Clauses[0].Verb; CreatingVerbs.Has(v) && v != "book" && v != "reserve" && v != "open" || v == "sign up" {
		used["create"] = true // "create a new member" asks for what "register a member" does
	}
	var out []string
	for _, verb := range append(slices.Clone(opposites.List(g.Clauses[0].Family())), "delete", "cancel", "create", "restore", "archive",
		"rename", "share") {
		if used[verb] || does["create"] && verb == "create" || does["delete"] && (verb == "delete" || verb == "cancel") || verb == "cancel" &&
			!cancellable.Has(LastWord(strings.ToLower(noun))) && !cancellable.Has(Singular(LastWord(strings.ToLower(noun)))) {
			continue
		}
		used[verb] = true
		out = append(out, verb+" "+nounFor(verb, noun))
	}
	return out
}

// nounFor adapts a noun to a verb: "create a new order", "change an existing order", "delete an order".
func nounFor(verb, noun string) string {
	word := Bare(noun)
	many := Singular(LastWord(word)) != "" || Uncountable.Has(strings.ToLower(LastWord(word)))
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
	return Article(word)
}
