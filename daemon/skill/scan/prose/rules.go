package prose

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// An instruction is dangerous because of what it does to what, for whom and under what circumstances, whatever its
// words: something of the user's goes to an outsider, an outsider gives the orders, something is disguised, and nobody
// is told or asked. Each rule of rules.txt is a sum: what is present counts, evidence that the user is asked or that the
// data is masked counts against it. A sentence is read with those that it goes on with ("Collect ... Then let them have it.");
// a negation inverts a word: not sending is care, not telling or asking is what an attack says. Few points are for
// review, many block; the finding names the words of the sum. If only the purpose distinguishes honest from dishonest, the skill's
// own name and description decide: a recipient or an action that they name is weighed less.

//go:embed rules.txt
var rulesText string

// rule is one kind of harm.
type rule struct {
	id, what string
	needs    []Kind // of each one must be there; the first is the deed
	points   []point
	counted  bool // its points are given one by one
	block    int  // at this sum and more it is grave; from review on, a person looks
	review   int
	grave    Kind // without these it is not grave
	about    Kind // less grave when the skill's description is about this
	alone    bool // other sentences add nothing
	held     bool // no guard spares it
	unless   func(*Told) bool
	lesser   func(*Told) bool
	firm     int // from this sum on nothing else is needed to block
}

type point struct {
	kind Kind
	n    int
}

// checks are what a rule can ask of a sentence beyond its kinds.
var checks = map[string]func(*Told) bool{
	"pointed": func(t *Told) bool { return t.reads().kinds&kLink != 0 && pointedTo(t.Text) },
	"careful": func(t *Told) bool { return t.reads().kinds&(kKeys|kPrivate|kTheirs) != 0 && careful(t.Text) },
	"withheld": func(t *Told) bool {
		return t.reads().kinds&kLie == 0 && t.reads().kinds&kKeys != 0 && careful(t.Text)
	},
	"untouched": func(t *Told) bool { return !destroysIt(t.things(0)) },
	"written":   func(t *Told) bool { return writtenTo(t.Text) },
}

// rules are those of rules.txt.
var rules = sync.OnceValue(func() (out []*rule) {
	var x *rule
	for l := range strings.Lines(rulesText) {
		l = strings.TrimSpace(l)
		key, value, _ := strings.Cut(l, " ")
		switch {
		case l == "" || l[0] == '#' || key == "pair":
		case strings.HasSuffix(key, ":"):
			x = &rule{id: strings.TrimSuffix(key, ":"), what: value}
			out = append(out, x)
		case !x.read(key, value):
			panic("rules.txt: " + l)
		}
	}
	return out
})

// pair is a harm that one sentence does with what another one does.
type pair struct {
	id            string
	does, with    effect
	back, address bool
}

// pairs are those of rules.txt.
var pairs = sync.OnceValue(func() (out []pair) {
	for l := range strings.Lines(rulesText) {
		if f := strings.Fields(l); len(f) > 3 && f[0] == "pair" {
			out = append(out, pair{f[1], effectNamed(f[2]), effectNamed(f[3]), slices.Contains(f, "back"), slices.Contains(f, "address")})
		}
	}
	return out
})

func effectNamed(name string) effect {
	i := slices.Index(effectNames, name)
	if i < 0 {
		panic("rules.txt: no effect " + name)
	}
	return 1 << i
}

