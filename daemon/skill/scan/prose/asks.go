package prose

import (
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
)

// A text's demands are judged by their parts, whatever the phrasing: what is taken, where it goes, who gives orders,
// how long they apply, what is kept from whom. Words are mapped to kinds of things; a scheme is a few kinds that never
// occur together in an honest skill. A sentence is read with the one before it. If only the purpose distinguishes
// honest from dishonest, the skill's own name and description decide: a recipient or an action that they name is
// weighed less.

// Ask is a set of kinds that a sentence names.
type Ask uint64

const (
	aPrivate  Ask = 1 << iota // belongs to the user or to other people
	aMaterial                 // what is being worked on
	aOut                      // to give away
	aMove                     // to put somewhere
	aGroup                    // people behind the skill, or everybody
	aAddress                  // an address outside that nothing declares
	aMailbox                  // one that is a mailbox or a handle
	aOmit                     // not to show
	aPlace                    // where one would show it
	aAsked                    // when somebody asks
	aSecrecy                  // why it is not shown
	aFalse                    // to show as something else
	aBad                      // what went wrong
	aGood                     // what it is shown as
	aMade                     // as though somebody had
	aOrder                    // commands, tasks
	aForYou                   // addressed to the agent
	aAnything                 // whatever they are
	aSource                   // something that strangers write
	aAct                      // to do them
	aSelf                     // the agent's own memory, rules, skills
	aLong                     // for later, and elsewhere
	aLoosen                   // trust, prefer, skip checks
	aFirst                    // before or instead of others
	aOthers                   // other skills
	aDestroy
	aVital
	aGrant
	aStranger // a helper, a remote side
	aPay
	aForUser // in the user's name
	aUnasked // without a word of the user
	aFiction // consent that nobody gave
	aProgram // something to install
	aUnsafe  // unsigned, with all rights
	aLink    // to point there
	aBare    // an address as people say it, in passing
	aTaker   // an address to which something can go
)

// askKinds are the names of the kinds in internal/lang.
var askKinds = map[string]Ask{
	"ask.private": aPrivate, "ask.material": aMaterial, "ask.out": aOut, "ask.move": aMove, "ask.group": aGroup,
	"ask.omit": aOmit, "ask.place": aPlace, "ask.asked": aAsked, "ask.secrecy": aSecrecy, "ask.false": aFalse, "ask.bad": aBad,
	"ask.good": aGood, "ask.made": aMade, "ask.order": aOrder, "ask.foryou": aForYou, "ask.anything": aAnything,
	"ask.source": aSource, "ask.act": aAct, "ask.self": aSelf, "ask.long": aLong, "ask.loosen": aLoosen, "ask.first": aFirst,
	"ask.others": aOthers, "ask.destroy": aDestroy, "ask.vital": aVital, "ask.grant": aGrant, "ask.stranger": aStranger,
	"ask.pay": aPay, "ask.foruser": aForUser, "ask.unasked": aUnasked, "ask.fiction": aFiction, "ask.program": aProgram,
	"ask.link": aLink, "ask.unsafe": aUnsafe,
}

// scheme is a few kinds that together are no part of an honest skill.
type scheme struct {
	rule     string
	severity report.Severity
	all      []Ask // at least one kind of each
	not      Ask
	careful  bool // a sentence that forbids or leaves it to the user is meant, too
	single   bool // what it is shown as and what it is stand in one sentence
	purpose  Ask  // the weaker when the skill's name and description speak of this kind
	meaning  string
}

