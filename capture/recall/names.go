package recall

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// A typed "First Last" recurs as "Hello First": single words of what looks like a name become known, too. Ordinary
// words do not, nor does what the page itself named before the name was typed.

var (
	namePartRE = lazyre.New(`^\p{L}[\p{L}'’.-]*$`)
	mailNameRE = lazyre.New(`^[\p{L}\p{N}._+-]+$`)
)

// nameField matches the labels of fields for a person's name.
var nameField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + lang.Pattern(lang.Person)) })

// commonWords never identify a person by themselves; folded.
var commonWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range lang.Single(lang.Stop, lang.Articles, lang.Prepositions, lang.Months, lang.Weekdays) {
		out[lexical.Fold(w)] = true
	}
	for _, w := range lang.EnglishOnce("names.common") {
		out[lexical.Fold(w)] = true
	}
	for _, w := range lang.EnglishOnce("names.also") {
		delete(out, lexical.Fold(w))
	}
	return out
})

// nameParts are the words of a typed value that identify a person by themselves, folded. declared: the field asked
// for a name.
func nameParts(text string, kind capture.ValueKind, declared bool) []string {
	if kind == capture.KindEmail {
		local, _, _ := strings.Cut(text, "@")
		if !mailNameRE.MatchString(local) {
			return nil
		}
		out := partsOf(strings.FieldsFunc(local, func(r rune) bool { return strings.ContainsRune("._+-", r) }), 5)
		if len(out) > 0 && strings.ContainsAny(local, "._-") {
			out = append(out, lexical.Fold(local))
		}
		return out
	}
	fields := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if kind != capture.KindText || len(fields) < 2 || len(fields) > 4 {
		return nil
	}
	capitals := 0
	for _, f := range fields {
		if !namePartRE.MatchString(f) {
			return nil
		}
		if r, _ := utf8.DecodeRuneInString(f); unicode.IsUpper(r) {
			capitals++
		}
	}
	least := 4
	switch {
	case declared:
		least = 3
	case capitals < len(fields)-1 || capitals < 2: // a particle may be small: Anna van Dijk
		return nil
	}
	return partsOf(fields, least)
}

func partsOf(fields []string, least int) []string {
	var out []string
	for _, f := range fields {
		f = lexical.Fold(strings.Trim(f, "'’.-"))
		if utf8.RuneCountInString(f) >= least && !commonWords()[f] && strings.IndexFunc(f, unicode.IsLetter) >= 0 {
			out = append(out, f)
		}
	}
	return out
}

// AddNames makes the parts of a typed name known; those that occur in the page's own texts stay ordinary words.
func (k *Values) AddNames(raw *capture.RawValue, text string, kind capture.ValueKind) {
	given := strings.HasSuffix(raw.Autocomplete, "name") && raw.Autocomplete != "username" && raw.Autocomplete != "organization-name"
	for _, p := range nameParts(text, kind, given || nameField().MatchString(raw.FieldName)) {
		if len(k.parts) >= maxKnown || !given && k.chrome.holds(p) {
			continue
		}
		if k.parts == nil {
			k.parts = map[string]struct{}{}
		}
		k.parts[p] = struct{}{}
	}
}

// names finds words of typed names that stand alone.
func (k *Values) names(low string, ws [][2]int) []Match {
	if len(k.parts) == 0 {
		return nil
	}
	var out []Match
	for i, w := range ws {
		for n := 0; n < 3 && i+n < len(ws); n++ { // anna.schmidt is one part
			end := ws[i+n][1]
			if _, ok := k.parts[low[w[0]:end]]; ok {
				out = append(out, Match{w[0], end, Value{Kind: capture.KindText}})
			}
		}
	}
	return out
}

// chrome are the texts with which pages name their own parts, as seen before a name was typed.
type chrome map[string]struct{}

const maxChrome = 4096

func (c *chrome) add(s string) {
	if s == "" || len(s) > 200 {
		return
	}
	if *c == nil {
		*c = chrome{}
	}
	if len(*c) < maxChrome {
		(*c)[s] = struct{}{}
	}
}

func (c chrome) holds(word string) bool {
	for s := range c {
		low := lexical.Fold(s)
		for at := 0; ; {
			i := strings.Index(low[at:], word)
			if i < 0 {
				break
			}
			if lexical.WholeWord(low, at+i, at+i+len(word)) {
				return true
			}
			at += i + len(word)
		}
	}
	return false
}

// note records the page's own texts.
func (c *chrome) note(t *capture.Target, states ...*capture.State) {
	if t != nil && !capture.IsData(t.Role) {
		c.add(t.Name)
		c.add(t.Label)
	}
	for _, s := range states {
		if s == nil {
			continue
		}
		c.add(s.Title)
		for _, h := range s.Headings {
			c.add(h)
		}
		for _, f := range s.Fields {
			c.add(f.Label)
		}
		for _, f := range s.Details {
			c.add(f.Label)
		}
		for _, t := range s.Tables {
			c.add(t.Name)
			for _, col := range t.Columns {
				c.add(col)
			}
		}
	}
}
