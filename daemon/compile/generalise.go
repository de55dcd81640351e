package compile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// A generaliser turns texts of one trace into templates: wherever a supplied value stands, in a mask or in plain sight, its
// reference takes the place. It is the only way by which a text of the trace reaches the output, so what it hides is hidden.
type generaliser struct {
	byWord map[string][]needle // by first word, lower-cased; longest first
	loose  map[string][]needle // by the first three bytes: found inside words too
	whole  map[string]string   // short values: only when they are the whole text
	links  map[string]string   // link id -> template
	words  map[string]bool     // the page's own vocabulary: one-word values among them are no references
	cache  map[string]string
	months []monthNumber
	before *before // nil: nothing is known of what the pages showed
	text0  string  // that is being converted
}

type needle struct {
	text  string // lower-cased
	to    string // template
	exact string // as it was entered
}

// as is what stands for the needle where it is written like actual: in another case it is another form of the value.
func (n needle) as(actual string) string { return inCase(n.to, n.exact, actual) }

// inCase is the template of a value that was entered as exact and stands as actual.
func inCase(to, exact, actual string) string {
	id, ok := strings.CutSuffix(strings.TrimPrefix(to, string(refOpen)), string(refClose))
	if base, part, _ := strings.Cut(id, "."); ok && inLower[part] != "" {
		switch {
		case actual == strings.ToLower(plain.ASCII(actual)):
			return joinRef(base, inLower[part])
		case actual != exact:
			return anyRef
		}
		return to
	}
	if !ok || exact == actual || id == "*" || strings.ContainsAny(id, ".\uE000") || plain.Digits(exact) == len(exact) {
		return to
	}
	switch {
	case actual == strings.ToLower(exact):
		return ref(id + ".lower")
	case actual == strings.ToUpper(exact):
		return ref(id + ".upper")
	}
	return to
}

// inLower are the forms of a title whose words are joined as they are, and what they are in lower case.
var inLower = map[string]string{workflow.PartUnder: workflow.PartSnake, workflow.PartHyphen: workflow.PartSlug}

func newGeneraliser(vocabulary map[string]bool) *generaliser {
	return &generaliser{byWord: map[string][]needle{}, loose: map[string][]needle{}, whole: map[string]string{}, links: map[string]string{}, words: vocabulary, cache: map[string]string{}}
}

