package clean

import (
	"strings"

	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/capture/secret"
	"showhow/internal/plain"
)

// mostPlaces is how many places of a value are kept.
const mostPlaces = 12

// shown returns where a document that was read has a text, with the places that were found sealed. A place whose words
// hold a secret, or a value that somebody entered, is left out.
func (vals *values) shown(text string) *capture.InDocument {
	if vals.cfg.Shown == nil {
		return nil
	}
	at := vals.cfg.Shown(text)
	if at == nil {
		return nil
	}
	out := &capture.InDocument{EventID: at.EventID}
	if at.Named != nil && vals.readable(*at.Named) {
		out.Place = at.Named
		return out
	}
	for _, p := range at.Found {
		if len(out.Places) < mostPlaces && vals.readable(p.DocumentPlace) {
			link := vals.seal(capture.KindPlace, capture.SealedPlace(p.DocumentPlace)).LinkID
			out.Places = append(out.Places, capture.PlaceLink{LinkID: link, Spot: p.Spot})
		}
	}
	if len(out.Places) == 0 {
		return nil
	}
	return out
}

func (vals *values) readable(at capture.DocumentPlace) bool {
	return vals.text(at.Beside, maxText) == at.Beside && vals.text(at.Under, maxText) == at.Under
}

// label keeps words of a document that the person named as a place in it. They say what a value is called; secrets and
// known values in them are masked as anywhere.
func (l *shellLine) label(w cmdline.Word) {
	if w.Reference || w.Inner {
		l.word(w, true)
		return
	}
	l.emit(l.apply(w.Start, w.End, l.src[w.Start:w.End], l.text))
}

// fromDocument seals a word, or what stands behind its "=", if a document that was read has it. A single word without a
// number in it is the command's own.
func (l *shellLine) fromDocument(w cmdline.Word) bool {
	if l.cfg.Shown == nil || l.nested > 0 {
		return false
	}
	src := l.src[w.Start:w.End]
	at := 0
	if strings.HasPrefix(src, "-") {
		at = strings.IndexByte(src, '=') + 1
		if at == 0 {
			return false
		}
	}
	text := cmdline.Unquote(src[at:])
	if plain.Digits(text) == 0 && !w.Spaced {
		return false
	}
	in := l.shown(text)
	if in == nil {
		return false
	}
	from := len(l.edits)
	word := l.sealed(w.Start+at, w.End, text)
	if word.Value != nil {
		if l.read == nil {
			l.read = map[string]*capture.InDocument{}
		}
		l.read[word.Value.LinkID] = in
	}
	if at > 0 {
		word = capture.Word{Text: secret.Cut(src[:at]+l.edits[from].with, maxText)}
	}
	l.emit(word)
	return true
}
