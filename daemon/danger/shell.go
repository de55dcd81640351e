package danger

import (
	"path"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"showhow/internal/plain"
	"showhow/internal/shellword"
)

// Command judges a shell line. Every command in it counts: in pipes, loops, substitutions, subshells and functions,
// behind env, nice or timeout, and in the text given to bash -c. Writing to a file by redirection is Writes.
func Command(line string) Finding {
	return CommandWithFiles(line, func(string) bool { return false })
}

// CommandWithFiles is Command with exists to report which files exist: overwriting one destroys it. Names are as in the
// line: relative ones to where it runs.
func CommandWithFiles(line string, exists func(name string) bool) Finding {
	l := &script{exists: exists, functions: map[string]bool{}}
	l.read(line, 0)
	if l.found.all == 0 {
		return finding(Reads, "it runs nothing")
	}
	return l.found
}

// script collects the effects of a line's commands.
type script struct {
	exists    func(string) bool
	functions map[string]bool // that the line itself defines: their bodies are looked at where they stand
	found     Finding
}

func (l *script) add(c Class, why string) { l.found = l.found.and(finding(c, why)) }

const maxDepth = 8

// read judges one piece of shell text.
func (l *script) read(text string, depth int) {
	if depth > maxDepth {
		l.add(Unknown, "commands are nested too deep to be read")
		return
	}
	f, bash := parse(text)
	if f == nil {
		l.add(Unknown, "the line cannot be read")
	}
	if !bash {
		l.named(text) // what zsh takes for a pattern, fish runs
	}
	if f == nil {
		return
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if fn, ok := n.(*syntax.FuncDecl); ok && fn.Name != nil {
			l.functions[fn.Name.Value] = true
			if callsItself(fn) {
				l.add(Destroys, "a function starts itself without end and stops the machine")
			}
		}
		return true
	})
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			l.statement(n, depth)
		case *syntax.CallExpr:
			l.assignments(n)
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				l.pipe(n)
			}
		case *syntax.DeclClause:
			l.declared(n.Args)
		}
		return true
	})
}

func parse(text string) (f *syntax.File, bash bool) {
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangZsh} {
		if f, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), ""); err == nil {
			return f, lang == syntax.LangBash
		}
	}
	return nil, false
}

// named judges the program names in a line of another shell or an unfinished one: they count, wherever they stand.
func (l *script) named(text string) {
	rest := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&(){}\n`", r) })
	for _, part := range rest {
		fields := strings.Fields(part)
		for len(fields) > 0 && plain.Set("and or not if while begin then do else")[fields[0]] {
			fields = fields[1:]
		}
		if len(fields) == 0 || !strings.ContainsFunc(fields[0], unicode.IsLetter) {
			continue
		}
		args := call{}
		for _, w := range fields {
			args = append(args, word{text: strings.Trim(w, `"'`), known: true})
		}
		l.run(args, input{}, maxDepth)
	}
}

func callsItself(fn *syntax.FuncDecl) bool {
	forks := false
	syntax.Walk(fn.Body, func(n syntax.Node) bool {
		st, ok := n.(*syntax.Stmt)
		if !ok {
			return true
		}
		if st.Background && calls(st, fn.Name.Value) {
			forks = true
		}
		if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.Pipe && calls(b.X, fn.Name.Value) && calls(b.Y, fn.Name.Value) {
			forks = true
		}
		return true
	})
	return forks
}

func calls(n syntax.Node, name string) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == name {
			found = true
		}
		return true
	})
	return found
}

// word is one argument. An unknown one holds an expansion; text is then what surrounds it.
type word struct {
	text  string
	known bool
	from  *syntax.Word
}

// call is a program with its arguments.
type call []word

// input is a command's standard input, when the line itself contains it.
type input struct {
	text  string
	known bool
	piped bool
}

func (l *script) statement(st *syntax.Stmt, depth int) {
	in := input{}
	for _, r := range st.Redirs {
		l.redirect(r, st.Cmd == nil)
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				w := textOf(r.Hdoc)
				in = input{text: w.text, known: w.known}
			}
		case syntax.WordHdoc:
			w := textOf(r.Word)
			in = input{text: w.text, known: w.known}
		case syntax.RdrIn:
			in.piped = true
		}
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return
	}
	args := call{}
	for _, a := range c.Args {
		args = append(args, textOf(a))
	}
	l.run(args, in, depth)
}

// redirect: alone means `> file` without a command, which empties the file.
func (l *script) redirect(r *syntax.Redirect, alone bool) {
	over := false
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob:
		over = true
	case syntax.AppOut, syntax.AppClob, syntax.AppAll, syntax.AppAllClob, syntax.RdrInOut:
	case syntax.DplOut:
		if w := textOf(r.Word); !w.known || w.text == "-" || strings.Trim(w.text, "0123456789-") == "" {
			return
		}
		over = true
	default:
		if w := textOf(r.Word); strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
			l.add(Sends, "it opens a connection to another machine")
		}
		return
	}
	w := textOf(r.Word)
	switch {
	case harmlessDevice(w):
	case strings.HasPrefix(w.text, "/dev/tcp/"), strings.HasPrefix(w.text, "/dev/udp/"):
		l.add(Sends, "it opens a connection to another machine")
	case strings.HasPrefix(w.text, "/dev/"):
		l.add(Destroys, "output written to a device overwrites it")
	case systemPath(w.text):
		l.add(Escalates, "output is written into the system's own files")
	case over && alone:
		l.add(Destroys, "a redirection without a command empties the file")
	case over && w.known && l.exists(w.text):
		l.add(Destroys, "output is written over a file that exists")
	default:
		l.add(Writes, "output is written to a file")
	}
}

