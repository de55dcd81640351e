package prose

import (
	"slices"
	"strings"
)

// Mood. A clause asks for something when its verb stands first, when the agent, the skill or a person is who does it, or when it is a rule:
// what must be, is to be, is done. A clause that says of a thing what it does states something: the tests say nothing about it, a copy goes
// stale invisibly. What is only stated is no deed of the agent's, unless it is what an order is about: see that the report says nothing.
// Which it is stands before the verb, so that text that is added behind it changes nothing. Only English is read so.

// statable are the kinds that count only where somebody is to do them.
const statable = kHush | kDistort | kObey | kDestroy | kManner

var (
	beginsSubject = stemSet("begins.subject") // words with which who does something is named
	manyOf        = stemSet("many.of")        // those of them that name several
	obliges       = stemSet("obliges")        // before what is to be done or let be done
	beginsAside   = stemSet("begins.aside")   // words that begin what is said of the circumstances
	being         = stemSet("being")
)

// stated tells of each word of a sentence whether it stands in a clause that only states something, nil when none does. raw are its words
// as they are written.
func stated(raw []string) (out []bool) {
	if slices.Contains(raw, "https") {
		return nil // something could go there
	}
	for from := 0; from < len(raw); {
		to := from
		for to < len(raw) && !parts(raw, to) && (to == from || !nextTo(form(raw[to]))) {
			to++
		}
		c := clauseOfWords{raw[from:to]}
		at, is := c.subject()
		switch {
		case to-from <= 2 && to < len(raw) && raw[to] == ":" && !verbOf(raw[from]):
			// what the rest is an example of
		case is:
			for i := at; i < len(c.raw); i++ {
				if c.stands(at, i) {
					if out == nil {
						out = make([]bool, len(raw))
					}
					out[from+i] = true
				}
			}
		case !c.aside():
			return out // an order: what follows can be what it is about
		}
		if from = to; to < len(raw) && parts(raw, to) {
			from++
		}
	}
	return out
}

// parts: a sign stands between two clauses, and not between the digits of a number.
func parts(raw []string, i int) bool {
	switch raw[i] {
	case ":", "(", ")", "—", "–":
		return true
	case ",":
		return i == 0 || i+1 >= len(raw) || !digit(raw[i-1]) || !digit(raw[i+1])
	}
	return false
}

func digit(w string) bool { return w[0] >= '0' && w[0] <= '9' }

// clauseOfWords is a clause, by its words.
type clauseOfWords struct{ raw []string }

// subject is where the clause's subject begins, if it begins with one that is no agent's, no skill's and no person's.
func (c clauseOfWords) subject() (at int, is bool) {
	for at < len(c.raw) && (nextTo(form(c.raw[at])) || strings.HasSuffix(c.raw[at], "ly")) {
		at++
	}
	if at+1 >= len(c.raw) {
		return at, false
	}
	w := c.raw[at]
	return at, beginsSubject(form(w)) || digit(w) || w == "," ||
		!verbOf(w) && !beginsAside(form(w)) && third(c.raw[at+1]) && verbOf(c.raw[at+1])
}

// aside: the clause asks for nothing: it tells the circumstances, or names what follows.
func (c clauseOfWords) aside() bool {
	at := 0
	for at < len(c.raw) && (nextTo(form(c.raw[at])) || strings.HasSuffix(c.raw[at], "ly")) {
		at++
	}
	return at >= len(c.raw) || beginsAside(form(c.raw[at]))
}

// stands: the word at i is said of the subject that begins at an index: as a verb in its form, or behind one.
func (c clauseOfWords) stands(at, i int) bool {
	said := false
	for j := at; j <= i; j++ {
		w := c.raw[j]
		stem := form(w)
		if asked(stem) || people(stem) && !pronouns(stem) || obliges(stem) {
			return false
		}
		if j > at && (being(stem) || third(w) && j > at) {
			said = true
		}
		if j > at && being(stem) && j+1 < len(c.raw) && participle(c.raw[j+1:]) {
			return false // it is done
		}
	}
	w := c.raw[i]
	if !verbOf(w) {
		return said && i > at
	}
	switch {
	case strings.HasSuffix(w, "ing"), strings.HasSuffix(w, "ed"):
		return said
	case third(w):
		return i > at
	}
	return i > at && (manyOf(form(c.raw[at])) || digit(c.raw[at]) || third(c.raw[i-1]))
}

// third is the form of a verb that is said of one thing, or of a noun that names several.
func third(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// participle: what is done stands first, or after how it is.
func participle(ws []string) bool {
	for _, w := range ws[:min(2, len(ws))] {
		if strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "en") || strings.HasSuffix(w, "nt") {
			return true
		}
	}
	return false
}

// verbOf: the word can be a deed.
func verbOf(w string) bool {
	e, _ := words().of(form(w), things)
	if e.kind&(verbs|kTell|kAsk|kDoor|kStanding) != 0 {
		return true
	}
	return slices.ContainsFunc(e.phrases, func(p phraseKind) bool { return p.kind&(statable|verbs|kTell|kAsk) != 0 })
}
