package model

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/danger"
	"showhow/internal/lazyre"
)

// verdict is the judgement of one text of an answer. hostile means that no honest rewording does this; the whole
// answer is discarded.
type verdict struct {
	reason  string
	hostile bool
}

func refuse(reason string) verdict  { return verdict{reason: reason} }
func hostile(reason string) verdict { return verdict{reason: reason, hostile: true} }

// judge compares the answer with what was shown. The zero verdict accepts it.
func judge(h hidden, said string) verdict {
	switch {
	case said == "":
		return refuse("it is empty")
	case strings.ContainsFunc(said, unseen):
		return hostile("it has line breaks or characters that nobody can see")
	case utf8.RuneCountInString(said) > longest(h):
		return refuse("it is much longer than before")
	case !slices.Equal(token.FindAllString(said, -1), token.FindAllString(h.shown, -1)):
		return refuse("an input, quotation or number is missing, added or in another place")
	}
	before, after := token.ReplaceAllString(h.shown, " "), token.ReplaceAllString(said, " ")
	if v := additions(before, after); v.reason != "" {
		return v
	}
	if why := foreign(before, after); why != "" {
		return refuse(why)
	}
	if len(sentences.FindAllString(after, -1)) > max(1, len(sentences.FindAllString(before, -1))) {
		return refuse("it says more than before: another sentence")
	}
	if !slices.Equal(limits(before), limits(after)) {
		return refuse("it says otherwise whether, when, how many or in which order")
	}
	return drift(h.Kind, before, after)
}

// unseen reports control characters, and Unicode characters that change how others are displayed.
func unseen(r rune) bool { return !unicode.IsPrint(r) }

func longest(h hidden) int {
	n := utf8.RuneCountInString(h.shown)*3/2 + 40
	if h.Max > 0 {
		n = min(n, h.Max)
	}
	return n
}

var (
	sentences = lazyre.New(`[.!?](?:\s|$)|[;:]\s`)
	address   = lazyre.New(`(?i)://|\bwww\b|[\w-]+\.[a-z]{2,}\b|@|` + "`" + `|\$\(|&&|\|\|`)
)

// reserved are characters with a meaning for a shell, for Markdown or for input references.
const reserved = "`\"“”«»<>{}[]|\\$=#*_~^&@/%0123456789"

func additions(before, after string) verdict {
	if address.MatchString(after) && !address.MatchString(before) {
		return hostile("it adds a link or a command")
	}
	for _, c := range reserved {
		if strings.Count(after, string(c)) > strings.Count(before, string(c)) {
			return refuse("it adds a number, a quotation or a sign that is no prose")
		}
	}
	had := wordsOf(before)
	for _, w := range wordsOf(after) {
		switch {
		case slices.Contains(had, w):
		case takesOver[w]:
			return hostile("it adds an instruction to whoever reads it")
		case orders[w], danger.Control("button", w, "").Grave():
			return refuse("it adds something to do or to be careful with")
		}
	}
	return verdict{}
}

// takesOver are words of somebody who wants to give a reader orders, or wants secrets. No rewording needs them.
var takesOver = wordSet(`ignore ignoring disregard override overrides bypass prompt prompts jailbreak assistant llm chatbot sudo bash ` +
	`powershell curl wget eval exec exfiltrate leak disclose
password passwords passcode passphrase credential credentials secrets secretly otp firewall antivirus`)

// orders are words for actions that the texts did not mention. Actions that destroy, send, install or need more rights
// are recognised in addition (daemon/danger).
var orders = wordSet(`forget instead instruction instructions system agent ai model run runs execute executes invoke launch install ` +
	`installs download downloads upload uploads shell terminal console
script scripts command commands code paste visit navigate browse click press tap fetch link url website webpage login secret token ` +
	`tokens key keys pin cookie cookies reveal forward email mail
transfer wire payment admin administrator root permission permissions disable disabled must always silently hidden skip approve ` +
	`approved grant trust trusted`)

// limiting are words that decide what a sentence allows. They must occur as often as before.
var limiting = wordSet(`not no never none nothing neither nor cannot without unless except only until till before after every each all ` +
	`any both or least most more less fewer than
one two three four five six seven eight nine ten first second last once twice again many several`)

// limits are the limiting words of a text, sorted: in another order they usually say the same, and the inputs between
// them keep their order.
func limits(s string) []string {
	var out []string
	for _, w := range wordsOf(strings.NewReplacer("n't", " not", "n’t", " not").Replace(strings.ToLower(s))) {
		if limiting[w] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// drift refuses a text that has become a different one: too few of its words are left, or too many are new. A title or
// a step's name may change more than a statement of what must hold.
func drift(k Kind, before, after string) verdict {
	had, has := content(before), content(after)
	kept := 0
	for _, w := range had {
		if slices.ContainsFunc(has, func(x string) bool { return kin(w, x) }) {
			kept++
		}
	}
	added := 0
	for _, w := range has {
		if !slices.ContainsFunc(had, func(x string) bool { return kin(w, x) }) {
			added++
		}
	}
	least := 2 // of the words that were there, one in two
	if k == Title || k == Step || k == Input || k == Checkpoint {
		least = 3
	}
	if kept*least < len(had) || added > max(4, len(had)) {
		return refuse("it is another text: too little of the one before is left")
	}
	return verdict{}
}

// small are words without meaning of their own.
var small = wordSet(`a an the this that these those it its is are was were be been being has have had do does did of in on at to for ` +
	`from by with into as and then there their they them
he she his her so which who what whose where how if when while will would can could may might should somebody someone such only`)

func content(s string) []string {
	return slices.DeleteFunc(wordsOf(s), func(w string) bool { return small[w] || limiting[w] })
}

// kin reports whether two words are forms of one: saved and saves, detail and details.
func kin(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a == b || n >= 4 && n >= min(len(a), len(b))-1 || n >= 5
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
