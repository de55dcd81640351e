package template

import (
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Generaliser turns texts of one trace into templates: it replaces supplied values, masked or in clear text, by
// references. It is the only way by which a text of the trace reaches the output, so what it hides is hidden.
type Generaliser struct {
	byWord  map[string][]needle // by first word, lower-cased; longest first
	loose   map[string][]needle // by the first three bytes: also found inside words
	whole   map[string]string   // short values: matched only against a whole text
	Links   map[string]string   // link id -> template
	Fixed   map[string]string   // link id -> text, for values that are a fixed part of an address
	Words   map[string]bool     // the page's own vocabulary: a one-word value in it is not replaced
	cache   map[string]string
	months  []monthNumber
	History *History // nil if it is unknown what the pages showed
}

type needle struct {
	text  string // lower-cased
	to    string // template
	exact string // as entered
}

// as returns the template for the needle where it is written as actual: another case is another form of the value.
func (n needle) as(actual string) string { return InCase(n.to, n.exact, actual) }

// InCase returns the template of a value that was entered as exact and is written as actual.
func InCase(to, exact, actual string) string {
	id, ok := strings.CutSuffix(strings.TrimPrefix(to, string(page.RefOpen)), string(page.RefClose))
	if base, part, _ := strings.Cut(id, "."); ok && lowerForms[part] != "" {
		switch {
		case actual == strings.ToLower(plain.ASCII(actual)):
			return page.JoinRef(base, lowerForms[part])
		case actual != exact:
			return page.AnyRef
		}
		return to
	}
	if !ok || exact == actual || id == "*" || strings.ContainsAny(id, ".\uE000") || plain.Digits(exact) == len(exact) {
		return to
	}
	switch {
	case actual == strings.ToLower(exact):
		return page.Ref(id + ".lower")
	case actual == strings.ToUpper(exact):
		return page.Ref(id + ".upper")
	}
	return to
}

// lowerForms maps the forms of a title with joined words to the same forms in lower case.
var lowerForms = map[string]string{workflow.PartUnder: workflow.PartSnake, workflow.PartHyphen: workflow.PartSlug}

// NewGeneraliser returns a generaliser that does not replace words of the page's own vocabulary.
func NewGeneraliser(vocabulary map[string]bool) *Generaliser {
	return &Generaliser{byWord: map[string][]needle{}, loose: map[string][]needle{}, whole: map[string]string{}, Links: map[string]string{},
		Words: vocabulary, cache: map[string]string{}}
}

// Add makes the generaliser replace text by the template to. The first template for a text wins.
func (g *Generaliser) Add(text, to string) {
	exact := strings.TrimFunc(plain.Squeeze(text), func(r rune) bool { return !plain.WordRune(r) })
	text = strings.ToLower(plain.Squeeze(text))
	core := strings.ToLower(exact)
	ws := plain.Words(text)
	switch {
	case text == "":
		return
	case len(ws) == 1 && (g.Words[ws[0]] || intent.StopWords.Has(ws[0])) && plain.Digits(text) == 0:
		return
	case utf8.RuneCountInString(core) < 3:
		if _, ok := g.whole[text]; !ok {
			g.whole[text] = to
		}
		clear(g.cache)
		return
	}
	clear(g.cache)
	if looseText(core) {
		g.loose[core[:3]] = insert(g.loose[core[:3]], needle{core, to, exact})
		return
	}
	g.byWord[ws[0]] = insert(g.byWord[ws[0]], needle{core, to, exact})
}

// AddShort also matches a value of one or two characters inside longer texts. Use it only for values that are known to
// stand there.
func (g *Generaliser) AddShort(text, to string) {
	text = strings.ToLower(text)
	if ws := plain.Words(text); len(ws) == 1 {
		clear(g.cache)
		g.byWord[ws[0]] = insert(g.byWord[ws[0]], needle{text, to, text})
	}
}

// insert keeps longer needles first, and the earlier of equal ones.
func insert(ns []needle, n needle) []needle {
	at, dup := slices.BinarySearchFunc(ns, n, func(a, b needle) int {
		if d := len(b.text) - len(a.text); d != 0 {
			return d
		}
		return strings.Compare(a.text, b.text)
	})
	if dup {
		return ns
	}
	return slices.Insert(ns, at, n)
}

// looseText reports whether a value is searched for inside words: it mixes letters and digits, or its script has no
// blanks between words.
func looseText(s string) bool {
	for _, r := range s {
		if r >= 0x2E80 {
			return true
		}
	}
	return len(s) >= 6 && plain.Digits(s) > 0 && plain.Letters(s) > 0
}

// Text returns s as a template.
func (g *Generaliser) Text(s string) string {
	if s == "" {
		return s
	}
	if t, ok := g.cache[s]; ok {
		return t
	}
	t := g.convert(s)
	g.cache[s] = t
	return t
}

func (g *Generaliser) convert(s string) string {
	if path, query, ok := strings.Cut(s, "?"); ok && page.IsAddress(s) && g.History != nil {
		return g.convert(path) + "?" + g.query(query) // a query does not name the page
	}
	if to, ok := g.whole[strings.ToLower(plain.Squeeze(s))]; ok {
		return to
	}
	return g.replaced(page.MasksToRefs(s), s)
}

// query converts the query of an address. A value that is a word of pages and that nobody entered is the program's own:
// do=admin.
func (g *Generaliser) query(s string) string {
	pairs := strings.Split(page.MasksToRefs(s), "&")
	for i, kv := range pairs {
		to := g.Reapply(kv)
		k, v, _ := strings.Cut(kv, "=")
		if _, given := g.History.Given[strings.ToLower(v)]; to != k+"="+page.AnyRef || given || !page.PageWord(v) {
			pairs[i] = to
		}
	}
	return strings.Join(pairs, "&")
}

// byChance reports whether a value stands in a page's text by coincidence. The empty text means that the text is
// unknown.
func (g *Generaliser) byChance(value, text string) bool {
	return g.History != nil && text != "" && g.History.OwnWord(value, text)
}

// Word returns a word of a command line as a template; its masks have already become references to links.
func (g *Generaliser) Word(s string) string {
	if strings.ContainsRune(s, page.RefOpen) {
		return g.Reapply(s)
	}
	return g.Text(s)
}

// Reapply converts the parts of a template that are still text.
func (g *Generaliser) Reapply(s string) string { return g.replaced(s, "") }

// replaced returns a text that may already be partly a template as a template; of is the whole text of the page that it
// comes from, or "".
func (g *Generaliser) replaced(s, of string) string {
	if !strings.ContainsRune(s, page.RefOpen) && strings.Contains(s, "[[") {
		s = page.MasksToRefs(s)
	}
	if !strings.ContainsRune(s, page.RefOpen) {
		return g.literalOf(s, of)
	}
	var b strings.Builder
	at := 0
	for _, m := range page.RefForm.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(g.literalOf(s[at:m[0]], of))
		b.WriteString(g.resolveIn(s[m[0]:m[1]], s[m[2]:m[3]], of))
		at = m[1]
	}
	b.WriteString(g.literalOf(s[at:], of))
	return b.String()
}

