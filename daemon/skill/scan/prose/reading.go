package prose

import (
	"slices"
	"strings"
	"sync"

	"showhow/internal/lang"
)

func (v vocabulary) add(kind Kind, words []string) {
	for _, w := range words {
		ws := strings.Fields(w)
		for i := range ws {
			ws[i] = form(ws[i])
		}
		e := v[ws[0]]
		if len(ws) == 1 {
			e.kind |= kind
		} else {
			e.phrases = append(e.phrases, phraseKind{ws[1:], kind})
		}
		v[ws[0]] = e
	}
}

// of is what is known of a word. One that ends in -ing is a form of its verb and of no noun: tracing a request is no trace.
func (v vocabulary) of(w string, nouns Kind) (entry, bool) {
	e, ok := v[w]
	if root, ing := strings.CutSuffix(w, doneNow); ing {
		if verb, known := v[root]; known {
			e.kind |= verb.kind &^ nouns
			e.phrases = append(slices.Clip(verb.phrases), e.phrases...)
			ok = true
		}
	}
	return e, ok
}

// all are the kinds of words, whatever stands around them.
func (v vocabulary) all(ws []string, nouns Kind) (k Kind) {
	for i, w := range ws {
		e, ok := v.of(w, nouns)
		if !ok {
			continue
		}
		k |= e.kind
		for _, p := range e.phrases {
			if k&p.kind != p.kind && matchWords(ws[i+1:], p.words) >= 0 {
				k |= p.kind
			}
		}
	}
	return k
}

// stem takes a word's ending off, the same for all of its regular forms.
func stem(w string) string {
	if len(w) < 4 {
		return w
	}
	if strings.HasSuffix(w, "ies") {
		return w[:len(w)-3] + "y"
	}
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if strings.HasSuffix(w, end) && len(w)-len(end) >= 3 && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-len(end)]
			break
		}
	}
	if w = strings.TrimSuffix(w, "e"); w == "not" {
		return "note" // a note is no negation
	}
	return w
}

// About are the kinds of what a name and a description name.
func About(text string) Kind { return words().all(Stems(text), things) & things }

// form is a word's stem, and whether it ends in -ing.
func form(w string) string {
	if len(w) > 5 && strings.HasSuffix(w, "ing") {
		return stem(w) + doneNow
	}
	return stem(w)
}

// doneNow marks the stem of a word that ends in -ing.
const doneNow = "+"

// Stems are a sentence's words without their endings; a comma stands between clauses.
func Stems(s string) []string { return spokenIn(s).stems }

// spoken are the words of a sentence, without their endings and as they are written. A comma, or the sign itself, stands between clauses.
type spoken struct{ stems, raw []string }

func spokenIn(s string) spoken {
	out := spoken{make([]string, 0, len(s)/6+1), make([]string, 0, len(s)/6+1)}
	start := -1
	for i := 0; i <= len(s); i++ {
		in := i < len(s) && (wordByte[s[i]] || s[i] == '.' && i+1 < len(s) && wordByte[s[i+1]])
		if in && start < 0 {
			start = i
		} else if !in {
			if start >= 0 {
				if w := strings.Trim(s[start:i], "'-"); w != "" {
					out.stems, out.raw = append(out.stems, form(w)), append(out.raw, w)
				}
				start = -1
			}
			if i < len(s) && (s[i] == ',' || s[i] == ':' || s[i] == '(' || s[i] == ')') {
				out.stems, out.raw = append(out.stems, ","), append(out.raw, s[i:i+1])
			}
		}
	}
	return out
}

var wordByte = func() (t [256]bool) {
	for i := range t {
		c := byte(i)
		t[i] = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '\'' || c == '_' || c > 127
	}
	return t
}()

var (
	negators = stemSet("negators")
	without  = stemSet("without")
)

// sense is a sentence read for its kinds, with the words that were read so.
type sense struct {
	kinds   Kind
	said    Kind // in so many words, not by a negation
	words   []worded
	back    bool  // it goes on with what was named before
	guarded bool  // a guard stands before the first deed
	of      *Told // another sentence
}

type worded struct {
	kind Kind
	text string
	at   int // which word of the sentence it is
}

// reads is a sentence with its negations taken into account.
func reads(s string) sense { return senseOf(spokenIn(s)) }

