package prove

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Lint checks the checkpoints of a draft against CKP-001 to CKP-009 and, with a bundle, the bundle's own rules. It is a
// gate: a report with an error does not pass, and a draft that does not pass is not installed. forbidden are texts that
// must not appear: opened values that nobody chose to keep.
func Lint(g workflow.Graph, it workflow.Interpretation, b skill.Bundle, forbidden []string) draft.LintReport {
	l := linter{forbidden: template.NewGeneraliser(nil), seen: map[string]bool{}}
	for _, v := range forbidden {
		if utf8.RuneCountInString(plain.Squeeze(v)) >= 4 {
			l.forbidden.Add(v, page.AnyRef)
		}
	}
	for _, c := range it.Checkpoints {
		l.wording(c)
	}
	l.coverage(g, it)
	l.doubles(g, it)
	if len(b.Files) > 0 {
		for _, f := range skill.Validate(b, true) {
			l.findings = append(l.findings, draft.Finding(f))
		}
	}
	r := draft.LintReport{Passed: true, Findings: l.findings}
	if r.Findings == nil {
		r.Findings = []draft.Finding{}
	}
	for _, f := range r.Findings {
		if f.Severity == "error" {
			r.Passed = false
		}
	}
	return r
}

type linter struct {
	forbidden *template.Generaliser // finds forbidden texts
	seen      map[string]bool
	findings  []draft.Finding
}

func (l *linter) add(rule, severity, subject, message, fix string) {
	l.findings = append(l.findings, draft.Finding{Rule: rule, Severity: severity, Subject: subject, Message: message, Fix: fix})
}

// wordRule is a rule about how a checkpoint is worded.
type wordRule struct {
	rule, message, fix string
	may                string // a text without any of these characters cannot break the rule; "" means that every text is examined
	found              func(text string) bool
	conditionOnly      bool
	bareWords          bool // leave out what the text quotes from the page
}

var wordRules = []wordRule{
	{rule: "CKP-001", message: "it names a DOM id or selector", fix: "say what a person sees: a heading, a label, a message",
		may: "#.[>:-dD0123456789", found: hasSelector},
	{rule: "CKP-002", message: "it names screen coordinates", fix: "say what is there instead of where", may: "0123456789cC",
		found: coordinates.MatchString},
	{rule: "CKP-003", message: "it names an XPath or accessibility path", fix: "say what a person sees", may: "/[xX",
		found: treePath.MatchString},
	{rule: "CKP-004", message: "it is an action, not a state that was reached", fix: "say what is true afterwards", found: isAction,
		conditionOnly: true, bareWords: true},
	{rule: "CKP-006", message: "it holds what looks like a secret or personal value", fix: "use an input's name or a general word",
		may: "0123456789@:=-sS", found: isPersonal},
	{rule: "CKP-007", message: "it names a path or host of the demonstrator's machine", fix: "name the file or page without its place",
		may: "/\\.:lL", found: ownMachine.MatchString},
}

func (l *linter) wording(c workflow.Checkpoint) {
	for _, r := range wordRules {
		texts := []string{c.SuccessCondition}
		if !r.conditionOnly {
			texts = append(texts, c.Goal)
			for _, ch := range append([]workflow.Check{deref(c.Check)}, c.MoreChecks...) {
				texts = append(texts, ch.Name)
				if ch.Kind != "file" || r.rule != "CKP-001" { // a.csv is a file, not a CSS class
					texts = append(texts, expectOf(ch))
				}
			}
		}
		if slices.ContainsFunc(texts, func(s string) bool { return (r.may == "" || strings.ContainsAny(s, r.may)) && l.judge(&r, s) }) {
			l.add(r.rule, "error", c.CheckpointID, r.message, r.fix)
		}
	}
	if l.holdsForbidden(c) {
		l.add("CKP-006", "error", c.CheckpointID, "it holds a captured value that nobody chose to keep", "make the value an input")
	}
	if vague(c) {
		l.add("CKP-005", "error", c.CheckpointID, "neither a person nor a machine could verify it",
			"name the page, message, value, row or file that shows it")
	}
}

