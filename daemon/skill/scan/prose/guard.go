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
	return othersDo.MatchString(before) || consents.MatchString(before)
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

var opening = source.Wording("guard.opening")

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
var masked = source.Alternatives("masked")

func unmasked(s string) string {
	for _, re := range masked() {
		s = re.ReplaceAllString(s, " ")
	}
	return s
}
