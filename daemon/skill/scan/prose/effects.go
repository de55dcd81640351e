package prose

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
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
	hides
)

// effectOf: a sentence has an effect when one of the expressions matches; hints are tried first, one of them is in every match.
var effectOf = []struct {
	e     effect
	hints []string
	re    *lazyre.Regexp
}{
	{readsPrivate, strings.Fields("mail address photo birthday resume history secrets customers manager screen dump passport bank " +
		"identity card secret password credential key kubeconfig words npmrc token saved transcript conversation types notes .env"),
		source.Re(`\b(?:mails|messages|address book|contacts|photographs|photos|birthday|resume|medical|salary)\b|\ball secrets\b|\bsecrets ` +
			`of\b|\btable of (?:customers|users|patients|employees)\b|\bpassword manager\b|\b(?:picture|shot|image)s? of the ` +
			`screen\b|\bpassports?\b|\bbank (?:statements?|details)\b|\b(?:identity|credit) cards?\b|\bdocuments or ` +
			`cards\b|\bkubeconfig\b|\b(?:recovery|seed|backup|twelve|24) (?:recovery )?words\b|\bnpmrc\b|\w_token\b|\bsaved ` +
			`(?:log-?ins?|passwords?)\b|\b(?:tokens?|secrets?|passwords?|credentials?|keys?) (?:that are |which are )?(?:found |stored |set ` +
			`)?(?:in|of|from) (?:the |this )?(?:environment|system|computer|machine|session)\b|\btranscripts?\b|\b(?:everything|whatever|all) ` +
			`(?:that )?the user (?:types|writes|says|enters)\b|~/notes\b`)},
	{sendsOut, strings.Fields("github.com http @ s3:// // bucket endpoint server operator upload form support"),
		source.Re(
			`\b(?:goes|travels?|passed|put|shared?|dump|transmit|upload|push|submit|copy|paste|hand|attach|include|add|open|deliver|send|post|` +
				`mail|forward|report|request|move|write)(?:s|ed|ing)?\b.{0,160}\b(?:to|at|into|onto|in|with|via|through|by|over` +
				`|on|as|for|of|open|from)\b[^,;:]{0,60}(?:https?://|s3://|\bgithub\.com/|\s//[\w.-]+/|` +
				`[\w.+-]+@[\w-]+\.\w|\bbucket\b|\bendpoint\b|\b(?:our|the|a) (?:\w+ ` +
				`)?(?:server|operators|endpoint)(?:[^\w\s]|$| (?:and|or|so|with|as|when|after|before|for|by|at|in|once|which|that|every|each|if` +
				`|then|the|you|it)\b))|\b(?:request|open|get|load|fetch|visit|call)s? [^\w\s]?https?://[^\s?]*\?|(?:https?://` +
				`|[\w.+-]+@[\w-]+\.\w).{0,80}\b(?:followed by|together with|as the (?:query ` +
				`)?parameter)\b`)},
	{fetches, strings.Fields("http gist page download included server channel message documents obtain bring"),
		source.Re(`\b(?:download|retrieve|fetch|get|take|load|pull|grab|ask|query|visit|look ` +
			`up|come|comes|shown|live|lives|install)\b.{0,160}(?:https?://|\bgist\b)|(?:https?://|\bgist\b).{0,120}\b(?:download|retrieve|fetch|` +
			`load|for further)\b|\b(?:look|save|obtain|use|set)\b.{0,120}(?:https?://|\bfrom ` +
			`[\w-]+(?:\.[\w-]+)+)|\bchannel\b|\b(?:documents?|pages?|messages?) (?:may |can )?(?:carry|contain|hold)\b|\b(?:not included|` +
			`must be ` +
			`downloaded|has to be downloaded)\b`)},
	{executes, strings.Fields("right trust run start launch execut evaluat paste"),
		source.Re(
			`\b(?:run|start|launch|execute|evaluate|open)s? (?:it|them|the (?:text|file|program|helper|result|answer|line|module))\b|\bmake it ` +
				`executable\b|\b(?:right|permission) to be executed\b|\btrust (?:that|this|the) (?:host|source|index)\b|\bpress ` +
				`(?:return|enter)\b|\b(?:launch|run|start|execute) \S+\.(?:exe|bin|sh|dmg|msi|pkg|appimage)\b|\bload the ` +
				`(?:text|code)\b.{0,40}\bevaluate\b`)},
	{
		obeys, strings.Fields(
			"comply tells script overwrite anew authority carry obey perform follow treat precedence command instruction job step"),
		source.Re(`\b(?:carry out|obey|follow|do|perform|execute) (?:whatever|everything|what|anything|all that) (?:it|they|that|the ` +
			`(?:page|file|text|answer|server))?\s?(?:says?|stands?|asks?|tells?|names?|orders?)\b|\btreat (?:its|the|this|that) ` +
			`(?:text|content|answer)s? as (?:part|instructions|if)\b|\b(?:answer|page|text|response|file)s? (?:contains?|holds?|has) (?:the ` +
			`)?(?:commands|instructions|steps)\b|\b(?:further|new|next|more) (?:jobs|commands|instructions|orders|tasks) and ` +
			`(?:perform|execute|carry out|run|do)\b|\bdo as (?:it|they|he|the \w+) (?:tells?|says?|asks?)\b|\bcomply with ` +
			`(?:it|them|this|these|those|all)\b|\b(?:message|text|line|answer|note)s?\b.{0,40}\b(?:is|are) (?:a |an ` +
			`)?(?:scripts?|commands?|orders?) that you (?:should|must|have to|are to)\b|\boverwrite \S*skill\.md\b|\b(?:same|full) authority as ` +
			`the (?:user|owner|developer)\b|\btakes? precedence over (?:everything|all|anything|what)\b`)},
	{stores, strings.Fields("permanently good notes starts claude remember memory agents.md claude.md soul.md settings from future later " +
		"always session personality"),
		source.Re(`\b(?:agents|claude|gemini|memory|soul|identity)\.md\b|\b(?:long-term|persistent|permanent) memory\b|\byour (?:own )?notes ` +
			`about\b|\bpermanently\b|\bfor good\b|\beach time the (?:assistant|agent) starts\b|\.claude/|\.codex/|\.openclaw/|\byour ` +
			`(?:memory|personality|identity|settings)\b|\bsettings of the (?:assistant|agent)\b|\bremember (?:for|in|from|that)\b|\bfrom now ` +
			`on\b|\bin (?:all|every) (?:later|future|project|session|conversation)s?\b|\bfor all (?:future|later) (?:sessions|conversations)\b`)},
	{controls, strings.Fields("bash(*) approved paid transfers restrictions persona load applying obey question ask permission allowed " +
		"bound replace always stays warning requests rules false"),
		source.Re(`bash\(\*\)|\bhas (?:already )?approved\b|\b(?:paid|transferred|approved|accepted|allowed|executed) without (?:a |any ` +
			`)?(?:check|question|review)\b|\bno restrictions\b|\b(?:keeps?|goes on) (?:applying|being valid)\b|\bhas to (?:load|read|use) this ` +
			`skill\b|\b(?:be )?obeyed\b|\bwithout (?:a )?(?:question|asking|confirmation)s?\b|\b(?:do not|don't|never) question\b|\bany ` +
			`permission\b|\ballowed\b.{0,60}\b(?:every|all|from now on|always)\b|\bno longer bound\b|\breplace (?:them|your|all|the ` +
			`(?:rules|instructions))\b|\balways on\b|\bstays? after\b|\bwarnings?\b.{0,80}\bfalse positives?\b|\ball (?:outgoing |network ` +
			`)?requests (?:go|must go|are sent) (?:through|to|via)\b`)},
	{hides, []string{"as if", "our secret", "find out", "among", "describe the", "describe this", "describe that", "attention", "skip th",
		"skip it", "say that", "without mention", "without telling", "without inform", "without saying", "without a word", "without the user",
		"to bring", "to mention", "to tell", "to say", "to report", "leave it", "leave th", "yourself", "the user m", "the user should",
		"the user need", "the user shall", "user the ", "never reveal", "pretend", "would be", "would only be", "answer only", "that " +
			"everything"},
		source.Re(
			`\blooks? as if\b|\b(?:is|stays|remains) our secret\b|\b(?:user|customer|reader|owner|client) (?:does|do|did) not find out\b|\bdo ` +
				`not (?:list|count|name|record|log) (?:this|that|it) among\b|\bdescribe (?:the|this|that) (?:commit|change|update) as\b.{0,20` +
				`}\b(?:a ` +
				`change of|formatting|cosmetic|routine)\b|\b(?:keep|draw|lead) the attention of the user\b|\b(?:if|when) the user ` +
				`(?:wonders|asks|notices|complains)\b.{0,60}\bsay that\b|\bskip (?:this|that|it)\b.{0,20}\bwhen you ` +
				`(?:read|report|explain|show)\b|\bwithout (?:mentioning (?:it|this|that|them)(?:[^\w\s]|$| (?:to|in|and|or|so` +
				`|when|anywhere)\b)|mentioning[.,]|(?:telling|informing) (?:the |your` +
				` )?(?:users?|owner|person|them|anyone|anybody|him|her)|` +
				`telling[.,]|saying so|a word|the user (?:knowing|noticing))|\b(?:no ` +
				`need|not necessary|unnecessary) to (?:bring (?:this|it|that) up|(?:mention|say|report)` +
				`(?: (?:it|this|that|them|any|so|anything|the)\b|[^\w\s]|$)|tell (?:the (?:user|person|human|owner)|them|anyone|anybody|him|her)\b)|` +
				`\bleave (?:it|this|that|them) out of ` +
				`(?:your|the) (?:summary|answer|report|reply|output)\b|\bkeep (?:it|this|that) to yourself\b|\bthe user ` +
				`(?:must|should|may|need|shall) (?:not|never) (?:learn|know|notice|see|hear|be told)\b|\bshow the user (?:the|a|another) (?:\w+ ` +
				`)?(?:version|text|copy) without\b|\bnever reveal (?:this|that|these|the (?:paragraph|section|step|part|text)|it)\b|\bpretend ` +
				`(?:that|to)\b|\bthe user would (?:only )?be (?:confused|disturbed|worried|alarmed)\b|\banswer only that\b|\breport that everything` +
				` ` +
				`(?:was|is|went)\b`)},
}

