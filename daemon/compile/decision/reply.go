package decision

import (
	"cmp"
	"slices"
	"strings"

	"showhow/daemon/compile/page"
	"showhow/internal/lang"
)

// Understand says in one line how it reads an answer to the question: "Priority: always 'low'". When the question does
// not take such an answer, problem says which answers it takes. The demonstrated value is never mentioned: it may be
// sealed.
func (q Question) Understand(answer string) (understood, problem string) {
	answer = strings.TrimSpace(answer)
	subject := strings.Join(q.Subjects, ", ")
	switch {
	case q.Field == FieldInput || q.Field == FieldConst:
		if strings.Contains(q.SubjectRef, ",") {
			return q.understandEach(answer)
		}
		said, problem := q.understandValue(answer)
		return cmp.Or(subject, "the value") + ": " + said, problem
	case q.Field == FieldBranch:
		switch strings.ToLower(answer) {
		case "always", "never":
			return cmp.Or(subject, "the step") + ": " + strings.ToLower(answer), ""
		}
		return cmp.Or(subject, "the step") + ": when " + Condition(answer), ""
	case q.Field == FieldSuccess && strings.EqualFold(answer, "none"):
		return "the page says nothing: a person is asked whether it worked", ""
	case q.Field == FieldNonUse && strings.EqualFold(answer, "none"):
		return "not to be used: no such case", ""
	}
	return strings.ReplaceAll(q.Field, "_", " ") + ": " + answer, ""
}

var conditions = lang.English("conditions")

// Condition strips the word that opens a condition, for use inside a sentence: "when the order is late" becomes "the
// order is late".
func Condition(answer string) string {
	answer = strings.TrimSpace(answer)
	opener := ""
	for _, w := range conditions.Words() {
		if len(w) > len(opener) && len(answer) > len(w)+1 && strings.EqualFold(answer[:len(w)+1], w+" ") {
			opener = w
		}
	}
	return strings.TrimSpace(answer[len(opener):])
}

// understandValue reads an answer about one value, as param.apply does.
func (q Question) understandValue(answer string) (said, problem string) {
	verb, text, given := strings.Cut(answer, ":")
	text = strings.TrimSpace(text)
	given = given && text != ""
	switch strings.ToLower(strings.TrimSpace(verb)) {
	case "input", "yes", "ask":
		return "asked for each time", ""
	case "constant", "always":
		if !given {
			return "always as you showed it", ""
		}
		return "always '" + text + "'", q.noOption(text)
	case "example":
		if !given {
			return "asked for each time, with what you showed as an example", ""
		}
		return "asked for each time, for example '" + text + "'", q.noOption(text)
	case "default":
		return "'" + text + "' unless the request says otherwise", q.noOption(text)
	case "drop", "dropped":
		return "left out, with the step that enters it", ""
	}
	if i := slices.IndexFunc(q.Options, func(o string) bool { return strings.EqualFold(o, answer) }); i >= 0 {
		return "always '" + q.Options[i] + "'", ""
	}
	return "", "answer one of " + strings.Join(q.Choices, ", ") + q.orText()
}

func (q Question) orText() string {
	if len(q.Options) > 0 {
		return ", or which it always is: " + strings.Join(q.Options, ", ")
	}
	return ", or `constant: TEXT` where it is always TEXT"
}

// noOption returns the problem with a text that the page does not offer, or "".
func (q Question) noOption(text string) string {
	if len(q.Options) == 0 || slices.ContainsFunc(q.Options, func(o string) bool { return strings.EqualFold(o, text) }) {
		return ""
	}
	return "the page does not offer that; it offers " + strings.Join(q.Options, ", ")
}

// understandEach reads an answer about several values: one for all, or `NAME: ANSWER; NAME: ANSWER`, as spread does.
func (q Question) understandEach(answer string) (understood, problem string) {
	if IsVerb(answer) {
		said, _ := q.understandValue(answer)
		return strings.Join(q.Subjects, ", ") + ": " + said, ""
	}
	var said []string
	named := map[string]bool{}
	for _, part := range strings.Split(answer, ";") {
		who, what, ok := strings.Cut(part, ":")
		i := slices.IndexFunc(q.Subjects, func(s string) bool { return page.Snake(s) == page.Snake(strings.TrimSpace(who)) })
		if !ok || i < 0 {
			return "", "answer input or constant for all of them, or name each: `" + q.Subjects[0] + ": constant`; they are " +
				strings.Join(q.Subjects, ", ")
		}
		one, problem := q.understandValue(strings.TrimSpace(what))
		if problem != "" {
			return "", q.Subjects[i] + ": " + problem
		}
		named[q.Subjects[i]] = true
		said = append(said, q.Subjects[i]+": "+one)
	}
	for _, s := range q.Subjects {
		if !named[s] {
			said = append(said, s+": asked for each time")
		}
	}
	return strings.Join(said, "; "), ""
}
