package lang

import (
	"slices"
	"strings"
)

// fileKind is an entry of file.kinds.
type fileKind struct {
	names   []string // that mean nothing but such files
	others  []string // names that mean more
	endings []string
	alone   []string // the endings that stand for such files without a dot, too: the others are words of another meaning
}

// ofFiles is a table made of all kinds of files.
func ofFiles(add func(m map[string]string, k fileKind)) *Map {
	return &Map{read: func() map[string]string {
		m := map[string]string{}
		for names, endings := range Table("file.kinds") {
			sure, more, _ := strings.Cut(names, "|")
			k := fileKind{names: list(sure), others: list(more)}
			for _, e := range list(endings) {
				bare, dotted := strings.CutPrefix(e, ".")
				k.endings = append(k.endings, bare)
				if !dotted {
					k.alone = append(k.alone, bare)
				}
			}
			add(m, k)
		}
		return m
	}}
}

// join adds the stems of words to the list of key's stem.
func join(m map[string]string, key string, words []string) {
	key = EnglishStem(key)
	for _, w := range words {
		if w = EnglishStem(w); w != key && !slices.Contains(list(m[key]), w) {
			m[key] = strings.TrimPrefix(m[key]+", "+w, ", ")
		}
	}
}

var (
	fileEndings = ofFiles(func(m map[string]string, k fileKind) {
		for _, e := range k.endings {
			m[e] = "file"
		}
	})
	fileWords = ofFiles(func(m map[string]string, k fileKind) {
		for _, e := range k.alone {
			m[EnglishStem(e)] = "file"
		}
	})
	kindsByEnding = ofFiles(func(m map[string]string, k fileKind) {
		for _, e := range k.endings {
			join(m, e, slices.Concat(k.names, k.others, k.alone))
		}
	})
	endingsByName = ofFiles(func(m map[string]string, k fileKind) {
		for _, name := range k.names {
			join(m, name, k.alone)
		}
	})
)

// FileEnding reports whether a folded word is the ending of a known kind's file name: pdf, step.
func FileEnding(word string) bool { return fileEndings.Get(word) != "" }

// FileWord reports whether a word with this stem stands for the files with that ending without a dot, too: pdf and xlsx do, step and
// raw are words of their own.
func FileWord(stem string) bool { return fileWords.Get(stem) != "" }

// FileKind are the stems of what people call the files whose names have the ending with this stem, and of the endings of the same
// kind: document and odt of docx.
func FileKind(ending string) []string { return kindsByEnding.List(ending) }

// FilesCalled are the stems of the endings of the files that a word with this stem means, if it means nothing else: xlsx of spreadsheet.
func FilesCalled(stem string) []string { return endingsByName.List(stem) }
