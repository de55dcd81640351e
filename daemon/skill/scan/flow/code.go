package flow

import (
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// CodeUnit reads a program in Python, JavaScript or another language: its statements once, its values in every pass.
func CodeUnit(k source.Kind, text string) func(*Pass) {
	return CodeOf(k, Lex(k, text[:min(len(text), source.MaxCode)]))
}

func CodeOf(k source.Kind, toks []Token) func(*Pass) {
	list := statements(k, toks)
	return func(w *Pass) {
		c := &code{Pass: w, kind: k, alias: map[string]string{}}
		for _, st := range list {
			c.scope, c.fn = st.scope, st.fn
			c.statement(st.toks)
		}
	}
}

// code follows values through the statements of one program.
type code struct {
	*Pass
	kind  source.Kind
	scope string
	fn    string
	alias map[string]string // names that imports gave
	deep  int
	steps int
}

// value is what an expression can hold, and its text as far as it is known.
type value struct {
	taint
	text string
}

func (v value) and(u value) value {
	return value{v.taint.and(u.taint), v.text + u.text}
}

// name is how a variable is kept: a function's own first.
func (c *code) local(name string) string {
	if c.scope == "" || strings.Contains(name, ".") {
		return name
	}
	return c.scope + "()" + name
}

func (c *code) lookup(name string) value {
	v := value{c.get(name), c.textOf(name)}
	if c.scope != "" {
		l := c.local(name)
		v = v.and(value{c.get(l), ""})
		if t := c.textOf(l); t != "" {
			v.text = t
		}
	}
	return v
}

// let gives a variable a value.
func (c *code) let(name string, v value) {
	if name == "" {
		return
	}
	n := c.local(name)
	c.set(n, v.taint)
	if v.text != "" {
		c.setText(n, v.text)
	}
	if base, _, ok := strings.Cut(name, "."); ok && base != "self" && base != "this" {
		c.set(c.local(base), v.taint)
	}
}

const maxSteps = 2 << 20

// statement evaluates one statement.
func (c *code) statement(toks []Token) {
	if len(toks) == 0 || c.steps > maxSteps {
		return
	}
	first := toks[0].Text
	if toks[0].Kind == Word {
		switch first {
		case "import", "from", "use", "require_relative":
			c.imports(toks)
			if c.kind == source.Other && len(toks) > 3 && toks[1].Text == "LWP" {
				c.alias["get"], c.alias["getstore"] = "urllib.request.urlopen", "urllib.request.urlretrieve"
			}
			return
		case "eval", "exec", "system", "instance_eval": // a call without brackets
			if c.kind == source.Other && len(toks) > 1 && toks[1].Text != "(" && toks[1].Text != "=" && toks[1].Text != "." {
				c.call(first, value{}, toks[0].Line, split(toks[1:]))
				return
			}
		case "def", "function", "func", "fn", "sub":
			c.define(toks[1:])
			return
		case "async", "export", "pub", "public", "static", "private":
			c.statement(toks[1:])
			return
		case "return", "yield":
			v := c.eval(toks[1:])
			if c.fn != "" {
				c.gives(c.fn, v.taint)
			} else {
				c.gives("<"+c.U.Scope, v.taint)
			}
			return
		case "with", "for", "while", "if", "elif", "except":
			c.binding(toks[1:], c.kind != source.Python || toks[0].Text == "for")
			return
		}
	}
	c.assignment(toks)
}

// imports notes under which names modules are known.
func (c *code) imports(toks []Token) {
	var names []string
	module, mode := "", ""
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.Kind == Word && (t.Text == "import" || t.Text == "from" || t.Text == "use"):
			mode = t.Text
		case t.Kind == Word && t.Text == "as" && i+1 < len(toks) && len(names) > 0:
			full := names[len(names)-1]
			if module != "" && c.kind == source.Python {
				full = module + "." + full
			}
			c.alias[toks[i+1].Text] = full
			i++
		case t.Kind == Literal:
			module = strings.TrimPrefix(t.Text, "node:")
		case t.Kind == Word:
			n := t.Text
			for i+2 < len(toks) && toks[i+1].Text == "." && toks[i+2].Kind == Word {
				n += "." + toks[i+2].Text
				i += 2
			}
			if mode == "from" && c.kind == source.Python {
				module = n
			} else {
				names = append(names, n)
			}
		}
	}
	for _, n := range names {
		switch {
		case module != "" && c.kind == source.Python:
			c.alias[n] = module + "." + n
		case module != "" && len(names) == 1 && !strings.Contains(join2(toks), "{"):
			c.alias[n] = module
		case module != "":
			c.alias[n] = module + "." + n
		}
		if module == "" && c.kind == source.Python {
			c.module(n, toks[0].Line)
		}
	}
	if module != "" {
		c.module(module, toks[0].Line)
	}
}