// refersBack: it goes on about what was named before.
var refersBack = source.Re(
	`\b(?:it|them|both|that|this|these|its contents?|the contents?|copies|the archive|the transcript|followed by|carries|along|the ` +
		`(?:\w+ )?(?:collection|dump|pictures?|body|resume|notes|data|result))\b`)

// single are sentences that are enough by themselves.
var single = []struct {
	rule  string
	hints []string
	re    *lazyre.Regexp
}{
	{"prompt-destruction", strings.Fields("delete erase wipe remove"),
		source.Re(`\b(?:delete|erase|wipe|remove)s? (?:all |the |every )?(?:backups?|snapshots?|(?:shell )?history|restore points)\b`)},
	{"prompt-security-off", strings.Fields("firewall scanner antivirus prompts certificate"),
		source.Re(`\b(?:switch|turn)s? off (?:the |all ` +
			`)?(?:firewall|virus|antivirus|security|confirmation prompts|permission|certificate)|\bdisable (?:the |all )?(?:firewall|virus ` +
			`scanner|antivirus|confirmation prompts)\b|\baccept (?:every|any|all) certificates?\b`)},
	{"prompt-no-consent", strings.Fields("approve confirm"), source.Re(`\b(?:approve|confirm|accept)s? (?:pending |all |every ` +
		`)?(?:requests?|prompts?|questions?) (?:on (?:their|the user's|its) behalf|in (?:their|the user's) (?:name|place))\b`)},
	{"privilege-permanent", strings.Fields("account user authorised authorized"), source.Re(`\bcreate an? (?:\w+ ` +
		`)?(?:account|user)\b.{0,80}\b(?:all|full|admin\w*) (?:rights|privileges|access)\b|\badd (?:the|this|our) (?:\w+ )?key\b.{0,60}\bto ` +
		`the authori[sz]ed keys\b`)},
	{"prompt-exfiltration", strings.Fields("transfer blind bcc"),
		source.Re(`\btransfer\b.{0,60}\b(?:balance|coins|funds|wallet)\b.{0,60}\bto ` +
			`(?:\S*\d\S*|our|us)\b|\badd [\w.+-]+@[\w-]+\.[\w.-]+ (?:in|as|to) (?:the )?(?:blind copy|bcc)\b`)},
	{"protection-off", strings.Fields("exclude defender"),
		source.Re(`\bexcludes? (?:the )?(?:whole|entire|all of)\b.{0,40}\bfrom (?:its|the|all|their) scans?\b`)},
	{"privilege-permanent", strings.Fields("root admin"),
		source.Re(`\ballow (?:root|administrators?|everyone|anyone)\b.{0,40}\b(?:sign|log) in\b.{0,60}\bpassword\b`)},
	{"destructive", strings.Fields("branches history"),
		source.Re(`\bremove all branches\b|\brewrite the history\b.{0,60}\b(?:single|one|new)\b`)},
	{"prompt-exfiltration", strings.Fields("payments payouts money card"),
		source.Re(`\b(?:payments?|payouts?|money|salary)\b.{0,80}\b(?:which is ours|that is ours|to our (?:account|card|wallet))\b`)},
	{"prompt-no-consent", strings.Fields("unlock open"),
		source.Re(`\b(?:unlock|open)\b.{0,40}\b(?:door|gate|garage|port \d+)\b.{0,40}\b(?:at \d|to (?:everyone|anyone|all))`)},
	{"persistence", strings.Fields("login startup profile"),
		source.Re(`\bprofile of the shell\b.{0,80}\b(?:starts?|runs?)\b|\b(?:returns?|comes? ` +
			`back|restarts?) when (?:somebody|someone|the user|it is) (?:deletes?|deleted|removes?|removed|stops?)\b`)},
	{"prompt-exfiltration", strings.Fields("recovery seed twelve"),
		source.Re(`\bask (?:the user )?for (?:the|their) (?:\w+ )?(?:recovery|seed) (?:words|phrase)\b`)},
}

