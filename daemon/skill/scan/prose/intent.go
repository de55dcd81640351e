package prose

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
)

// An instruction is dangerous because of what it does to what, for whom and under what circumstances, whatever its
// words: something of the user's goes to an outsider, an outsider gives the orders, something is disguised, and nobody
// is told or asked. Each such intent is a sum: what is present counts, evidence that the user is asked or that the
// data is masked counts against it. A sentence is read with the two before it ("Collect ... Then let them have it.");
// a negation inverts a word: not sending is care, not telling or asking is what an attack says. Few points are for
// review, many block; the finding names the words of the sum.

// Kind is a set of the kinds of words in internal/lang.
type Kind uint64

// The kinds of words, and three that are found otherwise.
const (
	iGive Kind = 1 << iota
	iCollect
	iKeys
	iPrivate
	iOurs
	iPublic
	iCovert
	iHush
	iUnasked
	iObey
	iBlanket
	iFetch
	iLie
	iDistort
	iBias
	iStanding
	iLatitude
	iGreed
	iRival
	iDestroy
	iVital
	iDoor
	iWeaken
	iMoney
	iRedirect
	iGuard
	iEvery
	iTell
	iAsk
	iSource
	iMaterial
	iManner  // how something is done, by whomever: quietly
	iAddress // outside, that nothing declares
	iMailbox // one that is a mailbox or a handle
	iTaker   // one to which something can go
)

var intentKinds = map[string]Kind{
	"give": iGive, "collect": iCollect, "keys": iKeys, "private": iPrivate, "ours": iOurs, "public": iPublic, "covert": iCovert,
	"hush":    iHush,
	"unasked": iUnasked, "obey": iObey, "blanket": iBlanket, "fetchv": iFetch, "lie": iLie, "distort": iDistort, "bias": iBias,
	"standing": iStanding, "latitude": iLatitude, "greed": iGreed, "rival": iRival, "destroy": iDestroy, "vital": iVital, "door": iDoor,
	"weaken": iWeaken, "money": iMoney, "redirect": iRedirect, "guard": iGuard, "every": iEvery, "tellv": iTell, "askv": iAsk,
	"source": iSource, "material": iMaterial, "manner": iManner,
}

// says names a kind in a finding.
var says = []struct {
	kind Kind
	what string
}{
	{iKeys, "keys"}, {iPrivate, "private things"}, {iMaterial, "the work"}, {iGive, "giving away"},
	{iAddress | iTaker, "an undeclared address"},
	{iOurs, "somebody behind the skill"},
	{iPublic, "a public place"}, {iCovert, "a place where nobody looks"}, {iObey, "obeying"}, {iBlanket, "without limits"},
	{iLie, "a false account"},
	{iDistort, "leaving out or changing"}, {iBias, "whom it favours or harms"}, {iStanding, "lasting instructions"},
	{iLatitude, "trust in advance"},
	{iGreed, "used for everything"}, {iRival, "against other skills"}, {iDestroy, "destroying"}, {iVital, "what others restore from"},
	{iDoor, "a way in"},
	{iWeaken, "weaker protection"}, {iMoney, "money"}, {iRedirect, "binding the user"}, {iHush, "kept quiet"}, {iUnasked, "not asked"},
	{iEvery, "as a routine"},
}

// intent is one kind of harm: all of need must be there, and the points of what is there are added up.
type intent struct {
	rule   string
	what   string
	need   []Kind
	points []point
	block  int // at this sum and more it blocks; from review on, a person looks
	review int
	about  Kind // less grave when the skill's description is about this
}

type point struct {
	kind Kind
	n    int
}