// judge caches a rule's result for a text: the checkpoints of a loop or a long demonstration repeat themselves.
func (l *linter) judge(r *wordRule, s string) bool {
	key := r.rule + s
	if found, ok := l.seen[key]; ok {
		return found
	}
	switch r.rule {
	case "CKP-001", "CKP-003", "CKP-007":
		s = addressWords.ReplaceAllString(s, "the address")
	}
	if r.rule == "CKP-001" {
		s = pageFiles.ReplaceAllString(fileNames.ReplaceAllString(s, "file"), "page")
	}
	if r.bareWords {
		s = quoted.ReplaceAllString(s, `""`)
	}
	found := (r.may == "" || strings.ContainsAny(s, r.may)) && r.found(s)
	l.seen[key] = found
	return found
}

func deref(c *workflow.Check) workflow.Check {
	if c == nil {
		return workflow.Check{}
	}
	return *c
}

// expectOf returns the text that a check compares. The path of an address is left out: it is neither an accessibility
// path nor a file of the machine.
func expectOf(c workflow.Check) string {
	if c.Kind == "url" {
		return ""
	}
	return c.Expect
}

// holdsForbidden reports whether a checkpoint contains a forbidden text as words of its own.
func (l *linter) holdsForbidden(c workflow.Checkpoint) bool {
	texts := []string{c.Goal, c.SuccessCondition}
	for _, ch := range append([]workflow.Check{deref(c.Check)}, c.MoreChecks...) {
		texts = append(texts, ch.Expect, ch.Name)
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsRune(l.forbidden.Text(s), page.RefOpen) })
}

var (
	fileNames = lazyre.New(`(?i)\b(?:file|folder) [^\s,]+`) // a.flac is a file, not a CSS class

	quoted = lazyre.New("\"[^\"]*\"|`[^`]*`")

	pageFiles = lazyre.New(`(?i)/[\w./-]*\.(?:x?html?|php|aspx?|jsp)\b`) // /input.html is a page, not a CSS class

	addressWords = lazyre.New(`(?i)the address (?:is|begins with) /[^/\s]\S*`) // the path of a page, not of the machine

	selectors = []pattern{
		needs("[", "", `(?i)\[(?:data-[\w-]+|id|class|name|role|aria-[\w-]+|type|href)\s*[~^$*|]?=`),
		needs(":", "", `(?i):(?:nth-child|nth-of-type|first-child|last-child|has-text|not)\b`),
		needs(".#", "",
			`(?i)\b(?:div|span|button|input|a|ul|ol|li|td|tr|table|form|p|h[1-6]|select|textarea|section|main|nav|label|img)[.#][a-z_][\w-]*`),
		needs(">", "", `(?i)\b(?:div|span|button|input|ul|ol|li|td|tr|table|form|section|main|nav)\s*>\s*[a-z]`),
		needs("#", "", `(?:^|[\s"'(])#[A-Za-z][\w]*(?:[-_][\w-]*|[a-z][A-Z]\w*)`),
		needs(".", "", `(?:^|[\s"'(])\.[a-z][\w]*(?:-[\w]+|__[\w]+)+`),
		needs("0123456789", "", `(?i)\b(?:div|span|input|btn|elem|element|node|ember|mui|gwt-uid|yui)[-_]?\d{2,}\b`), // div-8472
		needs("", "data-testid|css selector|element id|dom |selector|elementby",
			`(?i)\b(?:data-testid|css selector|element id|dom (?:id|node)|queryselector|getelementbyid)\b`),
	}

	coordinates = lazyre.New(`(?i)\(\s*\d{1,5}(?:px)?\s*,\s*\d{1,5}(?:px)?\s*\)|\b[xy]\s*[:=]\s*\d+|\b\d+\s*(?:px|` +
		`pixels?)\b|\bcoordinates?\b|\bat\s+\d{2,5}\s*[,x]\s*\d{2,5}\b`)

	treePath = lazyre.New(`(?i)(?:^|[\s"'(])(?:/html(?:/body|\[)|/body/|//(?:\*|[a-z][\w-]*)(?:\[|/[a-z])|` +
		`(?:/[a-z]\w*)*/[a-z]\w*\[\d+\])|//\*?\[@|\bxpath\b|\bAX[A-Z]\w+\s*[/>]|/AX[A-Z]\w+|\b(?:window|group|button|toolbar)\[\d+\]`)

	ownMachine = lazyre.New(`(?i)(?:^|[\s"'(=])(?:/home/|(?-i:/Users/)|/root\b|/tmp/|/var/|/mnt/|/media/|[a-z]:\\|\\\\\w|file://|` +
		`~/)|\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?:\d|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|` +
		`3[01])\.\d+\.\d+)\b|\b[\w-]+\.(?:local|lan|internal|localdomain)\b`)
)