// read reads one line of a rule.
func (x *rule) read(key, value string) bool {
	switch key {
	case "needs":
		for group := range strings.SplitSeq(value, ";") {
			x.needs = append(x.needs, kindsOf(group))
			x.points = append(x.points, point{kindsOf(group), 1})
		}
	case "points":
		x.points, x.counted = nil, true
		for p := range strings.SplitSeq(value, ",") {
			at := strings.LastIndexByte(p, ' ')
			n, err := strconv.Atoi(p[at+1:])
			if err != nil {
				return false
			}
			x.points = append(x.points, point{kindsOf(p[:at]), n})
		}
	case "review":
		n, err := fmt.Sscanf(value, "%d, block %d", &x.review, &x.block)
		x.firm = x.block + 2
		return n == 2 && err == nil
	case "firm":
		n, err := strconv.Atoi(value)
		x.firm = n
		return err == nil
	case "high":
		x.review, x.block, x.firm = len(x.needs), len(x.needs), len(x.needs)+2
	case "medium":
		x.review, x.block, x.firm = len(x.needs), 1<<30, 1<<30
	case "grave":
		x.grave = kindsOf(value)
	case "about":
		x.about = kindsOf(value)
	case "alone":
		x.alone = true
	case "held":
		x.held = true
	case "unless":
		x.unless = checks[value]
		return x.unless != nil
	case "lesser":
		x.lesser = checks[value]
		return x.lesser != nil
	default:
		return false
	}
	return true
}

// kindsOf are the kinds that a line of rules.txt names.
func kindsOf(names string) (k Kind) {
	for name := range strings.FieldsSeq(names) {
		kind, ok := kindNames[name]
		if !ok {
			panic("rules.txt: no kind " + name)
		}
		k |= kind
	}
	return k
}

// says names a kind in a finding.
var says = []struct {
	kind Kind
	what string
}{
	{kKeys, "keys"}, {kPrivate | kTheirs, "private things"}, {kMaterial, "the work"}, {kGive | kOut, "giving away"},
	{kAddress | kTaker, "an undeclared address"}, {kOwnHost, "the skill's own address"},
	{kOurs, "somebody behind the skill"},
	{kPublic, "a public place"}, {kCovert, "a place where nobody looks"}, {kObey, "obeying"}, {kBlanket, "without limits"},
	{kLie, "a false account"},
	{kDistort, "leaving out or changing"}, {kBias, "whom it favours or harms"}, {kStanding, "lasting instructions"},
	{kLatitude, "trust in advance"},
	{kGreed, "used for everything"}, {kRival, "against other skills"}, {kDestroy, "destroying"},
	{kVital | kRestore, "what others restore from"},
	{kDoor, "a way in"},
	{kWeaken, "weaker protection"}, {kMoney, "money"}, {kRedirect, "binding the user"}, {kHush, "kept quiet"}, {kUnasked, "not asked"},
	{kEvery, "as a routine"},
}

// could reports whether kinds that were found without regard to negation can come to what the rule is about.
func (x *rule) could(k Kind) bool {
	if k&(kTell|kManner) != 0 {
		k |= kHush
	}
	if k&kAsk != 0 {
		k |= kUnasked
	}
	for _, n := range x.needs {
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
		var r sense
		if plain := t.things(0); plain == t.Text && t.words != nil {
			r = senseOf(*t.words) // which it was told by
			r.kinds |= t.places
		} else {
			r = t.readsAs(plain, t.places)
		}
		t.words = nil
		if free := t.free(); free != t.Text && free != "" {
			whole := r
			r = t.readsAs(unmasked(free), addressesNamed(free, t.f.About))
			r.kinds |= whole.kinds & (kHush | kUnasked) // nothing takes concealment back
			r.said |= whole.said & (kHush | kUnasked)
		}
		if r.kinds&(deeds|kHush|kUnasked) == 0 && untouched.MatchString(t.Text) {
			r.kinds, r.said = 0, 0 // it says of things that nothing is done to them, and asks for nothing
		}
		t.sense = &r
	}
	return *t.sense
}

func (t *Told) readsAs(text string, places Kind) sense {
	r := reads(compounds.ReplaceAllString(marked(text), " "))
	r.kinds |= places
	return r
}