// add makes text stand for the template to. The first meaning of a text wins.
func (g *generaliser) add(text, to string) {
	exact := strings.TrimFunc(plain.Squeeze(text), func(r rune) bool { return !plain.WordRune(r) })
	text = strings.ToLower(plain.Squeeze(text))
	core := strings.ToLower(exact)
	ws := plain.Words(text)
	switch {
	case text == "":
		return
	case len(ws) == 1 && (g.words[ws[0]] || stopWords[ws[0]]) && plain.Digits(text) == 0:
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

// short makes a value of one or two characters known inside words, too: only for values that are known to stand there.
func (g *generaliser) short(text, to string) {
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

// text is s as a template.
func (g *generaliser) text(s string) string {
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

func (g *generaliser) convert(s string) string {
	if path, query, ok := strings.Cut(s, "?"); ok && isAddress(s) && g.before != nil {
		return g.convert(path) + "?" + g.query(query) // what is asked for is no page's name
	}
	if to, ok := g.whole[strings.ToLower(plain.Squeeze(s))]; ok {
		return to
	}
	g.text0 = s
	defer func() { g.text0 = "" }()
	return g.again(masksToRefs(s))
}

// query converts what an address asks for. A word of pages that nobody gave, and that a field shows as well, is the program's own:
// do=admin.
func (g *generaliser) query(s string) string {
	pairs := strings.Split(masksToRefs(s), "&")
	for i, kv := range pairs {
		to := g.again(kv)
		k, v, _ := strings.Cut(kv, "=")
		if _, given := g.before.given[strings.ToLower(v)]; to != k+"="+anyRef || given || !wordsOfPages[v] {
			pairs[i] = to
		}
	}
	return strings.Join(pairs, "&")
}

// byChance reports whether a value stands in the text that is being converted for a reason of its own.
func (g *generaliser) byChance(value string) bool {
	return g.before != nil && g.text0 != "" && g.before.ownWord(value, g.text0)
}

// word is a word of a command line as a template; its masks are references to links already.
func (g *generaliser) word(s string) string {
	if strings.ContainsRune(s, refOpen) {
		return g.again(s)
	}
	return g.text(s)
}

// again converts what of a template is still text.
func (g *generaliser) again(s string) string {
	if !strings.ContainsRune(s, refOpen) && strings.Contains(s, "[[") {
		s = masksToRefs(s)
	}
	if !strings.ContainsRune(s, refOpen) {
		return g.literal(s)
	}
	var b strings.Builder
	at := 0
	for _, m := range refForm.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(g.literal(s[at:m[0]]))
		b.WriteString(g.resolve(s[m[0]:m[1]], s[m[2]:m[3]]))
		at = m[1]
	}
	b.WriteString(g.literal(s[at:]))
	return b.String()
}

// control is the name of a control as a template: the page's own words stay, whatever the person typed elsewhere.
func (g *generaliser) control(s string) string {
	if strings.Contains(s, "[[") {
		return g.text(s)
	}
	for _, w := range plain.Words(s) {
		if !g.words[w] && !stopWords[w] {
			return g.text(s)
		}
	}
	return s
}

// resolve turns a mask's link into what is known of it.
func (g *generaliser) resolve(whole, id string) string {
	link, ok := strings.CutPrefix(id, "@")
	if !ok {
		return whole
	}
	if g.before != nil && g.text0 != "" {
		if value := g.before.open("[[text 1 " + link + "]]"); g.byChance(value) {
			return value
		}
	}
	if t, ok := g.links[link]; ok {
		return t
	}
	return anyRef
}

// literal replaces the needles in a text without references.
func (g *generaliser) literal(s string) string {
	if len(g.byWord) == 0 && len(g.loose) == 0 || s == "" {
		return s
	}
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return g.literalFolded(s)
	}
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		if n, ok := g.at(low, i); ok {
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
func (g *generaliser) literalFolded(s string) string {
	low := strings.ToLower(s)
	if out := g.literal(low); out != low {
		return out
	}
	return s
}

// at is the needle that stands at byte i, if any.
func (g *generaliser) at(low string, i int) (needle, bool) {
	if i+3 <= len(low) {
		for _, n := range g.loose[low[i:i+3]] {
			if strings.HasPrefix(low[i:], n.text) && !g.byChance(n.text) {
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
		if strings.HasPrefix(low[i:], n.text) && boundary(low, i+len(n.text)) && !g.byChance(n.text) {
			return n, true
		}
	}
	return needle{}, false
}

func boundary(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return !plain.WordRune(r)
}

// learn makes a parameter's value known in all the forms in which it may turn up again.
func (g *generaliser) learn(p *param, text string) {
	text = plain.Squeeze(text)
	if text == "" {
		return
	}
	to := ref(p.ParamID)
	g.add(text, to)
	g.learnMonth(p, text)
	for _, v := range workflow.Variants(p.Kind, text) {
		target := anyRef
		if v.Part != "" {
			target = ref(p.ParamID + "." + v.Part)
		}
		if v.Part == "url" {
			target = to
		}
		g.add(v.Text, target)
	}
}

// vocabulary is the page's own language: the words of its controls, labels and columns, whatever the person typed.
func vocabulary(traces []normalised) map[string]bool {
	v := map[string]bool{}
	add := func(s string) {
		for _, w := range plain.Words(stripMasks(s)) {
			v[w] = true
		}
	}
	for _, n := range traces {
		for _, a := range n.acts {
			controlWords(a, add)
		}
	}
	return v
}

func controlWords(a *act, add func(string)) {
	if t := a.target; t != nil {
		if !dataLike(a) && t.Role != "link" && !itemRoles[t.Role] {
			add(targetName(t))
		}
		add(t.Label)
		add(t.Placeholder)
	}
	for _, t := range a.state().Tables {
		for _, c := range t.Columns {
			add(c)
		}
	}
	for _, f := range a.state().Fields {
		if f.Role != "radio" { // its label is one of the values that its group can take
			add(f.Label)
		}
	}
}
