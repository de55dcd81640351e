package lang

import "strings"

// Singular is the singular of a plural in the language with the code, "" if its rules do not give one. Compounds are
// inflected like their last part.
func Singular(code, many string) string {
	for _, l := range Languages() {
		if l.Code != code {
			continue
		}
		for _, rule := range l.plural {
			if head, ok := strings.CutSuffix(many, rule[0]); ok && len(head)+len(rule[1]) > 2 {
				return head + rule[1]
			}
		}
	}
	return ""
}
