package lang

import (
	"slices"
	"strings"
)

// verbEndings are the endings of an English verb's forms, and of who does it, that begin with a vowel: they take a silent e away.
var verbEndings = []string{"e", "es", "er", "ers", "ed", "ing"}

// VerbForm reports whether a word is a form of an English verb in the spelling of such a form: who summarizes is a summarizer.
func VerbForm(word, verb string) bool {
	end, ok := strings.CutPrefix(word, strings.TrimSuffix(verb, "e"))
	return ok && slices.Contains(verbEndings, end)
}

// American is a verb's form as Americans spell it: who summarises summarizes.
func American(word string) string {
	for _, end := range verbEndings {
		if stem, ok := strings.CutSuffix(word, "is"+end); ok {
			return stem + "iz" + end
		}
	}
	return word
}
