package prose

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// Sentence is a piece of prose with where it stands.
type Sentence struct {
	Text string // as it is read: lower case, without marks
	Said string // as it stands there, on one line: what a finding quotes
	Line int
}

// sentences cuts text. A sentence never spans more than a paragraph nor 1,200 bytes, which bounds every expression's work.
func sentences(text string, line int) []Sentence {
	var out []Sentence
	start, from := 0, line
	cut := func(end int) {
		piece := text[start:end]
		lead := len(piece) - len(strings.TrimLeft(piece, " \t\r\n"))
		s := plainQuotes.Replace(strings.ToLower(unstressed(piece)))
		if strings.Contains(s, "insert into ") {
			s = insertSQL.ReplaceAllString(s, "") // what rows hold is read, that a table gets them is nobody's order
		}
		if len(s) > 3 {
			out = append(out, Sentence{s, strings.Join(strings.Fields(piece), " "), from + strings.Count(piece[:lead], "\n")})
		}
		from += strings.Count(piece, "\n")
		start = end
	}
	for i := 0; i < len(text); i++ {
		end := false
		switch text[i] {
		case '.', '!', '?', ';':
			end = i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '"'
			if end && i+1 < len(text) && text[i+1] == '"' && (i+2 == len(text) || text[i+2] == ' ' || text[i+2] == '\n') {
				i++ // the quotation ends with its sentence
				break
			}
			if end && text[i] == ';' && within(text[start:i], text[i:]) {
				end = false // a quotation is one thing
			}
			if end && text[i] == '.' && i > 1 && strings.HasSuffix(text[:i], "e.g") {
				end = false
			}
		case '|':
			end = i > 0 && text[i-1] != '\\' && inRow(text, i) // a cell says what it says
		case '\n':
			end = i+1 < len(text) && (text[i+1] == '\n' || begins(text[i+1:]))
		case 0xe3: // the ideographic full stop
			if strings.HasPrefix(text[i:], "。") {
				i += 2
				end = true
			}
		}
		if end || i-start > 1200 {
			cut(i + 1)
		}
	}
	if start < len(text) {
		cut(len(text))
	}
	return out
}

// within: a quotation that began before ends soon after, in the same line.
func within(before, after string) bool {
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i:]
	}
	after = after[:min(len(after), 80)]
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	if strings.Count(before, `"`)%2 == 1 && strings.Contains(after, `"`) {
		return true
	}
	return strings.LastIndex(before, "“") > strings.LastIndex(before, "”") && strings.Contains(after, "”")
}

var plainQuotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "’", "'", "‘", "'")

// unstressed is a piece of text with single blanks, without the marks that only change how words look.
func unstressed(piece string) string {
	words := unfilled(strings.Fields(piece))
	for i, w := range words {
		if c := w[0]; c == '_' || c == '*' || c == '~' || c == '>' && len(w) > 1 {
			w = strings.TrimLeft(w, "_*~>")
		}
		if strings.HasPrefix(piece, "_") || strings.ContainsAny(w, "*~") || strings.HasSuffix(w, "_") {
			end := len(strings.TrimRight(w, ".,;:!?\"')"))
			w = strings.TrimRight(w[:end], "_*~") + w[end:]
		}
		words[i] = w
	}
	if len(words) > 0 && words[0] == "" {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// unfilled are words without long runs of what says nothing: signs and digits, and the same word again and again. Whoever
// fills a sentence in is read as though they had not.
func unfilled(words []string) []string {
	const long = 8
	out, run := words[:0:0], 0
	for i, w := range words {
		if strings.IndexFunc(w, unicode.IsLetter) < 0 || i > 0 && same(w, words[i-1]) || i+1 < len(words) && same(w, words[i+1]) {
			run++
		} else {
			run = 0
		}
		out = append(out, w)
		if run == long {
			out = out[:len(out)-long]
		} else if run > long {
			out = out[:len(out)-1]
		}
	}
	return out
}

// same: two words differ in the marks around them at most.
func same(a, b string) bool { return strings.Trim(a, marks) == strings.Trim(b, marks) }

const marks = "`\"'()*_,"

// inRow: the sign stands in a line that is a table's row.
func inRow(text string, i int) bool {
	start := strings.LastIndexByte(text[:i], '\n') + 1
	return strings.HasPrefix(strings.TrimLeft(text[start:min(len(text), start+8)], " "), "|")
}

// begins: a list's item, a heading or a table's row begins here.
func begins(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 12)], " \t")
	if len(s) < 2 {
		return false
	}
	switch s[0] {
	case '-', '*', '+':
		return s[1] == ' '
	case '#', '|':
		return true
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' '
}

