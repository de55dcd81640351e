package prose

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// A guard is a word that negates or conditions an action: "never send", "if the user agrees, send", "malware sends".
// It counts only where it governs the action, which in a sentence means before it: in the same clause, or as the
// condition that opens the sentence. Words after an action, or in another sentence, negate nothing, whoever wrote
// them; nothing negates concealment. So appending text never improves a verdict.

// negates: the clause before the deed forbids it, or says that others do it. A verb in between ends its reach: "never forget to send"
// sends.
var (
	negates = source.Re(`\b(?:never|nobody|no one|do(?:es)? not|don'?t|is not|are not|must not|mustn'?t|should not|shouldn'?t|may not` +
		`|cannot|` +
		`can'?t|not|nothing is|refuses?|avoid|beware of|without|rather than|instead of|rarely right to|dangerous to|attackers?|malware` +
		`|thie(?:f|ves)|` +
		`how to (?:detect|prevent|avoid)|attempts? to|tries to|trying to|asks? (?:you|the agent)|tells? (?:you|the agent))\b([^,;:()]{0,60})$`)
	endsReach = source.Re(`\b(?:forget|fail|hesitate|omit|neglect|miss|skip|stop|refrain|wait|ask|asking|tell|telling|mention|worry` +
		`|only|but|` +
		`just|before|until|unless|and then|later than|twice|more than|less than)\b`)
	// consents: the sentence opens with the user's own word.
	consents = source.Re(`\b(?:if|when|once|after|until|unless|only)\b[^.;:]{0,40}\b(?:user|person|owner|customer|reader|they)\b[^.` +
		`;:]{0,30}?\b(?:` +
		`agree[sd]?|confirm(?:s|ed)?|approve[sd]?|says? yes|decide[sd]?|consent(?:s|ed)?|choose[s]?|chose)\b|` +
		`\b(?:ask|let)\b[^.;:]{0,30}\b(?:the user|the person|them|whom|which)\b[^.;:]{0,60}\b(?:whether|which|if|before|first|to|who|choose` +
		`|decide|` +
		`pick|agree)\b|\bask (?:whether|which|who|whom|before|first)\b|\b(?:show|shown|shows)\b[^.;:]{0,60}\bto the user\b[^.;:]{0,20}` +
		`\bbefore\b`)
)

// spared reports whether the words before the deed at an offset govern it as a guard.
func spared(s string, at int) bool {
	before := s[:at]
	if m := negates.FindStringSubmatchIndex(before); m != nil && !endsReach.MatchString(before[m[2]:m[3]]) {
		return true
	}
	return othersDo.MatchString(before) || consents.MatchString(before)
}

// othersDo: what follows is told of those who attack.
var othersDo = source.Re(`\b(?:attackers?|malware|intruders?|thie(?:f|ves)|criminals?) (?:\w+ )?[^.;]{0,100}$`)

// warned: the clause before speaks against what follows, whatever it is.
var warned = source.Re(`\b(?:avoid|beware of|refuse|reject|dangerous|never accept|never write|never add)\b[^,;:]{0,30}$|\b(?:don` +
	`'?t|do not|never) $`)

// reported: the quotation that follows is what somebody else may say.
var reported = source.Re(`(?:\b(?:may|might|could|would|can|who|which|that)\b[^.;:]{0,20}\b(?:says?|reads?|contains?|asks?|tells` +
	`?|claims?|carr(?:y|ies))|` +
	`\b(?:such as|phrases? like|texts? like|attempts? like|e\.g\.))\W*$`)

// denied: what was just named is said not to be right.
var denied = source.Re(`^\W*(?:is|are) (?:not|never|rarely)\b`)

// quotation is what stands between quotation marks, or looks like code.
var quotation = lazyre.New("\"[^\"]{3,300}\"|`[^`]{3,300}`|“[^”]{3,300}”")

// unreported is a sentence without the quotations of what somebody else may say.
func unreported(s string) string {
	if !strings.ContainsAny(s, "\"`“") {
		return s
	}
	at := 0
	var b strings.Builder
	for _, m := range quotation.FindAllStringIndex(s, 20) {
		if reported.MatchString(s[:m[0]]) {
			b.WriteString(s[at:m[0]])
			at = m[1]
		}
	}
	return b.String() + s[at:]
}

// untouched: the sentence says of things that nothing is done to them.
var untouched = source.Re(`\b(?:is|are|stays?|remains?) (?:never|not|only|left)\b`)

// led reports whether a guard opens the sentence, and so governs whatever it asks for.
func (t *Told) led() bool {
	if t.opened == nil {
		is := false
		if m := opening.FindStringIndex(t.Text); m != nil {
			rest := strings.Fields(t.Text[m[1]:])
			is = len(rest) > 2 && !endsReach.MatchString(strings.Join(rest[:3], " "))
		}
		t.opened = &is
	}
	return *t.opened
}

