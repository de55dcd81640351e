package lang

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.txt
var files embed.FS

// A Concept is the meaning of a list of words: the key that every language's file uses for it.
type Concept string

// The concepts that have a constant of their own. Others are the actions of controls ("deed.save") and the subjects
// of fields ("thing.firstname"), see data/concepts.txt.
const (
	Refusal      Concept = "refusal"      // a message says that something went wrong
	Success      Concept = "success"      // a message says that something was done
	Busy         Concept = "busy"         // a message says that something is under way
	Nothing      Concept = "nothing"      // a message says that there is none
	Required     Concept = "required"     // a mark on a field that must be filled in
	Optional     Concept = "optional"     // a mark on a field that may stay empty
	Yes          Concept = "yes"          // an answer
	No           Concept = "no"           // an answer
	Forward      Concept = "forward"      // a control that leads to the next page, month or step
	Backward     Concept = "backward"     // its opposite, word for word
	Counted      Concept = "counted"      // what a number counts that says how far one is, in a path: page 2, step 3
	Recipient    Concept = "recipient"    // a field that says who a message goes to
	Secret       Concept = "secret"       // a field that asks for a password
	Code         Concept = "code"         // a field or a message with a code that works once
	Person       Concept = "person"       // a field into which the name of a person is typed
	Copula       Concept = "copula"       // what stands between a name and its value in a sentence: the password is
	Forgotten    Concept = "forgotten"    // what a page offers to somebody who forgot the password
	Disclaimer   Concept = "disclaimer"   // a sentence says what something is not for, at its beginning or, with the verb, at its end
	Articles     Concept = "articles"     // the, a
	Stop         Concept = "stop"         // words that carry no meaning in a name
	Fillers      Concept = "fillers"      // words that a label may have or lack
	Negations    Concept = "negations"    // words that turn a wording into its opposite
	Particles    Concept = "particles"    // words that belong to the verb beside them
	Prepositions Concept = "prepositions" // for, to, with
	Months       Concept = "months"
	MonthsShort  Concept = "months.short"
	Weekdays     Concept = "weekdays"
	Destroys     Concept = "control.destroys" // a control's words promise something that cannot be taken back
	Sends        Concept = "control.sends"    // they promise to reach other people, machines or money
	Writes       Concept = "control.writes"   // they promise a change of one's own
	Reads        Concept = "control.reads"    // they only show something
	Never        Concept = "control.never"    // they take a deed back or decline it
	Leaves       Concept = "control.leaves"   // they end the session
)

// IsDeed reports whether the concept is an action of a control.
func (c Concept) IsDeed() bool { return strings.HasPrefix(string(c), "deed.") }

// Short is the concept's name without its kind: "save".
func (c Concept) Short() string {
	_, name, ok := strings.Cut(string(c), ".")
	if !ok {
		return string(c)
	}
	return name
}

// A Language is the content of one data file. Phrases are as written, not folded.
type Language struct {
	Code    string // ISO 639-1
	Name    string // in English
	Own     string // in the language itself
	Blanks  bool   // words are written with blanks between them
	VerbEnd bool   // the verb of a label may stand anywhere in it, not only first

	endings []string // folded, longest first
	plural  [][2]string
	phrases map[Concept][]string
}

// Phrases returns a language's words and phrases for a concept.
func (l *Language) Phrases(c Concept) []string { return l.phrases[c] }

// Concepts returns the concepts for which a language has words, in alphabetical order.
func (l *Language) Concepts() []Concept { return slices.Sorted(maps.Keys(l.phrases)) }

// A Meaning is a concept of controls and fields with its related concepts.
type Meaning struct {
	Concept Concept
	Near    []Concept
}

type dictionary struct {
	languages []*Language
	meanings  []Meaning
	english   map[string]string
}

// codes are the codes of all languages, in the order in which answers list them.
var codes = strings.Fields("en de fr es it pt nl sv da fi pl cs ru uk tr ja zh ko ar hi")

var (
	mu     sync.Mutex
	loaded *dictionary
	used   []*Set
)