// Topic: skills whose subject are attacks may quote them.
var Topic = source.Wording("topic.attacks")

// Reader judges what the sentences of a file ask for.
type Reader struct{ *source.File }

// Of reads a file.
func Of(f *source.File) Reader { return Reader{f} }

// Tell judges the sentences of a text.
func (f Reader) Tell(text string, line int, p source.Place) {
	if len(text) < 8 {
		return
	}
	seen := sentences(text, line)
	for i, s := range seen {
		before := ""
		if i > 0 {
			before = seen[i-1].Text
		}
		f.sentence(s, before, p)
	}
	for i, s := range seen {
		next := ""
		if i+1 < len(seen) {
			next = seen[i+1].Text
		}
		f.Prerequisite(s, next, p)
	}
	if f.Kind != source.Markdown && !p.Cue() {
		f.judgeAlone(seen)
	}
}

// sentence judges one by all wordings.
func (f Reader) sentence(s Sentence, before string, p source.Place) {
	raw := s.Text
	read := raw
	if !source.Ascii(raw) {
		read = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(source.Latin(raw))
	}
	hints := toldBy()
	said := hints.Find(read)
	other := said
	if read != raw {
		other = hints.Find(raw)
	}
	for i := range told().placed {
		t := &told().placed[i]
		text, seen := read, &said
		if t.foreign {
			text, seen = raw, &other
		}
		if !seen.All(&hints.wanted[i]) {
			continue
		}
		if t.only != nil && !t.only.MatchString(text) {
			continue
		}
		if t.Rule == "agent-memory" && keptOnly(text) {
			text = f.WithoutOwn(text)
		}
		m := t.find(text)
		if m == nil {
			continue
		}
		sev := t.severity
		if t.raised != nil && t.raised.MatchString(text) {
			sev = report.High
		}
		if t.Rule == "prompt-override" && !t.foreign && sev != report.Medium && limited.MatchString(text[m[0]:]) {
			sev = report.Medium // any that what is read holds
		}
		if t.Rule == "prompt-override" && !t.foreign && carried.MatchString(text[:m[0]]) {
			sev = report.Medium // what a text says that is looked at
		}
		if t.Rule == "prompt-conceal" && !t.foreign && ofThings(text, m) {
			sev = report.Medium
		}
		if t.Rule == "prompt-conceal" && !t.foreign && keepsData(text, m) {
			sev = report.Medium
			if fieldNames(text, m) {
				sev = report.Low
			}
		}
		f.said(t.Rule, s, text[m[0]:m[1]], before, sev, p)
	}
}

// insertSQL is the syntax of a statement around the values of its rows.
var insertSQL = lazyre.New("\\binsert into [\\w.`\"]+ ?\\([\\w\\s,.`\"]*\\)\\s*values\\b")

// keptOnly: what is said of a file of data is that it is kept, and not that anybody goes by it.
func keptOnly(text string) bool {
	return words().all(Stems(text), 0)&(kObey|kOrder|kForYou|kStanding|kLong|kEvery|kUnasked|kHush|kLatitude|kSelf) == 0
}

// find is the telling's first match that no guard governs.
func (t *telling) find(text string) []int {
	for _, m := range t.re.FindAllStringIndex(text, 6) {
		if i := m[0]; i > 1 && text[i-1] == '-' && wordByte[text[i-2]] {
			continue // the end of a name that is put together
		}
		if aboutDeeds[t.Rule] && question.MatchString(text) {
			continue // it asks, and asks for nothing
		}
		if t.Rule == "prompt-no-consent" && gerund.MatchString(text) && !finite.MatchString(text) {
			continue // it names a mistake and asks for nothing
		}
		if t.foreign && (byHand.MatchString(text[m[1]:]) || t.Rule == "prompt-exfiltration" && notTo.MatchString(text[m[1]:])) {
			continue
		}
		if t.severity == report.Medium && negatedList.MatchString(text[:m[0]]) {
			continue // do not drop, change or silently keep a row
		}
		if t.Rule == "prompt-conceal" && !t.foreign && (anotherClause.MatchString(text[m[0]:m[1]]) || instructs.MatchString(text[m[1]:])) {
			continue
		}
		if t.Rule == "prompt-conceal" && !t.foreign && onlyStates(text, m) {
			continue
		}
		if t.Rule == "prompt-override" && (foundInData(text[m[0]:]) || byAnother.MatchString(text[m[0]:m[1]])) {
			continue
		}
		if t.Rule == "prompt-conceal" && !t.foreign && ofAnother(text, m) {
			continue
		}
		if (t.unless == nil || !t.unless.MatchString(text[:m[0]])) && !t.excused(text, m) {
			return m
		}
	}
	return nil
}

