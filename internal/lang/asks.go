package lang

import (
	"embed"
	"fmt"
	"maps"
	"strings"
	"sync"
)

// What a text asks its reader to do is data in data/asks: the words of each kind of deed, thing and circumstance, one
// file per language that has any, and wordings, which are patterns over a sentence.

//go:embed data/asks/*.txt
var asked embed.FS

// askedIn are the languages of data/asks.
var askedIn = strings.Fields("en de es fr it pt zh")

// Asks calls add with every kind and its words and phrases, language by language. The caller keeps them; nothing else
// stays in memory.
func Asks(add func(kind string, phrases []string)) {
	for _, code := range askedIn {
		for _, kv := range entries(readAsked(code)) {
			add(kv[0], list(kv[1]))
		}
	}
}

// AskedWords are the words of one kind in every language.
func AskedWords(kind string) (out []string) {
	Asks(func(k string, phrases []string) {
		if k == kind {
			out = append(out, phrases...)
		}
	})
	if out == nil {
		panic("lang: data/asks has no kind " + kind)
	}
	return out
}

// A Wording is a pattern over one sentence with what limits it. Patterns are in the syntax of package regexp.
type Wording struct {
	Hints  []string // one of them is in every match
	Also   []string // and one of these
	Says   string
	Each   []string // its alternatives, one by one
	Unless string   // before the match: it is meant otherwise
	Excuse string   // before the match or in it
	Only   string   // somewhere in the sentence, else nothing
	Raised string   // somewhere in the sentence: graver
}

var wordings struct {
	sync.Mutex
	all map[string]*Wording
}

// WordingOf is the wording with a name.
func WordingOf(name string) *Wording {
	wordings.Lock()
	defer wordings.Unlock()
	if wordings.all == nil {
		wordings.all = map[string]*Wording{}
		readWordings(readAsked("wordings"))
		readWordings(readAsked("wordings.others"))
	}
	w, ok := wordings.all[name]
	if !ok {
		panic("lang: data/asks has no wording " + name)
	}
	return w
}

// Wordings are the names of all wordings.
func Wordings() []string {
	WordingOf("negated")
	wordings.Lock()
	defer wordings.Unlock()
	var out []string
	for name := range maps.Keys(wordings.all) {
		out = append(out, name)
	}
	return out
}

func forgetWordings() {
	wordings.Lock()
	defer wordings.Unlock()
	wordings.all = nil
}

func readAsked(name string) string {
	b, err := asked.ReadFile("data/asks/" + name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("lang: %v", err)) // it is embedded: a test reads all of them
	}
	return string(b)
}

// readWordings reads blocks: a name, and below it lines with a key and one alternative of a pattern, or a list.
func readWordings(text string) {
	var w *Wording
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] != ' ':
			if wordings.all[line] != nil {
				panic(fmt.Sprintf("lang: data/asks has the wording %q twice", line))
			}
			w = &Wording{}
			wordings.all[line] = w
			continue
		}
		key, value, _ := strings.Cut(line[1:], " ")
		switch key {
		case "hints":
			w.Hints = strings.Split(value, ",")
		case "also":
			w.Also = strings.Split(value, ",")
		case "says":
			w.Says, w.Each = either(w.Says, value), append(w.Each, value)
		case "unless":
			w.Unless = either(w.Unless, value)
		case "excuse":
			w.Excuse = either(w.Excuse, value)
		case "only":
			w.Only = either(w.Only, value)
		case "raised":
			w.Raised = either(w.Raised, value)
		default:
			panic("lang: data/asks: " + line)
		}
	}
}

// either adds an alternative to a pattern. @name is the pattern of another wording, which stands above.
func either(pattern, more string) string {
	if name, ok := strings.CutPrefix(more, "@"); ok && wordings.all[name] != nil {
		more = wordings.all[name].Says
	}
	if pattern == "" {
		return more
	}
	return pattern + "|" + more
}
