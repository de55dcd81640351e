package lang

import "strconv"

// Unlisted is the value of Ordinary for a word that is on no list.
const Unlisted = 10

// usual are the stems of ordinary English words, each with its rarity in requests as a power of two.
var usual = &Map{read: func() map[string]string {
	m := map[string]string{}
	for n := range Unlisted {
		if text, ok := load().english["ordinary."+strconv.Itoa(n)]; ok {
			for _, w := range list(text) {
				m[EnglishStem(w)] = strconv.Itoa(n)
			}
		}
	}
	return m
}}

// Ordinary says how common an English stem is in requests to programs: about one in 2^n contains it. If not known,
// the stem is rarer than Unlisted, or not an English word.
func Ordinary(stem string) (n int, known bool) {
	n, err := strconv.Atoi(usual.Get(stem))
	return n, err == nil
}

// functions are the stems of function words in any language.
var functions = &Map{read: func() map[string]string {
	m := map[string]string{}
	for _, w := range list(Text("courtesies")) {
		m[EnglishStem(w)] = "en"
	}
	for _, l := range Languages() {
		if l.Code == "en" {
			continue // courtesies has them, and more
		}
		for _, p := range l.Phrases(Stop) {
			for _, w := range Words(p) {
				if s := EnglishStem(w); m[s] == "" {
					m[s] = l.Code
				}
			}
		}
	}
	return m
}}

// FunctionWord reports whether a stem is an article, a pronoun, a preposition, a courtesy or the like in any
// language.
func FunctionWord(stem string) bool { return functions.Get(stem) != "" }
