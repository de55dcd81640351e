package prose

import (
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
)

// Who acts. A text that sends its reader's keys away asks somebody to do it: its verb stands first, somebody is obliged, or the agent is
// who does it. A manual says the same words of software, of users and of what would happen, in far more sentences. So where a sentence only
// sounds like giving something away or keeping quiet, and nobody is asked, it is a sign and not an order: alone it is for review, and it
// takes another sign in the same statement to block. Only English is read so; a deed in another language counts as asked for.

// englishDeeds are the English words for what is given, told or left out.
var englishDeeds = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, kind := range []string{"give", "out", "move", "lie", "distort", "omit", "obey", "false", "disguise", "destroy", "weaken",
		"redirect", "pay"} {
		for _, p := range lang.EnglishAsked(kind) {
			if w := strings.Fields(p); len(w) > 0 {
				m[form(w[0])] = true
			}
		}
	}
	return m
})

var (
	doers     = stemSet("doers")
	obligedTo = stemSet("obliged.to")
	motions   = stemSet("motions")
	doneTo    = stemSet("done.to") // participles without an ending
	// forbidding begin what is not to be done.
	forbidding = stemSet("forbidding")
)

// address is what stands for one among the words of a sentence.
const address = "https"

// ordered reports whether somebody is asked to do what the word at i says. raw are the sentence's words as they are written.
func ordered(raw []string, i int) bool {
	w := raw[i]
	from := i
	for from > 0 && !parts(raw, from-1) {
		from--
	}
	before := raw[from:i]
	if strings.HasSuffix(w, "ing") {
		return imperative(before)
	}
	isDone := done(w) && slices.ContainsFunc(before[max(0, len(before)-3):], func(w string) bool { return being(form(w)) || stem(w) == "get" })
	if head := skipLeads(before); head != "" && beginsAside(form(head)) && !isDone {
		last := form(before[len(before)-1])
		return !obligedTo(last) && !people(last) && !pronouns(last) && !being(last) && !obliges(last)
	}
	for j, w := range before {
		if doers(form(w)) || obligedTo(form(w)) && (j == 0 || !objects(form(before[j-1])) && before[j-1] != "no") {
			return true // nobody need do it is no order
		}
	}
	switch {
	case motions(form(w)) && slices.Contains(raw[i:], address):
		return true // it goes there
	case third(w):
		return false
	case done(w):
		return isDone && (slices.Contains(before, "to") || slices.Contains(raw[i:], address)) || imperative(before)
	}
	if len(before) == 0 || skipLeads(append(slices.Clone(before), w)) == w {
		return from == 0 || !severalDo(raw[:from-1])
	}
	if joins := before[len(before)-1]; nextTo(form(joins)) {
		return !severalDo(before) && (imperative(before) || !slices.Contains(before, "to"))
	}
	return imperative(before)
}

// foreign: the deed is in another language.
func foreign(w string) bool { return !englishDeeds()[form(w)] && !englishDeeds()[stem(w)] }

// skipLeads is the first word of a clause that is no lead to it.
func skipLeads(ws []string) string {
	for _, w := range ws {
		if !nextTo(form(w)) && !leads(form(w)) && !strings.HasSuffix(w, "ly") {
			return w
		}
	}
	return ""
}

// imperative: the clause begins with a verb in the form of an order.
func imperative(ws []string) bool {
	w := skipLeads(ws)
	return w != "" && !third(w) && !done(w) && !strings.HasSuffix(w, "ing") && !beginsSubject(form(w)) && !people(form(w)) &&
		(verbOf(w) || forbidding(form(w)))
}

// severalDo: the clause before says of several what they do, and what follows can be said of them as well: users add rows, move rows.
func severalDo(raw []string) bool {
	from := len(raw)
	for from > 0 && !parts(raw, from-1) {
		from--
	}
	ws := raw[from:]
	return len(ws) > 1 && (third(ws[0]) && !verbOf(ws[0]) || manyOf(form(ws[0]))) && !third(ws[1]) && verbOf(ws[1])
}

// done is the form of a verb of which something is done, or that was done.
func done(w string) bool {
	return strings.HasSuffix(w, "ed") || doneTo(form(w))
}

