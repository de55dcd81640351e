package intent

import (
	"slices"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// Synonyms are verbs that people use for the same request, the best first.
var Synonyms = lang.TableOf("synonyms")

// opposites are verbs that are easily mistaken for those of a family but ask for something else.
var opposites = lang.TableOf("opposites")

// FamilyOf sorts verbs by their kind of effect: read, change, create, delete, send.
var FamilyOf = lang.Sorted("family.", "read", "change", "create", "delete", "send")

// toVerbs are verbs after which "to" says where something goes; before "to" they only replace one another.
var toVerbs = lang.English("verbs.to")

// needsRecipient are verbs that change their meaning without a recipient: nobody "gives a ticket".
var needsRecipient = lang.English("verbs.whom")

var CreatingVerbs = lang.English("verbs.new")

// OutcomeOf maps a control's word to the sentence that is true after it was used: the goal of a checkpoint, with the
// thing's name.
var OutcomeOf = lang.TableOf("outcomes")

// IsActionWord reports whether a word of a control promises an action rather than a view.
func IsActionWord(w string) bool {
	if OutcomeOf.Get(w) != "" {
		return true
	}
	switch FamilyOf.Get(w) {
	case "change", "create", "delete", "send":
		return true
	}
	return false
}

// PromisesAction reports whether a control's label promises an action rather than a view.
func PromisesAction(wording string) bool {
	return slices.ContainsFunc(lang.Gloss(workflow.InputForm.ReplaceAllString(wording, " ")), IsActionWord)
}
