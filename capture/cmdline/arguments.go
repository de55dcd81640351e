package cmdline

import (
	"path"
	"slices"
	"strings"

	"showhow/internal/lazyre"
)

// Role is the role of a word in a simple command.
type Role int

// Roles of words.
const (
	Plain   Role = iota // any argument
	Program             // the program itself
	Flag                // a flag by itself
	Message             // text of the person's own: what follows --message
	Glued               // a flag with such text behind it, from Argument.At on: -mTEXT, --body=TEXT
	Script              // a pattern or a small program (Phrases)
	Label               // words of a document that say where a value stands in it
)

// Argument is a word of a simple command and its role there.
type Argument struct {
	Word
	Role    Role
	At      int    // Glued: bytes of the word before the text
	Program string // whose argument it is, past sudo and its like; "" unknown
}

// Arguments determines the role of each word of a simple command.
func Arguments(src string, words []Word) []Argument {
	out := make([]Argument, 0, len(words))
	program := ""
	for i, w := range words {
		if i == 0 {
			program = ProgramName(w.Lit)
			out = append(out, Argument{Word: w, Role: Program, Program: program})
			continue
		}
		if runners[program] && w.Lit != "" && w.Lit[0] != '-' && !strings.Contains(w.Lit, "=") {
			program = ProgramName(w.Lit) // sudo grep ... is grep's business
		}
		a := Argument{Word: w, Program: program}
		a.Role, a.At = role(w, src[w.Start:w.End], program, words[i-1].Lit)
		out = append(out, a)
	}
	return out
}

// runners run the program that their first argument names.
var runners = nameSet([]string{"sudo", "doas", "env", "time", "nohup", "command", "exec", "nice", "xargs", "watch", "builtin",
	"noglob"})

// ProgramName is the base name of a program as a command names it.
func ProgramName(lit string) string {
	name := path.Base(lit)
	if name == "." && lit != "." {
		return ""
	}
	return name
}

var (
	messageFlags = []string{"--message", "--title", "--body", "--description", "--comment", "--note", "--notes", "--subject",
		"--summary", "--text"}
	messageRE  = lazyre.New(`^--(?:message|title|body|description|comment|notes?|subject|summary|text)=`)
	versioners = []string{"git", "hg", "svn", "jj", "bzr", "darcs", "fossil", "cvs"}
	flagRE     = lazyre.New(`^--?[A-Za-z][\w-]*$`)
	gluedRE    = lazyre.New(`^-[A-Za-z]*m.`)
)

// flagWords are one-dash flags of version control programs that begin with -m but carry no message.
var flagWords = nameSet([]string{"-merge", "-mine"})

// role is the role of a word whose text in the line is src; previous is the word before it.
func role(w Word, src, program, previous string) (r Role, at int) {
	versioner := slices.Contains(versioners, program)
	switch {
	case versioner && gluedRE.MatchString(src) && !flagWords[w.Lit] && !strings.HasPrefix(w.Lit, "--"):
		return Glued, strings.IndexByte(src, 'm') + 1
	case flagRE.MatchString(w.Lit):
		return Flag, 0
	case program == "showhow" && (placeFlags[previous] || placeForm.MatchString(src)):
		return Label, 0
	case slices.Contains(messageFlags, previous), versioner && (previous == "-m" || previous == "-am"):
		return Message, 0
	case messageRE.MatchString(src):
		return Glued, strings.IndexByte(src, '=') + 1
	case scripted[program] && w.Spaced && !w.Inner:
		return Script, 0
	}
	return Plain, 0
}
