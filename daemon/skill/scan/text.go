package scan

import (
	"slices"
	"strings"

	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/source"
)

// seizes are the rules for sentences that address the reader as an agent and want it to disobey its user. Sentences in
// data about sending, deleting or installing concern the people of that data.
var seizes = []string{"prompt-override", "prompt-conceal", "prompt-jailbreak", "prompt-authority", "prompt-hijack"}

// maxText bounds what is read of one text.
const maxText = 256 << 10

// Instructs returns the rules by which a text that an agent gets as data gives it orders; usually none. It reads
// sentences only, so it is fast enough for every answer of a service.
func Instructs(text string) (rules []string) {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	f := source.New("answer.txt", []byte(text))
	if f.Kind == source.Binaries {
		return nil
	}
	prose.Of(f).Tell(f.Text, 1, source.Place{})
	for _, x := range f.Found {
		if strings.HasPrefix(x.RuleID, "prompt-") && !slices.Contains(rules, x.RuleID) {
			rules = append(rules, x.RuleID)
		}
	}
	if !slices.ContainsFunc(rules, func(r string) bool { return slices.Contains(seizes, r) }) {
		return nil
	}
	slices.Sort(rules)
	return rules
}
