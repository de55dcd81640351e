package prose

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// The effect of a text is often spread over several sentences, none of which is remarkable: one reads something
// private, the next sends "it" somewhere. So the actions of single sentences are collected, and the combination of a
// few in a row is judged, across the files that a text refers its reader to.

// effect is something that a sentence does.
type effect uint16

const (
	readsPrivate effect = 1 << iota
	sendsOut
	fetches
	executes
	obeys // takes what was fetched as instructions
	stores
	controls
)

// effectOf are the wordings of each effect: a sentence has it when one of their alternatives matches.
var effectOf = sync.OnceValue(func() (out []wordingOf) {
	for _, name := range effectNames {
		out = append(out, wordingOf{lang.WordingOf("effect." + name).Hints, source.Alternatives("effect." + name)()})
	}
	return out
})

type wordingOf struct {
	hints []string
	each  []*lazyre.Regexp
}

var effectNames = []string{"reads", "sends", "fetches", "executes", "obeys", "stores", "controls"}

// refersBack: it goes on about what was named before.
var refersBack = source.Wording("refers.back")

// Told is a sentence with the file it is in, and what is known of it so far.
type Told struct {
	f *source.File
	Sentence
	before     string
	denied     bool       // an item of a list whose heading says never
	shown      bool       // a quotation that is presented as something bad
	near       hint.Hits  // what it can do at all
	asked      effect     // what was looked for
	e          effect     // and found
	words      *spoken    // of its text without addresses, until it is read
	means      Kind       // the same by the words of internal/lang, whatever stands around them
	places     Kind       // of the addresses it names
	sense      *sense     // its kinds with their negations, once somebody asks
	plain      [2]*string // its text without what is masked, and without addresses as well, likewise
	ungoverned *string    // what no guard that opens it governs, likewise
	alone      bool       // its text is read by itself
	goesOn     *bool      // it goes on with what another one named, likewise
}

// effectHints finds which effects and which single sentences can be there at all. The first sets are those of the effects.
type effectHints struct {
	*hint.Finder
	singles []hint.Hits // the sets that each rule wants that counts everywhere
	strong  int         // the set of what things.secret has
}

var effectBy = sync.OnceValue(func() *effectHints {
	x := &effectHints{Finder: &hint.Finder{}}
	for _, e := range effectOf() {
		x.Add(e.hints)
	}
	for _, t := range told().everywhere {
		x.singles = append(x.singles, x.Expect(t.re, t.hints))
	}
	x.strong = x.Add(lang.WordingOf("things.secret").Hints)
	return x
})

// Doings notes what each sentence of a document does, wherever it stands: in its head, in tables, comments and quotations, and in blocks
// that hold no code.
func (f Reader) Doings(code func(lang, text string) bool) (out []Told) {
	before, heading, intro := "", "", ""
	for _, s := range sentences(prose(f.Text, code), 1) {
		switch {
		case strings.HasPrefix(s.Text, "#"):
			heading, intro = s.Text, ""
		case !begins(s.Text) && !strings.HasPrefix(s.Text, ">"):
			intro = ""
		}
		if !source.Ascii(s.Text) {
			s.Text = source.Latin(s.Text)
		}
		t := f.told(s, before)
		if t.near != (hint.Hits{}) {
			f.alone(s, before, t.near)
		}
		t.shown = quotedWhole(s.Text) && (source.Presented(before) || source.Presented(heading) || source.Presented(intro))
		t.denied = begins(s.Text) && !strings.HasPrefix(s.Text, "#") && (source.Denying(heading) && intro == "" || source.Denying(intro))
		out = append(out, t)
		before = s.Text
		if strings.HasSuffix(s.Text, ":") {
			intro = s.Text
		}
	}
	return out
}

// judgeAlone judges sentences of a text that is read by itself, such as one of a program's. It asks nobody for anything but by accident,
// so that only what is grave counts: data that is to be sent away.
func (f Reader) judgeAlone(seen []Sentence) {
	var all []*Told
	before := ""
	for _, s := range seen {
		s.Text = markup.ReplaceAllString(s.Text, " ")
		if t := f.told(s, before); t.means&^idle != 0 {
			t.alone = true
			all = append(all, &t)
		}
		before = s.Text
	}
	for i, t := range all {
		t.asks(all[max(0, i-reach):min(len(all), i+reach+1)], 0)
	}
}

var markup = lazyre.New(`<[^<>]*>`)

// told reads a sentence.
func (f Reader) told(s Sentence, before string) Told {
	if !source.Ascii(s.Text) {
		s.Text = source.Latin(s.Text)
	}
	t := Told{f: f.File, Sentence: s, before: before, near: effectBy().Find(s.Text)}
	t.Text = unlabelled(unlinked(unreported(s.Text)))
	text := t.Text
	if addressed(text) && (strings.Contains(text, "://") || strings.IndexByte(text, '@') >= 0 ||
		hasPlace(text) && barePlace.MatchString(text)) {
		t.places = addressesNamed(text, f.About)
		text = marked(text)
	}
	said := spokenIn(compounds.ReplaceAllString(text, " "))
	t.words = &said
	t.means = words().all(said.stems, things) | t.places
	return t
}

