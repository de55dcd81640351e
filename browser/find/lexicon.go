package find

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lexicon.txt
var lexiconText string

// words is read when it is first needed: most runs of the program never do.
var words = sync.OnceValue(func() *lexicon { return readLexicon(lexiconText) })

// lexicon knows which words programs use for the same thing.
type lexicon struct {
	concepts []concept
	phrases  map[string][]int // plain phrase -> concepts
	stems    map[string][]int // likewise, by their stems
	longest  int              // words of the longest phrase
}

type concept struct {
	name string
	deed bool
	near []int
}

// unit is a word or phrase with what it may mean.
type unit struct {
	text     string
	concepts []int
}

func readLexicon(text string) *lexicon {
	x := &lexicon{phrases: map[string][]int{}, stems: map[string][]int{}}
	byName := map[string]int{}
	near := map[int]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, rest, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		name = strings.TrimSpace(name)
		c := concept{name: strings.TrimPrefix(name, "!"), deed: strings.HasPrefix(name, "!")}
		n := len(x.concepts)
		x.concepts = append(x.concepts, c)
		byName[c.name+deedMark(c.deed)] = n
		phrases, others, _ := strings.Cut(rest, "~")
		near[n] = others
		for p := range strings.SplitSeq(phrases, ",") {
			p = strings.Join(content(plain(p)), " ")
			x.phrases[p] = append(x.phrases[p], n)
			x.stems[stem(p)] = append(x.stems[stem(p)], n)
			x.longest = max(x.longest, strings.Count(p, " ")+1)
		}
	}
	for n, others := range near {
		for o := range strings.FieldsSeq(others) {
			if i, ok := byName[o+deedMark(x.concepts[n].deed)]; ok {
				x.concepts[n].near = append(x.concepts[n].near, i)
			}
		}
	}
	return x
}

func deedMark(deed bool) string {
	if deed {
		return "!"
	}
	return ""
}

// whole is what the text as a whole may mean.
func (x *lexicon) whole(s string) []int { return x.phrases[strings.Join(content(s), " ")] }

// units splits a plain text into the longest phrases that are known and single words.
func (x *lexicon) units(s string) []unit {
	ws := content(s)
	var out []unit
	for i := 0; i < len(ws); {
		n := min(x.longest, len(ws)-i)
		for ; n > 1; n-- {
			if x.knows(strings.Join(ws[i:i+n], " ")) {
				break
			}
		}
		text := strings.Join(ws[i:i+n], " ")
		concepts := x.phrases[text]
		if len(concepts) == 0 {
			concepts = x.stems[stem(text)]
		}
		out = append(out, unit{text, concepts})
		i += n
	}
	return out
}

func (x *lexicon) knows(s string) bool { return len(x.phrases[s]) > 0 || len(x.stems[stem(s)]) > 0 }

// content are the words that say something; all of them when none does.
func content(s string) []string {
	all := strings.Fields(s)
	out := make([]string, 0, len(all))
	for _, w := range all {
		if !empty[w] {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

var (
	empty = set("the a an of and for your my our this these please now here der die das den dem ein eine einen ihr ihre ihren mein meine von bitte jetzt le la les du des l un une votre vos mon mes s il vous plaît el los las del uno una su sus tu mi lo gli i il di per favore o os as um uma seu sua de het een van uw je proszę twój det en ett din ditt")
	// what turns a wording into its opposite
	negating = set("not dont never without un nicht kein keine nie ohne ne pas sans no sin non senza não sem niet geen zonder nie bez inte utan")
)

func set(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