// Control returns the name of a control as a template: words of the page's vocabulary stay, even if the person typed
// them elsewhere.
func (g *Generaliser) Control(s string) string {
	if strings.Contains(s, "[[") {
		return g.Text(s)
	}
	for _, w := range plain.Words(s) {
		if !g.Words[w] && !intent.StopWords.Has(w) {
			return g.Text(s)
		}
	}
	return s
}

// Resolve replaces the reference to a mask's link by what is known about it.
func (g *Generaliser) Resolve(whole, id string) string { return g.resolveIn(whole, id, "") }

func (g *Generaliser) resolveIn(whole, id, of string) string {
	link, ok := strings.CutPrefix(id, "@")
	if !ok {
		return whole
	}
	if g.History != nil && of != "" {
		if value := g.History.Open("[[text 1 " + link + "]]"); g.byChance(value, of) {
			return value
		}
	}
	if t, ok := g.Links[link]; ok {
		return t
	}
	return page.AnyRef
}

// Literal replaces values in a text without references.
func (g *Generaliser) Literal(s string) string { return g.literalOf(s, "") }

func (g *Generaliser) literalOf(s, of string) string {
	if len(g.byWord) == 0 && len(g.loose) == 0 || s == "" {
		return s
	}
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return g.literalFolded(s, of)
	}
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		if n, ok := g.at(low, i, of); ok {
			b.WriteString(s[start:i])
			b.WriteString(n.as(s[i : i+len(n.text)]))
			i += len(n.text)
			start = i
			continue
		}
		_, size := utf8.DecodeRuneInString(low[i:])
		i += size
	}
	if start == 0 {
		return s
	}
	b.WriteString(s[start:])
	return b.String()
}

// literalFolded handles the rare texts whose length changes in lower case: if anything matches, the result is in lower
// case.
func (g *Generaliser) literalFolded(s, of string) string {
	low := strings.ToLower(s)
	if out := g.literalOf(low, of); out != low {
		return out
	}
	return s
}

// at returns the needle that matches at byte i, if any.
func (g *Generaliser) at(low string, i int, of string) (needle, bool) {
	if i+3 <= len(low) {
		for _, n := range g.loose[low[i:i+3]] {
			if strings.HasPrefix(low[i:], n.text) && !g.byChance(n.text, of) {
				return n, true
			}
		}
	}
	r, size := utf8.DecodeRuneInString(low[i:])
	if !plain.WordRune(r) {
		return needle{}, false
	}
	if prev, _ := utf8.DecodeLastRuneInString(low[:i]); i > 0 && plain.WordRune(prev) {
		return needle{}, false
	}
	end := i + size
	for end < len(low) {
		r, size := utf8.DecodeRuneInString(low[end:])
		if !plain.WordRune(r) {
			break
		}
		end += size
	}
	for _, n := range g.byWord[low[i:end]] {
		if strings.HasPrefix(low[i:], n.text) && Boundary(low, i+len(n.text)) && !g.byChance(n.text, of) {
			return n, true
		}
	}
	return needle{}, false
}

// Boundary reports whether no word continues at byte i.
func Boundary(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return !plain.WordRune(r)
}

// Learn makes the generaliser replace a parameter's value in all forms in which it may appear again.
func (g *Generaliser) Learn(p workflow.Param, text string) {
	text = plain.Squeeze(text)
	if text == "" {
		return
	}
	to := page.Ref(p.ParamID)
	g.Add(text, to)
	g.learnMonth(p, text)
	for _, v := range workflow.Variants(p.Kind, text) {
		target := page.AnyRef
		if v.Part != "" {
			target = page.Ref(p.ParamID + "." + v.Part)
		}
		if v.Part == "url" {
			target = to
		}
		g.Add(v.Text, target)
	}
}