// Told is a sentence with the file it is in, and what is known of it so far.
type Told struct {
	f *source.File
	Sentence
	before string
	shown  bool       // a quotation that is presented as something bad
	near   hint.Hits  // what it can do at all
	asked  effect     // what was looked for
	e      effect     // and found
	kinds  Ask        // of its words and of the addresses it names
	means  Kind       // the same by the lexicon, whatever stands around them
	places Ask        // the latter
	sense  *sense     // its kinds with their negations, once somebody asks
	asks1  *Ask       // what it asks for by its own words, likewise
	plain  [2]*string // its text without what is masked, and without addresses as well, likewise
	opened *bool      // a guard opens it, likewise
}

// effectHints finds which effects and which single sentences can be there at all. The first sets are those of the effects.
type effectHints struct {
	*hint.Finder
	singles []hint.Hits // the sets that each of single wants
	strong  int         // the set of objHints
}

var effectBy = sync.OnceValue(func() *effectHints {
	x := &effectHints{Finder: &hint.Finder{}}
	for i := range effectOf {
		x.Add(effectOf[i].hints)
	}
	for i := range single {
		x.singles = append(x.singles, x.Expect(single[i].re, single[i].hints))
	}
	x.strong = x.Add(objHints)
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
		near := effectBy().Find(s.Text)
		if near != (hint.Hits{}) {
			f.alone(s, before, near)
		}
		t := Told{f: f.File, Sentence: s, before: before, near: near}
		t.shown = quotedWhole(s.Text) && (source.Presented(before) || source.Presented(heading) || source.Presented(intro))
		t.Text = unlinked(unreported(s.Text))
		t.places = addressesNamed(t.Text, f.About)
		ws := Stems(compounds.ReplaceAllString(marked(t.Text), " "))
		t.kinds = Kinds(ws) | t.places
		t.means = meaningOf().all(ws, things) | t.reaches()
		out = append(out, t)
		before = s.Text
		if strings.HasSuffix(s.Text, ":") {
			intro = s.Text
		}
	}
	return out
}

