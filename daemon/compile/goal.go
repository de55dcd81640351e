package compile

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// goalText is what the person said the work is for, taken apart. Clauses begin with their verb when it is known.
type goalText struct {
	many    bool   // a later clause says "them" of what the first is about
	text    string // without the values of this one time, no full stop
	clauses []clause
	english bool // verbs are known, so phrases can be varied by grammar
}

type clause struct {
	verb   string // "look up"
	object string // "an order's delivery date"
	rest   string // "as CSV"
}

// synonyms of verbs that people use for the same wish, best first.
var synonyms = map[string][]string{
	"change": {"update", "edit"}, "update": {"change", "edit"}, "edit": {"change", "update"}, "modify": {"change", "update"}, "set": {"change", "update"}, "adjust": {"change", "update"},
	"export": {"download", "save"}, "download": {"get", "export"}, "save": {"store", "keep"}, "get": {"fetch", "pull"}, "fetch": {"get", "pull"}, "pull": {"get", "fetch"},
	"create": {"add", "make"}, "add": {"create", "enter"}, "make": {"create", "prepare"}, "enter": {"add", "record"}, "record": {"enter", "log"}, "register": {"sign up", "enrol"},
	"delete": {"remove", "get rid of"}, "remove": {"delete", "take out"}, "cancel": {"call off", "stop"}, "archive": {"file away", "put away"}, "close": {"finish", "resolve"},
	"find": {"look up", "search for"}, "look up": {"find", "check"}, "search": {"look through", "find in"}, "search for": {"find", "look up"}, "check": {"verify", "look at"}, "verify": {"check", "confirm"},
	"show": {"list", "display"}, "list": {"show", "give me"}, "count": {"work out the number of", "tell me the number of"}, "add up": {"total", "sum up"}, "total": {"add up", "sum up"}, "sum": {"add up", "total"}, "sum up": {"add up", "total"},
	"calculate": {"work out", "compute"}, "compute": {"work out", "calculate"}, "analyse": {"look into", "examine"}, "analyze": {"look into", "examine"}, "compare": {"set side by side", "look at the differences between"},
	"send": {"send out", "submit"}, "submit": {"send in", "hand in"}, "post": {"publish", "put up"}, "publish": {"post", "put out"}, "share": {"send", "pass on"}, "email": {"mail", "send by email"},
	"book": {"reserve", "arrange"}, "reserve": {"book", "hold"}, "schedule": {"plan", "arrange"}, "plan": {"schedule", "arrange"}, "order": {"buy", "purchase"}, "buy": {"order", "purchase"}, "pay": {"settle", "pay off"},
	"compress": {"pack", "shrink"}, "pack": {"bundle", "compress"}, "convert": {"turn", "transform"}, "rename": {"give a new name to", "change the name of"}, "copy": {"duplicate", "make a copy of"}, "duplicate": {"copy", "make a copy of"}, "move": {"transfer", "put"}, "transfer": {"move", "send"},
	"build": {"make", "compile"}, "compile": {"build", "put together"}, "deploy": {"release", "roll out"}, "release": {"deploy", "ship"}, "run": {"start", "execute"}, "start": {"run", "launch"}, "test": {"check", "try out"}, "install": {"set up", "add"}, "set up": {"configure", "prepare"}, "configure": {"set up", "adjust"},
	"back up": {"make a backup of", "save a copy of"}, "restore": {"bring back", "recover"}, "clean up": {"tidy up", "clear out"}, "clean": {"tidy up", "clear out"}, "sort": {"arrange"}, "filter": {"narrow down", "pick out"}, "merge": {"combine", "join"}, "split": {"divide", "break up"},
	"fill in": {"complete", "fill out"}, "fill out": {"complete", "fill in"}, "complete": {"finish", "fill in"}, "finish": {"complete", "wrap up"}, "prepare": {"get ready", "put together"}, "generate": {"create", "produce"}, "produce": {"create", "generate"}, "write": {"draft", "compose"}, "draft": {"write", "prepare"},
	"upload": {"attach", "add"}, "attach": {"upload", "add"}, "import": {"load", "bring in"}, "load": {"import", "bring in"}, "print": {"print out", "get a printout of"}, "open": {"go to", "bring up"}, "approve": {"sign off", "accept"}, "reject": {"turn down", "decline"}, "assign": {"give", "hand"}, "process": {"handle", "work through"}, "handle": {"process", "take care of"}, "review": {"look over", "check"}, "summarise": {"sum up", "give a summary of"}, "summarize": {"sum up", "give a summary of"}, "report": {"report on", "write up"}, "log": {"record", "note"}, "track": {"follow", "keep an eye on"}, "invite": {"ask", "add"}, "reply": {"answer", "respond"}, "answer": {"reply to", "respond to"}, "mark": {"flag", "set"}, "tag": {"label", "mark"}, "extract": {"pull out", "get"}, "keep": {"save", "store"}, "store": {"save", "keep"}, "read": {"look at", "open"}, "view": {"look at", "show"}, "collect": {"gather", "get"}, "gather": {"collect", "get"},
	"ask for": {"request", "apply for"}, "request": {"ask for", "apply for"}, "apply for": {"request", "ask for"}, "fix": {"repair", "correct"}, "repair": {"fix", "mend"}, "resize": {"scale", "change the size of"}, "translate": {"put into another language", "render"}, "format": {"lay out", "style"},
	"replace": {"swap", "exchange"}, "enable": {"switch on", "turn on"}, "disable": {"switch off", "turn off"}, "reschedule": {"move", "postpone"}, "postpone": {"put off", "reschedule"}, "extend": {"prolong", "renew"}, "pause": {"suspend", "hold"}, "resume": {"continue", "restart"},
	"clear": {"empty", "clean out"}, "empty": {"clear", "clean out"}, "forward": {"pass on", "send on"}, "notify": {"tell", "inform"}, "file": {"submit", "hand in"}, "launch": {"start", "open"}, "confirm": {"approve", "accept"}, "sync": {"synchronise", "bring up to date"}, "validate": {"check", "verify"}, "refund": {"pay back", "return the money for"}, "ship": {"send out", "dispatch"}, "renew": {"extend", "prolong"}, "reset": {"set back", "clear"},
}

