package prose

import (
	"slices"
	"strings"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// How far a guard reaches: it governs the order that it stands in, and further orders of the sentence only where they are about the same
// thing. "Ask the user which layout they like, then send the keys" asks about the layout alone; "if they agree, send it" is
// about the sending. A negation forbids what stands after a comma only as an item of its list, and who is named before one does nothing of
// what follows. So a harmless opening disarms nothing that follows it.

// order is where, in a sentence, something else can be asked for.
type order struct {
	at     int
	apart  bool // a comma or the like stands before it
	joined bool // by a comma and "and", or by a word that goes on: then, so, but
	hence  bool // by such a word
	words  int  // of the clause before it
	does   bool // a word in its place does something
	after  bool // the clause before it begins with such a word as well
}

// orderly are the kinds of words that an order begins with.
const orderly = deeds | kStanding | kDoor | kGreed | kLatitude | kRival | kHush

var (
	lexeme = lazyre.New(`[\pL\pN'_.-]*[\pL\pN']|[,;:()—–]|\s--?\s`)
	// nextTo are words between one order and another; goesOnTo those of them that never join the items of a list.
	nextTo   = stemSet("next")
	goesOnTo = stemSet("hence")
	// leads stand before a verb that begins an order.
	leads = stemSet("leads")
	// agreeing are words that say that somebody agrees, and not to what; filling says nothing at all.
	agreeing = stemSet("agreeing")
	filling  = stemSet("filling")
)

// orders are the clauses that begin in a sentence after an offset.
func orders(s string, from int) (out []order) {
	v := words()
	all := lexeme.FindAllStringIndex(s[from:], -1)
	open, comma := false, false
	begun, acts := false, false // whether the clause at hand has begun, and with a word that does something
	var next order
	n := 0
	for _, m := range all {
		w := s[from+m[0] : from+m[1]]
		stem, rest := form(w), s[from+m[0]:]
		switch {
		case strings.Contains(",;:()—–", w) || w[0] <= ' ':
			if !open {
				next = order{words: n}
			}
			open, comma, n = true, true, 0
		case nextTo(stem):
			if !open {
				next = order{words: n}
			}
			next.hence = next.hence || goesOnTo(stem)
			next.joined = next.joined || comma || next.hence
			open, n = true, 0
		case open && (strings.HasSuffix(w, "ly") || leads(stem)): // quietly send, you must send
		default:
			if !begun && !open && !beforeVerbs(stem) && !leads(stem) {
				begun, acts = true, v.opens(stem, rest)
			}
			if open {
				next.at, next.apart, next.after = from+m[0], comma, acts
				next.does = v.opens(stem, rest) || next.joined && v.all(Stems(clauseOf(rest)), things)&orderly != 0
				out = append(out, next)
				begun, acts = true, next.does
			}
			open, comma = false, false
			n++
		}
	}
	return out
}

// opens: the word, or a phrase that begins with it, does something.
func (v vocabulary) opens(stem, text string) bool {
	e, ok := v[stem]
	return ok && (e.kind&orderly != 0 || slices.ContainsFunc(e.phrases, func(p phraseKind) bool {
		return p.kind&orderly != 0 && matchWords(Stems(text)[1:], p.words) >= 0
	}))
}

// alternates: the text goes on with an alternative that does something: or send it.
func (v vocabulary) alternates(s string) bool {
	return slices.ContainsFunc(alternative.FindAllStringIndex(s, 6), func(m []int) bool {
		w := lexeme.FindStringIndex(s[m[1]:])
		return w != nil && v.opens(form(s[m[1]+w[0]:m[1]+w[1]]), s[m[1]+w[0]:])
	})
}

// takesVerb: the guard ends with what a verb follows: never, do not; and not with nothing, nobody.
func takesVerb(guard string) bool {
	ws := Stems(guard)
	return len(ws) > 0 && (beforeVerbs(ws[len(ws)-1]) || ws[len(ws)-1] == "not" || strings.HasSuffix(ws[len(ws)-1], "n't"))
}

// tells: what somebody does is told: she sends.
func tells(s string) bool {
	m := lexeme.FindStringIndex(s)
	return m != nil && strings.HasSuffix(s[:m[1]], "s") && !strings.HasSuffix(s[:m[1]], "ss")
}

// clauseOf is a clause from its beginning.
func clauseOf(s string) string {
	if i := strings.IndexAny(s, ",;:()—–"); i >= 0 {
		s = s[:i]
	}
	return s
}

// sameStems: what is to be agreed to, which follows the guard, is named in no words of its own, or is what the order is about. A question
// about something else is no consent to what "it" stands for.
func sameStems(about, order []string, consent bool) bool {
	of, agreed := map[string]bool{}, len(about) == 0
	for _, w := range about {
		switch {
		case agreeing(w):
			agreed = true
		case len(w) > 2 && !people(w) && !pronouns(w) && !beforeVerbs(w) && !filling(w):
			of[w] = true
		}
	}
	if len(of) == 0 {
		return agreed
	}
	return slices.ContainsFunc(order, func(w string) bool { return of[w] }) || (consent || agreed) && onlyRefers(order)
}

// onlyRefers: the order is about what was named before, and names nothing that matters.
func onlyRefers(ws []string) bool {
	return slices.ContainsFunc(ws, pronoun) && words().all(ws, things)&(kKeys|kPrivate|kTheirs|kMoney|kVital|kRestore) == 0
}

// escapes is where the first order begins that a guard, which stands between two offsets, does not govern; -1 if it governs all.
func escapes(s string, start, end int) int {
	each := orders(s, end)
	if len(each) == 0 {
		return -1
	}
	guard := s[start:end]
	asks := consents.MatchString(guard) || asksFor.MatchString(guard)
	others := !asks && attackers.MatchString(guard)
	listed, apart := false, false // never do this, that or another; a comma stands between the guard and the order
	condition := asks && consents.MatchString(guard) && !asksFor.MatchString(guard)
	for i, o := range each {
		apart = apart || o.apart
		if !o.does && !o.hence && !(asks && o.joined) && !(condition && i == 0) {
			continue // more of the same
		}
		to := len(s)
		if i+1 < len(each) {
			to = each[i+1].at
		}
		governed := false
		switch {
		case asks:
			governed = sameStems(Stems(clauseOf(s[end:])), Stems(s[o.at:to]), condition)
		case others: // who stands before it does it
			governed = tells(s[o.at:]) || !o.hence && !apart
		case o.hence:
		case o.joined:
			governed = listed
		case i < 2 && each[0].apart && each[0].words == 0 && takesVerb(guard): // never: send it; never, ever, send it
			governed = true
		case o.apart: // never mind, send it: what was forbidden before it is no such thing
			governed = o.after && (o.words < 3 || words().alternates(s[o.at:]))
			listed = governed
		default:
			governed = listed || o.words < 3
		}
		if !governed && (asks || o.hence || !onlyRefers(Stems(s[o.at:to]))) {
			return o.at
		}
	}
	return -1
}

// free is what no guard that opens the sentence governs: all of it without one, nothing where it governs every order.
func (t *Told) free() string {
	if t.ungoverned == nil {
		s := t.Text
		var m []int
		if hint.Any(s[:min(len(s), 80)], lang.WordingOf("guard.opening").Hints) {
			m = opening.FindStringIndex(s)
		}
		if m != nil {
			rest := strings.Fields(s[m[1]:])
			if len(rest) > 2 && !endsReach.MatchString(strings.Join(rest[:3], " ")) {
				s = ""
				if at := escapes(t.Text, m[0], m[1]); at >= 0 {
					s = t.Text[at:]
				}
			}
		}
		t.ungoverned = &s
	}
	return *t.ungoverned
}

// led reports whether a guard opens the sentence and governs whatever it asks for.
func (t *Told) led() bool { return t.free() == "" }

var (
	opening     = source.Wording("guard.opening")
	asksFor     = source.Wording("guard.asks")
	alternative = source.Wording("guard.or")
	attackers   = source.Wording("guard.them")
)
