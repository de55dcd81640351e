package flow

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// chain is a name with what hangs on it: a.b(c)[d].e
func (c *code) chain(toks []Token, i int) (value, int) {
	name := toks[i].Text
	switch name {
	case "new", "await", "not", "and", "or", "typeof", "lambda", "if", "else", "in", "is", "async", "raise", "throw", "assert", "print":
		if i+1 < len(toks) && toks[i+1].Kind == Word || name != "print" {
			return value{}, i + 1
		}
	}
	j := i + 1
	for j+1 < len(toks) && toks[j].Kind == Sign &&
		(toks[j].Text == "." || toks[j].Text == "?." || toks[j].Text == "::" || toks[j].Text == "->") && toks[j+1].Kind == Word {
		name += "." + toks[j+1].Text
		j += 2
	}
	base, rest, dotted := strings.Cut(name, ".")
	if a := c.alias[base]; a != "" {
		if dotted {
			name = a + "." + rest
		} else {
			name = a
		}
	}
	v := value{}
	if dotted {
		v = c.lookup(base)
		v.text = ""
		if v.is(envAll) && variable.MatchString(rest) {
			v = value{taint: c.credential(rest, toks[i].Line)} // one of them is not all of them
		}
		w := c.lookup(base + "." + rest)
		v = v.and(w)
	} else {
		v = c.lookup(base)
	}
	if c.asksWhether(toks, i) {
		return value{}, j
	}
	v = v.and(c.named(name, toks[i].Line))
	return c.suffix(name, v, toks, j)
}

// asksWhether: what is named is only asked whether it holds something: "x in names" takes nothing out of them, "for x in names" does.
func (c *code) asksWhether(toks []Token, i int) bool {
	if c.kind != source.Python || i < 2 || toks[i-1].Kind != Word || toks[i-1].Text != "in" {
		return false
	}
	for k := i - 2; k >= 0 && (toks[k].Kind != Sign || toks[k].Text == "," || toks[k].Text == "(" || toks[k].Text == ")"); k-- {
		if toks[k].Kind == Word && toks[k].Text == "for" {
			return false
		}
	}
	return true
}

// suffix evaluates calls, indexes and members that hang on a value.
func (c *code) suffix(name string, v value, toks []Token, j int) (value, int) {
	for j < len(toks) && toks[j].Kind == Sign {
		switch toks[j].Text {
		case "(":
			end := match(toks, j)
			args := split(toks[j+1 : end])
			v = c.call(name, v, toks[j].Line, args)
			j = min(end+1, len(toks))
			name = c.dynamic(name, args)
		case "[":
			end := match(toks, j)
			idx := c.eval(toks[j+1 : end])
			v = c.index(name, v, idx, toks[j].Line)
			if f := attribute(idx.text); f != "" {
				name += "." + f
			}
			j = min(end+1, len(toks))
		case ".", "?.", "::", "->":
			if j+1 < len(toks) && toks[j+1].Kind == Word {
				name += "." + toks[j+1].Text
				j += 2
				continue
			}
			return v, j + 1
		default:
			return v, j
		}
	}
	return v, j
}

// attribute: x["system"] is x.system.
func attribute(s string) string {
	if s == "" || len(s) > 40 || strings.ContainsAny(s, " /.:\\-") {
		return ""
	}
	return s
}

// named is what a name means by itself.
func (c *code) named(name string, line int) value {
	switch {
	case strings.HasPrefix(name, "process.env.") || strings.HasPrefix(name, "Bun.env.") || strings.HasPrefix(name, "import.meta.env."):
		return value{taint: c.credential(name[strings.LastIndexByte(name, '.')+1:], line)}
	case name == "os.environ" || name == "process.env" || name == "Bun.env" || name == "ENV" && c.kind == source.Other:
		return value{taint: taint{label: envAll, what: "the environment", where: c.here(line)}}
	case name == "os.homedir" || name == "Path.home" || name == "pathlib.Path.home":
		return value{text: "~"}
	}
	return value{}
}

func (c *code) credential(name string, line int) taint {
	if !source.CredentialName(name) {
		return taint{}
	}
	c.U.F.Uses.Credentials[name] = true
	return taint{label: cred, creds: []string{name}, where: c.here(line)}
}

// index: one variable of the environment is not the environment.
func (c *code) index(name string, v, idx value, line int) value {
	if name == "ENV" && c.kind != source.Other {
		name = "" // an environment in Ruby, any constant elsewhere
	}
	switch name {
	case "os.environ", "process.env", "ENV", "Bun.env", "$_ENV", "$_SERVER":
		t := c.credential(idx.text, line)
		if idx.text == "HOME" || idx.text == "USERPROFILE" {
			return value{text: "~"}
		}
		if idx.text == "" && idx.label == 0 {
			return value{taint: v.taint}
		}
		return value{taint: t}
	}
	if v.is(envAll) && variable.MatchString(idx.text) {
		return value{taint: c.credential(idx.text, line)}
	}
	v.taint = v.taint.and(idx.taint)
	v.text = ""
	return v
}

// variable is how variables of the environment are called.
var variable = lazyre.New(`^[A-Z][A-Z0-9_]{2,}$`)