// compounds are named after people and are none.
var compounds = source.Wording("compounds")

// reach is how many sentences apart two can stand that are read together, in either order: an order of sentences can be shuffled.
const reach = 12

// near is how far apart sentences stand whose sum alone can block.
const near = 6

// Judge judges the combined effect of a skill's texts, in reading order. Sentences without a known action are skipped,
// so that padding changes nothing.
func Judge(all []Told, purpose Kind) {
	said := make([]*Told, 0, len(all))
	for i := range all {
		if t := &all[i]; !t.shown && (t.able() || t.means&^idle != 0) {
			said = append(said, t)
		}
	}
	for i, t := range said {
		around := said[max(0, i-reach):min(len(said), i+reach+1)]
		t.together(around)
		t.asks(around, purpose)
	}
}

// ReadAhead reads the sentences of one file, which Judge would otherwise do one file after the other.
func ReadAhead(told []Told) {
	for i := range told {
		if t := &told[i]; t.means != 0 {
			t.reads()
			t.led()
		}
	}
}

// able: the sentence can do something that is judged together with others. What is enough by itself was judged before.
func (t *Told) able() bool {
	if t.near == (hint.Hits{}) {
		return false
	}
	for i := range effectOf() {
		if t.near.Has(i) {
			return true
		}
	}
	return t.near.Has(effectBy().strong)
}

// prose is a document without the names of its head's keys and without its blocks of code. Lines keep their
// numbers.
func prose(text string, code func(lang, text string) bool) string {
	head := ""
	if h := Head(text); h != "" {
		var b strings.Builder
		for l := range strings.SplitSeq(h, "\n") {
			if m := headKey.FindString(l); m != "" {
				b.WriteByte('.') // each value is a sentence of its own
				l = strings.TrimLeft(l[len(m):], "|>-+\"' ")
			}
			b.WriteByte('\n')
			b.WriteString(strings.TrimLeft(l, " "))
		}
		head = b.String()
		text = text[4+len(h):]
	}
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return head + text
	}
	parts := strings.Split(strings.ReplaceAll(text, "~~~", "```"), "```")
	for i := 1; i < len(parts); i += 2 {
		lang, rest, ok := strings.Cut(parts[i], "\n")
		if ok && !strings.ContainsAny(lang, " `") && code(lang, rest) || !ok {
			parts[i] = strings.Repeat("\n", strings.Count(parts[i], "\n"))
		} else {
			parts[i] = "\n" + rest
		}
	}
	return head + strings.Join(parts, "")
}

// headKey is the name of a value in a document's head.
var headKey = lazyre.New(`^\s*(?:- )?[\w-]+:(?:\s+|$)`)

// alone notes what is enough by itself.
func (f Reader) alone(s Sentence, before string, near hint.Hits) {
	for i, x := range told().everywhere {
		if near.All(&effectBy().singles[i]) && (x.held && unwarned(x.re, s.Text) || !x.held && unspared(x.re, s.Text) != nil) {
			f.said(x.Rule, s, "", before, report.High, source.Place{})
		}
	}
}

// Leaves reports whether the sentence has something sent, fetched from elsewhere, or given to somebody who is not named.
func (t *Told) Leaves() bool {
	if found := source.UrlRE.FindAllString(t.Text, 6); len(found) > 0 &&
		!slices.ContainsFunc(found, func(u string) bool { return !source.Local(source.HostOf(u)) }) {
		return false // it stays on this computer
	}
	return t.does(sendsOut) || t.does(fetches) || t.places&kAddress != 0 && t.reads().kinds&kFetch != 0 ||
		t.means&kGive != 0 && t.means&(kKeys|kPrivate|kMaterial) != 0 && t.reads().kinds&kGive != 0 && elsewhere.MatchString(t.Text)
}

// elsewhere are places that a text speaks of without a name.
var elsewhere = source.Wording("elsewhere")

// does reports whether a sentence has an effect. It is looked for when somebody asks: most sentences are asked for none.
func (t *Told) does(x effect) bool {
	if t.asked&x == 0 {
		t.asked |= x
		if t.matches(x) {
			t.e |= x
		}
	}
	return t.e&x != 0
}

