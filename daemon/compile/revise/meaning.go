package revise

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Guards against misreading a sentence: words that describe a value are not the value, and two instructions are not one.

// twoAtOnce finds a second instruction in a sentence.
var twoAtOnce = lazyre.New(`(?i)(?:,| and| then) (?:also |then |please )*(?:drop|skip|leave out|rename|split|always use|(?:do ` +
	`not|don't|never) (?:ask|use)|(?:remove|delete|call|make|keep) the|ask me)\b`)

var conditional = lazyre.New(`(?i)^(?:if|when) `)

var inQuotation = lazyre.New("\"[^\"]*\"|“[^”]*”|`[^`]*`")

// refuseTwoInstructions refuses a sentence with two instructions: the second would become part of the value that the first one sets.
func refuseTwoInstructions(s string) error {
	if conditional.MatchString(s) || !twoAtOnce.MatchString(inQuotation.ReplaceAllString(s, "")) {
		return nil
	}
	return fault.New(fault.InvalidRequest, "two things are said in one sentence").WithHint(
		"write each on a line of its own, and put texts into quotation marks")
}

var (
	undecidedValue = lazyre.New(`(?i)\b(?:unless|except|if|when|whenever|but|or|either|otherwise|whatever|whichever)\b`)
	describesValue = lazyre.New(`(?i)^(?:the|same|my|our|your|his|her|their|its|today|tomorrow|yesterday|now|next|last|this|that|` +
		`current|some|any|another|no|none|nothing|empty|it|one of)\b`)
	wholeNumber = lazyre.New(`^[-+]?\d[\d.,' ]*\d$|^[-+]?\d$`)
)

// value returns the value that an input is to have. It refuses words that only describe one ("today's date", "Cedar or
// Elm"), and values that the input cannot take.
func (c *instructions) value(p workflow.Param, said string) (string, error) {
	text := bareValue(said)
	if p.List && len(p.Options) > 0 {
		all := workflow.SplitChoices(text, p.Options)
		if slices.ContainsFunc(all, func(one string) bool { return !slices.Contains(p.Options, one) }) || len(all) == 0 {
			return "", noSuchValue(p, text, "it takes any of: "+write.OptionList(p.Options))
		}
		return strings.Join(all, ", "), nil
	}
	if len(p.Options) > 0 {
		i := slices.IndexFunc(p.Options, func(o string) bool { return strings.EqualFold(o, text) })
		if i < 0 {
			return "", noSuchValue(p, text, "it takes one of: "+write.OptionList(p.Options))
		}
		return p.Options[i], nil
	}
	if text == strings.TrimSpace(said) && (undecidedValue.MatchString(text) || describesValue.MatchString(text)) {
		return "", fault.New(fault.InvalidRequest,
			"it is not clear which text is meant").WithHint(fmt.Sprintf("put the text itself into quotation marks: always use \"...\" for %s",
			p.Name))
	}
	fits, like := true, ""
	switch p.Kind {
	case capture.KindNumber:
		fits, like = wholeNumber.MatchString(text), "a number in digits"
	case capture.KindDate:
		_, day := workflow.ParseDate(text)
		_, month := workflow.ParseMonth(text)
		fits, like = day || month, "a date such as 2027-03-15"
	case capture.KindEmail:
		fits, like = page.KindOf(text) == capture.KindEmail, "an email address"
	case capture.KindURL:
		fits, like = page.KindOf(text) == capture.KindURL, "a web address"
	case capture.KindBoolean:
		fits, like = text == page.Yes || text == page.No, "yes or no"
	}
	if !fits {
		return "", noSuchValue(p, text, "it takes "+like)
	}
	return text, nil
}

func noSuchValue(p workflow.Param, text, takes string) error {
	return fault.Newf(fault.InvalidRequest, "%s cannot be %q", p.Name, page.Cut(text, 60)).WithHint(takes)
}

// phraseOf returns a whole request that a person would say.
func phraseOf(said string) (string, error) {
	text := bareValue(said)
	quoted := text != strings.TrimSpace(said)
	if !quoted && strings.Contains(" "+strings.ToLower(text)+" ", " or ") {
		return "", fault.New(fault.InvalidRequest,
			"several requests are said at once").WithHint(`say each in a sentence of its own: people also say "get me the invoice"`)
	}
	telling := slices.DeleteFunc(plain.Words(text), func(w string) bool { return intent.StopWords.Has(w) })
	if len(telling) < 2 && !(quoted && len(strings.Fields(text)) > 1) {
		return "", fault.New(fault.InvalidRequest, "one word is too little to tell this skill from others").WithHint(
			`say a whole request: people also say "get me the invoice"`)
	}
	return text, nil
}

// isQuoted reports whether a text is in quotation marks.
func isQuoted(s string) bool { return bareValue(s) != strings.TrimSpace(s) }
