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

// A generaliser turns texts of one trace into templates: wherever a supplied value stands, in a mask or in plain sight, its
// reference takes the place. It is the only way by which a text of the trace reaches the output, so what it hides is hidden.
type Generaliser struct {
	byWord  map[string][]needle // by first word, lower-cased; longest first
	loose   map[string][]needle // by the first three bytes: found inside words too
	whole   map[string]string   // short values: only when they are the whole text
	Links   map[string]string   // link id -> template
	Fixed   map[string]string   // link id -> the text that it stands for in an address, to which it belongs
	Words   map[string]bool     // the page's own vocabulary: one-word values among them are no references
	cache   map[string]string
	months  []monthNumber
	History *History // nil: nothing is known of what the pages showed
}

type needle struct {
	text  string // lower-cased
	to    string // template
	exact string // as it was entered
}

// as is what stands for the needle where it is written like actual: in another case it is another form of the value.
func (n needle) as(actual string) string { return InCase(n.to, n.exact, actual) }

// InCase is the template of a value that was entered as exact and stands as actual.
func InCase(to, exact, actual string) string {
	id, ok := strings.CutSuffix(strings.TrimPrefix(to, string(page.RefOpen)), string(page.RefClose))
	if base, part, _ := strings.Cut(id, "."); ok && inLower[part] != "" {
		switch {
		case actual == strings.ToLower(plain.ASCII(actual)):
			return page.JoinRef(base, inLower[part])
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

// inLower are the forms of a title whose words are joined as they are, and what they are in lower case.
var inLower = map[string]string{workflow.PartUnder: workflow.PartSnake, workflow.PartHyphen: workflow.PartSlug}

// NewGeneraliser makes a generaliser that leaves the words of a page's own vocabulary alone.
func NewGeneraliser(vocabulary map[string]bool) *Generaliser {
	return &Generaliser{byWord: map[string][]needle{}, loose: map[string][]needle{}, whole: map[string]string{}, Links: map[string]string{},
		Words: vocabulary, cache: map[string]string{}}
}

// Add makes text stand for the template to. The first meaning of a text wins.
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

// Short makes a value of one or two characters known inside words, too: only for values that are known to stand there.
func (g *Generaliser) Short(text, to string) {
	text = strings.ToLower(text)
	if ws := plain.Words(text); len(ws) == 1 {
		clear(g.cache)
		g.byWord[ws[0]] = insert(g.byWord[ws[0]], needle{text, to, text})
	}
}

// insert keeps longer needles first, and of equal ones the earlier.
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

// looseText reports whether a value is so distinctive, or its script so free of blanks, that it is looked for inside words.
func looseText(s string) bool {
	for _, r := range s {
		if r >= 0x2E80 {
			return true
		}
	}
	return len(s) >= 6 && plain.Digits(s) > 0 && plain.Letters(s) > 0
}

// Text is s as a template.
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
		return g.convert(path) + "?" + g.query(query) // what is asked for is no page's name
	}
	if to, ok := g.whole[strings.ToLower(plain.Squeeze(s))]; ok {
		return to
	}
	return g.replaced(page.MasksToRefs(s), s)
}

// query converts what an address asks for. A word of pages that nobody gave, and that a field shows as well, is the program's own:
// do=admin.
func (g *Generaliser) query(s string) string {
	pairs := strings.Split(page.MasksToRefs(s), "&")
	for i, kv := range pairs {
		to := g.Again(kv)
		k, v, _ := strings.Cut(kv, "=")
		if _, given := g.History.Given[strings.ToLower(v)]; to != k+"="+page.AnyRef || given || !page.PageWord(v) {
			pairs[i] = to
		}
	}
	return strings.Join(pairs, "&")
}

// byChance reports whether a value stands in a page's text for a reason of its own; of no text ("") nothing is known.
func (g *Generaliser) byChance(value, text string) bool {
	return g.History != nil && text != "" && g.History.OwnWord(value, text)
}

// Word is a word of a command line as a template; its masks are references to links already.
func (g *Generaliser) Word(s string) string {
	if strings.ContainsRune(s, page.RefOpen) {
		return g.Again(s)
	}
	return g.Text(s)
}

// Again converts what of a template is still text.
func (g *Generaliser) Again(s string) string { return g.replaced(s, "") }

// replaced is a text, some of which may be a template already, as a template. of is the whole text of a page that it is, if any.
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

// Control is the name of a control as a template: the page's own words stay, whatever the person typed elsewhere.
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

// Resolve turns a mask's link into what is known of it.
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

// Literal replaces the needles in a text without references.
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

// literalFolded serves the rare texts whose lower case has another length: what cannot be matched exactly is lowered first.
func (g *Generaliser) literalFolded(s, of string) string {
	low := strings.ToLower(s)
	if out := g.literalOf(low, of); out != low {
		return out
	}
	return s
}

// at is the needle that stands at byte i, if any.
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

// Boundary reports whether a word ends at byte i.
func Boundary(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return !plain.WordRune(r)
}

// Learn makes a parameter's value known in all the forms in which it may turn up again.
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
