package scan

import (
	"slices"
	"strings"

	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/source"
)

// seizes are the rules for sentences that address whoever reads as an agent and want it to leave its user's word for theirs. What data says
// of sending, deleting or installing is the business of the people it is about.
var seizes = []string{"prompt-override", "prompt-conceal", "prompt-jailbreak", "prompt-authority", "prompt-hijack"}

// maxText bounds what is read of one text.
const maxText = 256 << 10

// Instructs names the rules by which a text that an agent is given as data gives it orders instead; nothing for most. It reads sentences
// alone, so that it can be asked of every answer of a service.
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