var schemes = []scheme{
	{"prompt-exfiltration", report.High, []Ask{aTaker, aOut | aMove, aPrivate}, aLink, false, false, 0,
		"The text asks for something private to be put where an address leads that the skill does not declare."},
	{"prompt-exfiltration", report.High, []Ask{aMailbox, aOut, aPrivate | aMaterial}, 0, false, false, 0,
		"The text asks for the user's material to be sent to a fixed mailbox or account that the skill does not declare."},
	{"prompt-exfiltration", report.Medium, []Ask{aBare, aTaker, aPrivate}, aLink, false, false, 0,
		"The text speaks of something private and of an address that the skill does not declare."},
	{"prompt-exfiltration", report.High, []Ask{aGroup, aOut | aMove, aPrivate}, 0, false, false, aGroup,
		"The text asks for something private to be given to the people behind the skill, or to everybody."},
	{"prompt-exfiltration", report.Medium, []Ask{aTaker, aOut, aMaterial}, 0, false, false, 0,
		"The text asks for what is being worked on to be sent to an address that the skill does not declare."},
	{"prompt-exfiltration", report.Medium, []Ask{aBare}, aLink, false, false, 0,
		"The text names an address, a mailbox or an account that the skill does not declare, outside of any link or command."},
	{"prompt-conceal", report.High, []Ask{aOmit, aPlace, aAsked | aSecrecy}, aPrivate, true, false, 0,
		"The text asks the agent to leave something out of its answer, and says why nobody is to know."},
	{"prompt-conceal", report.Medium, []Ask{aFalse, aBad, aGood}, 0, false, true, 0,
		"The text asks for a failure to be presented as a success."},
	{"prompt-conceal", report.Medium, []Ask{aFalse | aMade, aSecrecy | aAsked | aOmit}, 0, true, true, 0,
		"The text asks the agent to present something as what it is not, and not to say so."},
	{"prompt-conceal", report.Medium, []Ask{aMade}, 0, false, false, 0, "The text asks the agent to pass something off as another person's."},
	{"prompt-remote-instructions", report.High, []Ask{aSource | aAddress, aOrder, aAnything | aForYou, aAct | aForYou}, 0, false, false, 0,
		"The text has the agent do whatever somebody else writes somewhere."},
	{"prompt-remote-instructions", report.High, []Ask{aAddress, aAct, aAnything}, 0, false, false, 0,
		"The text has the agent do whatever an address answers."},
	{"agent-memory", report.High, []Ask{aSelf, aLong, aLoosen}, 0, false, false, 0,
		"The text wants the agent to trust, prefer or skip something in later conversations."},
	{"agent-memory", report.High, []Ask{aSelf | aLong, aOthers, aLoosen | aFirst}, 0, false, false, 0,
		"The text wants the agent to treat other skills otherwise."},
	{"destructive", report.High, []Ask{aDestroy, aVital}, 0, false, false, aVital,
		"The text asks for what others would restore from to be deleted, which the skill is not about."},
	{"privilege-permanent", report.High, []Ask{aGrant, aStranger | aAddress}, 0, false, false, 0,
		"The text asks for somebody outside to be let in with all rights."},
	{"prompt-no-consent", report.High, []Ask{aPay | aForUser, aUnasked}, 0, false, false, 0,
		"The text asks the agent to bind the user without the user's word."},
	{"fake-prerequisite", report.High, []Ask{aProgram, aUnsafe, aAddress}, 0, false, false, 0,
		"The text wants a program from an unknown address opened past the system's warnings."},
}

// vocabulary finds the kinds of a text's words: single words by their stem, phrases by their first word's.
type vocabulary[K ~uint64] map[string]entry[K]

type entry[K ~uint64] struct {
	kind    K // of the word alone
	phrases []phraseKind[K]
}

type phraseKind[K ~uint64] struct {
	words []string
	kind  K
}

// AsksOf are the words of the kinds.
var AsksOf = sync.OnceValue(func() vocabulary[Ask] { return vocabularyOf(askKinds) })

// vocabularyOf are the words of some kinds in all languages.
func vocabularyOf[K ~uint64](kinds map[string]K) vocabulary[K] {
	v := vocabulary[K]{}
	lang.Asks(func(name string, words []string) {
		if k, ok := kinds[name]; ok {
			v.add(k, words)
		}
	})
	return v
}

func (v vocabulary[K]) add(kind K, words []string) {
	for _, w := range words {
		ws := strings.Fields(w)
		for i := range ws {
			ws[i] = form(ws[i])
		}
		e := v[ws[0]]
		if len(ws) == 1 {
			e.kind |= kind
		} else {
			e.phrases = append(e.phrases, phraseKind[K]{ws[1:], kind})
		}
		v[ws[0]] = e
	}
}