// senseOf is the same of its words.
func senseOf(said spoken) sense {
	ws, v := said.stems, words()
	only := stated(said.raw)
	var out sense
	acted, guard := false, 0
	for i := range ws {
		out.back = out.back || back(ws[i]) && standsFor(ws, i) || i > 0 && made(ws[i]) && beforeMade(ws[i-1])
		e, ok := v.of(ws[i], things)
		if !ok {
			continue
		}
		k, n := e.kind, 1
		switch {
		case k&verbs == 0:
		case i+1 < len(ws) && ws[i+1] == "not":
			k &^= verbs // it helps a negation: do not
		case verbal(ws, i):
			k &^= things
		default:
			k &^= verbs
		}
		for _, p := range e.phrases {
			if m := matchWords(ws[i+1:], p.words); m >= 0 {
				if p.kind&kHush != 0 && e.kind&kTell != 0 && saidOfThings(ws, i) {
					continue // that a count says nothing keeps nothing quiet
				}
				k |= p.kind
				n = max(n, 1+m)
			}
		}
		if k&(kGreed|kRival) != 0 && ws[min(len(ws), i+n)-1] == "other" && otherWork(ws[min(len(ws), i+n):]) {
			k &^= kGreed | kRival
		}
		if k&(kLie|kFalse|kDisguise) != 0 && asksHow(ws, i) {
			k &^= kLie | kFalse | kDisguise
		}
		if k&kBlanket != 0 && i > 0 && (stemBefore(ws[i-1]) || i > 1 && stemBefore(ws[i-2])) {
			k &^= kBlanket // it says when: before anything else
		}
		if k&kBlanket != 0 && n == 1 && circumstance(ws, i) {
			k &^= kBlanket
		}
		if k&(kUnasked|kHush) != 0 && without(ws[i]) && doubly(ws, i+1) {
			k &^= kUnasked | kHush
		}
		if k&kTheirs != 0 && n == 1 && isDone(ws, i) {
			k &^= things
		}
		if k&(kGive|kOut|kMove) != 0 && toTheUser(ws, i+1) {
			k &^= kGive | kOut | kMove
		}
		if k == 0 {
			continue
		}
		negated := false
		if i > 0 && ws[i-1] == "no" && k&(kTell|kAsk) != 0 && !nouns(ws[i]) {
			k &^= kTell | kAsk // no list, no display
		} else if k&(kTell|kAsk) != 0 && doubly(ws, i) {
			k &^= kTell | kAsk // never without asking
		} else if negatedAt(ws, i) {
			negated = true
			k = turn(v, k, ws[min(len(ws), i+n):min(len(ws), i+n+5)])
			if k&kHush != 0 && e.kind&kHush == 0 && saidByPeople(ws, i) {
				k &^= kHush
			}
		}
		if k&kManner != 0 {
			k &^= kManner
			never := i > 0 && negators(ws[i-1]) // never quietly
			if !never && v.all(around(ws, i), things)&furtive != 0 {
				k |= kHush
			}
		}
		if k&kGuard != 0 && !acted && i+n+2 < len(ws) {
			out.guarded = true
			guard = i + n
		}
		if k&deeds != 0 && !negated {
			if !acted && out.guarded && beyond(ws, guard, i) {
				out.guarded = false
			}
			acted = true
		}
		k &^= kGuard
		if only != nil && only[i] {
			k &^= statable
		}
		out.kinds |= k
		if !negated {
			out.said |= k
		}
		out.words = append(out.words, worded{k, strings.Join(ws[i:i+n], " "), i})
	}
	if out.kinds&kHush != 0 {
		out.guarded = false
	}
	return out
}

// saidOfThings: who tells nothing is a thing, named right before: the tests say nothing about it. Whoever reads, and what may stand for
// them, is asked to be silent.
func saidOfThings(ws []string, i int) bool {
	if verbal(ws, i) || i == 0 {
		return false
	}
	w := ws[i-1]
	return !people(w) && !pronouns(w) && !pronoun(w) && !objects(w) && !asked(w) && !goesOnTo(w) && !beforeVerbs(w)
}

var asked = stemSet("asked.who")

