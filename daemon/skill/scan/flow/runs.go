package flow

import (
	"path"
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// runs is a call that starts a program or evaluates text.
func (c *code) runs(name string, ps []parameter, all value, line int, out *value) {
	if len(ps) == 0 {
		return
	}
	if !ps[0].is(envAll) {
		out.taint.label &^= envAll // what a program answers is not the environment that it was given
	}
	t := taint{}
	for _, p := range ps {
		t = t.and(p.taint)
	}
	text, command := ps[0].text, false
	n := last(name)
	short := n == "require" || n == "import" || n == "import_module" || n == "__import__" || n == "load" || n == "compile" || n == "assert" ||
		n == "loads" || n == "CDLL"
	switch {
	case short:
		if t.is(remote) && n != "loads" || n == "loads" && (t.is(remote) || t.is(decoded)) && !strings.Contains(name, "json") {
			c.execute(t, line)
		}
		if n == "loads" && t.label&(remote|decoded) == 0 {
			return
		}
	case n == "setTimeout" || n == "setInterval" || n == "$":
		if ps[0].label&(remote|decoded) != 0 && text != "" {
			c.execute(ps[0].taint, line)
		}
	case execCalls[name] && (argvCalls[name] || shellCalls[name]):
		c.U.F.Uses.Tools["shell"] = true
		if command = c.command(ps, line, out); !command {
			c.execute(ps[0].taint, line)
		}
	default:
		c.execute(ps[0].taint, line)
		if (n == "eval" || n == "exec" || n == "Function") && text == "" && !c.U.Place.Quoted {
			c.add("dynamic-code", line, report.With{Severity: report.Medium})
		}
	}
	if all.label&(secret|envAll) != 0 && carriers.MatchString(text) { // its words are no addresses, but they leave
		w := all.taint
		w.label &= secret | envAll
		c.send(w, "", false, line)
	}
	argv := argvCalls[name] || argvCalls[n]
	if command {
		return
	}
	if (shellCalls[name] || shellCalls[n] || argv) && n != "exec" || n == "exec" && strings.Contains(name, "child_process") {
		if argv && len(ps) > 1 && ps[1].name == "" {
			text += " " + ps[1].text
		}
		c.shell(text, line, out)
	}
}

// command reads a program that is started with its arguments written out, without a shell. It reports whether it took care of what
// those hold: an interpreter runs all that it is given, a program of inert only works on it, and of others nobody knows.
func (c *code) command(ps []parameter, line int, out *value) bool {
	words := ps[0].items
	if len(words) == 0 && len(ps) > 1 && len(ps[1].items) > 0 {
		words = append([]value{ps[0].value}, ps[1].items...)
	}
	if len(words) == 0 || words[0].text == "" || words[0].label != 0 || strings.ContainsAny(words[0].text, " $\n") {
		return false
	}
	var in, all taint
	for _, p := range ps {
		switch p.name {
		case "shell", "executable":
			return false
		case "input", "stdin":
			in = p.taint
		}
	}
	var args []arg
	for _, w := range words {
		args = append(args, arg{w.text, w.taint, w.text != ""})
		all = all.and(w.taint)
	}
	c.inShell(line, out, func(s *sh) taint { return s.run(args, in, "", line) })
	switch name := programOf(args); {
	case interpreters[name]:
		c.execute(all, line)
	case inert[name] || openers[name] || (name == "git" || name == "gh") && onlyNotes(args):
	default:
		return false
	}
	return true
}

// inert programs show, count or keep what they are given, and run none of it.
var inert = source.Words("less more cat head tail grep rg jq echo printf wc cp mv mkdir touch diff sort uniq pbcopy notify-send say " +
	"ffmpeg ffprobe pandoc convert magick code subl")

// onlyNotes: git and gh are given a text to keep, and no setting that could name a program.
func onlyNotes(args []arg) bool {
	for i, a := range args {
		if i > 0 && strings.HasPrefix(a.text, "-c") || strings.HasPrefix(a.text, "--") && strings.Contains(a.text, "=") {
			return false
		}
	}
	return len(args) > 1 && Contains([]string{"commit", "tag", "notes", "issue", "pr"}, args[1].text)
}

// programOf is what the command starts, without the version in its name; behind sudo, env and the like only an interpreter is told.
func programOf(args []arg) string {
	first := path.Base(args[0].text)
	if _, wraps := wrappers[first]; !wraps {
		return version.ReplaceAllString(first, "")
	}
	for _, a := range args[1:] {
		if name := version.ReplaceAllString(path.Base(a.text), ""); interpreters[name] {
			return name
		}
	}
	return ""
}

var version = lazyre.New(`(?:\d+(?:\.\d+)*)?(?:\.exe)?$`)

// shell reads a command that a program starts.
func (c *code) shell(text string, line int, out *value) {
	if len(text) < 3 {
		return
	}
	if f := parseShell(text); f != nil {
		c.inShell(line, out, func(s *sh) taint { return s.stmts(f.Stmts, taint{}) })
	}
}

func (c *code) inShell(line int, out *value, run func(*sh) taint) {
	if c.depth > 3 {
		return
	}
	sub := *c.Pass
	sub.depth++
	s := &sh{Pass: &sub, base: line - 1, deep: 5}
	out.taint = out.taint.and(run(s))
	if s.unpacked.label != 0 {
		c.unpacked = s.unpacked
	}
}
