package relevance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// token is a word as written, folded, and its stem.
type token struct {
	word, stem string
	as         use
}

// use is the part that a word has in a request.
type use uint8

const (
	wish   use = iota // it says what is wanted
	value             // a number, a date, a code or an address to do it with
	named             // part of a file's name, before the ending
	ending            // the ending of a file's name, or a word for such files: pdf
)

// requested splits a request like tokens, and gives each word its use.
func requested(request string) []token {
	var out []token
	for _, piece := range strings.Fields(request) {
		words := tokens(piece)
		address := strings.Contains(piece, "://") || strings.Contains(piece, "@") && strings.Contains(piece, ".")
		last := len(words) - 1
		file := !address && last >= 0 && lang.FileEnding(words[last].word) && dotted(piece, words[last].word)
		for i := range words {
			switch w := &words[i]; {
			case file && i < last:
				w.as = named
			case file, !address && lang.FileWord(w.stem):
				w.as = ending
			case address || strings.ContainsAny(w.word, "0123456789"):
				w.as = value
			}
		}
		out = append(out, words...)
	}
	return out
}

// dotted reports whether a piece of text ends with a dot and the word: "kite.step", but not "step." or "v1.2-step".
func dotted(piece, word string) bool {
	piece = strings.TrimRightFunc(piece, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	i := strings.LastIndexByte(piece, '.')
	return i >= 0 && lang.Fold(piece[i+1:]) == word
}

// sentences are the sentences of a description, each as a text of its own, without those that say what the ability is not
// for.
func sentences(text string) (out []string) {
	for _, line := range strings.Split(text, "\n") {
		for line != "" {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); s != "" && !disclaimers.Begins(s) && !disclaimers.Ends(s) {
				out = append(out, s)
			}
			line = line[end:]
		}
	}
	return out
}

// sentenceEnd is where the first sentence of a line ends: behind a full stop and the like that a blank follows, or that is as wide as
// the letters around it.
func sentenceEnd(line string) int {
	for i, r := range line {
		switch after := i + utf8.RuneLen(r); {
		case strings.ContainsRune("。！？；", r), strings.ContainsRune(".!?;:؟।", r) && strings.HasPrefix(line[after:], " "):
			return after
		}
	}
	return len(line)
}

var disclaimers = lang.Exactly(lang.Disclaimer)

// tokens splits a text. Scripts written without spaces give one token per character; neighbouring pairs make up for
// words.
func tokens(text string) []token {
	var out []token
	add := func(w string) { out = append(out, token{word: w, stem: lang.EnglishStem(w)}) }
	for _, w := range lang.Words(text) {
		at := 0
		for i, r := range w {
			if !plain.Unspaced(r) {
				continue
			}
			if at < i {
				add(w[at:i])
			}
			at = i + utf8.RuneLen(r)
			add(w[i:at])
		}
		if at < len(w) {
			add(w[at:])
		}
	}
	return out
}

// trigrams are the distinct three-character sequences of a word with its beginning and end marked, as hashes.
func trigrams(word string, out []uint32) []uint32 {
	out = out[:0]
	a, b := rune('^'), rune(-1)
	add := func(c rune) {
		if b >= 0 {
			h := (uint32(a)*16777619^uint32(b))*16777619 ^ uint32(c)
			for _, x := range out {
				if x == h {
					return
				}
			}
			out = append(out, h)
			a = b
		}
		b = c
	}
	for _, r := range word {
		add(r)
	}
	add('$')
	return out
}

// asWritten splits and joins the words of a request as abilities write them: backup becomes back up where only that is
// known, log in becomes login, and a compound becomes its parts.
func (x *Index) asWritten(request []token) []token {
	out := make([]token, 0, len(request))
	for i := 0; i < len(request); i++ {
		tk := request[i]
		if i+1 < len(request) {
			next := request[i+1]
			joined := token{tk.word + next.word, lang.EnglishStem(tk.word + next.word), tk.as}
			if x.known(joined.stem) && !(x.known(tk.stem) && x.known(next.stem)) {
				out = append(out, joined)
				i++
				continue
			}
		}
		if a, b, ok := x.split(tk); ok {
			out = append(out, a, b)
			continue
		}
		out = append(out, tk)
	}
	return out
}

// inside lists English words for the words in a script without spaces: 注文を削除 also gives delete and order.
func (x *Index) inside(request string) (out []token) {
	for _, w := range lang.Words(request) {
		if strings.ContainsFunc(w, plain.Unspaced) {
			for _, g := range lang.Gloss(w) {
				if s := lang.EnglishStem(g); x.known(s) {
					out = append(out, token{word: w, stem: s})
				}
			}
		}
	}
	return out
}

func (x *Index) known(stem string) bool {
	t, ok := x.words[stem]
	return ok && len(x.terms[t].posts) > 0
}

// The least letters of a compound and its parts: shorter ones occur in too many words by chance.
const shortestHead, shortestTail, shortestCompound = 3, 2, 6

// split divides an unknown word into two words that abilities have; the first one as long as possible.
func (x *Index) split(tk token) (a, b token, ok bool) {
	if len(tk.word) < shortestCompound || x.known(tk.stem) {
		return a, b, false
	}
	for i := len(tk.word) - shortestTail; i >= shortestHead; i-- {
		a, b = token{tk.word[:i], lang.EnglishStem(tk.word[:i]), tk.as}, token{tk.word[i:], lang.EnglishStem(tk.word[i:]), tk.as}
		if x.known(a.stem) && x.known(b.stem) {
			return a, b, true
		}
	}
	return a, b, false
}
