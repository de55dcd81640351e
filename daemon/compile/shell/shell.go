package shell

import (
	"path"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
	"showhow/internal/shellword"
)

// Word is one argument of a command line and its context. In Text, masks are replaced by references.
type Word struct {
	Text     string
	Program  string // the program that it is an argument of
	Flag     string // the flag before it, or the part of the word before "=": "--output"
	Redirect string // ">" or ">>" when output goes to the word, "<" when input comes from it
	First    bool   // the first argument that is not a flag
	Part     bool   // the rest of the word is known only at run time: "2026-10-$f"
}

// Line is a command line as far as it could be parsed.
type Line struct {
	Programs []string
	Calls    []Call
	Words    []Word
	Opaque   bool // it has control structures, substitutions or functions, so Words may be incomplete
}

// parsers reuses parsers: making one costs as much as parsing a short line.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// Read parses a command line as bash, or else as fish. A line that is neither becomes one program and its
// blank-separated words.
func Read(c *capture.Command) Line {
	line := page.MasksToRefs(c.Line)
	p := parsers.Get().(*syntax.Parser)
	f, err := p.Parse(strings.NewReader(line), "")
	parsers.Put(p)
	var out Line
	if err != nil {
		if fish, ok := readFish(line); ok {
			return fish
		}
		fields := strings.Fields(line)
		if len(fields) > 0 {
			out.Programs = []string{path.Base(fields[0])}
		}
		out.Opaque = true
		return out
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			out.call(n)
		case *syntax.Stmt:
			for _, r := range n.Redirs {
				out.redirect(r)
			}
		case *syntax.ForClause:
			out.Opaque = true
			out.items(n)
		case *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause, *syntax.FuncDecl, *syntax.CmdSubst, *syntax.ProcSubst:
			out.Opaque = true
		}
		return true
	})
	return out
}

func (l *Line) call(n *syntax.CallExpr) {
	texts, known := make([]string, len(n.Args)), make([]bool, len(n.Args))
	for i, arg := range n.Args {
		texts[i], known[i] = shellword.Text(arg)
	}
	l.called(texts, known)
}

// called adds a simple command. An argument that is not known has parts that exist only at run time.
func (l *Line) called(texts []string, known []bool) {
	if len(texts) == 0 || !known[0] || texts[0] == "" {
		return
	}
	prog := path.Base(texts[0])
	l.Programs = append(l.Programs, prog)
	call := Call{Program: prog, path: texts[0]}
	flag, first := "", true
	for i, text := range texts[1:] {
		if !known[i+1] {
			l.Opaque = true
			if text != "" {
				l.Words = append(l.Words, Word{Text: text, Program: prog, Flag: flag, Part: true})
			}
			flag, first = "", false
			continue
		}
		call.Args = append(call.Args, text)
		if strings.HasPrefix(text, "-") && len(text) > 1 {
			name, value, cutOff := strings.Cut(text, "=")
			if cutOff {
				l.Words = append(l.Words, Word{Text: value, Program: prog, Flag: name})
				flag = ""
			} else {
				flag = text
			}
			continue
		}
		l.Words = append(l.Words, Word{Text: text, Program: prog, Flag: flag, First: first})
		flag, first = "", false
	}
	l.Calls = append(l.Calls, call)
}

// HasGlob reports whether a line has a glob pattern, so that the names of its results depend on the files that are
// there.
func (l Line) HasGlob() bool {
	return slices.ContainsFunc(l.Words, func(w Word) bool {
		return w.Redirect == "" && strings.ContainsAny(w.Text, "*?") && !(w.First && takesScript[w.Program]) &&
			!strings.ContainsAny(w.Text, " |=$")
	})
}

// RunsText reports whether a word is a small program (sh -c '...') rather than a value.
func (w Word) RunsText() bool {
	return (w.Flag == "-c" || w.Flag == "-e") && (takesScript[w.Program] || w.Program == "bash" || w.Program == "sh" || w.Program == "zsh")
}

// EntersFolder returns the subfolder that a line changes into before it does anything else, where its files are then written;
// "" if there is none.
func (l Line) EntersFolder() string {
	if len(l.Calls) < 2 || l.Calls[0].Program != "cd" || len(l.Calls[0].Args) != 1 {
		return ""
	}
	to := path.Clean(l.Calls[0].Args[0])
	if strings.ContainsAny(to[:1], "/~-.$") {
		return ""
	}
	return to
}

// items adds the words that a for loop iterates over.
func (l *Line) items(n *syntax.ForClause) {
	over, ok := n.Loop.(*syntax.WordIter)
	if !ok {
		return
	}
	for _, w := range over.Items {
		if text, ok := shellword.Text(w); ok {
			l.Words = append(l.Words, Word{Text: text, Program: "for"})
		}
	}
}

