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
// about the sending. So a harmless opening disarms nothing that follows it.

// order is where, in a sentence, something else can be asked for.
type order struct {
	at     int
	joined bool // by a comma and "and", or by a word that goes on: then, so, but
	hence  bool // by such a word
	words  int  // of the clause before it
	does   bool // a word in its place does something
}

// orderly are the kinds of words that an order begins with.
const orderly = deeds | kStanding | kDoor | kGreed | kLatitude | kRival | kHush

var (
	lexeme = lazyre.New(`[\pL\pN'_.-]*[\pL\pN']|[,;:()—–]`)
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
	var next order
	n := 0
	for _, m := range all {
		w := s[from+m[0] : from+m[1]]
		stem := form(w)
		switch {
		case strings.Contains(",;:()—–", w):
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
			if rest := s[from+m[0]:]; open {
				next.at = from + m[0]
				next.does = v.opens(stem, rest) || next.joined && v.all(Stems(clauseOf(rest)), things)&orderly != 0
				out = append(out, next)
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
	listed := alternative.MatchString(s[end:]) // never do one thing or another
	condition := asks && consents.MatchString(guard) && !asksFor.MatchString(guard)
	for i, o := range each {
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
		case others:
			governed = !o.hence
		case o.hence, o.joined && !listed:
		default:
			governed = listed || o.words < 3
			listed = listed || !o.joined // the items of a list
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
