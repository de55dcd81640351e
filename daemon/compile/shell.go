package compile

import (
	"path"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture"
	"showhow/internal/plain"
	"showhow/internal/shellword"
)

// shellWord is one argument of a command line, with what stands before it. text has references where masks were.
type shellWord struct {
	text     string
	program  string // whose argument it is
	flag     string // the flag before it, or the part of the word before "=": "--output"
	redirect string // ">" or ">>" when the word is where output goes, "<" where input comes from
	first    bool   // the first argument that is no flag
	part     bool   // the rest of it is only known when the line runs: "2026-10-$f"
}

// shellLine is a command line as far as it could be read.
type shellLine struct {
	programs []string
	calls    []shellCall
	words    []shellWord
	opaque   bool // it holds control structures, substitutions or functions: words are not all of it
}

// parsers are kept for the next line: making one costs as much as reading a short line.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// readLine parses a command line; what bash cannot read is read as fish does, and what neither can is one program and its
// blank-separated words.
func readLine(c *capture.Command) shellLine {
	line := masksToRefs(c.Line)
	p := parsers.Get().(*syntax.Parser)
	f, err := p.Parse(strings.NewReader(line), "")
	parsers.Put(p)
	var out shellLine
	if err != nil {
		if fish, ok := readFish(line); ok {
			return fish
		}
		fields := strings.Fields(line)
		if len(fields) > 0 {
			out.programs = []string{path.Base(fields[0])}
		}
		out.opaque = true
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
			out.opaque = true
			out.items(n)
		case *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause, *syntax.FuncDecl, *syntax.CmdSubst, *syntax.ProcSubst:
			out.opaque = true
		}
		return true
	})
	return out
}

func (l *shellLine) call(n *syntax.CallExpr) {
	texts, known := make([]string, len(n.Args)), make([]bool, len(n.Args))
	for i, arg := range n.Args {
		texts[i], known[i] = shellword.Text(arg)
	}
	l.called(texts, known)
}

// called takes the words of a simple command; those that are not known have parts that are only known when the line runs.
func (l *shellLine) called(texts []string, known []bool) {
	if len(texts) == 0 || !known[0] || texts[0] == "" {
		return
	}
	prog := path.Base(texts[0])
	l.programs = append(l.programs, prog)
	call := shellCall{program: prog, path: texts[0]}
	flag, first := "", true
	for i, text := range texts[1:] {
		if !known[i+1] {
			l.opaque = true
			if text != "" {
				l.words = append(l.words, shellWord{text: text, program: prog, flag: flag, part: true})
			}
			flag, first = "", false
			continue
		}
		call.args = append(call.args, text)
		if strings.HasPrefix(text, "-") && len(text) > 1 {
			name, value, cutOff := strings.Cut(text, "=")
			if cutOff {
				l.words = append(l.words, shellWord{text: value, program: prog, flag: name})
				flag = ""
			} else {
				flag = text
			}
			continue
		}
		l.words = append(l.words, shellWord{text: text, program: prog, flag: flag, first: first})
		flag, first = "", false
	}
	l.calls = append(l.calls, call)
}

// globbed reports whether a line works on whatever a pattern finds: what it makes is called otherwise where other files are.
func (l shellLine) globbed() bool {
	return slices.ContainsFunc(l.words, func(w shellWord) bool {
		return w.redirect == "" && strings.ContainsAny(w.text, "*?") && !(w.first && withProgram[w.program]) && !strings.ContainsAny(w.text, " |=$")
	})
}

// runsText reports whether a word is a small program rather than a value.
func (w shellWord) runsText() bool {
	return (w.flag == "-c" || w.flag == "-e") && (withProgram[w.program] || w.program == "bash" || w.program == "sh" || w.program == "zsh")
}

// goesTo is the folder below its own into which a line goes before it does anything else, "" when it stays: what it writes is there.
func (l shellLine) goesTo() string {
	if len(l.calls) < 2 || l.calls[0].program != "cd" || len(l.calls[0].args) != 1 {
		return ""
	}
	to := path.Clean(l.calls[0].args[0])
	if strings.ContainsAny(to[:1], "/~-.$") {
		return ""
	}
	return to
}

// items are the words that a loop goes over.
func (l *shellLine) items(n *syntax.ForClause) {
	over, ok := n.Loop.(*syntax.WordIter)
	if !ok {
		return
	}
	for _, w := range over.Items {
		if text, ok := shellword.Text(w); ok {
			l.words = append(l.words, shellWord{text: text, program: "for"})
		}
	}
}