func (l *Line) redirect(r *syntax.Redirect) {
	if r.Hdoc != nil {
		if text, ok := shellword.Text(r.Hdoc); ok && strings.TrimSpace(text) != "" {
			l.Words = append(l.Words, Word{Text: strings.TrimRight(text, "\n"), Program: "heredoc", Flag: "<<"})
		}
		return
	}
	if r.Word == nil {
		return
	}
	text, ok := shellword.Text(r.Word)
	op := map[syntax.RedirOperator]string{syntax.RdrOut: ">", syntax.AppOut: ">>", syntax.RdrIn: "<", syntax.RdrClob: ">",
		syntax.RdrAll: ">"}[r.Op]
	if !ok || op == "" || IsDevice(text) {
		return
	}
	l.Words = append(l.Words, Word{Text: text, Redirect: op})
}

// ProgramOf returns the main program of a command, without its folder.
func ProgramOf(c *capture.Command) string {
	if c == nil {
		return ""
	}
	if c.Program != "" {
		return path.Base(c.Program)
	}
	if l := Read(c); len(l.Programs) > 0 {
		return l.Programs[0]
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.Line), " ")
	return path.Base(first)
}

// WithSubcommand are programs whose first argument names what they do.
var WithSubcommand = plain.Set("git docker podman kubectl npm yarn pnpm go cargo apt apt-get systemctl brew pip pip3 gh az aws gcloud " +
	"helm terraform make just poetry uv conda svn hg zip showhow")

// takesScript are programs whose first argument is itself a small program.
var takesScript = plain.Set(
	"awk gawk sed jq yq grep egrep rg perl python python3 ruby node sqlite3 psql mysql xargs find tr printf echo datamash mlr")

// Builtins are the commands that need no installation.
var Builtins = plain.Set("cd pwd echo printf test [ [[ export set unset alias source . : true false read eval exec exit return shift " +
	"type umask ulimit wait jobs fg bg kill trap let local declare typeset history pushd popd dirs command builtin hash getopts times time " +
	"then else fi do done if for while case esac")

// Varies reports whether the word could differ in another run of the same work.
func (w Word) Varies() bool {
	if w.Redirect != "" || strings.ContainsRune(w.Text, page.RefOpen) {
		return true
	}
	if IsDevice(w.Text) || w.First && (takesScript[w.Program] || WithSubcommand[w.Program]) {
		return false
	}
	return w.FileLike() || plain.Digits(w.Text) > 0 || strings.ContainsAny(w.Text, " @")
}

// FileLike reports whether a word looks like the name of a file.
func (w Word) FileLike() bool {
	if w.Redirect != "" {
		return true
	}
	if w.Part || IsDevice(w.Text) || w.First && takesScript[w.Program] || strings.ContainsAny(w.Text, " '\"{}()$|=:,") ||
		strings.HasPrefix(w.Text, "s/") {
		return false
	}
	if strings.Contains(w.Text, "/") {
		return true
	}
	ext := path.Ext(w.Text)
	return len(ext) >= 2 && len(ext) <= 6 && plain.Letters(ext) >= 1 && len(w.Text) > len(ext) && w.Text[0] != '.'
}

// commonDevices are the devices that every machine has and that are never files of the work.
var commonDevices = plain.Set("null zero full random urandom tty stdin stdout stderr")

// IsDevice reports whether a path is a device that every machine has.
func IsDevice(text string) bool {
	name, ok := strings.CutPrefix(text, "/dev/")
	return ok && (commonDevices[name] || strings.HasPrefix(name, "fd/"))
}

// Makes lists the files that a line writes by redirection and does not move or remove afterwards.
func (l Line) Makes() []string {
	var out []string
	for _, w := range l.Words {
		moved := slices.ContainsFunc(l.Calls, func(c Call) bool {
			return (c.Program == "mv" || c.Program == "rm") && slices.Contains(c.Args, w.Text) &&
				(c.Program == "rm" || c.Args[len(c.Args)-1] != w.Text)
		})
		if (w.Redirect == ">" || w.Redirect == ">>") && !moved && !slices.Contains(out, w.Text) {
			out = append(out, w.Text)
		}
	}
	return out
}

// WordsOf lists the arguments of a command line that are plain text, flags excluded.
func WordsOf(line string) (out []string) {
	for _, w := range Read(&capture.Command{Line: line}).Words {
		if w.Text != "" && !w.Part {
			out = append(out, w.Text)
		}
	}
	return out
}

// ScriptsOf lists the programs of a command line that are given by path: ./report.sh.
func ScriptsOf(line string) (out []string) {
	for _, c := range Read(&capture.Command{Line: line}).Calls {
		if c.path != c.Program {
			out = append(out, c.path)
		}
	}
	return out
}

// ProgramsOf lists the programs that a command line runs, as far as it names them.
func ProgramsOf(line string) []string { return Read(&capture.Command{Line: line}).Programs }