func harmlessDevice(w word) bool {
	if !w.known {
		return false
	}
	switch w.text {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full":
		return true
	}
	return strings.HasPrefix(w.text, "/dev/fd/") || strings.HasPrefix(w.text, "/dev/pts/") || strings.HasPrefix(w.text, "/dev/shm/")
}

// systemPath reports whether a path belongs to the machine rather than to a person.
func systemPath(p string) bool {
	for _, root := range []string{"/etc/", "/boot/", "/sys/", "/proc/", "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/"} {
		if strings.HasPrefix(p, root) {
			return true
		}
	}
	return false
}

// pipe: a shell at the end of a pipe runs what comes through it.
func (l *script) pipe(b *syntax.BinaryCmd) {
	c, ok := b.Y.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return
	}
	args := call{}
	for _, a := range c.Args {
		args = append(args, textOf(a))
	}
	if name := interpreterOf(args); name != "" {
		l.add(Installs, name+" runs whatever comes through the pipe")
	}
}

// interpreterOf is the interpreter that reads its program from its standard input, "" when the call is none.
func interpreterOf(args call) string {
	for len(args) > 0 {
		name := args.program()
		if interpreters[name] {
			if o := args[1:].operands(""); len(o) == 0 || o[0].text == "-" || args[1:].has("-s", "") {
				if !args[1:].has("-c", "") && !args[1:].has("-e", "") && !args[1:].has("-m", "") {
					return name
				}
			}
			return ""
		}
		w, ok := wrappers[name]
		if !ok {
			return ""
		}
		args = w.inner(args[1:])
	}
	return ""
}

var interpreters = plain.Set(
	"sh bash zsh dash ksh mksh ash fish csh tcsh busybox python python2 python3 perl ruby node deno bun php lua R Rscript pwsh osascript")

// assignments judges variables before a program: the search path decides what the names in the line mean.
func (l *script) assignments(c *syntax.CallExpr) { l.declared(c.Assigns) }

func (l *script) declared(as []*syntax.Assign) {
	for _, a := range as {
		if a.Name == nil {
			continue
		}
		switch n := a.Name.Value; {
		case n == "PATH", n == "BASH_ENV", n == "ENV", n == "IFS", n == "PROMPT_COMMAND", n == "GIT_SSH_COMMAND", n == "PAGER", n == "EDITOR",
			strings.HasPrefix(n, "LD_"), strings.HasPrefix(n, "DYLD_"):
			l.add(Unknown, "it changes which programs the names in the line mean")
		}
	}
}

// textOf is a word without its quotes, and whether that is all of it.
func textOf(w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	text, known := shellword.Text(w)
	return word{text: text, known: known, from: w}
}

// program is the base name of a call's program.
func (c call) program() string {
	if len(c) == 0 || !c[0].known {
		return ""
	}
	return path.Base(c[0].text)
}

// has reports whether a flag is given: short as "-f" (also within "-rf"), long as "--force" (also "--force=x"); "" is
// no flag.
func (c call) has(flags ...string) bool {
	for _, w := range c {
		if w.text == "--" {
			return false
		}
		for _, f := range flags {
			switch {
			case f == "":
			case w.text == f, strings.HasPrefix(f, "--") && strings.HasPrefix(w.text, f+"="):
				return true
			case len(f) == 2 && f[0] == '-' && len(w.text) > 2 && w.text[0] == '-' && w.text[1] != '-' && shortFlags(w.text) &&
				strings.Contains(w.text[1:], f[1:]):
				return true
			}
		}
	}
	return false
}

// shortFlags distinguishes -rf from -maxdepth: long single-dash words are no bundles.
func shortFlags(s string) bool {
	return len(s) <= 6 && !strings.ContainsAny(s, "=/.:")
}

// value is a flag's value, in any of its forms: -X POST, -XPOST, --request POST, --request=POST.
func (c call) value(flags ...string) (string, bool) {
	for i, w := range c {
		for _, f := range flags {
			switch {
			case w.text == f && i+1 < len(c):
				return c[i+1].text, true
			case strings.HasPrefix(f, "--") && strings.HasPrefix(w.text, f+"="):
				return w.text[len(f)+1:], true
			case len(f) == 2 && len(w.text) > 2 && strings.HasPrefix(w.text, f) && w.text[1] != '-':
				return w.text[2:], true
			}
		}
	}
	return "", false
}

// operands are the arguments without flags; the flags in valued consume the next word.
func (c call) operands(valued string) call {
	takes := plain.Set(valued)
	var out call
	for i := 0; i < len(c); i++ {
		w := c[i]
		switch {
		case w.text == "--" && w.known:
			return append(out, c[i+1:]...)
		case len(w.text) > 1 && w.text[0] == '-' && w.known:
			if takes[w.text] {
				i++
			}
		default:
			out = append(out, w)
		}
	}
	return out
}

// first is the text of the nth operand, "" when there is none or it is not known.
func (c call) first(n int) string {
	if n >= len(c) || !c[n].known {
		return ""
	}
	return c[n].text
}

// substitutes reports whether a word is another command's output.
func substitutes(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return true
	})
	return found
}
