package prose

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// A guard is a word that negates or conditions an action: "never send", "if the user agrees, send", "malware sends".
// It counts only where it governs the action, which in a sentence means before it: in the same clause, or as the
// condition that opens the sentence and is about that action (escapes). Words after an action, or in another sentence,
// negate nothing, whoever wrote them; nothing negates concealment. So appending text never improves a verdict.

// negates: the clause before the deed forbids it, or says that others do it. A verb in between ends its reach: "never forget to send"
// sends.
var (
	negates   = source.Wording("guard.negates")
	endsReach = source.Wording("guard.ends")
	// consents: the sentence opens with the user's own word.
	consents = source.Wording("guard.consents")
)

// spared reports whether the words before the deed at an offset govern it as a guard.
func spared(s string, at int) bool {
	before := s[:at]
	if m := negates.FindStringSubmatchIndex(before); m != nil && !endsReach.MatchString(before[m[2]:m[3]]) {
		return true
	}
	return governedBy(othersDo, s, at) || governedBy(consents, s, at)
}

// governedBy: a guard that an expression finds before the deed governs it.
func governedBy(re *lazyre.Regexp, s string, at int) bool {
	for _, m := range re.FindAllStringIndex(s[:at], 3) {
		end := m[1]
		if named := attackers.FindStringIndex(s[m[0]:end]); named != nil {
			end = m[0] + named[1] // what they do follows
		}
		if first := escapes(s, m[0], end); first < 0 || at < first {
			return true
		}
	}
	return false
}

// othersDo: what follows is told of those who attack.
var othersDo = source.Wording("guard.others")

// warned: the clause before speaks against what follows, whatever it is.
var warned = source.Wording("guard.warned")

// reported: the quotation that follows is what somebody else may say.
var reported = source.Wording("guard.reported")

// denied: what was just named is said not to be right.
var denied = source.Wording("guard.denied")

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
var untouched = source.Wording("guard.untouched")

// unspared is the first match of an expression that no guard governs, nil when there is none.
func unspared(re *lazyre.Regexp, s string) []int {
	for _, m := range re.FindAllStringIndex(s, 6) {
		if !spared(s, m[0]) {
			return m
		}
	}
	return nil
}

// unwarned reports whether an expression about what no negation takes back is matched, and not only to speak against it.
func unwarned(re *lazyre.Regexp, s string) bool {
	for _, m := range re.FindAllStringIndex(s, 6) {
		if !warned.MatchString(s[:m[0]]) && !denied.MatchString(s[m[1]:]) && !onlyStates(s, m) {
			return true
		}
	}
	return false
}

// masked are things that sound private and are not, as they are named: the deed may have them. What is named beside them stays.
var masked = source.Alternatives("masked")

func unmasked(s string) string {
	for _, re := range masked() {
		s = re.ReplaceAllString(s, " ")
	}
	return s
}