func hasSelector(s string) bool { return in(s, selectors...) }

var (
	pressKey   = lazyre.New(`(?i)^press\s+(?:enter|return|escape|esc|tab|space|delete|f\d+|ctrl|control|alt|shift|cmd|meta|[a-z])\b`)
	imperative = lazyre.New(`(?i)^(?:then\s+|now\s+|please\s+)?(?:click|double-click|right-click|press|type|tap|hit|select|choose|` +
		`pick|enter|fill|scroll|drag|drop|hover|swipe|open|navigate|go|submit|check the ` +
		`box|tick|run|execute|paste|copy|wait)\b(?:\s+(?:on|in|into|to|the|a|an|your|it|this|that|""|\{|\d)|\s*\W*$)`)
	wasDone = needs("", handWords, `(?i)\b(?:was|were|has been|have `+
		`been|is|are|gets?|got)\s+(?:\w+\s+)?(?:clicked|double-clicked|pressed|typed|tapped|hit|scrolled|dragged|hovered|keyed)\b`)
	youDid = needs("", handWords,
		`(?i)\b(?:you|user|agent|they|we|i)\s+(?:\w+\s+)?(?:click|press|type|tap|scroll|drag|hover|select|choose)(?:s|ed)?\b`)
)

// handWords are stems of the words for what a hand does; a text without any of them describes no such action.
const handWords = "click|press|typ|tap|hit|scroll|drag|hover|key|select|choose"

// isAction reports whether a condition says what to do, or what was done by hand, rather than what is true then.
func isAction(s string) bool {
	s = strings.TrimSpace(s)
	if imperative.MatchString(s) || pressKey.MatchString(s) {
		return true
	}
	return in(s, wasDone, youDid)
}

var (
	emailForm = needs("@", "", `(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.([a-z]{2,})\b`)
	cardForm  = needs("0123456789", "", `\b(?:\d[ -]?){13,19}\b`)
	passForm  = needs("=:iI", "password|passwd|secret|token|api|pin",
		`(?i)\b(?:password|passwd|secret|token|api[ _-]?key|pin)\s*(?:is|=|:)\s*["']?[^\s"'{.,]{4,}`)
	harmless = lang.English("classes.harmless")
)

// personal matches numbers of accounts and people, tokens and keys.
var personal = []pattern{
	needs("0123456789", "", `\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b`),
	needs("-", "", `\b\d{3}-\d{2}-\d{4}\b`),
	needs("+", "", `(?:^|[\s"(])\+\d{1,3}[ -]?(?:\(?\d{1,4}\)?[ -]?){2,5}\d{2,4}\b`),
	needs("", "akia|gh|sk-|xox|eyj|aiza", `\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{16,}|`+
		`xox[abprs]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|AIza[0-9A-Za-z_-]{30,})`),
	needs("-", "", `-----BEGIN [A-Z ]*PRIVATE KEY-----`),
}

