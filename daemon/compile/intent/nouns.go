package intent

import (
	"slices"
	"strings"

	"showhow/internal/lang"
)

// CountedIn reports whether a noun is used as countable, even if it usually is not: "a mail", but not "the mail".
func CountedIn(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "a" || first == "an" || first == "one"
}

// HasArticle reports whether a noun has an article, so that it is one thing.
func HasArticle(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "a" || first == "an" || first == "the" || first == "my" || first == "one"
}

// OneOf returns the singular of a plural, or "".
func OneOf(many string) string {
	many = strings.ToLower(many)
	switch many {
	case "people", "persons":
		return "person"
	case "children":
		return "child"
	case "news", "status", "address", "access", "settings", "details", "results", "pages", "views":
		return ""
	}
	if one := Singular(many); one != "" {
		return one
	}
	return lang.Singular("de", many)
}

// Singular returns the singular of a regular English plural, or "".
func Singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return ""
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return ""
}

// Plural returns the regular English plural of w.
func Plural(w string) string {
	switch {
	case w == "" || Singular(w) != "":
		return w
	case w == "person":
		return "people"
	case strings.HasSuffix(w, "y") && len(w) > 1 && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "s") || strings.HasSuffix(w, "x") || strings.HasSuffix(w, "ch") || strings.HasSuffix(w, "sh"):
		return w + "es"
	}
	return w + "s"
}

// Article puts a or an before a noun.
func Article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// Uncountable are nouns that take no article, or are already plurals.
var Uncountable = lang.English("uncountable")

var (
	cancellable = lang.English("cancellable")
	beforeNouns = lang.English("before.nouns") // articles and other determiners
)

// isNew reports whether a noun is of something that does not exist yet: "a new member".
func isNew(noun string) bool { return slices.Contains(strings.Fields(strings.ToLower(noun)), "new") }

func definite(noun string) bool {
	first, _, _ := strings.Cut(strings.ToLower(noun), " ")
	return first == "the" || first == "my" || first == "our"
}

// Bare returns a noun without its article: "order".
func Bare(noun string) string {
	first, rest, ok := strings.Cut(noun, " ")
	if ok && beforeNouns.Has(strings.ToLower(first)) {
		return Bare(rest)
	}
	return noun
}

// LastWord returns the last word of a text, or "".
func LastWord(s string) string {
	ws := strings.Fields(s)
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1]
}

// headOf returns the part before "of".
func headOf(object string) string {
	head, _, _ := strings.Cut(object, " of ")
	return head
}

// Indefinite are words for an unspecified person: somebody.
var Indefinite = lang.English("indefinite")

// periods are periods, to which nobody does anything: "month".
var periods = lang.English("periods")

// aspects are plurals that describe one thing: "details".
var aspects = lang.English("aspects")

// determiners are words that begin a noun phrase.
var determiners = lang.English("determiners")

// particles belong to their verb even if the object stands between: "take the rent out". In "a day off" they belong to
// the noun.
var particles = []string{"out", "up", "off", "down", "away", "back", "over", "together", "apart"}