// module: what is imported says what can be done.
func (c *code) module(name string, line int) {
	switch base, _, _ := strings.Cut(name, "."); base {
	case "requests", "httpx", "urllib", "aiohttp", "socket", "http", "https", "axios", "node-fetch", "undici", "got", "ws", "net", "ftplib",
		"smtplib", "paramiko":
		c.U.F.Uses.Tools["network"] = true
	case "subprocess", "child_process", "pexpect", "pty":
		c.U.F.Uses.Tools["shell"] = true
	case "pynput", "keyboard", "iohook", "node-global-key-listener":
		c.add("surveillance", line, report.With{Meaning: "It listens to the keyboard."})
	case "browser_cookie3", "browsercookie", "pycookiecheat":
		c.add("secret-access", line, report.With{Meaning: "It reads the browser's cookies.", Severity: report.Medium})
	}
}

func join2(toks []Token) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

// define notes a function's parameters.
func (c *code) define(toks []Token) {
	if len(toks) < 2 || toks[0].Kind != Word {
		return
	}
	name := toks[0].Text
	var names []string
	depth := 0
	for i, t := range toks {
		switch {
		case t.Text == "(" || t.Text == "[" || t.Text == "{":
			depth++
		case t.Text == ")" || t.Text == "]" || t.Text == "}":
			if depth--; depth == 0 {
				c.takes(name, names)
				c.assignment(toks[i+1:])
				return
			}
		case t.Kind == Word && depth == 1 && (toks[i-1].Text == "(" || toks[i-1].Text == "," || toks[i-1].Text == "*" || toks[i-1].Text == "..."):
			n := t.Text
			if c.kind == source.Python {
				n = name + "()" + n
			}
			names = append(names, c.U.Scope+"\x00"+n)
		}
	}
}

// binding is the head of a block: with X as a, for a in X, if (a = X). Where it is no loop, "in" only asks.
func (c *code) binding(toks []Token, loop bool) {
	for i, t := range toks {
		if t.Kind == Word && t.Text == "as" && i+1 < len(toks) {
			v := c.eval(toks[:i])
			c.let(toks[i+1].Text, v)
			c.binding(toks[i+2:], loop)
			return
		}
		if t.Kind == Word && (t.Text == "in" || t.Text == "of") && i > 0 && loop {
			v := c.eval(toks[i+1:])
			for _, n := range toks[:i] {
				if n.Kind == Word && n.Text != "const" && n.Text != "let" && n.Text != "var" {
					c.let(n.Text, v)
				}
			}
			return
		}
		if t.Kind == Sign && t.Text == ":" && c.kind == source.Python && i+1 < len(toks) && i > 0 {
			c.assignment(toks[:i])
			c.statement(toks[i+1:])
			return
		}
	}
	c.assignment(toks)
}

// assignment evaluates the right side and gives it to the names on the left.
func (c *code) assignment(toks []Token) {
	depth := 0
	for i, t := range toks {
		if t.Kind != Sign {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "=", "+=", ":=", "||=", "??=":
			if depth != 0 || i == 0 {
				continue
			}
			if t.Text == "=" && i+1 < len(toks) && toks[i+1].Text == ">" {
				continue
			}
			c.arrow(toks[:i], toks[i+1:])
			v := c.eval(toks[i+1:])
			c.assigned(toks[:i], v, toks[i+1:])
			return
		}
	}
	c.eval(toks)
}

// arrow: const f = (a, b) => ... is a function.
func (c *code) arrow(left, right []Token) {
	if c.kind == source.Python {
		return
	}
	for i, t := range right {
		if i > 40 {
			return
		}
		if t.Text == "=>" || t.Text == "function" {
			var names []string
			part := right[:i]
			if t.Text == "function" {
				part = right[i:]
			}
			for _, p := range part {
				if p.Text == ")" {
					break
				}
				if p.Kind == Word && p.Text != "async" && p.Text != "function" {
					names = append(names, c.U.Scope+"\x00"+p.Text)
				}
			}
			if len(left) > 0 {
				c.takes(left[len(left)-1].Text, names)
			}
			return
		}
	}
}

func (c *code) assigned(left []Token, v value, right []Token) {
	name, sub := "", false
	destructured := false
	module := c.required(right)
	for i := 0; i < len(left); i++ {
		t := left[i]
		if t.Kind == Sign && (t.Text == "{" || t.Text == "[") && name == "" {
			destructured = true
		}
		if t.Kind == Sign && t.Text == "[" && name != "" {
			sub = true
		}
		if t.Kind == Sign && t.Text == ":" && !destructured && c.kind == source.Python { // a type
			break
		}
		if t.Kind != Word || t.Text == "const" || t.Text == "let" || t.Text == "var" || t.Text == "my" || t.Text == "local" {
			continue
		}
		if sub {
			continue
		}
		n := t.Text
		for i+2 < len(left) && left[i+1].Text == "." && left[i+2].Kind == Word {
			n += "." + left[i+2].Text
			i += 2
		}
		if module != "" {
			if destructured {
				target := n
				if i+2 < len(left) && left[i+1].Text == ":" && left[i+2].Kind == Word {
					target = left[i+2].Text
					i += 2
				}
				c.alias[target] = module + "." + n
			} else {
				c.alias[n] = module
			}
			continue
		}
		name = n
		if sub || destructured {
			v.text = ""
		}
		c.let(n, v)
	}
	// what is put into the environment of the agent's service
	if len(right) > 0 && right[len(right)-1].Kind == Literal {
		for _, t := range left {
			if t.Kind == Literal || t.Kind == Word {
				c.Redirected(t.Text+"="+right[len(right)-1].Text, t.Line)
			}
		}
	}
}