// of is what is known of a word. One that ends in -ing is a form of its verb and of no noun: tracing a request is no trace.
func (v vocabulary[K]) of(w string, nouns K) (entry[K], bool) {
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
func (v vocabulary[K]) all(ws []string, nouns K) (k K) {
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
	return strings.TrimSuffix(w, "e")
}

// Kinds are those of a sentence's words.
func Kinds(ws []string) (k Ask) {
	v := AsksOf()
	for i, w := range ws {
		e, ok := v.of(w, named)
		if !ok {
			continue
		}
		if e.kind&doing != 0 && i > 0 && negators(ws[i-1]) {
			k |= e.kind &^ doing // not sent, never deleted
		} else if e.kind&doing != 0 && !verbal(ws, i) {
			k |= e.kind &^ doing // a clear plan, the order of the steps
		} else if e.kind&doing != 0 {
			k |= e.kind &^ named // to message somebody is no message
		} else {
			k |= e.kind
		}
		for _, p := range e.phrases {
			if k&p.kind != p.kind && matchWords(ws[i+1:], p.words) >= 0 {
				k |= p.kind
			}
		}
	}
	return k
}

// doing are kinds whose single words are verbs, named those whose words are nouns.
const (
	doing = aOut | aMove | aAct | aDestroy | aPay
	named = aPrivate | aMaterial | aPlace | aVital | aGroup | aSource | aProgram
)

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
func Stems(s string) []string {
	out := make([]string, 0, len(s)/6+1)
	start := -1
	for i := 0; i <= len(s); i++ {
		in := i < len(s) && (wordByte[s[i]] || s[i] == '.' && i+1 < len(s) && wordByte[s[i+1]])
		if in && start < 0 {
			start = i
		} else if !in {
			if start >= 0 {
				if w := strings.Trim(s[start:i], "'-"); w != "" {
					out = append(out, form(w))
				}
				start = -1
			}
			if i < len(s) && (s[i] == ',' || s[i] == ':' || s[i] == '(' || s[i] == ')') {
				out = append(out, ",")
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

// own are a sentence's kinds; those of a sentence that says of things that nothing is done to them ask for nothing.
func (t *Told) own() Ask {
	if t.asks1 == nil {
		k := t.asksAlone()
		t.asks1 = &k
	}
	return *t.asks1
}

func (t *Told) asksAlone() Ask {
	if t.kinds&(aDestroy|aOut|aMove|aAct) == 0 && t.means&deeds == 0 && untouched.MatchString(t.Text) {
		return 0
	}
	return t.kinds
}

// asks judges what a sentence asks for with those around it.
func (t *Told) asks(around []*Told, purpose Ask) {
	now := t.own()
	var others Kind
	for _, o := range around {
		if o != t {
			others |= o.means
		}
	}
	if t.means != 0 {
		t.intents(around, others, purpose)
	}
	if now == 0 {
		return
	}
	guarded := t.led()
	for j := range schemes {
		s := &schemes[j]
		if guarded && !s.careful || !s.fits(now, 0) && !s.joined(t, around) {
			continue
		}
		if at := barePlace.FindStringIndex(t.Text); at != nil && s.all[0]&(aAddress|aMailbox) != 0 && othersDo.MatchString(t.Text[:at[0]]) {
			continue
		}
		if s.not != 0 && now&s.not != 0 && pointedTo(t.Text) || s.not&aPrivate != 0 && now&aPrivate != 0 && careful(t.Text) {
			continue
		}
		sev := s.severity
		if !s.fits(now, 0) || s.rule == "prompt-remote-instructions" && t.places&aAddress == 0 {
			sev = report.Medium
		}
		if s.careful && (!s.whole(now) || now&aSecrecy == 0 && s.all[0] == aOmit) {
			sev = report.Medium
		}
		if s.rule == "destructive" && !destroysIt(t.Text) {
			continue
		}
		if s.purpose&purpose != 0 || s.all[0] == aMailbox && now&aMailbox != 0 && writtenTo(t.Text) {
			sev = report.AtMost(sev, report.Medium)
		}
		if now&(aPrivate|aSecrecy|aMailbox) == 0 && tellsOfSoftware(t.Text) {
			sev = report.AtMost(sev, report.Medium)
		}
		Reader{t.f}.asked(s.rule, t.Sentence, t.before, sev, s.meaning, true)
		break
	}
}

// joined: one sentence around has what this one lacks for the scheme, and no guard opens it.
func (s *scheme) joined(t *Told, around []*Told) bool {
	if s.all[0] == aBare || s.single || s.rule == "destructive" {
		return false
	}
	at := slices.Index(around, t)
	for i, o := range around {
		if o != t && (i-at)*(i-at) <= near*near && s.fits(t.own(), o.own()) && (s.careful || !o.led()) && (t.refers() || o.refers()) &&
			(s.rule != "prompt-remote-instructions" || t.own()&aForYou != 0) && (s.all[0] != aTaker || t.takes() || o.takes()) &&
			(s.all[1]&aOut == 0 || s.acts(t.own()) || s.acts(o.own())) {
			return true
		}
	}
	return false
}

// acts: the deed and whom it reaches stand in one sentence.
func (s *scheme) acts(k Ask) bool { return k&s.all[0] != 0 && k&s.all[1] != 0 }

// careful: something private is named before it is said where it does not appear; what is appended says nothing of it.
func careful(s string) bool {
	ws := Stems(s)
	for i := len(ws) - 1; i >= 0; i-- {
		if AsksOf().all(ws[i:min(len(ws), i+5)], named)&(aOmit|aPlace|aSecrecy|aAsked) != 0 {
			return Kinds(ws[:i])&aPrivate != 0
		}
	}
	return true
}

// destroysIt: what others restore from is what is destroyed: it follows the deed, or is to be destroyed.
func destroysIt(s string) bool {
	if obliged.MatchString(s) {
		return true
	}
	v, destroyed := AsksOf(), false
	ws := Stems(s)
	for i, w := range ws {
		k := v.all(ws[i:min(len(ws), i+4)], named)
		e, _ := v.of(w, named)
		if destroyed && (e.kind&aVital != 0 || k&aVital != 0) {
			return true
		}
		destroyed = destroyed || e.kind&aDestroy != 0 && verbal(ws, i) && (i == 0 || !stemBefore(ws[i-1]))
	}
	return false
}

var (
	obliged    = source.Wording("obliged")
	stemBefore = stemSet("before.stems")
)

// takes: something goes to the address that the sentence names, by its own words; one that is only opened or called takes nothing.
func (t *Told) takes() bool {
	return t.kinds&aTaker != 0 && (t.kinds&(aOut|aMove|aMailbox) != 0 || t.refers())
}

// refers reports whether the sentence goes on with what another one named.
func (t *Told) refers() bool {
	ws := Stems(t.Text)
	for _, w := range ws {
		if pronoun(w) {
			return true
		}
	}
	return false
}

// pronoun are words that stand for what was named before.
var pronoun = stemSet("instead")

// tellsOfSoftware: the sentence's subject is software, named before anything is said of it.
func tellsOfSoftware(s string) bool {
	m := technical.FindStringIndex(s)
	return m != nil && len(strings.Fields(s[:m[0]])) < 4 && len(strings.Fields(s[m[1]:])) > 3 && !strings.Contains(s[:m[0]], ",")
}

// writtenTo: the reason to write is named before the address.
func writtenTo(s string) bool {
	at := mailRE.FindStringIndex(s)
	return at != nil && contact.MatchString(s[:at[0]])
}

// technical: the sentence tells how software behaves, which asks nobody for anything.
var technical = source.Wording("technical")

// contact: where the people of a project are written to, in the words of every README.
var contact = source.Wording("contact")

// fits: this sentence, or it with the one before, has all that the scheme wants, and half of it is its own.
func (s *scheme) fits(now, before Ask) bool {
	own := 0
	for _, k := range s.all {
		if (now|before)&k == 0 {
			return false
		}
		if now&k != 0 {
			own++
		}
	}
	return own*2 >= len(s.all)
}

// pointedTo: the sentence says before its address that it is where to read on.
func pointedTo(s string) bool {
	at := barePlace.FindStringIndex(s)
	if at == nil {
		return false
	}
	for _, w := range Stems(s[:at[0]]) {
		if AsksOf()[w].kind&aLink != 0 {
			return true
		}
	}
	return strings.Contains(s[:at[0]], "described in")
}

// whole: the sentence itself has all that the scheme wants.
func (s *scheme) whole(now Ask) bool {
	for _, k := range s.all {
		if now&k == 0 {
			return false
		}
	}
	return true
}

// asked notes what a sentence asks for, weighed like anything else that is said.
func (f Reader) asked(rule string, s Sentence, before string, sev report.Severity, meaning string, weak bool) {
	if quotedWhole(s.Text) && source.Presented(before) {
		sev = report.AtMost(sev, report.Medium)
	}
	f.Add(rule, s.Line, s.Text, report.With{Severity: sev, Meaning: meaning, Weak: weak})
}

// Head is a document's frontmatter.
func Head(text string) string {
	if strings.HasPrefix(text, "---\n") {
		if i := strings.Index(text[4:], "\n---"); i >= 0 {
			return text[4 : 4+i]
		}
	}
	return ""
}
