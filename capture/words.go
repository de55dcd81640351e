package capture

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// shellWord is one word of a command, whatever the shell.
type shellWord struct {
	start, end int
	lit        string // its text when it is nothing but plain characters
	spaced     bool   // it holds white space between words of the person's own
	reference  bool   // a variable or a substitution and nothing else
	inner      bool   // it has parts that are looked at in turn, by walk
	walk       func()
}

// simple is a simple command: a program and its arguments.
func (l *shellLine) simple(ws []shellWord) {
	program := ""
	for i, w := range ws {
		if i == 0 {
			program = programName(w.lit)
			if !l.named {
				l.named, l.program = true, l.programText(program)
			}
			l.first(w)
			continue
		}
		if runners[program] && w.lit != "" && w.lit[0] != '-' && !strings.Contains(w.lit, "=") {
			program = programName(w.lit) // sudo grep ... is grep's business
		}
		l.arg(w, program, ws[i-1])
	}
}

// runners run the program that is their first argument.
var runners = map[string]bool{"sudo": true, "doas": true, "env": true, "time": true, "nohup": true, "command": true, "exec": true, "nice": true, "xargs": true, "watch": true, "builtin": true, "noglob": true}

func programName(lit string) string {
	name := path.Base(lit)
	if name == "." && lit != "." {
		return ""
	}
	return name
}

// first is the program's own word. A bare name that ran stays: programs are called like ordinary words. A path is text as
// any other, and what did not exist was no program.
func (l *shellLine) first(w shellWord) {
	if w.lit == "" {
		l.plainWord(w, false)
		return
	}
	l.emit(l.apply(w.start, w.end, l.src[w.start:w.end], l.programWord))
}

func (l *shellLine) programWord(s string, limit int) string {
	if l.exit == notFound || strings.Contains(s, "/") || !bareRE.MatchString(s) {
		return l.text(s, limit)
	}
	return l.plain(s, limit)
}

func (l *shellLine) programText(name string) string { return l.programWord(name, 80) }

const notFound = 127 // the shells' exit code for a command that does not exist

var (
	bareRE       = regexp.MustCompile(`^[a-z0-9_][a-z0-9._+-]*$`)
	messageFlags = []string{"--message", "--title", "--body", "--description", "--comment", "--note", "--notes", "--subject", "--summary", "--text"}
	messageRE    = regexp.MustCompile(`^--(?:message|title|body|description|comment|notes?|subject|summary|text)=`)
	versioners   = []string{"git", "hg", "svn", "jj", "bzr", "darcs", "fossil", "cvs"}
	flagRE       = regexp.MustCompile(`^--?[A-Za-z][\w-]*$`)
	gluedRE      = regexp.MustCompile(`^-[A-Za-z]*m.`)
)

func (l *shellLine) arg(w shellWord, program string, before shellWord) {
	lit, prev := w.lit, before.lit
	versioner := slices.Contains(versioners, program)
	switch {
	case versioner && gluedRE.MatchString(l.src[w.start:w.end]) && !flagWords[lit] && !strings.HasPrefix(lit, "--"):
		l.tail(w, strings.IndexByte(l.src[w.start:w.end], 'm')+1) // -mTEXT
	case flagRE.MatchString(lit):
		l.emit(l.apply(w.start, w.end, lit, l.flag))
	case slices.Contains(messageFlags, prev), versioner && (prev == "-m" || prev == "-am"):
		l.plainWord(w, true)
	case messageRE.MatchString(l.src[w.start:w.end]):
		l.tail(w, strings.IndexByte(l.src[w.start:w.end], '=')+1)
	case scripted[program] && w.spaced && !w.inner:
		l.script(w, program)
	default:
		l.plainWord(w, false)
	}
}

// flagWords are one-dash flags of versioners that begin like -m but carry no message.
var flagWords = map[string]bool{"-merge": true, "-mine": true}

// flag: its name stays; what is glued to a one-letter flag, or is no word of options, is text.
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

// tail seals a word from its byte at on: a message glued to its flag.
func (l *shellLine) tail(w shellWord, at int) {
	from := len(l.edits)
	l.sealed(w.start+at, w.end, unquoted(l.src[w.start+at:w.end]))
	text := l.src[w.start : w.start+at]
	if len(l.edits) > from {
		text += l.edits[from].with
	}
	l.emit(Word{Text: text})
}

// plainWord handles one word. free: the person wrote it as text.
func (l *shellLine) plainWord(w shellWord, free bool) {
	if w.start >= w.end || l.inPhrase(w.start) {
		return
	}
	switch {
	case !w.reference && (free || w.spaced):
		l.emit(l.sealed(w.start, w.end, unquoted(l.src[w.start:w.end])))
	case w.reference, w.inner:
		l.assembled(w, w.walk)
	default:
		l.emit(l.apply(w.start, w.end, l.src[w.start:w.end], l.text))
	}
}

// assembled is a word whose text is known when all edits are.
func (l *shellLine) assembled(w shellWord, parts func()) {
	if l.nested == 0 {
		l.later = append(l.later, w.start, w.end, len(l.words))
	}
	l.emit(Word{})
	l.nested++ // a substitution's own words are looked at in turn
	parts()
	l.nested--
}