// ofAnother: how something is done, said last of a thing, belongs to the verb that follows it: the upload silently fails.
func ofAnother(text string, m []int) bool {
	ws := Stems(text[:m[0]])
	return len(ws) > 0 && whose(ws[len(ws)-1]) && adverbLast.MatchString(text[m[0]:m[1]]) && verbAfter.MatchString(text[m[1]:])
}

var (
	adverbLast = source.Wording("adverb.last")
	verbAfter  = source.Wording("verb.after")
)

var (
	gerund = lazyre.New(`^\W*(?:\d+\W+)?[a-z]{3,}ing\b`)
	finite = source.Wording("finite")
	// question: what is asked is whether or what, not that something be done.
	question = source.Wording("question")
	// anotherClause: who is named stands in another clause than what is not said.
	anotherClause = source.Wording("another.clause")
	byHand        = source.Wording("others.byhand") // likewise
	notTo         = source.Wording("others.denied") // the negation stands behind the object, before where it would go
	byAnother     = source.Wording("by.another")    // what is bypassed stands before the deed by which it is
	negatedList   = source.Wording("negated.list")
	// instructs: what is not told is to do something, and no news of what was done.
	instructs = source.Wording("instructs")
)

// foundIn is where orders stand that are not to be followed, ownOrders who gives an agent those that it is to follow.
var (
	foundIn   = source.Wording("orders.found")
	ownOrders = source.Wording("orders.own")
)

// foundInData: the orders that are to be ignored stand in what is looked at.
func foundInData(text string) bool {
	m := foundIn.FindStringSubmatchIndex(text)
	return m != nil && !ownOrders.MatchString(text[m[2]:m[3]]) && !ownOrders.MatchString(text[:m[0]])
}

// shownTo is a verb of showing or telling with what is shown and to whom. The first verbs take a thing, not a deed, when none is named.
var (
	shownTo   = source.Wording("shown.to")
	clauseEnd = lazyre.New(`[,;:(|]|[—–]|\s-\s|$`)
	ofYours   = source.Wording("yours")
)

// keepsData: what the user is not told or shown is a thing that a program has, such as its internal names. A deed of the agent's, what was
// named before, and whatever is private are no such thing; neither is nothing at all after a verb of telling.
func keepsData(text string, m []int) bool {
	rest := text[m[1]:]
	what, showing := rest[:clauseEnd.FindStringIndex(rest)[0]], false
	if v := shownTo.FindStringSubmatchIndex(text[m[0]:m[1]]); v != nil {
		said := text[m[0]:m[1]]
		what, showing = said[v[4]:v[5]], v[2] >= 0
	}
	if strings.IndexFunc(what, unicode.IsLetter) < 0 {
		return showing
	}
	if q := strings.TrimLeft(what, " :"); q != "" && (q[0] == '"' || q[0] == '\'') {
		return true // in what words to say something else
	}
	ws := Stems(what)
	return words().all(ws, things)&(deeds|kKeys|kPrivate|kMoney|kVital|kDoor|kStanding) == 0 && !slices.ContainsFunc(ws, back) &&
		!ofYours.MatchString(what)
}

// limited: which instructions are meant is said behind them.
var limited = source.Wording("orders.limited")

// ofThings: what nothing is said about is what the clause before is about, in which nothing is done.
func ofThings(text string, m []int) bool {
	if !aboutIt.MatchString(text[m[0]:m[1]]) || people(Stems(text[m[0]:m[1]])[0]) {
		return false
	}
	ws := Stems(text[:m[0]])
	if len(ws) < 3 || words().all(ws, 0)&(deeds|kKeys|kPrivate|kTheirs|kMoney|kVital|kDoor|kStanding|kUnasked|kHush) != 0 {
		return false
	}
	return ws[len(ws)-1] == ","
}

var aboutIt = source.Wording("about.it")

// fieldNames: what is not shown are names of fields, each marked as code.
func fieldNames(text string, m []int) bool {
	v := shownTo.FindStringSubmatchIndex(text[m[0]:m[1]])
	return v != nil && codeNames.MatchString(text[m[0]:m[1]][v[4]:v[5]])
}

var codeNames = lazyre.New("^\\W*(?:`[\\w.]+`(?:\\s*,\\s*|\\s+(?:or|and|nor)\\s+|\\s*/\\s*)?)+\\s*$")

