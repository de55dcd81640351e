package intent

import (
	"slices"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// Synonyms of verbs that people use for the same wish, best first.
var Synonyms = lang.TableOf("synonyms")

// opposites are wishes that are easily mistaken for one of a family but need something else.
var opposites = lang.TableOf("opposites")

// FamilyOf sorts verbs by what they do to the world.
var FamilyOf = lang.Sorted("family.", "read", "change", "create", "delete", "send")

// toVerbs are verbs after which "to" says where something goes: only they can stand for one another before it.
var toVerbs = lang.English("verbs.to")

// needsWhom are verbs that mean another thing without somebody to get it: one does not "give a ticket".
var needsWhom = lang.English("verbs.whom")

var MakesNew = lang.English("verbs.new")

// DeedOf is what is true after a control with this word was used: the sentence of a checkpoint's goal, with the thing's name.
var DeedOf = lang.TableOf("outcomes")

// DoesSomething reports whether a word of a control promises a deed rather than a look.
func DoesSomething(w string) bool {
	if DeedOf.Get(w) != "" {
		return true
	}
	switch FamilyOf.Get(w) {
	case "change", "create", "delete", "send":
		return true
	}
	return false
}

// Promises reports whether the words of a control promise a deed rather than a look.
func Promises(wording string) bool {
	return slices.ContainsFunc(lang.Gloss(workflow.InputForm.ReplaceAllString(wording, " ")), DoesSomething)
}