var opening = source.Re(`^\W*(?:\w+\W+){0,2}?(?:(?:never|nobody|no one|do(?:es)? not|don'?t|must not|should not|may not|cannot|can'?t|` +
	`nothing|refuse|avoid|beware|attackers?|malware|thie(?:f|ves))\b|(?:ask|show) (?:the user|the person|them|whom|which|who)\b|ask` +
	` (?:before|first|whether)\b|` +
	`(?:suggest|propose)\b|(?:if|when|once|after|only (?:if|when|after))\b[^.;:]{0,40}\b(?:user|person|owner|customer|they)\b[^.;:]` +
	`{0,30}?\b(?:` +
	`agree[sd]?|confirm(?:s|ed)?|approve[sd]?|says? yes|decide[sd]?|consent(?:s|ed)?|chooses?|chose)\b)`)

// unspared is the first match of an expression that no guard governs, nil when there is none.
func unspared(re *lazyre.Regexp, s string) []int {
	for _, m := range re.FindAllStringIndex(s, 6) {
		if !spared(s, m[0]) {
			return m
		}
	}
	return nil
}

// masked are things that sound private and are not, as they are named: the deed may have them. What is named beside them stays.
var masked = source.Re(`\b(?:makes?|creates?|generates?) (?:an? |the |new )*(?:\w+ )?(?:ssh |gpg |api )?keys?\b|\bpublic (?:ssh ` +
	`|gpg |pgp )?(?:keys?|half)\b|\bid_\w+\.pub\b|(?:^|[^\w.@-])(?:redacted|masked|placeholder|example|sample|dummy|fake|` +
	`anonymi[sz]ed) (?:\w+ )?(?:tokens?|keys?|secrets?|passwords?|credentials?|values?|data)\b|\b(?:tokens?|keys?|secrets?|passwords` +
	`?|credentials?) ` +
	`(?:\w+ )?(?:redacted|masked|removed|stripped|blanked)\b|\bwith (?:the user'?s|your|their|an?) (?:own )?(?:api |access )?(?:tokens` +
	`?|keys?)\b|\bwithout (?:any |the |their )?(?:tokens?|keys?|secrets?|passwords?|credentials?)\b|` +
	`\b(?:tokens?|keys?|secrets?|passwords?|credentials?) in (?:the|an?|your) (?:\S+ ){0,2}headers?\b|\b(?:in|as|with|via|using|through` +
	`) (?:the |an? |your )?(?:\w+ )?(?:authori[sz]ation|bearer|basic auth)\S* ` +
	`(?:\w+ ){0,2}?(?:tokens?|headers?|keys?|credentials?)\b|\b(?:log ?in|sign ?in|auth|authenticat(?:e|es|ed|ion)) (?:\w+ ){0,3}?(?:tokens` +
	`?|keys?|` +
	`passwords?|credentials?)\b|\btoken endpoint\b|` +
	`\b(?:get|obtain|receive|request|create|generate|grab|claim|issue) (?:an?|your(?: own| free)?|free|new|a free) ` +
	`[^\w\s]?(?:\w+ ){0,2}?(?:api_?key|keys?|tokens?|credentials?|secrets?)[^\w\s]? ` +
	`(?:from|at|on|in|via)[\s:]*(?:[^\w\s]|$|(?:and|then|to|or|before|after)\b|https?://)|` +
	`\bto (?:get|obtain|receive|generate|create) (?:an?|your(?: own| free)?) [^\w\s]?(?:\w+ ){0,2}?(?:api_?key|keys?|tokens?` +
	`|credentials?)\b|\b(?:api |access )?(?:keys?|tokens?) (?:is |are )?(?:required|optional)\b|` +
	`\bin [^\w\s]?order[^\w\s]? to\b|\b(?:fail\w*|ignor\w*|skip\w*|drop\w*|break\w*|los\w+) (?:\w+ )?silently\b|\bsilent(?:ly)? ` +
	`(?:fail\w*|ignor\w*|skip\w*|drop\w*` +
	`|break\w*|omit\w*|truncat\w*|` +
	`fall\w*|swallow\w*|return\w*|pass\w*|produc\w*|los\w+|data|chang\w*|downgrad\w*|` +
	`keeps?|drops?|does|did|do|is|are|was|were|kept|turns?|becomes?|stall\w*|bias\w*|reconcil\w*|regress\w*|degrad\w*|miss\w*` +
	`|mask\w*|corrupt\w*)\b|\b(?:can|could|may|might|would|will|than|of|that|which|it|and then|fails? loudly or) (?:silently|quietly)\b|` +
	`\b\w{3,}s silently\b`)

func unmasked(s string) string { return masked.ReplaceAllString(s, " ") }