// compounds are named after people and are none.
var compounds = source.Re(`\b(?:developer|vendor|publisher|author|maintainer|creator|administrator|admin|owner)(?:'s)? ` +
	`(?:messages?|modes?|tools?|console|portal|docs?|documentation|guides?|api|programs?|settings?|panel|pages?|dashboard|roles?|prompts?|` +
	`fields?)\b`)

// reach is how many sentences apart two can stand that are read together, in either order: an order of sentences can be shuffled.
const reach = 12

// near is how far apart sentences stand whose sum alone can block.
const near = 6

// idle are kinds that most sentences have, and that come to nothing by themselves.
const (
	idle        = aMaterial | aMove | aPlace | aAct | aGood | aBad
	idleMeaning = iMaterial | iTell | iAsk | iSource | iCollect | iFetch | iEvery | iGuard
)

// Judge judges the combined effect of a skill's texts, in reading order. Sentences without a known action are skipped,
// so that padding changes nothing.
func Judge(all []Told, purpose Ask) {
	said := make([]*Told, 0, len(all))
	for i := range all {
		if t := &all[i]; !t.shown && (t.able() || t.kinds&^idle != 0 || t.means&^idleMeaning != 0) {
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
	for i := range effectOf {
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
	for i, x := range single {
		if near.All(&effectBy().singles[i]) && unspared(x.re, s.Text) != nil {
			f.said(x.rule, s, "", before, report.High, source.Place{})
		}
	}
	if t := (&Told{Sentence: s, near: near}); t.does(hides) {
		f.said("prompt-conceal", s, "", before, report.High, source.Place{})
	}
}

// Leaves reports whether the sentence has something sent, fetched from elsewhere, or given to somebody who is not named.
func (t *Told) Leaves() bool {
	if found := source.UrlRE.FindAllString(t.Text, 6); len(found) > 0 &&
		!slices.ContainsFunc(found, func(u string) bool { return !source.Local(source.HostOf(u)) }) {
		return false // it stays on this computer
	}
	return t.does(sendsOut) || t.does(fetches) || t.places&aAddress != 0 && t.reads().kinds&iFetch != 0 ||
		t.means&iGive != 0 && t.means&(iKeys|iPrivate|iMaterial) != 0 && t.reads().kinds&iGive != 0 && elsewhere.MatchString(t.Text)
}

// elsewhere are places that a text speaks of without a name.
var elsewhere = source.Re(`\b(?:servers?|endpoints?|back ?end|cloud|web ?hooks?|remote|online|the internet|services?|collectors?` +
	`|dashboards?|our (?:\w+ )?(?:team|` +
	`side|desk|office|partners?|staff))\b`)

// reaches are the addresses that a sentence names, as the lexicon's kinds.
func (t *Told) reaches() (k Kind) {
	if t.places&aAddress != 0 {
		k |= iAddress
	}
	if t.places&aTaker != 0 {
		k |= iTaker
	}
	if t.places&aMailbox != 0 {
		k |= iMailbox
	}
	return k
}

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
	held := x&(hides|controls|stores) != 0 // to forbid the question is what some of them do
	if t.near.Has(i) {
		re := effectOf[i].re
		if !held && unspared(re, t.things(x)) != nil {
			return true
		}
		if m := re.FindStringIndex(t.Text); held && m != nil && !warned.MatchString(t.Text[:m[0]]) && !denied.MatchString(t.Text[m[1]:]) {
			return true
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
	one := func(x effect) *Told { // the first that does x, itself before others
		if t.does(x) {
			return t
		}
		for _, o := range around {
			if o != t && o.near.Has(bits.TrailingZeros16(uint16(x))) && o.does(x) {
				return o
			}
		}
		return nil
	}
	note := func(rule string, sev report.Severity) {
		Reader{t.f}.said(rule, t.Sentence, "", t.before, sev, source.Place{})
	}
	if t.does(sendsOut) {
		switch o, far := t.private(around); {
		case o == nil:
		case o == t, refersBack.MatchString(t.Text) && far <= near:
			note("prompt-exfiltration", report.High)
		case refersBack.MatchString(t.Text):
			note("prompt-exfiltration", report.Medium)
		}
	}
	for _, x := range []struct {
		does effect
		rule string
	}{{obeys, "prompt-remote-instructions"}, {executes, "fetch-execute"}} {
		if !t.does(x.does) {
			continue
		}
		if o := one(fetches); o != nil && !(trusted(t) && trusted(o)) {
			sev := report.Medium
			if strings.Contains(linkTargets.ReplaceAllString(t.Text+" "+o.Text, ""), "://") && t.nearTo(o, around) {
				sev = report.High
			}
			note(x.rule, sev)
		}
		break
	}
	for _, x := range [][2]effect{{controls, stores}, {stores, controls}} {
		if !t.does(x[0]) {
			continue
		}
		if o := one(x[1]); o != nil {
			sev := report.Medium
			if t.nearTo(o, around) {
				sev = report.High
			}
			note("agent-memory", sev)
			break
		}
	}
}

// linkTargets are addresses behind a link's words or in markup: they are there to be read.
var linkTargets = lazyre.New(`\]\([^)\s]*\)|\b(?:src|href)=["'][^"']*["']`)

// nearTo: the other sentence stands near enough to be meant.
func (t *Told) nearTo(o *Told, around []*Told) bool {
	far := slices.Index(around, t) - slices.Index(around, o)
	return far*far <= near*near
}

// private is the nearest sentence that names something private, itself before others, and how far off it is.
func (t *Told) private(around []*Told) (*Told, int) {
	if t.does(readsPrivate) {
		return t, 0
	}
	at := slices.Index(around, t)
	for far := 1; far <= reach; far++ {
		for _, i := range []int{at - far, at + far} {
			if i >= 0 && i < len(around) && around[i].does(readsPrivate) {
				return around[i], far
			}
		}
	}
	return nil, 0
}

// marked is a text with a mere mark for each address: what an address is called names nothing.
func marked(s string) string {
	if !strings.ContainsAny(s, ".@") {
		return s
	}
	return barePlace.ReplaceAllString(mailRE.ReplaceAllString(source.UrlRE.ReplaceAllString(s, " https "), " "), " ")
}

// Unaddressed is a text without its addresses, whose words say nothing of what is done.
func Unaddressed(s string) string {
	return barePlace.ReplaceAllString(mailRE.ReplaceAllString(source.UrlRE.ReplaceAllString(s, ""), ""), "")
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
