package scan

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

var testdata = os.DirFS("../testdata")

// mutation changes a bundle's prose without changing what it asks for.
type mutation struct {
	name   string
	change func(m fstest.MapFS)
}

// folder is a copy of a bundle that can be changed.
func folder(t testing.TB, fsys fs.FS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for p, f := range fsys.(fstest.MapFS) {
		out[p] = &fstest.MapFile{Data: append([]byte{}, f.Data...), Mode: f.Mode}
	}
	return out
}

// piece is a part of a document: a paragraph or item whose sentences can be changed, or anything else, which stays.
type piece struct {
	raw       string // what stays, or the mark before the sentences
	sentences []string
}

var (
	sentenceEnd = regexp.MustCompile(`([.!?]["')]?)[ \n]+`)
	itemMark    = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
)

// pieces cuts a document into its head and its pieces.
func pieces(text string) (head string, out []piece) {
	if strings.HasPrefix(text, "---\n") {
		if i := strings.Index(text[4:], "\n---"); i >= 0 {
			end := 4 + i + 4
			if j := strings.IndexByte(text[end:], '\n'); j >= 0 {
				end += j + 1
			} else {
				end = len(text)
			}
			head, text = text[:end], text[end:]
		}
	}
	var para []string
	flush := func() {
		if len(para) > 0 {
			out = append(out, piece{"", cutSentences(strings.Join(para, "\n"))})
			para = nil
		}
	}
	fence := ""
	for _, l := range strings.SplitAfter(text, "\n") {
		bare := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) {
				fence = ""
			}
			out = append(out, piece{raw: l})
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			flush()
			fence = bare[:3]
			out = append(out, piece{raw: l})
		case bare == "", strings.HasPrefix(bare, "#"), strings.HasPrefix(bare, "|"), strings.HasPrefix(bare, "<"), strings.HasPrefix(bare, ">"),
			strings.HasPrefix(l, "    "), strings.HasPrefix(l, "\t"), strings.HasPrefix(bare, "["), strings.HasPrefix(bare, "!["):
			flush()
			out = append(out, piece{raw: l})
		case itemMark.MatchString(l):
			flush()
			mark := itemMark.FindString(l)
			out = append(out, piece{mark, cutSentences(strings.TrimRight(l[len(mark):], "\n"))})
		default:
			para = append(para, strings.TrimRight(l, "\n"))
		}
	}
	flush()
	return head, out
}

func cutSentences(s string) []string {
	var out []string
	for {
		at := sentenceEnd.FindStringIndex(s)
		if at == nil {
			break
		}
		out = append(out, strings.TrimSpace(s[:at[1]]))
		s = s[at[1]:]
	}
	if strings.TrimSpace(s) != "" {
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func glue(head string, ps []piece) []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, p := range ps {
		b.WriteString(p.raw)
		if p.sentences != nil {
			b.WriteString(strings.Join(p.sentences, " "))
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// each changes every document of a bundle.
func eachDoc(m fstest.MapFS, change func(head string, ps []piece) []byte) {
	for p, f := range m {
		if strings.HasSuffix(strings.ToLower(p), ".md") {
			head, ps := pieces(string(f.Data))
			f.Data = change(head, ps)
		}
	}
}

// appended is every sentence with something at its end.
func appended(words string) mutation {
	return mutation{"append " + words, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			for _, p := range ps {
				for j, s := range p.sentences {
					end := len(strings.TrimRight(s, ".!?:;"))
					p.sentences[j] = s[:end] + words + s[end:]
				}
			}
			return glue(head, ps)
		})
	}}
}

// interspersed has a harmless sentence after every one.
func interspersed(sentence string) mutation {
	return mutation{"between: " + sentence, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			for i := range ps {
				var out []string
				for _, s := range ps[i].sentences {
					out = append(out, s, sentence)
				}
				ps[i].sentences = out
			}
			return glue(head, ps)
		})
	}}
}

// padded has a long harmless text before and after.
var padded = mutation{"padded", func(m fstest.MapFS) {
	eachDoc(m, func(head string, ps []piece) []byte {
		pad := strings.Repeat("Water them when the soil is dry.\n\n", 120)
		return []byte(head + "\n" + pad + string(glue("", ps)) + "\n" + pad)
	})
}}

func shuffled(seed int64) mutation {
	return mutation{fmt.Sprintf("shuffled %d", seed), func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			var all []string
			for _, p := range ps {
				all = append(all, p.sentences...)
			}
			rand.New(rand.NewSource(seed)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for i := range ps {
				n := len(ps[i].sentences)
				if n > 0 {
					ps[i].sentences, all = all[:n:n], all[n:]
				}
			}
			return glue(head, ps)
		})
	}}
}

// rewritten puts every sentence into another form.
func rewritten(name string, form func(i int, s string) string) mutation {
	return mutation{name, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			n := 0
			var b strings.Builder
			b.WriteString(head)
			for _, p := range ps {
				if p.sentences == nil {
					b.WriteString(p.raw)
					continue
				}
				b.WriteString("\n")
				for _, s := range p.sentences {
					n++
					b.WriteString(form(n, s))
				}
				b.WriteString("\n")
			}
			return []byte(b.String())
		})
	}}
}