var intents = []intent{
	{rule: "prompt-exfiltration", what: "Something of the user's is given away",
		need: []Kind{iGive, iKeys | iPrivate | iMaterial, iTaker | iOurs | iPublic | iCovert},
		points: []point{{iGive, 1}, {iKeys, 3}, {iPrivate, 2}, {iMaterial, 1}, {iTaker, 2}, {iMailbox, 1}, {iOurs, 2}, {iPublic, 1},
			{iCovert, 2}, {iHush, 3}, {iUnasked, 2}, {iEvery, 1}, {iGuard, -4}}, block: 7, review: 6},
	{rule: "prompt-remote-instructions", what: "Somebody outside gives the orders",
		need: []Kind{iSource | iAddress | iFetch, iObey, iBlanket | iHush | iUnasked | iAddress},
		points: []point{{iFetch, 1}, {iAddress, 2}, {iObey, 2}, {iBlanket, 2}, {iHush, 2}, {iUnasked, 2}, {iOurs, 2}, {iEvery, 1},
			{iGuard, -4}},
		block: 6, review: 5},
	{rule: "prompt-conceal", what: "A false account is given", need: []Kind{iLie | iDistort, iHush | iOurs | iBias | iLie},
		points: []point{{iLie, 2}, {iDistort, 2}, {iBias, 3}, {iHush, 3}, {iOurs, 2}, {iUnasked, 1}, {iMoney, 1}, {iGuard, -4}}, block: 6,
		review: 5},
	{rule: "agent-memory", what: "Later conversations are bound in advance", need: []Kind{iStanding, iLatitude | iGreed | iRival},
		points: []point{{iStanding, 2}, {iLatitude, 3}, {iRival, 2}, {iGreed, 2}, {iHush, 2}, {iUnasked, 2}, {iGuard, -4}}, block: 5,
		review: 4},
	{rule: "prompt-hijack", what: "It puts itself before others", need: []Kind{iGreed | iRival},
		points: []point{{iGreed, 2}, {iRival, 3}, {iLie, 2}, {iStanding, 1}, {iGuard, -4}}, block: 5, review: 4},
	{rule: "prompt-destruction", what: "What others restore from is destroyed", need: []Kind{iDestroy, iVital},
		points: []point{{iDestroy, 2}, {iVital, 2}, {iHush, 2}, {iUnasked, 3}, {iLie, 2}, {iGuard, -5}}, block: 7, review: 6, about: iVital},
	{rule: "privilege-permanent", what: "Somebody outside gets a way in", need: []Kind{iDoor, iOurs | iHush | iAddress},
		points: []point{{iDoor, 3}, {iOurs, 2}, {iHush, 3}, {iUnasked, 2}, {iAddress, 2}, {iKeys, 1}, {iGuard, -4}}, block: 5, review: 4},
	{rule: "prompt-security-off", what: "Protection is weakened behind the user's back",
		need:   []Kind{iWeaken, iHush | iLie | iUnasked | iBlanket},
		points: []point{{iWeaken, 2}, {iHush, 3}, {iLie, 2}, {iUnasked, 2}, {iBlanket, 1}, {iGuard, -4}}, block: 4, review: 4},
	{rule: "prompt-no-consent", what: "The user is bound without their word", need: []Kind{iMoney | iRedirect, iRedirect | iOurs | iUnasked},
		points: []point{{iRedirect, 2}, {iUnasked, 2}, {iOurs, 2}, {iHush, 3}, {iMoney, 1}, {iLie, 1}, {iGuard, -4}}, block: 5, review: 4},
}

// meaningOf are the kinds' words.
var meaningOf = sync.OnceValue(func() vocabulary[Kind] { return vocabularyOf(intentKinds) })

// turned is what a kind says after a negation: not to tell hides, not to ask is no consent, not to give is care.
var turnedRound = []struct{ kind, by Kind }{{iTell, iHush}, {iAsk, iUnasked}, {iGive, 0}, {iObey, 0}, {iDestroy, 0}, {iGuard, 0},
	{iCollect, 0},
	{iFetch, 0}}

var negators = stemSet("negators")