// excused: the excuse stands before the deed, within it, or is what the deed is done to, which follows at once.
func (t *telling) excused(text string, m []int) bool {
	if t.excuse == nil {
		return false
	}
	for _, e := range t.excuse.FindAllStringIndex(text, 6) {
		if e[0] <= m[1]+1 {
			return true
		}
	}
	return false
}

// said notes what a sentence says, weighed by its place.
func (f Reader) said(rule string, s Sentence, match, before string, sev report.Severity, p source.Place) {
	if sev == "" {
		sev = report.ByID[rule].Severity
	}
	cited := p.Quoted || inQuotes(s.Text, match)
	attack := named[rule] && cited && attackNamed(s.Text, match)
	presented := cited && (source.Presents(s.Text, place(s.Text, match)) || reportedIn(s.Text, match))
	cue := p.Cue() || names(s.Text) || attack || presented || source.Presented(before)
	if rule == "agent-memory" && sev.AtLeast(report.Medium) && p.Hidden == "" && !p.Head && ownMemory.MatchString(strings.ToLower(f.Says)) {
		rule, sev = "writes-instructions", report.Medium // it is what the skill is for
	}
	switch {
	case sev != report.Medium:
	case rule == "prompt-no-consent" && !reaches(s.Text, before):
		sev = report.Low // it is done to the task at hand
	case rule == "agent-memory-project" && aboutMemory.MatchString(strings.ToLower(f.Says)):
		rule = "writes-instructions" // it is what the skill is for
	}
	if p.Literal && !p.Head && rule == "prompt-no-consent" {
		sev = report.AtMost(sev, report.Low) // what a program's option or message says
	}
	if p.Denied && rule != "prompt-conceal" && p.Hidden == "" {
		sev = report.AtMost(sev, report.Medium) // it says never, and the item is what is never done
	}
	if p.Forbids && forbidden[rule] && p.Hidden == "" {
		sev = report.AtMost(sev, report.Low) // it stands in a list of what is never to be done
	}
	switch {
	case p.Hidden != "":
		f.Add(p.Hidden, s.Line, s.Said, report.With{Severity: raise(sev)})
		return
	case cited && cue:
		sev = report.AtMost(sev, report.Medium)
		if f.Teaches || attack {
			sev = report.Low
		}
	}
	f.Add(rule, s.Line, s.Said, report.With{Severity: sev,
		Weak: weakRules[rule] && !p.Whole && !(rule == "prompt-exfiltration" && strongObj.MatchString(s.Text))})
}

// place is where a match stands, the end of the sentence when it is not told.
func place(s, match string) int {
	if i := strings.Index(s, match); i >= 0 && match != "" {
		return i
	}
	return len(s)
}

// names: the sentence is a list of patterns, each marked as code, and says nothing beyond what they are called.
func names(s string) bool {
	spans := quotation.FindAllString(s, 20)
	rest := quotation.ReplaceAllString(bracketed.ReplaceAllString(s, ""), "")
	return len(spans) > 2 && strings.IndexFunc(rest, unicode.IsLetter) < 0
}

var bracketed = lazyre.New(`\([^()` + "`" + `]*\)\W*$`)

// reaches: what is done, in a sentence or the one before it, goes beyond the task at hand: it is given away, destroyed, paid, run,
// lasting or anything at all, or it is done to something of the user's. A deed counts where a verb stands, not where its word is a thing.
func reaches(texts ...string) bool {
	for _, s := range texts {
		if reads(s).kinds&reaching != 0 {
			return true
		}
	}
	return false
}

const reaching = kOut | kObey | kDestroy | kPay | kMoney | kWeaken | kDoor | kRedirect | kForUser |
	kKeys | kPrivate | kTheirs | kBlanket | kVital | kRestore | kStanding

// aboutMemory: what a project tells agents is what the skill is for.
var (
	aboutMemory = source.Wording("memory.purpose")
	ownMemory   = source.Wording("memory.own")
)

// aboutDeeds are rules about deeds of the agent that a question can ask about.
var aboutDeeds = source.Words("prompt-no-consent agent-memory agent-memory-project persistence")

// forbidden are rules about deeds that a list of what is never to be done can name. Nothing takes concealment back, or data away.
var forbidden = source.Words("prompt-no-consent prompt-destruction destructive prompt-security-off persistence")

// weakRules are those whose words also stand in honest texts.
var weakRules = source.Words(
	"prompt-conceal prompt-no-consent prompt-remote-instructions prompt-hijack prompt-jailbreak prompt-authority " +
		"prompt-exfiltration prompt-destruction agent-memory persistence destructive")