func (l *shellLine) redirect(r *syntax.Redirect) {
	if r.Hdoc != nil {
		if text, ok := shellword.Text(r.Hdoc); ok && strings.TrimSpace(text) != "" {
			l.words = append(l.words, shellWord{text: strings.TrimRight(text, "\n"), program: "heredoc", flag: "<<"})
		}
		return
	}
	if r.Word == nil {
		return
	}
	text, ok := shellword.Text(r.Word)
	op := map[syntax.RedirOperator]string{syntax.RdrOut: ">", syntax.AppOut: ">>", syntax.RdrIn: "<", syntax.RdrClob: ">", syntax.RdrAll: ">"}[r.Op]
	if !ok || op == "" || isDevice(text) {
		return
	}
	l.words = append(l.words, shellWord{text: text, redirect: op})
}

func programOf(c *capture.Command) string {
	if c == nil {
		return ""
	}
	if c.Program != "" {
		return path.Base(c.Program)
	}
	if l := readLine(c); len(l.programs) > 0 {
		return l.programs[0]
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.Line), " ")
	return path.Base(first)
}

// withSubcommand are programs whose first argument names what they do.
var withSubcommand = set("git docker podman kubectl npm yarn pnpm go cargo apt apt-get systemctl brew pip pip3 gh az aws gcloud helm terraform make just poetry uv conda svn hg zip showhow")

// withProgram are programs whose first argument is itself a small program.
var withProgram = set("awk gawk sed jq yq grep egrep rg perl python python3 ruby node sqlite3 psql mysql xargs find tr printf echo datamash mlr")

// builtins need not be installed.
var builtins = set("cd pwd echo printf test [ [[ export set unset alias source . : true false read eval exec exit return shift type umask ulimit wait jobs fg bg kill trap let local declare typeset history pushd popd dirs command builtin hash getopts times time then else fi do done if for while case esac")

// skeleton is a command line without what would differ another time.
func skeleton(c *capture.Command) string {
	l := readLine(c)
	if l.opaque {
		return "run|" + variableWords.Replace(maskForm.ReplaceAllString(c.Line, "#"))
	}
	parts := []string{"run", strings.Join(l.programs, "|")}
	for _, w := range l.words {
		part := w.program + w.redirect + " " + w.flag + " "
		if w.varies() {
			part += "#"
		} else {
			part += w.text
		}
		if part == parts[len(parts)-1] && strings.HasSuffix(part, "  #") {
			continue // one more file of the same kind
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";")
}

var variableWords = strings.NewReplacer("0", "#", "1", "#", "2", "#", "3", "#", "4", "#", "5", "#", "6", "#", "7", "#", "8", "#", "9", "#")

// varies reports whether another run of the same work could have another word here.
func (w shellWord) varies() bool {
	if w.redirect != "" || strings.ContainsRune(w.text, refOpen) {
		return true
	}
	if isDevice(w.text) || w.first && (withProgram[w.program] || withSubcommand[w.program]) {
		return false
	}
	return w.fileLike() || plain.Digits(w.text) > 0 || strings.ContainsAny(w.text, " @")
}

// fileLike reports whether a word looks like the name of a file.
func (w shellWord) fileLike() bool {
	if w.redirect != "" {
		return true
	}
	if w.part || isDevice(w.text) || w.first && withProgram[w.program] || strings.ContainsAny(w.text, " '\"{}()$|=:,") || strings.HasPrefix(w.text, "s/") {
		return false
	}
	if strings.Contains(w.text, "/") {
		return true
	}
	ext := path.Ext(w.text)
	return len(ext) >= 2 && len(ext) <= 6 && plain.Letters(ext) >= 1 && len(w.text) > len(ext) && w.text[0] != '.'
}

// everywhere are devices that are the same for everybody, and no file of the work.
var everywhere = set("null zero full random urandom tty stdin stdout stderr")

func isDevice(text string) bool {
	name, ok := strings.CutPrefix(text, "/dev/")
	return ok && (everywhere[name] || strings.HasPrefix(name, "fd/"))
}

// makes lists the files that a line writes by redirection, and does not move away again.
func (l shellLine) makes() []string {
	var out []string
	for _, w := range l.words {
		moved := slices.ContainsFunc(l.calls, func(c shellCall) bool {
			return (c.program == "mv" || c.program == "rm") && slices.Contains(c.args, w.text) && (c.program == "rm" || c.args[len(c.args)-1] != w.text)
		})
		if (w.redirect == ">" || w.redirect == ">>") && !moved && !slices.Contains(out, w.text) {
			out = append(out, w.text)
		}
	}
	return out
}