// sense is a sentence read for its kinds, with the words that were read so.
type sense struct {
	kinds   Kind
	said    Kind // in so many words, not by a negation
	words   []worded
	back    bool // it goes on with what was named before
	guarded bool // a guard stands before the first deed
}

type worded struct {
	kind Kind
	text string
}

// reads is a sentence with its negations taken into account.
func reads(s string) sense {
	v := meaningOf()
	var out sense
	ws := Stems(s)
	acted := false
	for i := range ws {
		out.back = out.back || back(ws[i]) || i > 0 && made(ws[i]) && beforeMade(ws[i-1])
		e, ok := v.of(ws[i], things)
		if !ok {
			continue
		}
		k, n := e.kind, 1
		switch {
		case k&verbs == 0:
		case verbal(ws, i):
			k &^= things
		default:
			k &^= verbs
		}
		for _, p := range e.phrases {
			if m := matchWords(ws[i+1:], p.words); m >= 0 {
				k |= p.kind
				n = max(n, 1+m)
			}
		}
		if k == 0 {
			continue
		}
		negated := false
		if i > 0 && ws[i-1] == "no" && k&(iTell|iAsk) != 0 && !nouns(ws[i]) {
			k &^= iTell | iAsk // no list, no display
		} else if negatedAt(ws, i) {
			negated = true
			k = turn(v, k, ws[min(len(ws), i+n):min(len(ws), i+n+5)])
		}
		if k&iManner != 0 {
			k &^= iManner
			if v.all(around(ws, i), things)&furtive != 0 {
				k |= iHush
			}
		}
		if k&iGuard != 0 && !acted && i+n+2 < len(ws) {
			out.guarded = true
		}
		acted = acted || k&deeds != 0
		k &^= iGuard
		out.kinds |= k
		if !negated {
			out.said |= k
		}
		out.words = append(out.words, worded{k, strings.Join(ws[i:i+n], " ")})
	}
	if out.kinds&iHush != 0 {
		out.guarded = false
	}
	return out
}

// furtive are deeds that are kept from somebody when they are done quietly; that software fails or shows something quietly hides nothing.
const furtive = iGive | iCollect | iObey | iDestroy | iWeaken | iRedirect | iStanding | iDoor | iFetch

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
func turn(v vocabulary[Kind], k Kind, after []string) Kind {
	careful := v.all(after, things)&iKeys != 0 // never print the password
	was := k
	for _, t := range turnedRound {
		if was&t.kind == 0 {
			continue
		}
		k &^= t.kind
		switch {
		case t.kind == iTell && careful:
		case t.kind == iTell && toSomebody(after):
			k = k&^(iGive|iGuard) | iHush
		case t.kind == iTell:
		case t.by != 0 && was&iHush == 0:
			k |= t.by
		}
	}
	return k
}

// deeds are kinds of what is done.
const deeds = iGive | iCollect | iObey | iFetch | iLie | iDistort | iDestroy | iWeaken | iRedirect

// verbs are those that are nouns as well.
const verbs = deeds &^ iRedirect

// things are kinds of what deeds are done to, and of who gets it.
const things = iKeys | iPrivate | iMaterial | iAddress |
	iTaker | iMailbox | iOurs | iPublic | iCovert | iVital | iMoney | iBias | iSource | iDoor

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

// could reports whether kinds that were found without regard to negation can come to an intent.
func (x *intent) could(k Kind) bool {
	if k&(iTell|iManner) != 0 {
		k |= iHush
	}
	if k&(iAsk) != 0 {
		k |= iUnasked
	}
	for _, n := range x.need {
		if k&n == 0 {
			return false
		}
	}
	most := 0
	for _, p := range x.points {
		if p.n > 0 && k&p.kind != 0 {
			most += p.n
		}
	}
	return most >= x.review
}

// reads is the sentence's sense.
func (t *Told) reads() sense {
	if t.sense == nil {
		r := reads(marked(t.things(0)))
		r.kinds |= t.reaches()
		t.sense = &r
	}
	return *t.sense
}

