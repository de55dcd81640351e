package prose

import (
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// careful: something private is named before it is said where it does not appear; what is appended says nothing of it.
func careful(s string) bool {
	ws := Stems(s)
	for i := len(ws) - 1; i >= 0; i-- {
		if words().all(ws[i:min(len(ws), i+5)], things)&(kOmit|kPlace|kSecrecy|kAsked) != 0 {
			return words().all(ws[:i], things)&(kKeys|kPrivate|kTheirs) != 0
		}
	}
	return true
}

// destroysIt: what others restore from is what is destroyed: it follows the deed, or is to be destroyed.
func destroysIt(s string) bool {
	if obliged.MatchString(s) {
		return true
	}
	v, destroyed := words(), false
	ws := Stems(s)
	for i, w := range ws {
		k := v.all(ws[i:min(len(ws), i+4)], things)
		e, _ := v.of(w, things)
		if destroyed && (e.kind&kRestore != 0 || k&kRestore != 0) {
			return true
		}
		destroyed = destroyed || e.kind&kDestroy != 0 && verbal(ws, i) && (i == 0 || !stemBefore(ws[i-1]))
	}
	return false
}

var (
	obliged    = source.Wording("obliged")
	stemBefore = stemSet("before.stems")
)

// takes: something goes to the address that the sentence names, by its own words; one that is only opened or called takes nothing.
func (t *Told) takes() bool {
	return t.places&kTaker != 0 && (t.reads().kinds&(kOut|kMove|kMailbox) != 0 || t.refers())
}

// refers reports whether the sentence goes on with what another one named.
func (t *Told) refers() bool {
	if t.goesOn == nil {
		ws := Stems(t.Text)
		is := false
		for i, w := range ws {
			is = is || pronoun(w) && standsFor(ws, i)
		}
		t.goesOn = &is
	}
	return *t.goesOn
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

// pointedTo: the sentence says before its address that it is where to read on.
func pointedTo(s string) bool {
	at := barePlace.FindStringIndex(s)
	if at == nil {
		return false
	}
	for _, w := range Stems(s[:at[0]]) {
		if words()[w].kind&kLink != 0 {
			return true
		}
	}
	return strings.Contains(s[:at[0]], "described in")
}

// asked notes what a sentence asks for, weighed like anything else that is said.
func (f Reader) asked(rule string, s Sentence, before string, sev report.Severity, meaning string, weak bool) {
	if quotedWhole(s.Text) && source.Presented(before) {
		sev = report.AtMost(sev, report.Medium)
	}
	f.Add(rule, s.Line, s.Said, report.With{Severity: sev, Meaning: meaning, Weak: weak})
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