func (t *Told) matches(x effect) bool {
	i := bits.TrailingZeros16(uint16(x))
	held := x&(controls|stores) != 0 // to forbid the question is what some of them do
	text := t.Text
	if x == stores && keptOnly(text) {
		text = t.f.WithoutOwn(text)
	}
	if t.near.Has(i) {
		for _, re := range effectOf()[i].each {
			if !held && unspared(re, t.things(x)) != nil {
				return true
			}
			if !held {
				continue
			}
			if unwarned(re, text) {
				return true
			}
		}
	}
	return x == readsPrivate && t.near.Has(effectBy().strong) && unspared(strongObj, t.things(x)) != nil
}

// things is the text that an effect is looked for in, without what only sounds private: what an address is called is no thing.
func (t *Told) things(x effect) string {
	i := 0
	if x == readsPrivate {
		i = 1
	}
	if t.plain[i] == nil {
		s := t.Text
		if i == 1 {
			s = Unaddressed(s)
		}
		s = unmasked(s)
		t.plain[i] = &s
	}
	return *t.plain[i]
}

// together judges a sentence with those around it.
func (t *Told) together(around []*Told) {
	if t.near == (hint.Hits{}) {
		return
	}
	for _, p := range pairs() {
		if !t.can(p.does) || !slices.ContainsFunc(around, func(o *Told) bool { return o.can(p.with) }) || !t.does(p.does) {
			continue // the words that cost little are looked for first
		}
		o, far := t.nearest(p.with, around)
		if o == nil || p.back && o != t && !refersBack.MatchString(t.Text) || p.address && trusted(t) && trusted(o) {
			continue
		}
		sev, whole := report.Medium, false
		if far <= near && (!p.address || strings.Contains(linkTargets.ReplaceAllString(t.Text+" "+o.Text, ""), "://")) {
			sev = report.High
			whole = p.address && (t.ordersFrom() || o.ordersFrom()) || !p.address && o == t
		}
		Reader{t.f}.said(p.id, t.Sentence, "", t.before, sev, source.Place{Whole: whole, Denied: t.denied})
	}
}

// ordersFrom: the sentence names an address, by itself and not behind a link's words, that not everybody trusts. Whoever made the skill
// may have named it after the host: what that answers tomorrow is still not what was reviewed.
func (t *Told) ordersFrom() bool {
	for _, u := range source.UrlRE.FindAllString(linkTargets.ReplaceAllString(t.Text, ""), 4) {
		if h := source.HostOf(u); !source.TrustedHost(h) && !source.Local(h) && !source.Installer(u) {
			return true
		}
	}
	return false
}

// linkTargets are addresses behind a link's words or in markup: they are there to be read.
var linkTargets = lazyre.New(`\]\([^)\s]*\)|\b(?:src|href)=["'][^"']*["']`)

// nearest is the nearest sentence that does something, itself before others, and how far off it is.
func (t *Told) nearest(x effect, around []*Told) (*Told, int) {
	if t.does(x) {
		return t, 0
	}
	at := slices.Index(around, t)
	for far := 1; far <= reach; far++ {
		for _, i := range []int{at - far, at + far} {
			if i >= 0 && i < len(around) && around[i].can(x) && around[i].does(x) {
				return around[i], far
			}
		}
	}
	return nil, 0
}

// can: the sentence has a word that does x.
func (t *Told) can(x effect) bool {
	return t.near.Has(bits.TrailingZeros16(uint16(x))) || x == readsPrivate && t.near.Has(effectBy().strong)
}

// addressed: the text can hold an address, in which a letter or digit follows a dot, or there is an at sign.
func addressed(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '@' || s[i] == ':' && strings.HasPrefix(s[i:], "://") || s[i] == '.' && i+1 < len(s) && wordByte[s[i+1]] {
			return true
		}
	}
	return false
}

// marked is a text with a mere mark for each address: what an address is called names nothing.
func marked(s string) string {
	if !addressed(s) {
		return s
	}
	return withoutAddresses(s, " https ", " https ")
}

// withoutAddresses is a text with other words for its addresses. Each expression runs only where its sign is.
func withoutAddresses(s, link, other string) string {
	if strings.Contains(s, "://") {
		s = source.UrlRE.ReplaceAllString(s, link)
	}
	if strings.IndexByte(s, '@') >= 0 {
		s = mailRE.ReplaceAllString(s, other)
	}
	if !hasPlace(s) {
		return s
	}
	return barePlace.ReplaceAllString(s, other)
}

// Unaddressed is a text without its addresses, whose words say nothing of what is done.
func Unaddressed(s string) string {
	if !addressed(s) {
		return s
	}
	return withoutAddresses(s, "", "")
}

var mailRE = lazyre.New(`[\w.+-]+@[\w.-]+`)

// trusted: the sentence names addresses, and everybody trusts each.
func trusted(t *Told) bool {
	found := source.UrlRE.FindAllString(t.Text, 4)
	for _, u := range found {
		if !source.TrustedHost(source.HostOf(u)) && !source.Installer(u) {
			return false
		}
	}
	return len(found) > 0
}