// required is the module of require("x"), __import__("x"), importlib.import_module("x") or another name of a known one.
func (c *code) required(right []Token) string {
	if len(right) == 1 && right[0].Kind == Word {
		return c.alias[right[0].Text]
	}
	full := true
	var b strings.Builder
	for i, t := range right {
		if i == 0 && t.Text == "await" {
			continue
		}
		if t.Kind == Word {
			b.WriteString(t.Text)
		} else if t.Text == "." {
			b.WriteByte('.')
		} else if t.Text == "(" && i+2 < len(right) {
			name := b.String()
			if a := c.alias[name]; a != "" {
				name = a
			}
			switch name {
			case "require", "__import__", "import", "importlib.import_module":
				end := match(right, i)
				m := strings.TrimPrefix(c.eval(right[i+1:end]).text, "node:")
				c.module(m, t.Line)
				for j := end + 1; j+1 < len(right); j += 2 { // require("x").exec
					if right[j].Text == "." && right[j+1].Kind == Word && j+2 == len(right) {
						m += "." + right[j+1].Text
					} else {
						return m2(m, right, j)
					}
				}
				return m
			}
			return ""
		} else {
			full = false
			break
		}
	}
	// run = subprocess.run
	name := b.String()
	if base, rest, ok := strings.Cut(name, "."); full && ok {
		if a := c.alias[base]; a != "" {
			base = a
		}
		if execCalls[base+"."+rest] {
			return base + "." + rest
		}
	}
	if execCalls[name] && full {
		return name
	}
	return ""
}

// m2: something else follows the import; it is no plain module then.
func m2(m string, right []Token, j int) string {
	if j < len(right) {
		return ""
	}
	return m
}

// eval evaluates an expression: everything in it adds to what it can hold.
func (c *code) eval(toks []Token) value {
	var out value
	if c.deep++; c.deep > 40 {
		c.deep--
		return out
	}
	defer func() { c.deep-- }()
	slash := false
	for i := 0; i < len(toks) && c.steps < maxSteps; {
		c.steps++
		t := toks[i]
		switch {
		case t.Kind == Literal:
			v := c.str(t)
			j := i + 1
			if j < len(toks) && toks[j].Kind == Sign && toks[j].Text == "." {
				var w value
				w, j = c.suffix("", v, toks, j)
				out = out.and(w)
			} else {
				if slash {
					out.text += "/"
				}
				out = out.and(v)
			}
			slash = false
			i = j
		case t.Kind == Word:
			v, j := c.chain(toks, i)
			if slash && v.text != "" {
				out.text += "/"
			}
			out = out.and(v)
			slash = false
			i = j
		case t.Kind == Sign && (t.Text == "(" || t.Text == "[" || t.Text == "{"):
			end := match(toks, i)
			v := value{}
			for k, x := range toks[i+1 : end] { // [f(x) for x in list]
				if x.Kind == Word && x.Text == "for" && k > 0 && x.indent < 0 && c.kind == source.Python {
					c.binding(toks[i+2+k:end], true)
					break
				}
			}
			for _, a := range split(toks[i+1 : end]) {
				w := c.eval(a)
				v.taint = v.taint.and(w.taint)
				if v.text != "" && w.text != "" && t.Text != "(" {
					v.text += " "
				}
				v.text += w.text
			}
			var w value
			w, i = c.suffix("", v, toks, min(end+1, len(toks)))
			out = out.and(w)
		default:
			slash = t.Text == "/"
			i++
		}
		if len(out.text) > 1<<14 {
			out.text = out.text[:1<<14]
		}
	}
	return out
}

// str is a string with the expressions in it.
func (c *code) str(t Token) value {
	v := value{text: t.Text}
	if len(t.Inside) == 0 {
		return v
	}
	parts := strings.Split(t.Text, "\x00")
	v.text = parts[0]
	for i, e := range t.Inside {
		w := c.eval(e)
		v.taint = v.taint.and(w.taint)
		if w.text != "" && len(w.text) < 400 {
			v.text += w.text
		} else {
			v.text += "${}"
		}
		if i+1 < len(parts) {
			v.text += parts[i+1]
		}
	}
	return v
}

// match is where the bracket that opens at i closes.
func match(toks []Token, i int) int {
	depth := 0
	for j := i; j < len(toks); j++ {
		if toks[j].Kind == Sign {
			switch toks[j].Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				if depth--; depth == 0 {
					return j
				}
			}
		}
	}
	return len(toks)
}

// split cuts arguments at their commas.
func split(toks []Token) [][]Token {
	var out [][]Token
	depth, start := 0, 0
	for i, t := range toks {
		if t.Kind == Sign {
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			case ",":
				if depth == 0 {
					out = append(out, toks[start:i])
					start = i + 1
				}
			}
		}
	}
	if start < len(toks) {
		out = append(out, toks[start:])
	}
	return out
}
