package cases

import (
	_ "embed"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
)

//go:embed words.json
var wordsFile []byte

// Nonsense is the language of invented words; they are drawn anew for each case.
const Nonsense = "zz"

// Languages that pages are written in.
var Languages = []string{"en", "de", "fr", "es", "pl", "ja", Nonsense}

// words are the words that a page is written with.
type words struct {
	Text    []string `json:"text"`
	Long    []string `json:"long"`
	Number  []string `json:"number"`
	Date    []string `json:"date"`
	Choice  []string `json:"choice"`
	Yes     []string `json:"yes"`
	Options []string `json:"options"`
	Items   []string `json:"items"`
	Nouns   []string `json:"nouns"`

	Save    string `json:"save"`
	Add     string `json:"add"`
	Delete  string `json:"delete"`
	Next    string `json:"next"`
	Finish  string `json:"finish"`
	Confirm string `json:"confirm"`
	Cancel  string `json:"cancel"`
	Edit    string `json:"edit"`
	New     string `json:"new"`
	Apply   string `json:"apply"`
	Assign  string `json:"assign"`
	Approve string `json:"approve"`
	Pin     string `json:"pin"`
	Star    string `json:"star"`
	Archive string `json:"archive"`
	More    string `json:"more"`
	Upload  string `json:"upload"`
	Saved   string `json:"saved"`
	File    string `json:"file"`
	Search  string `json:"search"`
	Help    string `json:"help"`
	Home    string `json:"home"`
	Sure    string `json:"sure"`
	Choose  string `json:"choose"`
	Page    string `json:"page"`
	Saying  string `json:"saying"`
	Open    string `json:"open"`
}

var dictionaries = sync.OnceValue(func() map[string]words {
	var out map[string]words
	if err := json.Unmarshal(wordsFile, &out); err != nil {
		panic("bench/wild/cases/words.json: " + err.Error())
	}
	return out
})

// wordsOf returns the words of a language; invented ones follow from r.
func wordsOf(language string, r *rand.Rand) words {
	if language != Nonsense {
		return dictionaries()[language]
	}
	one := func() string { return capital(invented(r)) }
	several := func(n int) (out []string) {
		for range n {
			out = append(out, one())
		}
		return out
	}
	sentence := func() string { return one() + " " + invented(r) + " " + invented(r) + "." }
	return words{Text: several(8), Long: several(4), Number: several(4), Date: several(3), Choice: several(6), Yes: several(4),
		Options: several(12), Items: several(14), Nouns: several(4), Save: one(), Add: one(), Delete: one(), Next: one(), Finish: one(),
		Confirm: one(), Cancel: one(), Edit: one(), New: one(), Apply: one(), Assign: one(), Approve: one(), Pin: one(), Star: one(),
		Archive: one(), More: one(), Upload: one(), Saved: sentence(), File: one(), Search: one(), Help: one(), Home: one(), Sure: sentence(),
		Choose: one(), Page: one(), Saying: sentence(), Open: one()}
}

var (
	onsets = []string{"b", "d", "dr", "f", "g", "gl", "h", "k", "kr", "l", "m", "n", "p", "pl", "r", "s", "sk", "t", "tr", "v", "z"}
	vowels = []string{"a", "e", "i", "o", "u", "ea", "ou"}
	codas  = []string{"", "", "l", "m", "n", "r", "sk", "t", "x"}
)

// invented is an invented word of two or three syllables.
func invented(r *rand.Rand) string {
	out := ""
	for range 2 + r.IntN(2) {
		out += pick(r, onsets) + pick(r, vowels)
	}
	return out + pick(r, codas)
}

func capital(s string) string {
	first := []rune(s)[:1]
	return strings.ToUpper(string(first)) + s[len(string(first)):]
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// some returns n different ones of a list, in any order.
func some[T any](r *rand.Rand, n int, list []T) (out []T) {
	for _, i := range r.Perm(len(list))[:min(n, len(list))] {
		out = append(out, list[i])
	}
	return out
}

// chance is true in so many of a hundred draws.
func chance(r *rand.Rand, of100 int) bool { return r.IntN(100) < of100 }
