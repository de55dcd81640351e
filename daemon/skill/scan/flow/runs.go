package flow

import (
	"strings"

	"showhow/daemon/skill/scan/report"
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

// command reads a program that is started with its arguments written out, without a shell: what is given to an interpreter
// runs, what is given to another program does not. It reports whether the program's name is known.
func (c *code) command(ps []parameter, line int, out *value) bool {
	words := ps[0].items
	if len(words) == 0 && len(ps) > 1 && len(ps[1].items) > 0 {
		words = append([]value{ps[0].value}, ps[1].items...)
	}
	if len(words) == 0 || words[0].text == "" || words[0].label != 0 || strings.ContainsAny(words[0].text, " $\n") {
		return false
	}
	for _, p := range ps {
		if p.name == "shell" {
			return false
		}
	}
	var args []arg
	for _, w := range words {
		args = append(args, arg{w.text, w.taint, w.text != ""})
	}
	c.inShell(line, out, func(s *sh) taint { return s.run(args, taint{}, "", line) })
	return true
}

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
