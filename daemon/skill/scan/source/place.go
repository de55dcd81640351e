package source

import (
	"strings"

	"showhow/internal/lazyre"
)

// Place says where text stands: it decides how much a sentence weighs.
type Place struct {
	Hidden  string // the rule for text that is not shown, "" for text that is
	Quoted  bool   // in a code block, a quotation or inline code
	Before  string // what stands before it: it can say that a bad example follows
	Literal bool   // a comment or a string of a program, a value of a data file
	Head    bool   // description or triggers
}

// badExample: words that present what follows as something not to do or to look for.
var badExample = Re(`(?i)\b(?:examples?|e\.g\.|such ` +
	`as|phrases?|patterns?|payloads?|detect\w*|flag(?:ged|s)?|reject|attack\w*|malicious|injection|suspicious|warning signs?|red ` +
	`flags?|avoid|bad|unsafe|wrong|anti-?patterns?|vulnerable|insecure|refuse|watch for|look for|scan for|search ` +
	`for|quarantine|spot|recogni[sz]e|adversar\w+|poisoned|what (?:an )?attack|beispiele?|exemple|ejemplo)\b|❌|🚫|\b(?:never|do not|don'?t) ` +
	`(?:run|do|use|write|paste|execute|follow|trust|copy|pipe|ship|commit)\b`)

// Cue: what stands before presents this as something not to do.
func (p Place) Cue() bool { return Presented(p.Before) }

// Presented: the text says that it shows something bad. What stands in an address says nothing.
func Presented(s string) bool {
	if strings.Contains(s, "://") || strings.Contains(s, ".example") {
		s = addressLike.ReplaceAllString(s, " ")
	}
	return badExample.MatchString(s)
}

var addressLike = lazyre.New(`(?i)https?://[^\s"'<>)]+|[\w@.-]+\.(?:example|invalid|test)\b[^\s"'<>)]*`)