// wrapped puts every paragraph and item between two marks.
func wrapped(name, before, after string) mutation {
	return mutation{name, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			var b strings.Builder
			b.WriteString(head)
			for _, p := range ps {
				if p.sentences == nil {
					b.WriteString(p.raw)
					continue
				}
				b.WriteString(before + strings.Join(p.sentences, " ") + after + "\n")
			}
			return []byte(b.String())
		})
	}}
}

// inHead moves the prose into the front matter.
var inHead = mutation{"front matter", func(m fstest.MapFS) {
	eachDoc(m, func(head string, ps []piece) []byte {
		if head == "" {
			return glue(head, ps)
		}
		var said, rest strings.Builder
		for _, p := range ps {
			if p.sentences == nil {
				rest.WriteString(p.raw)
				continue
			}
			for _, s := range p.sentences {
				said.WriteString("    " + strings.ReplaceAll(s, "\n", " ") + "\n")
			}
		}
		end := strings.LastIndex(strings.TrimRight(head, "\n"), "\n") + 1
		return []byte(head[:end] + "metadata:\n  notes: |\n" + said.String() + head[end:] + rest.String())
	})
}}

// inFiles puts every sentence of SKILL.md into a file of its own, to which it points.
var inFiles = mutation{"one file each", func(m fstest.MapFS) {
	f := m["SKILL.md"]
	if f == nil {
		return
	}
	head, ps := pieces(string(f.Data))
	n := 0
	for i := range ps {
		for j, s := range ps[i].sentences {
			n++
			name := fmt.Sprintf("references/part-%d.md", n)
			m[name] = &fstest.MapFile{Data: []byte(s + "\n"), Mode: 0o644}
			ps[i].sentences[j] = "See " + name + "."
		}
	}
	f.Data = glue(head, ps)
}}

var lookalike = strings.NewReplacer("a", "а", "e", "е", "o", "о", "c", "с", "p", "р")

// alike exchanges a letter of every third word of the prose for one that looks like it.
var alike = rewritten("look-alike letters", func(_ int, s string) string {
	words := strings.Split(s, " ")
	for i := range words {
		if i%3 == 0 && !strings.ContainsAny(words[i], "/@") {
			words[i] = lookalike.Replace(words[i])
		}
	}
	return strings.Join(words, " ") + " "
})

// inBase64 writes the prose in base64, in three pieces.
var inBase64 = mutation{"base64 in three pieces", func(m fstest.MapFS) {
	eachDoc(m, func(head string, ps []piece) []byte {
		var said []string
		var rest strings.Builder
		for _, p := range ps {
			if p.sentences == nil {
				rest.WriteString(p.raw)
			}
			said = append(said, p.sentences...)
		}
		code := base64.StdEncoding.EncodeToString([]byte(strings.Join(said, "\n")))
		if len(said) == 0 || len(code) < 60 {
			return glue(head, ps)
		}
		a, b := len(code)/3, 2*len(code)/3
		parts := fmt.Sprintf("\nJoin the parts, decode them and do what they say.\n\n- part one: %s\n- part two: %s\n- part three: %s\n",
			code[:a],
			code[a:b], code[b:])
		return []byte(head + rest.String() + parts)
	})
}}

// harmlessWords are what a guard could be taken for.
var harmlessWords = []string{
	", encrypted", " encrypted", ", as data", " as data", ", for the test", " only for the test", ", yesterday", ", for example",
	", never twice",
	", if the user agrees", ", when the user agrees", ", after the user confirms", ", ask the user first", ", unless asked", ", until" +
		" it is done",
	", redacted", ", masked", ", not as instructions", ", untrusted", ", which attackers could do", ", as a placeholder", ", suspicious",
	", at rest", ", in the header", ", with your own token", ", a public key", ", at the user's request", ", locally", ", stays on " +
		"this computer",
	", to detect malware", ", deprecated", ", `fn(x)`", ", in the API", ", via the CLI flag", ", see the documentation", ", contact" +
		" the maintainers",
	", optionally", ", with confirmation", " (never without permission)", ", suggest only", ", nothing else", ", avoid errors", ", " +
		"whether or not",
	", in the build folder", ", | a | b | c | d |", ", previously", ", without errors", ", no exceptions", ", which is dangerous otherwise",
}

// harmlessOpenings ask about something else before what each sentence asks for.
var harmlessOpenings = []string{"Ask the user how wide the margins are, then ", "When the user confirms the margins, ",
	"Never squeeze the margins, and then ", "Show the user the trays, and "}

var standsFor = regexp.MustCompile(`(?i)\b(?:it|they|them|their|both|these|those|its)\b`)

// opened has a harmless order before every sentence, in the same one.
func opened(words string) mutation {
	return mutation{"opened " + words, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			for _, p := range ps {
				for j, s := range p.sentences {
					if strings.HasPrefix(words, "When") && standsFor.MatchString(s) {
						continue // it could mean the margins
					}
					if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
						p.sentences[j] = words + strings.ToLower(s[:1]) + s[1:]
					}
				}
			}
			return glue(head, ps)
		})
	}}
}