// intents judges a sentence by its own words and, where it goes on with what others named, by theirs.
func (t *Told) intents(around []*Told, others Kind, purpose Ask) {
	var own sense
	var on []sense // what it goes on with
	read := false
	for i := range intents {
		x := &intents[i]
		if !x.could(t.means | others) {
			continue
		}
		if !read {
			read = true
			own = t.reads()
			if own.kinds&(iHush|iUnasked) == 0 && t.led() {
				return
			}
			on = t.goesOnWith(around, own)
		}
		alone, all := x.sum(own, own.guarded)
		s, sum, ok := own, alone, all
		for _, o := range on {
			with := own.with(o)
			if n, whole := x.sum(with, own.guarded); whole && (!ok || n > sum) {
				s, sum, ok = with, n, true
			}
		}
		if !ok || !all && own.kinds&(x.need[0]|iHush|iUnasked) == 0 {
			continue // the deed, or that nobody is told or asked, is its own
		}
		sev := report.Medium
		switch {
		case sum < x.review:
			continue
		case x.about != 0 && purpose&aVital != 0 && s.kinds&(iHush|iUnasked) == 0:
		case alone >= x.block, sum >= x.block && (own.said&(iHush|iUnasked) != 0 || own.kinds&iHush != 0 && own.back):
			sev = report.High // by itself, or it says what others do is to be kept quiet
		}
		if s.kinds&(iHush|iUnasked|iOurs) == 0 && tellsOfSoftware(t.Text) {
			sev = report.Medium
		}
		Reader{t.f}.asked(x.rule, t.Sentence, t.before, sev, x.explain(s), alone < x.block+2)
	}
}

// goesOnWith are the sentences around that this one goes on with: it stands for what they name, or says that it is to be kept quiet.
func (t *Told) goesOnWith(around []*Told, own sense) (out []sense) {
	quiet := own.said&(iHush|iUnasked) != 0
	if !own.back && !(quiet && own.kinds&(deeds|iKeys|iPrivate|iAddress|iTaker|iDoor|iVital) == 0) {
		return nil // what is to be kept quiet has a deed or a thing of its own
	}
	take := things // what others name, not how they do it
	if quiet {
		take |= deeds
	}
	at := slices.Index(around, t)
	for i, o := range around {
		if o == t || (i-at)*(i-at) > near*near || o.means == 0 || o.led() {
			continue
		}
		r := o.reads()
		r.kinds &= take
		out = append(out, r)
	}
	if quiet && t.refers() { // what is to be kept quiet is all of it
		for i := 1; i < len(out); i++ {
			out[0] = out[0].with(out[i])
		}
		out = out[:min(1, len(out))]
	}
	return out
}

// with is a sense together with one that it goes on with.
func (s sense) with(o sense) sense {
	s.kinds |= o.kinds
	s.words = append(slices.Clip(s.words), o.words...)
	return s
}

// sum adds up the points of a sense, and says whether all that is needed is there.
func (x *intent) sum(s sense, guarded bool) (sum int, ok bool) {
	for _, n := range x.need {
		if s.kinds&n == 0 {
			return 0, false
		}
	}
	for _, p := range x.points {
		if s.kinds&p.kind != 0 || p.kind == iGuard && guarded {
			sum += p.n
		}
	}
	return sum, true
}

// explain names what made the sum.
func (x *intent) explain(s sense) string {
	var parts []string
	for _, k := range says {
		if s.kinds&k.kind == 0 || !slices.ContainsFunc(x.points, func(p point) bool { return p.kind&k.kind != 0 }) {
			continue
		}
		part := k.what
		for _, w := range s.words {
			if w.kind&k.kind != 0 {
				part = fmt.Sprintf("%s (%q)", k.what, source.Short(w.text, 40))
				break
			}
		}
		parts = append(parts, part)
	}
	return source.Short(x.what+": "+strings.Join(parts, ", ")+".", 480)
}
