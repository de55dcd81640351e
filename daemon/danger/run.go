package danger

import (
	"strings"
)

// run judges one program with its arguments.
func (l *script) run(args call, in input, depth int) {
	if len(args) == 0 {
		return
	}
	name := args.program()
	switch {
	case name == "":
		l.add(Unknown, "which program runs is only known when it runs")
		return
	case l.functions[name] && !strings.Contains(args[0].text, "/"):
		return // its body is judged where it is defined
	}
	rest := args[1:]
	if w, ok := wrappers[name]; ok {
		l.wrapped(name, w, rest, in, depth)
		return
	}
	if interpreters[name] {
		l.interpreter(name, rest, in, depth)
		return
	}
	switch name {
	case "eval":
		l.text(rest, depth, "eval runs text that is only known when it runs")
	case "trap":
		if len(rest) > 1 && rest[0].text != "-" && rest[0].text != "" {
			l.text(rest[:1], depth, "trap runs text that is only known when it runs")
		}
	case "alias":
		for _, w := range rest {
			if _, body, ok := strings.Cut(w.text, "="); ok {
				l.nested(word{text: body, known: w.known}, depth, "an alias stands for text that is only known when it runs")
			}
		}
	case "find":
		l.find(rest, depth)
	case "fd", "fdfind":
		l.found = l.found.and(finding(Reads, "fd lists files"))
		if i := rest.index("-x", "-X", "--exec", "--exec-batch"); i >= 0 {
			l.run(rest[i+1:], input{}, depth+1)
		}
	case "ssh", "mosh":
		l.ssh(rest, depth)
	default:
		l.found = l.found.and(judge(name, rest, in, l.exists))
	}
}

func (c call) index(texts ...string) int {
	for i, w := range c {
		for _, t := range texts {
			if w.text == t && w.known {
				return i
			}
		}
	}
	return -1
}

// text judges what eval and the like put together from their arguments.
func (l *script) text(args call, depth int, unknown string) {
	joined, known := make([]string, 0, len(args)), true
	for _, w := range args {
		joined, known = append(joined, w.text), known && w.known
	}
	l.nested(word{text: strings.Join(joined, " "), known: known}, depth, unknown)
}

// nested judges shell text given as an argument. The text around an expansion is still read.
func (l *script) nested(w word, depth int, unknown string) {
	if !w.known {
		l.add(Unknown, unknown)
	}
	if strings.TrimSpace(w.text) != "" {
		l.read(w.text, depth+1)
	}
}

// interpreter judges a shell or a language's interpreter: only shell text can be read.
func (l *script) interpreter(name string, args call, in input, depth int) {
	shell := strings.HasSuffix(name, "sh") || name == "busybox"
	if name == "busybox" {
		l.run(args, in, depth+1)
		return
	}
	if len(args) > 0 && (args.has("--version", "--help", "") || args[0].text == "-V") {
		l.add(Reads, name+" says what it is")
		return
	}
	if shell {
		for i, w := range args {
			if len(w.text) > 1 && (w.text[0] == '-' || w.text[0] == '+') && !strings.HasPrefix(w.text, "--") && strings.HasSuffix(w.text, "c") &&
				i+1 < len(args) {
				if t := args[i+1]; t.text == "" && t.from != nil && substitutes(t.from) {
					l.add(Installs, name+" runs what another command prints")
				}
				l.nested(args[i+1], depth, name+" -c runs text that is only known when it runs")
				return
			}
		}
	}
	if len(args.operands("-o -O --rcfile --init-file")) == 0 && shell && (in.text != "" || in.known) {
		l.nested(word{text: in.text, known: in.known}, depth, name+" runs text that is only known when it runs")
		return
	}
	for _, w := range args {
		if w.from != nil && substitutes(w.from) {
			l.add(Installs, name+" runs what another command prints")
		}
	}
	if name == "python" || name == "python3" {
		if m, _ := args.value("-m"); m == "pip" || m == "ensurepip" {
			l.found = l.found.and(judge("pip", args.after("pip"), in, l.exists))
			return
		}
	}
	l.add(Unknown, "what a program given to "+name+" does is not known")
}

func (c call) after(text string) call {
	if i := c.index(text); i >= 0 {
		return c[i+1:]
	}
	return nil
}

// find lists files, unless it is told to delete them or to run something for each.
func (l *script) find(args call, depth int) {
	l.add(Reads, "find lists files")
	for i, w := range args {
		switch w.text {
		case "-delete":
			l.add(Destroys, "find -delete deletes files")
		case "-fprint", "-fprint0", "-fprintf", "-fls":
			l.add(Writes, "find writes a file")
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(args) && args[end].text != ";" && args[end].text != "+" {
				end++
			}
			l.run(args[i+1:end], input{}, depth+1)
		}
	}
}

func (l *script) ssh(args call, depth int) {
	ops := args.operands("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w --ssh")
	if len(ops) == 0 {
		l.add(Reads, "ssh says how it is used")
		return
	}
	l.add(Sends, "ssh works on another machine")
	if len(ops) > 1 {
		l.text(ops[1:], depth, "what runs on the other machine is only known when it runs")
	}
}
