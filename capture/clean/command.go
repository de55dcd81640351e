package clean

import (
	"strings"

	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// command keeps a command line readable except for private parts: secrets are removed, and what a person wrote freely
// (quoted arguments with white space, messages, heredocs and here-strings, comments) is sealed. A value known from
// elsewhere is masked wherever it occurs, even inside a word; flags and program names stay.
func (j *job) command(raw *capture.RawCommand) *capture.Command {
	if raw == nil {
		return nil
	}
	var c *capture.Command
	j.known.InCommand(func() { c = j.commandLine(raw) })
	return c
}

func (j *job) commandLine(raw *capture.RawCommand) *capture.Command {
	line := redact.Clean(raw.Line)
	c := &capture.Command{Shell: j.plain(raw.Shell, 20), CwdFrom: j.text(raw.CwdFrom, maxText), CwdTo: j.text(raw.CwdTo, maxText),
		Exit: raw.Exit, DurationMS: raw.Duration.Milliseconds(), Seq: raw.Seq,
		Parent: j.plain(raw.Parent, 80), Running: raw.Running, Children: raw.Children}
	l := &shellLine{values: j.values, src: line, secrets: j.secrets(line), exit: raw.Exit}
	if parsed, ok := cmdline.Parse(line, raw.Shell); ok {
		l.findPhrases()
		parsed.Visit(l)
		c.Line, c.Words, c.Program = l.render(), l.words, l.program
	} else {
		c.Line = l.unparsed()
	}
	c.Line = secret.Cut(c.Line, maxLine)
	for _, m := range capture.ParseMasks(c.Line) {
		v := capture.Value{Policy: capture.Masked, Kind: m.Kind, Length: m.Length, LinkID: m.LinkID}
		if in := l.read[m.LinkID]; in != nil {
			v.Source = &capture.Source{Document: in}
		}
		c.Sealed = append(c.Sealed, v)
	}
	return c
}

// shellLine collects the edits of a command line. It is the visitor of the parsed line.
type shellLine struct {
	*values
	src     string
	secrets []redact.Span
	edits   []edit
	words   []capture.Word
	program string
	exit    int
	named   bool
	nested  int // inside a substitution
	phrases []phrase
	later   []laterWord
	read    map[string]*capture.InDocument // by link: values that a document has
}

// phrase is a known value of several words that occurs in the line without quotes.
type phrase struct {
	recall.Match
	written bool // its mask is in the words already
}

// laterWord is a word whose text is known once all edits are.
type laterWord struct{ start, end, index int }

// unparsed treats the line as text; it seals what a person may have written freely.
func (l *shellLine) unparsed() string {
	for _, s := range cmdline.FreeTextRanges(l.src) {
		l.sealed(s[0], s[1], l.src[s[0]:s[1]])
	}
	return l.mask(l.render())
}

// Free implements cmdline.Visitor.
func (l *shellLine) Free(start, end int) { l.sealed(start, end, l.src[start:end]) }

// Literal implements cmdline.Visitor.
func (l *shellLine) Literal(start, end int) { l.apply(start, end, l.src[start:end], l.text) }

// Word implements cmdline.Visitor.
func (l *shellLine) Word(w cmdline.Word) { l.word(w, false) }

// Text implements cmdline.Visitor.
func (l *shellLine) Text(w cmdline.Word) { l.word(w, true) }

// Expansion implements cmdline.Visitor.
func (l *shellLine) Expansion(w cmdline.Word, spaced bool) {
	l.nested++
	l.word(w, spaced)
	l.nested--
}

// Command implements cmdline.Visitor.
func (l *shellLine) Command(words []cmdline.Word) {
	for _, a := range cmdline.Arguments(l.src, words) {
		switch a.Role {
		case cmdline.Program:
			l.first(a)
		case cmdline.Glued:
			l.tail(a.Word, a.At)
		case cmdline.Flag:
			l.emit(l.apply(a.Start, a.End, a.Lit, l.flag))
		case cmdline.Message:
			l.word(a.Word, true)
		case cmdline.Script:
			l.script(a.Word, a.Program)
		case cmdline.Label:
			l.label(a.Word)
		default:
			l.word(a.Word, false)
		}
	}
}

// first handles the word that names the program. A bare name that ran stays: programs are named like ordinary words.
// A path is text like any other, and a name that did not exist was not a program.
func (l *shellLine) first(a cmdline.Argument) {
	named := l.named
	l.named = true
	if a.Lit == "" {
		l.word(a.Word, false)
		return
	}
	w := l.apply(a.Start, a.End, l.src[a.Start:a.End], l.programWord)
	if !named { // the name is cut from what may be read: what makes it a secret may stand in front of it
		l.program = secret.Cut(cmdline.ProgramName(w.Text), 80)
		if w.Value != nil {
			l.program = w.Value.Mask()
		}
	}
	l.emit(w)
}

func (l *shellLine) programWord(s string, limit int) string {
	if l.exit == notFound || strings.Contains(s, "/") || !bareRE.MatchString(s) {
		return l.text(s, limit)
	}
	return l.plain(s, limit)
}

const notFound = 127 // the shells' exit code for a command that does not exist

var bareRE = lazyre.New(`^[a-z0-9_][a-z0-9._+-]*$`)

// flag keeps a flag's name; what is attached to a one-letter flag, or does not look like an option, is text.
func (l *shellLine) flag(s string, limit int) string {
	if strings.HasPrefix(s, "--") {
		return l.plain(s, limit)
	}
	if !bareRE.MatchString(s[1:]) {
		if out := l.text(s[1:], limit); out != s[1:] {
			return "-" + out
		}
	}
	return l.plain(s[:2], limit) + l.text(s[2:], limit)
}

// tail seals a word from the byte at on: a message attached to its flag.
func (l *shellLine) tail(w cmdline.Word, at int) {
	from := len(l.edits)
	l.sealed(w.Start+at, w.End, cmdline.Unquote(l.src[w.Start+at:w.End]))
	text := l.src[w.Start : w.Start+at]
	if len(l.edits) > from {
		text += l.edits[from].with
	}
	l.emit(capture.Word{Text: text})
}

// word handles one word. free: the person wrote it as text.
func (l *shellLine) word(w cmdline.Word, free bool) {
	if w.Start >= w.End || l.inPhrase(w.Start) {
		return
	}
	switch {
	case !w.Reference && (free || w.Spaced):
		if !l.fromDocument(w) {
			l.emit(l.sealed(w.Start, w.End, cmdline.Unquote(l.src[w.Start:w.End])))
		}
	case w.Reference, w.Inner:
		l.assembled(w, func() { w.Inside(l) })
	default:
		if !l.fromDocument(w) {
			l.emit(l.apply(w.Start, w.End, l.src[w.Start:w.End], l.text))
		}
	}
}

// assembled is a word whose text is known once all edits are.
func (l *shellLine) assembled(w cmdline.Word, parts func()) {
	if l.nested == 0 {
		l.later = append(l.later, laterWord{w.Start, w.End, len(l.words)})
	}
	l.emit(capture.Word{})
	l.nested++ // a substitution's own words are visited in turn
	parts()
	l.nested--
}

// script keeps a pattern or a small program and seals its phrases.
func (l *shellLine) script(w cmdline.Word, program string) {
	src := l.src[w.Start:w.End]
	spans := cmdline.Phrases(src, program)
	if len(spans) == 1 && spans[0] == [2]int{0, len(src)} {
		l.word(w, true)
		return
	}
	if l.inPhrase(w.Start) {
		return
	}
	l.assembled(w, func() {
		at := w.Start
		keep := func(to int) {
			if to > at {
				l.apply(at, to, l.src[at:to], l.text)
			}
		}
		for _, sp := range spans {
			keep(w.Start + sp[0])
			l.sealed(w.Start+sp[0], w.Start+sp[1], src[sp[0]:sp[1]])
			at = w.Start + sp[1]
		}
		keep(w.End)
	})
}

// findPhrases finds known values of several words that occur in the line without quotes.
func (l *shellLine) findPhrases() {
	for _, m := range l.known.Find(l.src) {
		if strings.ContainsAny(l.src[m.Start:m.End], " \t\n") && !strings.ContainsAny(l.src[m.Start:m.End], "|&;<>\"'`$()\n") {
			l.phrases = append(l.phrases, phrase{Match: m})
		}
	}
}

// inPhrase reports whether the word at start belongs to a phrase; the first word emits the phrase's mask.
func (l *shellLine) inPhrase(start int) bool {
	for i := range l.phrases {
		p := &l.phrases[i]
		if start < p.Start || start >= p.End {
			continue
		}
		if !p.written {
			l.emit(l.sealed(p.Start, p.End, l.src[p.Start:p.End]))
			p.written = true
		}
		return true
	}
	return false
}