// opposites are wishes that are easily mistaken for one of a family but need something else.
var opposites = map[string][]string{
	"read":   {"delete", "cancel", "create"},
	"change": {"delete", "cancel", "create"},
	"create": {"delete", "change", "cancel"},
	"delete": {"restore", "create", "change"},
	"send":   {"delete", "draft", "read"},
}

// familyOf sorts verbs by what they do to the world.
var familyOf = func() map[string]string {
	m := map[string]string{}
	for family, list := range map[string]string{
		"read":   "find look-up search search-for check verify show list count total sum sum-up calculate compute analyse analyze compare export download get fetch pull print open review summarise summarize report track extract validate convert copy filter sort test save keep store say tell mention read view inspect see browse visit look-at query collect gather monitor watch measure scan lookup backup add-up find-out print-out work-out tally",
		"change": "compress decompress zip unzip pack unpack encrypt decrypt change update edit modify set adjust rename move assign mark tag approve reject complete finish close fill-in fill-out renew reset configure merge split clean clean-up sign-off process handle archive fix repair resize crop translate rotate trim format replace switch enable disable turn reschedule postpone extend upgrade downgrade pause resume lock unlock reopen restore sync tidy sign label confirm",
		"create": "create add make enter record register book reserve schedule plan order generate produce write draft build compile prepare import load upload attach duplicate log install set-up start run deploy release back-up request apply-for ask-for buy open-up host launch encode render sign-up",
		"delete": "delete remove cancel clear empty purge uninstall unsubscribe drop discard revoke",
		"send":   "send submit post publish share email invite reply answer pay transfer ship refund forward message notify file",
	} {
		for _, v := range strings.Fields(list) {
			m[strings.ReplaceAll(v, "-", " ")] = family
		}
	}
	return m
}()

var clauseSplit = regexp.MustCompile(`(?i)\s*(?:,\s*(?:and\s+)?(?:then\s+)?|;\s*|\s+and\s+then\s+|\s+then\s+|\s+and\s+|\.\s+)`)