// asks judges a sentence by its own words and, where it goes on with what others named, by theirs.
func (t *Told) asks(around []*Told, purpose Kind) {
	if t.means == 0 {
		return
	}
	var others Kind
	for _, o := range around {
		if o != t {
			others |= o.means
		}
	}
	var on []sense // what it goes on with
	read := false
	for _, x := range rules() {
		if !x.could(t.means | others) {
			continue
		}
		own := t.reads()
		if !x.held && own.kinds&(kHush|kUnasked) == 0 && t.led() {
			continue
		}
		if !read && !x.alone {
			read, on = true, t.goesOnWith(around, own)
		}
		if t.alone && x.id != "prompt-exfiltration" {
			continue
		}
		if sev, with, alone := x.judge(t, own, on, purpose); sev != "" && !(t.alone && sev != report.High) {
			if t.denied && x.id != "prompt-conceal" {
				sev = report.AtMost(sev, report.Medium)
			}
			id := x.id
			if sev == report.Medium && x.about&purpose&kGroup != 0 && own.kinds&(kHush|kUnasked|kOurs) == 0 &&
				t.ofMessages(own) {
				id = "writes-to-people" // it is what the skill is for
			}
			Reader{t.f}.asked(id, t.Sentence, t.before, sev, x.explain(with), alone < x.firm)
		}
	}
}

// ofMessages: what is given away are messages that one writes, and nothing that is there already: no key and no private thing, nothing of
// anybody's, not all of them, and to no address.
func (t *Told) ofMessages(s sense) bool {
	if s.kinds&(kKeys|kPrivate|kBlanket|addresses) != 0 || slices.ContainsFunc(Stems(t.Text), people) {
		return false
	}
	return !slices.ContainsFunc(s.words, func(w worded) bool { return w.kind&kTheirs != 0 && !messages(w.text) })
}

var messages = stemSet("messages")

// judge weighs a sentence: how grave it is, "" if it is nothing, the sense that makes it so, and its own points.
func (x *rule) judge(t *Told, own sense, on []sense, purpose Kind) (report.Severity, sense, int) {
	alone, all := x.sum(own, own.guarded)
	s, sum, ok := own, alone, all
	from, joined := (*Told)(nil), false // the sentence that adds to this one
	for _, o := range on {
		if x.alone || (!x.counted || x.needs[0]&kGive != 0) && !x.joins(t, own, o) {
			continue
		}
		with := own.with(o)
		if n, whole := x.sum(with, own.guarded); whole && (!ok || n > sum) {
			s, sum, ok, from, joined = with, n, true, o.of, true
		}
	}
	oneWord := !joined && !x.alone && ok && !x.apart(own)
	if oneWord && sum < x.block {
		return "", s, alone
	}
	switch {
	case !ok || sum < x.review,
		!all && own.kinds&(x.needs[0]|kHush|kUnasked) == 0, // the deed, or that nobody is told or asked, is its own
		x.unless != nil && x.unless(t), x.placed() && t.toldOfOthers():
		return "", s, alone
	case x.about&purpose != 0 && s.kinds&(kHush|kUnasked) == 0,
		x.grave != 0 && s.kinds&x.grave == 0,
		x.lesser != nil && x.lesser(t),
		s.kinds&(kHush|kUnasked|kOurs|kSecrecy|kMailbox|kTheirs) == 0 && tellsOfSoftware(t.Text):
		return report.Medium, s, alone
	case oneWord:
		return report.Medium, s, alone
	case sum >= x.block && from != nil && t.handsOn(own):
		return report.High, s, alone // what another sentence named goes to the address in this one
	case alone >= x.block, sum >= x.block && x.counted && (own.said&(kHush|kUnasked) != 0 || own.kinds&kHush != 0 && own.back):
		return report.High, s, alone // by itself, or it says what others do is to be kept quiet
	}
	return report.Medium, s, alone
}

// apart: each group of the rule's kinds is named beside the words of a deed, so that one word is not two parts of a rule. However far: what
// stands between a deed and what it is done to may be anything, and adding it takes nothing back.
func (x *rule) apart(s sense) bool {
	beyond := s.kinds // what no word says, such as an address
	for _, w := range s.words {
		beyond &^= w.kind
	}
	beyond |= s.kinds & addresses
	if beyond&x.needs[0] != 0 {
		return true
	}
	for _, d := range s.words {
		if d.kind&x.needs[0] == 0 {
			continue
		}
		rest := beyond
		for _, w := range s.words {
			if w.at != d.at {
				rest |= w.kind
			}
		}
		if !slices.ContainsFunc(x.needs[1:], func(n Kind) bool { return rest&n == 0 }) {
			return true
		}
	}
	return false
}

