// Command gen writes docs/languages.md from the data of internal/lang: the languages that Showhow knows, and how much
// of each.
package main

import (
	"fmt"
	"os"
	"strings"

	"showhow/internal/lang"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(page()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func page() string {
	var b strings.Builder
	b.WriteString("<!-- Written by internal/lang/gen: change internal/lang/data and run make gen. -->\n# Languages\n\n")
	b.WriteString("Showhow reads pages, messages and controls in these languages. Each is complete: whatever is recognised in one is " +
		"recognised in all.\n")
	b.WriteString(
		"The words are in `internal/lang/data`, one file per language; a new language is one more file and its code in `data.go`, and a test\n")
	b.WriteString("says what it lacks. What Showhow writes, and the sentences in which a draft is changed, are English.\n\n")
	b.WriteString(
		"| language | its own name | delete | undo | required | invalid or failed | next | previous |\n|---|---|---|---|---|---|---|---|\n")
	for _, l := range lang.Languages() {
		fmt.Fprintf(&b, "| %s | %s |", l.Name, l.Own)
		for _, c := range []lang.Concept{"deed.delete", "deed.undo", lang.Required, lang.Refusal, lang.Forward, lang.Backward} {
			ps := l.Phrases(c)
			fmt.Fprintf(&b, " %s |", strings.Join(ps[:min(2, len(ps))], ", "))
		}
		b.WriteString("\n")
	}
	deeds, things := 0, 0
	for _, m := range lang.Meanings() {
		if m.Concept.IsDeed() {
			deeds++
		} else {
			things++
		}
	}
	fmt.Fprintf(&b, "\nEvery language has words for %d deeds of controls, %d things that fields and columns are about, what the words of a "+
		"control promise\n", deeds, things)
	b.WriteString(
		"(deletes, sends, changes, only shows, takes back, ends the session), what a message says (refused, done, under way, nothing there),\n")
	b.WriteString("marks of fields, ways on and back, months, weekdays, articles, stop words, negations, particles, prepositions, plurals, " +
		"endings\nand what a description says that something is not for.\n\n")
	b.WriteString("A text and the words are compared in one form: case, compatibility characters and the marks of letters do not count, and " +
		"ä, ö, ü, å and ø\n")
	b.WriteString("may be written with two letters. Inflected forms are found by the endings that the language's file names. Japanese, " +
		"Chinese and Korean\n")
	b.WriteString("words are looked for inside the text.\n")
	return b.String()
}
