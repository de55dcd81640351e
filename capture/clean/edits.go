package clean

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/capture/lexical"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/secret"
)

// edit replaces src[start:end].
type edit struct {
	start, end int
	with       string
}

// apply passes a word through fn, secrets first, and records the edit. A word that is one known value becomes that
// Value.
func (l *shellLine) apply(start, end int, src string, fn func(string, int) string) capture.Word {
	text := cmdline.Unquote(src)
	clean := src
	if spans := l.within(start, end); len(spans) > 0 {
		clean = l.cut(start, end, spans)
		text = cmdline.Unquote(clean)
	}
	if out := fn(text, maxLine); out != text || clean != src {
		shown := strings.Replace(clean, text, out, 1)
		if text == "" || !strings.Contains(clean, text) {
			shown = out
		}
		l.edits = append(l.edits, edit{start, end, shown})
		if m := capture.ParseMasks(out); len(m) == 1 && m[0].Start == 0 && m[0].End == len(out) {
			return capture.Word{Value: &capture.Value{Policy: capture.Masked, Kind: m[0].Kind, Length: m[0].Length, LinkID: m[0].LinkID}}
		}
		return capture.Word{Text: secret.Cut(out, maxText)}
	}
	return capture.Word{Text: secret.Cut(text, maxText)}
}

// sealed replaces src[start:end] by a mask. If it contains a secret it is not sealed.
func (l *shellLine) sealed(start, end int, text string) capture.Word {
	if lexical.Normal(text) == "" {
		return capture.Word{Text: text}
	}
	kind, hidden := secret.Kind(""), false
	for _, sp := range l.within(start, end) {
		if !sp.Kind.Personal() {
			kind, hidden = sp.Kind, true
			break
		}
	}
	if !hidden && l.textSecret(text) != "" {
		kind, hidden = secret.Secret, true
	}
	if !hidden && l.knownSecrets(text) != text {
		kind, hidden = secret.Secret, true
	}
	if hidden {
		l.edits = append(l.edits, edit{start, end, secret.Token(kind)})
		return capture.Word{Text: secret.Token(kind)}
	}
	k := Infer(text)
	l.known.Add(text, recall.Value{Kind: k})
	v := l.seal(k, text)
	l.edits = append(l.edits, edit{start, end, v.Mask()})
	return capture.Word{Value: v}
}

// within returns the secrets that overlap src[start:end].
func (l *shellLine) within(start, end int) []redact.Span {
	var out []redact.Span
	for _, sp := range l.secrets {
		if sp.Start < end && start < sp.End {
			out = append(out, redact.Span{Start: max(sp.Start, start), End: min(sp.End, end), Kind: sp.Kind})
		}
	}
	return out
}

// cut is src[start:end] with its secrets replaced.
func (l *shellLine) cut(start, end int, spans []redact.Span) string {
	var b strings.Builder
	at := start
	for _, sp := range spans {
		b.WriteString(l.src[at:sp.Start])
		b.WriteString(l.token(l.src[sp.Start:sp.End], sp.Kind))
		at = sp.End
	}
	b.WriteString(l.src[at:end])
	return b.String()
}

// emit adds a word of the line itself; words inside a substitution belong to the word around it.
func (l *shellLine) emit(w capture.Word) {
	if l.nested == 0 {
		l.words = append(l.words, w)
	}
}

// render is the line with every edit applied, and every secret outside the edited words removed.
func (l *shellLine) render() string {
	for _, sp := range l.secrets {
		if !slices.ContainsFunc(l.edits, func(e edit) bool { return e.start < sp.End && sp.Start < e.end }) {
			l.edits = append(l.edits, edit{sp.Start, sp.End, l.token(l.src[sp.Start:sp.End], sp.Kind)})
		}
	}
	slices.SortStableFunc(l.edits, func(a, b edit) int { return a.start - b.start })
	for _, w := range l.later {
		l.words[w.index].Text = secret.Cut(l.redact(l.splice(w.start, w.end)), maxText)
	}
	return l.redact(l.splice(0, len(l.src))) // a last look: a secret that spans words, or that only its neighbours give away
}

// splice is src[start:end] with the edits inside it applied.
func (l *shellLine) splice(start, end int) string {
	var b strings.Builder
	at := start
	for _, e := range l.edits {
		if e.start < at || e.end > end {
			continue // inside one already made, or elsewhere
		}
		b.WriteString(l.src[at:e.start])
		b.WriteString(e.with)
		at = e.end
	}
	b.WriteString(l.src[at:end])
	return b.String()
}