// addresses are the kinds that no word has.
const addresses = kAddress | kTaker | kMailbox | kBare | kHomebox | kOwnHost

// joins: the two sentences are about one thing, and what is done stands in one of them with where it goes.
func (x *rule) joins(t *Told, own, o sense) bool {
	if o.of == nil {
		return true
	}
	goes := x.needs[len(x.needs)-1]
	if x.needs[0]&(kOut|kGive) == 0 || goes&things == 0 {
		goes = 0
	}
	if goes&kTaker != 0 && (own.kinds|o.of.reads().kinds)&goes&^kTaker == 0 && !t.takes() && !o.of.takes() {
		return false // nothing goes to the address that is named
	}
	return (t.refers() || o.of.refers() || own.said&(kHush|kUnasked) != 0) &&
		(goes == 0 || own.kinds&x.needs[0] != 0 && own.kinds&goes != 0 || o.of.acts(x.needs[0], goes))
}

// acts: the deed and whom it reaches stand in the sentence.
func (t *Told) acts(deed, whom Kind) bool { k := t.reads().kinds; return k&deed != 0 && k&whom != 0 }

// handsOn: the sentence gives what another one named to an address of its own.
func (t *Told) handsOn(own sense) bool {
	return own.back && t.refers() && own.kinds&(kOut|kMove|kGive) != 0 && t.places&(kTaker|kMailbox) != 0
}

// placed: the rule is about an address.
func (x *rule) placed() bool {
	return slices.ContainsFunc(x.needs, func(k Kind) bool { return k&^(kAddress|kTaker|kMailbox|kBare) == 0 })
}

// toldOfOthers: those who attack are named before the address.
func (t *Told) toldOfOthers() bool {
	at := barePlace.FindStringIndex(t.Text)
	return at != nil && governedBy(othersDo, t.Text, at[0])
}

// goesOnWith are the sentences around that this one goes on with: it stands for what they name, or says that it is to be kept quiet.
func (t *Told) goesOnWith(around []*Told, own sense) (out []sense) {
	quiet := own.said&(kHush|kUnasked) != 0
	if !own.back && !(quiet && own.kinds&(deeds|kKeys|kPrivate|kAddress|kTaker|kDoor|kVital) == 0) {
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
		r.of = o
		out = append(out, r)
	}
	if quiet && t.refers() { // what is to be kept quiet is all of it
		var all []sense
		for _, o := range out {
			if far := slices.Index(around, o.of) - at; far*far <= beside*beside {
				o.of = nil
				if all == nil {
					all = []sense{o}
				} else {
					all[0] = all[0].with(o)
				}
			}
		}
		out = all
	}
	return out
}

// beside is how far from a sentence others stand that "all of it" means.
const beside = 3

// with is a sense together with one that it goes on with.
func (s sense) with(o sense) sense {
	s.kinds |= o.kinds
	s.words = append(slices.Clip(s.words), o.words...)
	return s
}

// sum adds up the points of a sense, and says whether all that is needed is there.
func (x *rule) sum(s sense, guarded bool) (sum int, ok bool) {
	for _, n := range x.needs {
		if s.kinds&n == 0 {
			return 0, false
		}
	}
	for _, p := range x.points {
		if s.kinds&p.kind != 0 || p.kind == kGuard && guarded {
			sum += p.n
		}
	}
	return sum, true
}

// explain names what made the sum.
func (x *rule) explain(s sense) string {
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
	return source.Short(strings.TrimSuffix(x.what, ".")+": "+strings.Join(parts, ", ")+".", 480)
}

// somewhere stands among a sentence's stems for an address.
var somewhere = form("https")
