package intent

import (
	"cmp"
	"slices"
	"strings"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Goal is the parsed goal of the work. A clause begins with its verb when the verb is known.
type Goal struct {
	many    bool   // a later clause refers to the first one's object as "them"
	Text    string // without the values of this demonstration and without a full stop
	Clauses []clause
	English bool // the verbs are known, so phrases can be varied by grammar
}

type clause struct {
	Verb   string // "look up"
	Object string // "an order's delivery date"
	Rest   string // "as CSV"
}

// Read parses a goal. hide removes the values of this demonstration from it.
func Read(text string, hide func(string) string) Goal {
	text = strings.TrimRight(plain.Squeeze(hide(text)), ".!?,; ")
	for _, lead := range []string{"how to ", "How to ", "please ", "Please ", "to ", "To ", "I want to ", "learn to ", "Learn to ",
		"Learn how to "} {
		text = strings.TrimPrefix(text, lead)
	}
	g := Goal{Text: text}
	for _, part := range clauseSplit.Split(text, -1) {
		c, ok := ReadClause(part)
		if !ok && len(g.Clauses) > 0 { // "sort and filter" splits, "name and address" does not
			last := &g.Clauses[len(g.Clauses)-1]
			if last.Rest == "" {
				last.Object = plain.Squeeze(last.Object + " and " + part)
			} else {
				last.Rest += " and " + part
			}
			continue
		}
		if !ok && len(g.Clauses) == 0 && soundsEnglish(text) {
			if verb, rest, cutOff := strings.Cut(part, " "); cutOff && !StopWords.Has(strings.ToLower(verb)) {
				if prep, thing, more := strings.Cut(rest, " "); more && prepositions.Has(strings.ToLower(prep)) {
					verb, rest = verb+" "+prep, thing // "ask for a day off" is not about "for a day off"
				}
				object, circumstance := splitObject(strings.Fields(rest))
				c, ok = clause{strings.ToLower(verb), object, circumstance}, true
			}
		}
		g.English = g.English || ok
		g.Clauses = append(g.Clauses, c)
	}
	g.English = g.English && len(strings.Fields(text)) > 1
	g.pronouns()
	return g
}

var clauseSplit = lazyre.New(`(?i)\s*(?:,\s*(?:and\s+)?(?:then\s+)?|;\s*|\s+and\s+then\s+|\s+then\s+|\s+and\s+|\.\s+)`)

var (
	prepositions  = lang.English("prepositions")
	circumstances = lang.English("circumstances") // words that begin a circumstance
	joining       = lang.English("joining")       // words that nearly every English sentence contains
)

// soundsEnglish reports whether a goal that begins with an unknown word is English: "Frobnicate the widgets".
func soundsEnglish(text string) bool {
	for _, r := range text {
		if r >= 0x80 {
			return false
		}
	}
	for _, w := range plain.Words(text)[min(1, len(plain.Words(text))):] {
		if joining.Has(w) {
			return true
		}
	}
	return false
}

// Family returns the kind of effect of a clause's verb; a verb with an unknown particle has that of the verb alone.
func (c clause) Family() string {
	verb, _, _ := strings.Cut(c.Verb, " ")
	return cmp.Or(FamilyOf.Get(c.Verb), FamilyOf.Get(verb))
}

// ReadClause parses a request into verb, object and circumstance. It returns false when it does not know the verb.
func ReadClause(s string) (clause, bool) {
	ws := strings.Fields(s)
	if len(ws) == 0 {
		return clause{}, false
	}
	for n := min(2, len(ws)); n >= 1; n-- {
		verb := baseForm(strings.ToLower(strings.Join(ws[:n], " ")))
		if FamilyOf.Get(verb) != "" {
			if n == 1 && len(ws) > 2 && slices.Contains(particles, strings.ToLower(ws[1])) && determiners.Has(strings.ToLower(ws[2])) {
				verb, n = verb+" "+strings.ToLower(ws[1]), 2 // "write down a holiday" is not about "down a holiday"
			}
			object, rest := splitObject(ws[n:])
			return clause{verb, object, rest}, true
		}
	}
	return clause{Object: s}, false
}

// baseForm turns "exporting" and "exports" into "export" where that is a known verb.
func baseForm(w string) string {
	if FamilyOf.Get(w) != "" {
		return w
	}
	for _, cutOff := range []struct{ suffix, put string }{{"ing", ""}, {"ing", "e"}, {"s", ""}, {"es", ""}} {
		stem, ok := strings.CutSuffix(w, cutOff.suffix)
		if ok && FamilyOf.Get(stem+cutOff.put) != "" {
			return stem + cutOff.put
		}
		if n := len(stem); ok && cutOff.suffix == "ing" && n > 2 && stem[n-1] == stem[n-2] && FamilyOf.Get(stem[:n-1]) != "" {
			return stem[:n-1]
		}
	}
	return w
}

// splitObject cuts at the first preposition that begins a circumstance: "an order | as CSV".
func splitObject(ws []string) (object, rest string) {
	for i, w := range ws {
		if i > 0 && circumstances.Has(strings.ToLower(w)) {
			return strings.Join(ws[:i], " "), strings.Join(ws[i:], " ")
		}
	}
	return strings.Join(ws, " "), ""
}

// pronouns replaces "it" and "them" in later clauses by the noun of the first clause.
func (g *Goal) pronouns() {
	if len(g.Clauses) < 2 {
		return
	}
	g.many = slices.ContainsFunc(g.Clauses[1:], func(c clause) bool { return strings.EqualFold(c.Object, "them") })
	noun := g.Noun()
	for i := 1; i < len(g.Clauses); i++ {
		switch strings.ToLower(g.Clauses[i].Object) {
		case "it", "them", "this", "that":
			g.Clauses[i].Object = noun
		}
	}
}

// Noun returns the thing that the work is about: "an order" for "an order's delivery date" and for "the delivery date of
// an order".
func (g Goal) Noun() string {
	if len(g.Clauses) == 0 {
		return ""
	}
	object := g.Clauses[0].Object
	if owner, _, ok := strings.Cut(object, "'s "); ok {
		return owner
	}
	if thing, owned, ok := strings.Cut(object, " of "); ok {
		if first, _, _ := strings.Cut(strings.ToLower(thing), " "); first == "a" || first == "an" || first == "new" {
			return thing // one of many: a member of the library is a member
		}
		if g.many && Singular(LastWord(thing)) != "" && Singular(LastWord(owned)) == "" {
			return thing // "sort the offers of a region and upload them": what is uploaded are offers
		}
		if ws := strings.Fields(owned); len(ws) > 0 && len(ws) <= 3 {
			return owned
		}
	}
	return object
}

// nearMissNoun returns what a near miss would be about: the head noun where it is plural or its owner is indefinite ("the sales
// of a month", "somebody's manager"), else its owner, without a clause that says which one.
func (g Goal) nearMissNoun() string {
	noun := g.Noun()
	object := g.Clauses[0].Object
	if _, owned, ok := strings.Cut(object, "'s "); ok && Indefinite.Has(strings.ToLower(noun)) {
		noun = Article(owned)
	}
	if head, owner, ok := strings.Cut(object, " of "); ok &&
		(Indefinite.Has(strings.ToLower(owner)) || Singular(LastWord(head)) != "" && Singular(LastWord(owner)) == "" &&
			!aspects.Has(strings.ToLower(LastWord(head))) || periods.Has(strings.ToLower(LastWord(owner)))) {
		noun = head
	}
	for _, which := range []string{" that ", " which ", " who ", " whose "} {
		noun, _, _ = strings.Cut(noun, which)
	}
	for _, p := range particles {
		if thing, ok := strings.CutSuffix(noun, " "+p); ok && strings.HasPrefix(strings.ToLower(thing), "the ") {
			noun = thing
		}
	}
	return strings.TrimSpace(noun)
}

// String returns the clause in words.
func (c clause) String() string { return plain.Squeeze(c.Verb + " " + c.Object + " " + c.Rest) }

// Sentence joins clauses as an imperative: "update an order's delivery and download it as CSV".
func (g Goal) Sentence(verbs func(i int, verb string) string) string {
	parts := make([]string, len(g.Clauses))
	noun := strings.ToLower(g.Noun())
	for i, c := range g.Clauses {
		c.Verb = verbs(i, c.Verb)
		if i > 0 && noun != "" && strings.ToLower(c.Object) == noun {
			c.Object = "it"
			if Singular(LastWord(noun)) != "" {
				c.Object = "them"
			}
		}
		if strings.HasSuffix(c.Verb, " of") && Singular(LastWord(headOf(c.Object))) != "" {
			c.Object = strings.TrimPrefix(c.Object, "the ") // "the number of answers", not of the answers
		}
		parts[i] = c.String()
	}
	return AndList(parts)
}

// rephrasePossessive rewrites a possession: "the delivery of an order" as "an order's delivery", and back.
func (g Goal) rephrasePossessive(sentence string) string {
	object := g.Clauses[0].Object
	if owner, owned, ok := strings.Cut(object, "'s "); ok && !strings.Contains(owned, " of ") {
		return strings.Replace(sentence, object, "the "+owned+" of "+owner, 1)
	}
	owned, owner, ok := strings.Cut(object, " of ")
	one, _, _ := strings.Cut(strings.ToLower(owned), " ")
	if one == "a" || one == "an" || one == "one" || strings.HasSuffix(owner, "s") {
		return sentence // "a member of the library" is not the library's member
	}
	if ok && len(strings.Fields(owner)) <= 3 && Singular(LastWord(owner)) == "" {
		return strings.Replace(sentence, object, owner+"'s "+Bare(owned), 1)
	}
	return sentence
}

// alternatives returns verbs that can replace a clause's own.
func (g Goal) alternatives(i int) []string {
	c := g.Clauses[i]
	if intoBooks(c) {
		return []string{"enter", "record"}
	}
	var out []string
	for _, v := range Synonyms.List(c.Verb) {
		if to := strings.HasPrefix(c.Rest, "to "); !to && !needsRecipient.Has(v) || to && (toVerbs.Has(v) || needsRecipient.Has(v)) {
			out = append(out, v)
		}
	}
	return out
}

// intoBooks reports whether something is booked into a list rather than reserved.
func intoBooks(c clause) bool { return c.Verb == "book" && strings.HasPrefix(c.Rest, "into ") }

// nounRequests returns requests that name the thing rather than the action.
func (g Goal) nounRequests() []string {
	c := g.Clauses[0]
	rest := ""
	if c.Rest != "" && !strings.HasPrefix(c.Rest, "to ") {
		rest = " " + c.Rest
	}
	many := Singular(LastWord(c.Object)) != "" || Uncountable.Has(strings.ToLower(LastWord(c.Object)))
	switch {
	case len(g.Clauses) > 1 || c.Object == "" || intoBooks(c):
		return nil
	case CreatingVerbs.Has(c.Verb) && !many && strings.HasPrefix(c.Rest, "to "):
		return nil
	case CreatingVerbs.Has(c.Verb) && !many && c.Verb != "register" && c.Verb != "enter" && c.Verb != "record":
		return []string{"I need a new " + Bare(c.Object) + rest, "new " + Bare(c.Object) + rest}
	case c.Family() == "read":
		return []string{"I need " + c.Object + rest}
	case c.Verb == "change" || c.Verb == "update" || c.Verb == "edit" || c.Verb == "modify" || c.Verb == "adjust":
		return []string{"make a change to " + c.Object + rest}
	}
	return nil
}