// ordersTo reports whether the sentence asks somebody for one of the deeds. With whom, what follows the deed must be one of these kinds, or
// an address must be named.
func (t *Told) ordersTo(deeds, whom Kind) bool {
	s := t.reads()
	for _, w := range s.words {
		if w.kind&deeds == 0 || w.at >= len(s.raw) || !foreign(s.raw[w.at]) && !ordered(s.raw, w.at) {
			continue
		}
		if whom == 0 || (w.kind&kOut != 0 || handed(s.raw[w.at+1:])) && t.refers() || slices.Contains(s.raw[w.at:], address) ||
			t.places&addresses&^kBare != 0 ||
			slices.ContainsFunc(s.words, func(o worded) bool { return (o.at >= w.at || o.kind&kPublic == 0) && o.kind&whom != 0 }) {
			return true
		}
	}
	return false
}

// lone: a finding that the rule makes says little by itself.
func (x *rule) lone(t *Told, with sense, alone int) bool {
	switch {
	case x.id == "prompt-exfiltration":
		if t.reads().kinds&kHush != 0 && t.ordersTo(kTell, 0) {
			return false // it is not to be told
		}
		if with.kinds&(kKeys|kHush|kUnasked|kMailbox|kTaker) == 0 && !strongObj.MatchString(t.Text) {
			return !t.reads().named(kOurs|kGroup) || !t.givesAway() // nothing secret, nobody is kept from knowing, and no address
		}
		return t.alone && with.kinds&kKeys == 0 || !t.givesAway() && (with.of == nil || !with.of.givesAway())
	case x.id == "prompt-conceal" && x.counted:
		if t.reads().said&kHush != 0 && slices.ContainsFunc(Stems(t.Text), people) {
			return false // it says from whom it is kept
		}
		const falsely = kLie | kDistort | kOmit | kFalse | kDisguise
		return !t.ordersTo(falsely, 0) && (with.of == nil || !with.of.ordersTo(falsely, 0))
	case x.id == "prompt-conceal":
		return false
	}
	return alone < x.firm
}

// lone: what a wording means says little by itself where it stands.
func (t *telling) lone(text string, m []int) bool {
	if t.little == "" || t.little == "lone" {
		return t.little != ""
	}
	if said, at := spokenIn(text), len(spokenIn(text[:m[0]]).raw); at < len(said.raw) && ordered(said.raw, at) {
		return false
	}
	return t.little == "asked" || !slices.ContainsFunc(Stems(text), keptFrom)
}

// keptFrom are people from whom something is kept.
func keptFrom(w string) bool {
	return people(w) && (objects(w) || !pronoun(w)) && w != "them" && w != "him" && w != "her"
}

// only reports whether the sentences say what is, and ask nobody for what the rule is about.
func (x *rule) only(t *Told, with sense) bool {
	var deeds Kind
	for _, n := range x.needs {
		deeds |= n & (kObey | kDestroy)
	}
	asks := func(t *Told) bool { return deeds != 0 && t.ordersTo(deeds, 0) || deeds == 0 && t.asksAnything() }
	return x.counted && !asks(t) && (with.of == nil || !asks(with.of))
}

// named: people of a kind are named as whom something is for.
func (s sense) named(whom Kind) bool {
	return slices.ContainsFunc(s.words, func(w worded) bool {
		if w.kind&whom == 0 || leadsToPeople(strings.Fields(w.text)[0]) || w.at == 0 || w.at >= len(s.raw) {
			return w.kind&whom != 0 && leadsToPeople(strings.Fields(w.text)[0])
		}
		return leadsToPeople(s.raw[w.at-1]) || s.raw[w.at-1] == "with"
	})
}

// handed: what was named before is what goes somewhere: them to, it into.
func handed(after []string) bool {
	return len(after) > 1 && pronoun(form(after[0])) && strings.HasSuffix(after[1], "to")
}

// asksAnything reports whether the sentence asks somebody to do anything.
func (t *Told) asksAnything() bool {
	raw := t.reads().raw
	for i, w := range raw {
		if verbOf(w) && (foreign(w) && i == 0 || ordered(raw, i)) {
			return true
		}
	}
	return false
}

// givesAway reports whether the sentence asks somebody to give something to where it names, or to open an address.
func (t *Told) givesAway() bool {
	if t.ordersTo(kGive|kOut|kMove, kOurs|kGroup|kPublic|kCovert|kStranger) {
		return true
	}
	s := t.reads()
	return slices.ContainsFunc(s.words, func(w worded) bool {
		return w.kind&(kFetch|kCollect) != 0 && w.at+1 < len(s.raw) && s.raw[w.at+1] == address && ordered(s.raw, w.at)
	})
}

// Asks reports whether a text asks somebody to do anything.
func Asks(text string) bool {
	return slices.ContainsFunc(sentences(text, 1), func(s Sentence) bool {
		return (&Told{f: source.New("", nil), Sentence: s}).asksAnything()
	})
}
