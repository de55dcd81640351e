package scan

import (
	"strings"

	"showhow/daemon/skill"
)

// byLine reads a head that is no YAML as agents do that know no better: a value after each key, which goes on in the lines that are set
// in below it. A head with anything else in it, or too much of it, is not read. A text without a head declares nothing.
func byLine(text string) (skill.Document, bool) {
	head, body, ok := skill.SplitMarkdown([]byte(text))
	if !ok {
		return skill.Document{Body: text}, !strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "---")
	}
	if len(head) > skill.MaxHead {
		return skill.Document{}, false
	}
	doc := skill.Document{Body: string(body)}
	values := map[string]string{}
	at := ""
	for l := range strings.SplitSeq(string(head), "\n") {
		bare := strings.TrimSpace(l)
		if bare == "" || bare[0] == '#' {
			continue
		}
		if key, value, is := strings.Cut(l, ":"); is && l[0] != ' ' && l[0] != '-' && !strings.ContainsAny(key, " \t{}[]&*!\"'") {
			value = strings.TrimSpace(value)
			if values[key] != "" || value != "" && strings.ContainsRune("&*!", rune(value[0])) {
				return skill.Document{}, false // said twice, or what only YAML knows
			}
			at = key
			if value != "" && (value[0] == '|' || value[0] == '>') && len(value) < 4 {
				value = ""
			}
			values[at] = strings.Trim(value, `"'`)
			continue
		}
		if depth := len(l) - len(strings.TrimLeft(l, " \t")); at == "" || depth > 12 || strings.Count(bare, "- ") > 4 {
			return skill.Document{}, false
		}
		values[at] += " " + bare
	}
	doc.Name, doc.Description = values["name"], strings.TrimSpace(values["description"])
	doc.AllowedTools = strings.FieldsFunc(values["allowed-tools"], func(r rune) bool { return r == ',' || r == '[' || r == ']' })
	for i, t := range doc.AllowedTools {
		doc.AllowedTools[i] = strings.TrimSpace(t)
	}
	return doc, true
}
