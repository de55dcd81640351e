package lang

import "strings"

// related are the English stems of one meaning: verbs of the same wish, and what controls and fields of one concept are called.
var related = &Map{read: func() map[string]string {
	m := map[string]string{}
	join := func(a, b string) {
		if a, b = EnglishStem(a), EnglishStem(b); a != b && !strings.Contains(", "+m[a]+",", ", "+b+",") {
			m[a] = strings.TrimPrefix(m[a]+", "+b, ", ")
		}
	}
	both := func(words []string) {
		for _, a := range words {
			for _, b := range words {
				if !strings.Contains(a, " ") && !strings.Contains(b, " ") {
					join(a, b)
				}
			}
		}
	}
	for verb, same := range Table("synonyms") {
		for _, w := range list(same) {
			both([]string{verb, w})
		}
	}
	for _, group := range strings.Split(Text("related"), ";") {
		both(list(group))
	}
	english := Languages()[0]
	for _, x := range Meanings() {
		both(english.Phrases(x.Concept))
	}
	return m
}}

// Related are the stems of English words that mean the same as one with this stem, or nearly.
func Related(stem string) []string { return related.List(stem) }
