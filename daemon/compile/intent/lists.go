package intent

import (
	"strings"

	"showhow/internal/lang"
)

// AndList joins words as in a sentence: a, b and c.
func AndList(xs []string) string {
	if len(xs) <= 1 {
		return strings.Join(xs, "")
	}
	return strings.Join(xs[:len(xs)-1], ", ") + " and " + xs[len(xs)-1]
}

// OrList joins words as in a sentence: a, b or c.
func OrList(xs []string) string {
	if len(xs) <= 1 {
		return strings.Join(xs, "")
	}
	return strings.Join(xs[:len(xs)-1], ", ") + " or " + xs[len(xs)-1]
}

// StopWords carry no meaning in a name or a phrase.
var StopWords = lang.English("stop")