func load() *dictionary {
	mu.Lock()
	defer mu.Unlock()
	if loaded == nil {
		d := &dictionary{english: readEnglish(read("english"))}
		for _, code := range codes {
			d.languages = append(d.languages, readLanguage(code, read(code)))
		}
		d.meanings = readMeanings(read("concepts"))
		loaded = d
	}
	return loaded
}

// Forget drops everything that was read. The next query reads it again.
func Forget() {
	mu.Lock()
	defer mu.Unlock()
	for _, s := range used {
		s.index.Store(nil)
	}
	loaded, used = nil, nil
	forgetLists()
	forgetWordings()
}

// Languages returns all languages, English first.
func Languages() []*Language { return load().languages }

// Meanings returns the concepts of controls and fields.
func Meanings() []Meaning { return load().meanings }

func read(name string) string {
	b, err := files.ReadFile("data/" + name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("lang: %v", err)) // it is embedded: a test reads all of them
	}
	return string(b)
}

// entries returns the lines "key = value" of a file. A line that begins with a blank continues the previous one.
func entries(text string) (out [][2]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] == ' ' && len(out) > 0 {
			out[len(out)-1][1] += " " + strings.TrimSpace(line)
			continue
		}
		k, v, _ := strings.Cut(line, "=")
		out = append(out, [2]string{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	return out
}

// entry is the value of one key of a file, as entries reads it, "" without one. The rest of the file is not read.
func entry(text, key string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], key)
		if i < 0 {
			return ""
		}
		begin := at + i
		at = begin + len(key)
		rest := strings.TrimLeft(text[at:], " \t")
		if begin > 0 && text[begin-1] != '\n' || !strings.HasPrefix(rest, "=") {
			continue
		}
		end := 0
		for line := range strings.Lines(rest) {
			if end > 0 && line[0] != ' ' && line[0] != '#' && strings.TrimSpace(line) != "" {
				break
			}
			end += len(line)
		}
		return entries(key + rest[:end])[0][1]
	}
}

func readEnglish(text string) map[string]string {
	m := map[string]string{}
	for _, kv := range entries(text) {
		if _, twice := m[kv[0]]; twice {
			panic(fmt.Sprintf("lang: data/english.txt has %q twice", kv[0]))
		}
		m[kv[0]] = kv[1]
	}
	return m
}

func readLanguage(code, text string) *Language {
	l := &Language{Code: code, phrases: map[Concept][]string{}}
	for _, kv := range entries(text) {
		switch key, value := kv[0], kv[1]; key {
		case "name":
			l.Name = value
		case "own":
			l.Own = value
		case "script":
			l.Blanks = value == "spaced"
		case "verbs":
			l.VerbEnd = value == "last"
		case "endings":
			for _, e := range list(value) {
				l.endings = append(l.endings, Fold(e))
			}
			slices.SortStableFunc(l.endings, func(a, b string) int { return len(b) - len(a) })
		case "plural":
			for _, rule := range list(value) {
				many, one, _ := strings.Cut(rule, ">")
				l.plural = append(l.plural, [2]string{many, one})
			}
		default:
			if _, twice := l.phrases[Concept(key)]; twice {
				panic(fmt.Sprintf("lang: data/%s.txt has %q twice", code, key))
			}
			l.phrases[Concept(key)] = list(value)
		}
	}
	return l
}

func readMeanings(text string) (out []Meaning) {
	for line := range strings.Lines(text) {
		name, near, _ := strings.Cut(strings.TrimSpace(line), "~")
		if name = strings.TrimSpace(name); name == "" || name[0] == '#' {
			continue
		}
		m := Meaning{Concept: Concept(name)}
		kind, _, _ := strings.Cut(name, ".")
		for n := range strings.FieldsSeq(near) {
			m.Near = append(m.Near, Concept(kind+"."+n))
		}
		out = append(out, m)
	}
	return out
}

func list(s string) (out []string) {
	for p := range strings.SplitSeq(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
