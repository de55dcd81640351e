package lang

import (
	"slices"
	"strings"
)

// kinds are what FileKind answers, by stem.
var kinds = &Map{read: func() map[string]string {
	m := map[string]string{}
	add := func(key, word string) {
		if key != word && !slices.Contains(list(m[key]), word) {
			m[key] = strings.TrimPrefix(m[key]+", "+word, ", ")
		}
	}
	for names, endings := range Table("file.kinds") {
		sure, other, _ := strings.Cut(names, "|")
		for _, e := range list(endings) {
			for _, w := range append(list(sure), list(other)...) {
				add(EnglishStem(e), EnglishStem(w))
			}
			for _, same := range list(endings) {
				add(EnglishStem(e), EnglishStem(same))
			}
			for _, w := range list(sure) {
				add(EnglishStem(w), EnglishStem(e))
			}
		}
	}
	return m
}}

// endings are the endings of file names that are known.
var endings = &Map{read: func() map[string]string {
	m := map[string]string{}
	for _, all := range Table("file.kinds") {
		for _, e := range list(all) {
			m[e] = "file"
		}
	}
	return m
}}

// FileEnding reports whether a folded word is the ending of a known kind of file's name: pdf, xlsx.
func FileEnding(word string) bool { return endings.Get(word) != "" }

// FileKind are the stems of what people call the files whose names have the ending with this stem, and of the endings of the same
// kind: document and doc of docx. Of such a word that means nothing but files they are the endings: xlsx of spreadsheet.
func FileKind(stem string) []string { return kinds.List(stem) }