// readGoal takes a goal apart. hide turns the values of this one demonstration into nothing.
func readGoal(text string, hide func(string) string) goalText {
	text = strings.TrimRight(plain.Squeeze(hide(text)), ".!?,; ")
	for _, lead := range []string{"how to ", "How to ", "please ", "Please ", "to ", "To ", "I want to ", "learn to ", "Learn to ", "Learn how to "} {
		text = strings.TrimPrefix(text, lead)
	}
	g := goalText{text: text}
	for _, part := range clauseSplit.Split(text, -1) {
		c, ok := readClause(part)
		if !ok && len(g.clauses) > 0 { // "sort and filter" splits, "name and address" does not
			last := &g.clauses[len(g.clauses)-1]
			if last.rest == "" {
				last.object = plain.Squeeze(last.object + " and " + part)
			} else {
				last.rest += " and " + part
			}
			continue
		}
		if !ok && len(g.clauses) == 0 && soundsEnglish(text) {
			if verb, rest, cutOff := strings.Cut(part, " "); cutOff && !stopWords[strings.ToLower(verb)] {
				if prep, thing, more := strings.Cut(rest, " "); more && prepositions[strings.ToLower(prep)] {
					verb, rest = verb+" "+prep, thing // "ask for a day off" is not about "for a day off"
				}
				object, circumstance := splitObject(strings.Fields(rest))
				c, ok = clause{strings.ToLower(verb), object, circumstance}, true
			}
		}
		g.english = g.english || ok
		g.clauses = append(g.clauses, c)
	}
	g.english = g.english && len(strings.Fields(text)) > 1
	g.pronouns()
	return g
}

var prepositions = set("for to at on in with up out off over about through after into")

// soundsEnglish reports whether a goal that begins with an unknown word is English: "Frobnicate the widgets".
func soundsEnglish(text string) bool {
	for _, r := range text {
		if r >= 0x80 {
			return false
		}
	}
	for _, w := range plain.Words(text)[min(1, len(plain.Words(text))):] {
		switch w {
		case "a", "an", "the", "of", "and", "my", "for", "with", "from", "to", "all", "every":
			return true
		}
	}
	return false
}

// family is what a clause does to the world; with a particle it is that of the verb alone.
func (c clause) family() string {
	verb, _, _ := strings.Cut(c.verb, " ")
	return cmp.Or(familyOf[c.verb], familyOf[verb])
}

func readClause(s string) (clause, bool) {
	ws := strings.Fields(s)
	if len(ws) == 0 {
		return clause{}, false
	}
	for n := min(2, len(ws)); n >= 1; n-- {
		verb := baseForm(strings.ToLower(strings.Join(ws[:n], " ")))
		if familyOf[verb] != "" {
			if n == 1 && len(ws) > 2 && slices.Contains(particles, strings.ToLower(ws[1])) && determiners[strings.ToLower(ws[2])] {
				verb, n = verb+" "+strings.ToLower(ws[1]), 2 // "write down a holiday" is not about "down a holiday"
			}
			object, rest := splitObject(ws[n:])
			return clause{verb, object, rest}, true
		}
	}
	return clause{object: s}, false
}

// baseForm turns "exporting" and "exports" into "export" where that is a known verb.
func baseForm(w string) string {
	if familyOf[w] != "" {
		return w
	}
	for _, cutOff := range []struct{ suffix, put string }{{"ing", ""}, {"ing", "e"}, {"s", ""}, {"es", ""}} {
		stem, ok := strings.CutSuffix(w, cutOff.suffix)
		if ok && familyOf[stem+cutOff.put] != "" {
			return stem + cutOff.put
		}
		if n := len(stem); ok && cutOff.suffix == "ing" && n > 2 && stem[n-1] == stem[n-2] && familyOf[stem[:n-1]] != "" {
			return stem[:n-1]
		}
	}
	return w
}

// splitObject cuts at the first preposition that begins a circumstance: "an order | as CSV".
func splitObject(ws []string) (object, rest string) {
	for i, w := range ws {
		switch strings.ToLower(w) {
		case "as", "to", "into", "from", "with", "in", "on", "by", "via", "using", "for", "at", "through":
			if i > 0 {
				return strings.Join(ws[:i], " "), strings.Join(ws[i:], " ")
			}
		}
	}
	return strings.Join(ws, " "), ""
}

// pronouns puts what "it" stands for into later clauses: the owner or the object of the first.
func (g *goalText) pronouns() {
	if len(g.clauses) < 2 {
		return
	}
	g.many = slices.ContainsFunc(g.clauses[1:], func(c clause) bool { return strings.EqualFold(c.object, "them") })
	noun := g.noun()
	for i := 1; i < len(g.clauses); i++ {
		switch strings.ToLower(g.clauses[i].object) {
		case "it", "them", "this", "that":
			g.clauses[i].object = noun
		}
	}
}

// noun is the thing that the work is about: "an order" of "an order's delivery date" and of "the delivery date of an order".
func (g goalText) noun() string {
	if len(g.clauses) == 0 {
		return ""
	}
	object := g.clauses[0].object
	if owner, _, ok := strings.Cut(object, "'s "); ok {
		return owner
	}
	if thing, owned, ok := strings.Cut(object, " of "); ok {
		if first, _, _ := strings.Cut(strings.ToLower(thing), " "); first == "a" || first == "an" || first == "new" {
			return thing // one of many: a member of the library is a member
		}
		if g.many && singular(lastWord(thing)) != "" && singular(lastWord(owned)) == "" {
			return thing // "sort the offers of a region and upload them": what is uploaded are offers
		}
		if ws := strings.Fields(owned); len(ws) > 0 && len(ws) <= 3 {
			return owned
		}
	}
	return object
}