// standsFor: the word at i stands for something that was named before, to which something is done. One that does a deed to something else
// is who does it (it provides a table), and one that begins a clause of its own names nothing (check that the row is there).
func standsFor(ws []string, i int) bool {
	if opensClause(ws[i]) && i > 0 && i+1 < len(ws) && afterThat(ws[i+1]) {
		return false
	}
	if !pronouns(ws[i]) || i > 0 && ws[i-1] != "," && !nextTo(ws[i-1]) {
		return true
	}
	j := i + 1
	for j < len(ws) && (leads(ws[j]) || nextTo(ws[j]) || strings.HasSuffix(ws[j], "ly")) {
		j++
	}
	if j+1 >= len(ws) || !words().does(ws[j:]) {
		return true
	}
	return ws[j+1] == "," || whither(ws[j+1])
}

// does: a deed stands first.
func (v vocabulary) does(ws []string) bool {
	return v[ws[0]].kind&(kGive|kOut|kMove|kCollect) != 0
}

var (
	opensClause = stemSet("opens.clause")
	afterThat   = stemSet("after.that")
	whither     = stemSet("whither")
)

// circumstance: that something is done in any case is said of what is no person and gives no orders: regardless of the order of the rows;
// whatever the format, write a table.
func circumstance(ws []string, i int) bool {
	if !inAnyCase(ws[i]) || words().all(ws, 0)&(kObey|kFetch|kOrder|kForYou|kStanding) != 0 || slices.Contains(ws, somewhere) {
		return false // somebody's orders could be what it is about
	}
	to := i + 1
	for to < len(ws) && ws[to] != "," && to < i+7 {
		to++
	}
	after := ws[i+1 : to]
	const given = kOrder | kSelf | kForYou | kTell | kAsk | kGuard | deeds
	if len(after) == 0 || slices.ContainsFunc(after, people) || words().all(after, things)&given != 0 {
		return false
	}
	return ofWhat(after[0]) || theOne(after[0]) && (i == 0 || ws[i-1] == ",") && to < len(ws) && ws[to] == ","
}

// isDone: the word for a thing is what somebody does to what follows: please contact the harbour.
func isDone(ws []string, i int) bool {
	if i == 0 || i+1 >= len(ws) {
		return false
	}
	return ws[i+1] == somewhere && begged(ws[i-1]) || whose(ws[i+1]) && beforeVerbs(ws[i-1]) && !nextTo(ws[i-1]) && !pronoun(ws[i-1])
}

// toTheUser: the user, or who reads, is who gets it, so that nothing is given away: tell the user that it is done. What is the user's own
// (the user's keys, the user list) is what is given. It holds where nobody else can get it and nothing is told that must stay where it is:
// no address, no key, no private thing, no place and no people stand in the sentence, and no second recipient follows.
func toTheUser(ws []string, i int) bool {
	for i < len(ws) && leadsToPeople(ws[i]) {
		i++
	}
	if i >= len(ws) || !whoReads(ws[i]) && !(people(ws[i]) && nounly(ws[i])) {
		return false
	}
	if i+1 < len(ws) && !beginsWhat(ws[i+1]) || slices.Contains(ws, somewhere) {
		return false
	}
	const others = kKeys | kPrivate | kTheirs | kOurs | kGroup | kPublic | kCovert | kStranger | kOut | addresses
	return words().all(ws, 0)&others == 0
}

// nounly: the word for people is none that stands for others.
func nounly(w string) bool { return !pronouns(w) && !pronoun(w) && !objects(w) }

var (
	objects    = stemSet("objects")
	beginsWhat = stemSet("begins.what")
	whose      = stemSet("whose")
	begged     = stemSet("begged")
	inAnyCase  = stemSet("in.any.case")

	leadsToPeople = stemSet("leads.to.people")
	whoReads      = stemSet("who.reads")
	ofWhat        = stemSet("of.what")
	theOne        = stemSet("the.one")
)

// saidByPeople: who does not tell is the user: if they did not mention it.
func saidByPeople(ws []string, i int) bool {
	for j := i - 1; j > 0 && j >= i-4 && ws[j] != ","; j-- {
		if negators(ws[j]) {
			return people(ws[j-1]) || j > 1 && auxiliary(ws[j-1]) && people(ws[j-2])
		}
	}
	return false
}

// otherWork: what "any other" is followed by is no skill but something else, such as a step.
func otherWork(after []string) bool {
	return len(after) > 0 && after[0] != "," && !nextTo(after[0]) && !beforeVerbs(after[0]) && !peers(after[0])
}

var peers = stemSet("peers")