// raise: text that only the agent sees is one step graver.
func raise(s report.Severity) report.Severity {
	if s.AtLeast(report.High) {
		return report.Critical
	}
	return report.High
}

// reportedIn: the quotation with the match is what somebody else may say.
func reportedIn(s, match string) bool {
	i := strings.Index(s, match)
	if i < 0 {
		return false
	}
	q := strings.LastIndexAny(s[:i], "\"“„«`")
	return q >= 0 && reported.MatchString(s[:q])
}

// attackNamed: the quotation with the match is called an attack right before it.
func attackNamed(s, match string) bool {
	i := strings.Index(s, match)
	if i < 0 {
		return false
	}
	q := strings.LastIndexAny(s[:i], "\"“„«`")
	return q >= 0 && Topic.MatchString(s[max(0, q-40):q])
}

// named are rules whose deed is nothing but words, which a quotation only shows.
var named = source.Words("prompt-override prompt-jailbreak")

// quotedWhole: the sentence is nothing but a quotation.
func quotedWhole(s string) bool {
	if strings.HasPrefix(s, ">") {
		return true
	}
	s = strings.Trim(s, " .!?-*")
	return len(s) > 2 && strings.ContainsRune("\"“„«`'", []rune(s)[0]) && strings.ContainsRune("\"”“»`'", []rune(s)[len([]rune(s))-1])
}

// inQuotes: the match lies between quotation marks or back-quotes.
func inQuotes(s, match string) bool {
	i := strings.Index(s, match)
	if i < 0 {
		return strings.ContainsAny(s, "\"“„«`")
	}
	head, tail := s[:i], s[i+len(match):]
	for _, q := range []string{`"`, "`", "“”", "„“", "«»", "「」"} {
		r := []rune(q)
		open, close := string(r[0]), string(r[len(r)-1])
		if strings.Count(head, open)%2 == 1 && strings.Contains(tail, close) || open != close && strings.Contains(head, open) &&
			strings.Contains(tail, close) {
			return true
		}
	}
	return false
}

var (
	strongObj = source.Wording("things.secret")
	forbids   = source.Wording("forbids")
)

var (
	lockedArchive = source.Wording("locked.archive")
	pasteInto     = source.Wording("paste.into")
	wantsFirst    = source.Wording("wants.first")
	getIt         = source.Wording("get.it")
	programURL    = source.Re(`https?://[^\s)>"'` + "`" + `/]+/[^\s)>"'` + "`" +
		`]*\.(?:exe|dmg|pkg|msi|zip|rar|7z|appimage|scr|jar|iso|bat|cmd|ps1|vbs|apk|tar\.gz|tgz|sh|bin|run|deb|rpm)\b`)
)

// Prerequisite: a program from somewhere that must be had first.
func (f Reader) Prerequisite(s Sentence, next string, p source.Place) {
	if !strings.Contains(s.Text, "http") && !strings.Contains(next, "http") {
		return
	}
	text := s.Text + " " + next
	for _, u := range source.UrlRE.FindAllString(s.Text, 4) {
		h := source.HostOf(u)
		program := programURL.MatchString(u)
		if !program && source.Catcher(h) == "" && !hint.Any(text, lang.WordingOf("paste.into").Hints) || !getIt.MatchString(text) {
			continue
		}
		locked := program && lockedArchive.MatchString(text)
		switch {
		case source.TrustedHost(h) || source.Installer(u) || forbids.MatchString(s.Text[:strings.Index(s.Text, u)]):
		case locked, pasteInto.MatchString(text) && (wantsFirst.MatchString(text) || strings.Contains(text, "command")):
			f.said("fake-prerequisite", s, u, "", report.High, p)
		case source.Catcher(h) != "" && wantsFirst.MatchString(text):
			f.said("fake-prerequisite", s, u, "", report.High, p)
		case program && wantsFirst.MatchString(text):
			f.said("fake-prerequisite", s, u, "", report.High, p)
		case program:
			f.said("fake-prerequisite", s, u, "", report.Medium, p)
		}
	}
}

// tellingHints finds which rules can match a sentence at all.
type tellingHints struct {
	*hint.Finder
	wanted []hint.Hits // the sets that each of told wants
}

var toldBy = sync.OnceValue(func() *tellingHints {
	x := &tellingHints{Finder: &hint.Finder{}}
	for _, t := range told().placed {
		x.wanted = append(x.wanted, x.Expect(t.re, t.hints, t.also))
	}
	return x
})