// isPersonal reports whether a text contains what looks like a secret or personal data. Addresses of example domains do
// not count.
func isPersonal(s string) bool {
	for _, m := range emailForm.all(s) {
		if d := strings.ToLower(m); !strings.Contains(d, "@example.") && !strings.HasSuffix(d, ".example") && !strings.HasSuffix(d, ".test") {
			return true
		}
	}
	for _, m := range cardForm.all(s) {
		if luhn(m) {
			return true
		}
	}
	for _, m := range passForm.all(s) {
		if ws := plain.Words(m); !harmless.Has(ws[len(ws)-1]) {
			return true
		}
	}
	return in(s, personal...)
}

func luhn(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, n = sum+d, n+1
	}
	return n >= 13 && sum%10 == 0
}

var (
	vagueWords = lazyre.New(`(?i)\b(?:works?|worked|done|fine|ok(?:ay)?|good|successful(?:ly)?|success|as ` +
		`expected|correct(?:ly)?|properly|complete[d]?|finished|ready|happy|all set)\b`)
	observables = lazyre.New(`(?i)\b(?:page|heading|title|address|url|dialog|message|alert|notice|confirmation|field|row|rows|list|` +
		`table|file|folder|exit ` +
		`code|output|shows?|shown|reads?|says?|contains?|visible|open|closed|displayed|listed|marked|empty|exists|downloaded|equals|running|` +
		`column|button|link|tab|menu|window|icon|badge|status|value|image|line|lines|bytes|printed|email|inbox|process)\b|["{` + "`" + `]`)
)

// vague reports whether a condition names nothing observable and no machine checks it either.
func vague(c workflow.Checkpoint) bool {
	s := strings.TrimSpace(c.SuccessCondition)
	if len(plain.Words(s)) == 0 {
		return true
	}
	if c.Check != nil && c.Check.Kind != "" {
		return len(plain.Words(s)) < 2 && !observables.MatchString(s)
	}
	if !observables.MatchString(s) {
		return true
	}
	return len(plain.Words(s)) < 3 && vagueWords.MatchString(s)
}

// coverage is CKP-008: a step that changed state must be followed by a checkpoint. For the last such step it is an
// error, because nobody could tell whether the whole work succeeded.
func (l *linter) coverage(g workflow.Graph, it workflow.Interpretation) {
	known := map[string]bool{}
	for _, c := range it.Checkpoints {
		known[c.CheckpointID] = true
	}
	var open []workflow.Step
	last := ""
	for _, s := range g.Steps {
		if !s.Effect {
			continue
		}
		last = s.StepID
		if s.Checkpoint == "" || !known[s.Checkpoint] {
			open = append(open, s)
		}
	}
	for _, s := range open {
		severity := "warn"
		if s.StepID == last {
			severity = "error"
		}
		l.add("CKP-008", severity, s.StepID, "the step changed something and no checkpoint follows it",
			fmt.Sprintf(`say what shows that it worked, such as: after step %s check that the page says "Saved"`, strings.TrimPrefix(s.StepID, "s")))
	}
	if len(it.Checkpoints) == 0 {
		l.add("CKP-008", "error", "", "the skill has no checkpoint: nothing tells success from failure",
			"demonstrate the work up to a visible result")
	}
}

// doubles is CKP-009: no two checkpoints say the same, and each belongs to a step of the work.
func (l *linter) doubles(g workflow.Graph, it workflow.Interpretation) {
	at := map[string]int{}
	for i, s := range g.Steps {
		at[s.StepID] = i
	}
	seen := map[string]string{}
	before := -1
	for _, c := range it.Checkpoints {
		key := strings.Join(plain.Words(c.SuccessCondition), " ") + fmt.Sprint(deref(c.Check))
		if other := seen[key]; other != "" {
			l.add("CKP-009", "warn", c.CheckpointID, "it says the same as "+other, "remove one of them")
		}
		seen[key] = c.CheckpointID
		if c.StepID == "" {
			continue
		}
		i, ok := at[c.StepID]
		switch {
		case !ok:
			l.add("CKP-009", "error", c.CheckpointID, "it cannot be reached: its step is no longer part of the work", "remove it")
		case i < before:
			l.add("CKP-009", "error", c.CheckpointID, "it cannot be reached in this order", "order the checkpoints as the steps are")
		default:
			before = i
		}
	}
}