// asksHow: what it looks like is asked, or what follows says so.
func asksHow(ws []string, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && ws[j] != ","; j-- {
		if interrogative(ws[j]) {
			return true
		}
	}
	return false
}

var interrogative = stemSet("interrogative")

var auxiliary = stemSet("auxiliary")

// beyond: the deed at i is another order than what the guard that ends at from is about.
func beyond(ws []string, from, i int) bool {
	to := from // the guard's clause ends here
	for to < i && ws[to] != "," && !goesOnTo(ws[to]) {
		to++
	}
	if to >= i {
		for to = i; to > from && (nextTo(ws[to-1]) || leads(ws[to-1]) || strings.HasSuffix(ws[to-1], "ly")); to-- {
		}
		if to == i {
			return false
		}
	}
	end := i + 1
	for end < len(ws) && ws[end] != "," {
		end++
	}
	return !sameStems(ws[from:to], ws[i:end], false)
}

// around are the words near the one at i, in its clause.
func around(ws []string, i int) []string {
	from, to := i, i+1
	for from > 0 && i-from < 3 && ws[from-1] != "," {
		from--
	}
	for to < len(ws) && to-i < 6 && ws[to] != "," {
		to++
	}
	return ws[from:to]
}

// turn is what kinds mean when negated; after are the words that follow.
func turn(v vocabulary, k Kind, after []string) Kind {
	careful := v.all(after, things)&kKeys != 0 // never print the password
	was := k
	for _, t := range turnedRound {
		if was&t.kind == 0 {
			continue
		}
		k &^= t.kind
		switch {
		case t.kind == kTell && careful:
		case t.kind == kTell && toSomebody(after):
			k = k&^(kGive|kGuard) | kHush
		case t.kind == kTell:
		case t.by != 0 && was&kHush == 0:
			k |= t.by
		}
	}
	return k
}

// verbal: the word stands where a verb stands, at a clause's start or after what only a verb follows.
func verbal(ws []string, i int) bool {
	if i == 0 {
		return true
	}
	w := ws[i-1]
	return w == "," || beforeVerbs(w) || strings.HasSuffix(w, "ly") || w[0] >= '0' && w[0] <= '9'
}

var beforeVerbs = stemSet("before.verbs")

// toSomebody: what was not to be told begins with whom or with a pronoun: not to tell the user, not to mention it.
func toSomebody(after []string) bool {
	if len(after) == 0 {
		return true
	}
	for i, w := range after[:min(4, len(after))] {
		if people(w) && (i > 0 || w != ",") || i == 0 && (w == "," || pronouns(w)) {
			return true
		}
	}
	return false
}

// back are words that go on with what was named before, as is "the file", "each result".
var (
	back       = stemSet("back")
	made       = stemSet("made")
	beforeMade = stemSet("before.made")
)

var (
	nouns    = stemSet("nouns")
	people   = stemSet("people")
	pronouns = stemSet("pronouns")
)

// stemSet tells whether a stem is of one of the words of a kind.
func stemSet(kind string) func(stem string) bool {
	set := sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range lang.AskedWords(kind) {
			m[form(w)] = true
		}
		return m
	})
	return func(stem string) bool { return set()[stem] }
}

// negatedAt: one of the few words before says no, in the same clause.
func negatedAt(ws []string, i int) bool {
	for j := i - 1; j >= max(0, i-4) && ws[j] != ","; j-- {
		if negators(ws[j]) {
			return true
		}
	}
	return false
}

// doubly: the word is denied, and so is that: never without asking.
func doubly(ws []string, i int) bool {
	for j := i - 1; j >= max(0, i-4) && ws[j] != ","; j-- {
		if without(ws[j]) {
			for n := j - 1; n >= max(0, j-8) && ws[n] != ","; n-- {
				if negators(ws[n]) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// matchWords is how many words a phrase's rest takes, -1 when it is not there. A star stands for up to three words.
func matchWords(ws, phrase []string) int {
	at := 0
	for i := 0; i < len(phrase); i++ {
		if phrase[i] == "*" {
			for skip := 0; skip <= 3; skip++ {
				if at+skip <= len(ws) {
					if m := matchWords(ws[at+skip:], phrase[i+1:]); m >= 0 {
						return at + skip + m
					}
				}
			}
			return -1
		}
		if at >= len(ws) || ws[at] != phrase[i] {
			return -1
		}
		at++
	}
	return at
}