// thing is what a near miss would be about: the head of what is asked for where that is many things or nobody in particular owns
// it ("the sales of a month", "somebody's manager"), else its owner; without a clause that tells which one.
func (g goalText) thing() string {
	noun := g.noun()
	object := g.clauses[0].object
	if _, owned, ok := strings.Cut(object, "'s "); ok && indefinite[strings.ToLower(noun)] {
		noun = article(owned)
	}
	if head, owner, ok := strings.Cut(object, " of "); ok && (indefinite[strings.ToLower(owner)] || singular(lastWord(head)) != "" && singular(lastWord(owner)) == "" && !aspects[strings.ToLower(lastWord(head))] || calendar[strings.ToLower(lastWord(owner))]) {
		noun = head
	}
	for _, which := range []string{" that ", " which ", " who ", " whose "} {
		noun, _, _ = strings.Cut(noun, which)
	}
	for _, p := range particles {
		if thing, ok := strings.CutSuffix(noun, " "+p); ok && strings.HasPrefix(strings.ToLower(thing), "the ") {
			noun = thing
		}
	}
	return strings.TrimSpace(noun)
}

// particles belong to their verb, though the thing stands between: "take the rent out"; "a day off" is a thing.
var particles = []string{"out", "up", "off", "down", "away", "back", "over", "together", "apart"}

// determiners begin a thing.
var determiners = set("a an the my our your his her their its this that these those all every each some any")

// indefinite are words for nobody in particular.
var indefinite = set("somebody someone anybody anyone everybody everyone something anything everything")

// calendar are owners that nobody does anything to.
var calendar = set("day week month quarter year date hour season")

// aspects are plurals that tell of one thing.
var aspects = set("details settings contents properties preferences data options terms conditions")

// bare is a noun without its article: "order".
func bare(noun string) string {
	first, rest, ok := strings.Cut(noun, " ")
	switch strings.ToLower(first) {
	case "a", "an", "the", "one", "this", "that", "some", "my", "our", "each", "every", "all", "new":
		if ok {
			return bare(rest)
		}
	}
	return noun
}

func (c clause) String() string { return plain.Squeeze(c.verb + " " + c.object + " " + c.rest) }

// sentence joins clauses as an imperative: "update an order's delivery and download it as CSV".
func (g goalText) sentence(verbs func(i int, verb string) string) string {
	parts := make([]string, len(g.clauses))
	noun := strings.ToLower(g.noun())
	for i, c := range g.clauses {
		c.verb = verbs(i, c.verb)
		if i > 0 && noun != "" && strings.ToLower(c.object) == noun {
			c.object = "it"
			if singular(lastWord(noun)) != "" {
				c.object = "them"
			}
		}
		if strings.HasSuffix(c.verb, " of") && singular(lastWord(headOf(c.object))) != "" {
			c.object = strings.TrimPrefix(c.object, "the ") // "the number of answers", not of the answers
		}
		parts[i] = c.String()
	}
	return andList(parts)
}

// headOf is what stands before an "of".
func headOf(object string) string {
	head, _, _ := strings.Cut(object, " of ")
	return head
}

// turned says a possession the other way round: "the delivery of an order" as "an order's delivery", and back.
func (g goalText) turned(sentence string) string {
	object := g.clauses[0].object
	if owner, owned, ok := strings.Cut(object, "'s "); ok && !strings.Contains(owned, " of ") {
		return strings.Replace(sentence, object, "the "+owned+" of "+owner, 1)
	}
	owned, owner, ok := strings.Cut(object, " of ")
	one, _, _ := strings.Cut(strings.ToLower(owned), " ")
	if one == "a" || one == "an" || one == "one" || strings.HasSuffix(owner, "s") {
		return sentence // "a member of the library" is not the library's member
	}
	if ok && len(strings.Fields(owner)) <= 3 && singular(lastWord(owner)) == "" {
		return strings.Replace(sentence, object, owner+"'s "+bare(owned), 1)
	}
	return sentence
}

// toVerbs are verbs after which "to" says where something goes: only they can stand for one another before it.
var toVerbs = set("send assign attach copy move transfer export save upload post publish invite convert transform rename change restore download")