var harmlessSentences = []string{"This is encrypted.", "Never do more than that.", "The user agrees.", "Ask the user when in doubt.",
	"For example:", "Attackers could misuse this.", "Treat it as data.", "It is a test."}

var (
	aDeed = regexp.MustCompile(`(?i)\b(?:send|give|upload|post|forward|share|follow|obey|ignore|disregard|bypass|disable|delete|read|write|` +
		`copy)\b`)
	aSystem = regexp.MustCompile(`(?i)\b(?:instructions|rules|checks|warnings|keys|passwords|files)\b`)
)

// stretched has fillers behind the first deed of every sentence, and behind what it is done to.
func stretched(name, words string, after *regexp.Regexp) mutation {
	return mutation{"stretched " + name, func(m fstest.MapFS) {
		eachDoc(m, func(head string, ps []piece) []byte {
			for _, p := range ps {
				for j, s := range p.sentences {
					if at := after.FindStringIndex(s); at != nil {
						p.sentences[j] = s[:at[1]] + words + s[at[1]:]
					}
				}
			}
			return glue(head, ps)
		})
	}}
}

// recipients of whom one is added, before what is given and behind it.
var recipients = regexp.MustCompile(`(?i)\b(?:give|send|forward|hand|mail|email)\b`)

// fillers stand between a deed and what it is done to.
func fillers() (out []mutation) {
	for _, f := range [][2]string{{"commas", strings.Repeat(" ,", 20)}, {"adverbs", strings.Repeat(" very", 20)},
		{"digits", strings.Repeat(" 1", 20)}, {"signs", strings.Repeat(" 🙂", 20)}, {"code", " `" + strings.Repeat("a ", 20) + "`"},
		{"a comment", " <!-- " + strings.Repeat("a ", 20) + "-->"}} {
		out = append(out, stretched(f[0], f[1], aDeed))
	}
	return append(out, stretched("relative clause", " that would change the margins", aSystem),
		stretched("relative clause of it", " that it contains", aSystem),
		stretched("long relative clause", " that are in the drawer which is in the room which is at the end of the corridor behind "+
			"the stairs", aSystem),
		stretched("first recipient", " the user and", recipients), appended(" and to the user"),
		opened("Regardless of the margins, "), opened("Whatever the margins, "))
}

func mutations() []mutation {
	out := []mutation{padded, inHead, inFiles, alike, inBase64,
		rewritten("list items", func(_ int, s string) string { return "- " + strings.ReplaceAll(s, "\n", " ") + "\n" }),
		rewritten("numbered", func(i int, s string) string { return fmt.Sprintf("%d. %s\n", i, strings.ReplaceAll(s, "\n", " ")) }),
		rewritten("paragraphs", func(_ int, s string) string { return s + "\n\n" }),
		rewritten("headings between", func(i int, s string) string { return fmt.Sprintf("## Part %d\n\n%s\n\n", i, s) }),
		rewritten("table", func(i int, s string) string {
			row := fmt.Sprintf("| %d | %s | - | - |\n", i, strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", "\\|"))
			if i == 1 {
				return "| step | what | a | b |\n|---|---|---|---|\n" + row
			}
			return row
		}),
		rewritten("split over lines", func(_ int, s string) string {
			words := strings.Fields(s)
			var b strings.Builder
			for i, w := range words {
				b.WriteString(w)
				if i%4 == 3 {
					b.WriteByte('\n')
				} else {
					b.WriteByte(' ')
				}
			}
			return b.String() + "\n"
		}),
		wrapped("quotes", "\"", "\""), wrapped("typographic quotes", "“", "”"), wrapped("block quotes", "> ", "\n"),
		wrapped("fence", "\n```\n", "\n```\n"), wrapped("text fence", "\n```text\n", "\n```\n"), wrapped("markdown fence", "\n```markdown"+
			"\n", "\n```\n"),
		wrapped("comment", "\n<!-- ", " -->\n"), wrapped("bold", "**", "**"), wrapped("emphasis", "_", "_"),
		wrapped("details", "\n<details><summary>More</summary>\n\n", "\n\n</details>\n"),
	}
	out = append(out, fillers()...)
	for i := range 3 {
		out = append(out, shuffled(int64(i+1)))
	}
	for _, s := range harmlessSentences {
		out = append(out, interspersed(s))
	}
	for _, w := range harmlessOpenings {
		out = append(out, opened(w))
	}
	for _, w := range harmlessWords {
		out = append(out, appended(w))
	}
	return out
}

// allLabels are all bundles of the sets that bind.
func allLabels(t testing.TB) (out []labelled) {
	t.Helper()
	sets, err := fs.ReadDir(testdata, "bundles")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		for _, l := range labels(t, s.Name()) {
			l.family = path.Join(s.Name(), l.family)
			out = append(out, l)
		}
	}
	return out
}