// needsWhom are verbs that mean another thing without somebody to get it: one does not "give a ticket".
var needsWhom = set("give hand")

// alternatives are verbs that can stand for a clause's own.
func (g goalText) alternatives(i int) []string {
	c := g.clauses[i]
	if intoBooks(c) {
		return []string{"enter", "record"}
	}
	var out []string
	for _, v := range synonyms[c.verb] {
		if to := strings.HasPrefix(c.rest, "to "); !to && !needsWhom[v] || to && (toVerbs[v] || needsWhom[v]) {
			out = append(out, v)
		}
	}
	return out
}

// intoBooks reports whether something is booked into a list rather than reserved.
func intoBooks(c clause) bool { return c.verb == "book" && strings.HasPrefix(c.rest, "into ") }

var makesNew = set("create add make enter record register write draft generate book reserve open")

// otherWays are wishes that name the thing rather than the deed.
func (g goalText) otherWays() []string {
	c := g.clauses[0]
	rest := ""
	if c.rest != "" && !strings.HasPrefix(c.rest, "to ") {
		rest = " " + c.rest
	}
	many := singular(lastWord(c.object)) != "" || uncountable[strings.ToLower(lastWord(c.object))]
	switch {
	case len(g.clauses) > 1 || c.object == "" || intoBooks(c):
		return nil
	case makesNew[c.verb] && !many && strings.HasPrefix(c.rest, "to "):
		return nil
	case makesNew[c.verb] && !many && c.verb != "register" && c.verb != "enter" && c.verb != "record":
		return []string{"I need a new " + bare(c.object) + rest, "new " + bare(c.object) + rest}
	case c.family() == "read":
		return []string{"I need " + c.object + rest}
	case c.verb == "change" || c.verb == "update" || c.verb == "edit" || c.verb == "modify" || c.verb == "adjust":
		return []string{"make a change to " + c.object + rest}
	}
	return nil
}

func lastWord(s string) string {
	ws := strings.Fields(s)
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1]
}

// withoutValues takes out of a goal what named this one time: "Export order A-1042" is about exporting an order. Words that a
// person chose for the goal and also picked or typed as plain words stay: they are what the work is about.
func (d *draft) withoutValues(goal string) string {
	g := newGeneraliser(nil)
	var files []string
	for _, p := range d.study.params {
		switch p.Kind {
		case capture.KindFile: // by its whole name alone: "orders" in "the orders file" is what the work is about
			for _, text := range p.texts {
				if path.Ext(text) != "" {
					files = append(files, text, "\x00"+strings.ReplaceAll(p.Name, "_", " ")+"\x00")
				}
			}
			continue
		case capture.KindText, capture.KindChoice, capture.KindBoolean:
			if p.source != "picked" {
				continue
			}
		}
		for _, text := range append(slices.Clone(p.texts), p.rounds...) {
			g.learn(p, text)
		}
	}
	t := g.text(strings.NewReplacer(files...).Replace(goal))
	if !strings.ContainsRune(t, refOpen) && !strings.Contains(t, "\x00") {
		return goal
	}
	out := refForm.ReplaceAllStringFunc(t, func(m string) string {
		id, _, _ := strings.Cut(refForm.FindStringSubmatch(m)[1], ".")
		p := d.names.params[id]
		if p == nil {
			return ""
		}
		if p.Role == workflow.RoleConstant {
			return d.names.prose(m)
		}
		return "\x00" + strings.ReplaceAll(p.Name, "_", " ") + "\x00"
	})
	return plain.Squeeze(nameOnce(out))
}

// nameOnce puts an input's name where its value stood, with an article, unless the word before says it already:
// "order A-1042" becomes "an order", "A-1042" alone "an order" too.
func nameOnce(s string) string {
	parts := strings.Split(s, "\x00")
	for i := 1; i < len(parts); i += 2 {
		before := strings.Fields(parts[i-1])
		if n := len(before); n > 0 && strings.EqualFold(before[n-1], lastWord(parts[i])) {
			noun := before[n-1]
			lead := strings.Join(before[:n-1], " ")
			if n > 1 && (strings.EqualFold(before[n-2], "the") || strings.EqualFold(before[n-2], "an") || strings.EqualFold(before[n-2], "a")) {
				lead = strings.Join(before[:n-2], " ")
			}
			parts[i-1], parts[i] = lead+" ", article(noun)
			continue
		}
		parts[i] = article(parts[i])
	}
	return strings.Join(parts, "")
}
