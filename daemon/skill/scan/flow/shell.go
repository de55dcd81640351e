package flow

import (
	"path"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"showhow/daemon/danger"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// ShellUnit reads shell text. What no shell can parse is read line by line, so that a placeholder or a typing error in one
// line does not hide the others.
func ShellUnit(text string, prompted bool) func(*Pass) {
	if prompted {
		text = Prompts.ReplaceAllString(text, "")
	}
	var files []parsedShell
	harmless := false
	if f := parseShell(text); f != nil {
		files = append(files, parsedShell{f, 0})
		harmless = rightless(f, text)
	} else {
		at := 0
		for part := range strings.SplitSeq(text, "\n") {
			if f := parseShell(strings.TrimSuffix(strings.TrimSpace(part), "\\")); f != nil && len(f.Stmts) > 0 {
				files = append(files, parsedShell{f, at})
			}
			if at++; at > 200000 {
				break
			}
		}
	}
	var deeds danger.Finding
	if !harmless {
		deeds = danger.Command(text[:min(len(text), 1<<18)])
	}
	return func(w *Pass) {
		for _, p := range files {
			s := &sh{Pass: w, base: p.line, grave: deeds.Has(danger.Escalates) || len(files) > 1}
			if deeds.Has(danger.Sends) {
				w.U.F.Uses.Tools["network"] = true
			}
			for _, st := range p.file.Stmts {
				s.stmt(st, taint{})
			}
		}
	}
}

// unprivileged are programs that by themselves need and give no rights; what they write where is seen by the flow.
var unprivileged = source.Words(
	"awk gawk jq yq cat echo printf grep egrep rg cut sort uniq head tail cd ls true false test [ : pwd basename " +
		"dirname wc tr curl wget node python3 python npm pytest go cargo make read sleep exit return shift")

// rightless: only such programs, and no word about the system's own places. It spares the look for deeds that take rights.
func rightless(f *syntax.File, text string) bool {
	if hint.Any(text, []string{"/etc", "/usr", "/sys", "/proc", "/boot", "/lib", "/var", "/dev/s", "/dev/n", "/dev/t", "/opt", "/root",
		"/bin",
		"/sbin", "/Library", "/System"}) {
		return false
	}
	plain := true
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && !unprivileged[c.Args[0].Lit()] {
			plain = false
		}
		return plain
	})
	return plain
}

type parsedShell struct {
	file *syntax.File
	line int // lines before it
}

var placeholder = lazyre.New(`<[A-Za-z][\w .:-]{0,40}>`)

// A parser is larger than most of what it reads, and can be used again. One that panicked is not put back.
var bashes, zshes = parsersOf(syntax.LangBash), parsersOf(syntax.LangZsh)

func parsersOf(lang syntax.LangVariant) *sync.Pool {
	return &sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(lang)) }}
}

func parseShell(text string) *syntax.File {
	if len(text) > source.MaxCode {
		return nil
	}
	for _, parsers := range []*sync.Pool{bashes, zshes} {
		p := parsers.Get().(*syntax.Parser)
		f, err := p.Parse(strings.NewReader(text), "")
		parsers.Put(p)
		if err == nil {
			return f
		}
	}
	if t := placeholder.ReplaceAllString(text, "PLACEHOLDER"); t != text {
		return parseShell(t)
	}
	return nil
}

// sh follows values through shell text.
type sh struct {
	*Pass
	base  int
	deep  int
	grave bool // some command takes rights: each is asked

	narrowed bool // of what is read only lines with one name are shown
}

func (s *sh) line(n syntax.Node) int { return s.base + int(n.Pos().Line()) }

// arg is one word: its text as far as it is known and what it can hold.
type arg struct {
	text  string
	taint taint
	known bool
}

func (s *sh) stmts(list []*syntax.Stmt, in taint) taint {
	var out taint
	for _, st := range list {
		out = out.and(s.stmt(st, in))
	}
	return out
}

// stmt evaluates one statement; in is its standard input, the result its output.
func (s *sh) stmt(st *syntax.Stmt, in taint) taint {
	if s.deep++; s.deep > 60 {
		s.deep--
		return taint{}
	}
	defer func() { s.deep-- }()
	content := ""
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				a := s.word(r.Hdoc)
				in = in.and(a.taint)
				content = a.text
			}
		case syntax.WordHdoc:
			a := s.word(r.Word)
			in = in.and(a.taint)
			content = a.text
		case syntax.RdrIn:
			a := s.word(r.Word)
			in = in.and(a.taint).and(s.read(a.text, s.line(r)))
		}
	}
	out := s.command(st.Cmd, in, content)
	if c, ok := st.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
		if n := s.word(c.Args[0]).text; n == "echo" || n == "printf" || n == "cat" {
			text := content
			for _, a := range c.Args[1:] {
				text += " " + s.word(a).text
			}
			content = strings.TrimSpace(text)
		}
	}
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.AppClob, syntax.DplOut, syntax.RdrInOut:
			a := s.word(r.Word)
			if strings.HasPrefix(a.text, "/dev/tcp/") || strings.HasPrefix(a.text, "/dev/udp/") {
				s.socket(st, out.and(in), a.text, s.line(r))
				continue
			}
			s.write(a.text, content, out, s.line(r))
			s.Redirected(content, s.line(r))
		}
	}
	return out
}

// socket is bash's own way to the network.
func (s *sh) socket(st *syntax.Stmt, t taint, address string, line int) {
	parts := strings.Split(address, "/")
	host := ""
	if len(parts) > 3 {
		host = parts[3]
	}
	if c, ok := st.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
		switch name := path.Base(s.word(c.Args[0]).text); name {
		case "sh", "bash", "zsh", "dash", "ksh":
			s.add("reverse-shell", line, report.With{})
			return
		case "exec":
			if source.Local(host) {
				break // whether a program of this computer listens
			}
			s.add("reverse-shell", line, report.With{Severity: report.High})
			return
		}
	}
	s.net("/dev/tcp", line)
	s.send(t, "tcp://"+host, false, line)
}

func (s *sh) net(string, int) { s.U.F.Uses.Tools["network"] = true }

func (s *sh) command(c syntax.Command, in taint, content string) taint {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return s.call(c, in, content)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			was := s.narrowed
			s.narrowed = narrows(c.Y)
			out := s.stmt(c.X, in)
			s.narrowed = was
			return s.stmt(c.Y, out)
		}
		return s.stmt(c.X, in).and(s.stmt(c.Y, in))
	case *syntax.Subshell:
		return s.stmts(c.Stmts, in)
	case *syntax.Block:
		return s.stmts(c.Stmts, in)
	case *syntax.IfClause:
		out := s.stmts(c.Cond, in).and(s.stmts(c.Then, in))
		if c.Else != nil {
			out = out.and(s.command(c.Else, in, content))
		}
		return out
	case *syntax.WhileClause:
		return s.stmts(c.Cond, in).and(s.stmts(c.Do, in))
	case *syntax.ForClause:
		if it, ok := c.Loop.(*syntax.WordIter); ok && it.Name != nil {
			for _, w := range it.Items {
				a := s.word(w)
				s.set(it.Name.Value, a.taint)
				if a.text != "" {
					s.setText(it.Name.Value, a.text)
				}
			}
		}
		return s.stmts(c.Do, in)
	case *syntax.CaseClause:
		var out taint
		for _, i := range c.Items {
			out = out.and(s.stmts(i.Stmts, in))
		}
		return out
	case *syntax.FuncDecl:
		if c.Name != nil {
			t := s.stmt(c.Body, s.get("<"+c.Name.Value))
			s.gives(s.key(c.Name.Value), t)
			s.takes(s.key(c.Name.Value), []string{"1"})
		}
	case *syntax.DeclClause:
		for _, a := range c.Args {
			s.assign(a)
		}
		if c.Variant != nil && len(c.Args) == 0 && (c.Variant.Value == "declare" || c.Variant.Value == "export") ||
			len(c.Args) == 1 && c.Args[0].Naked && c.Args[0].Value != nil && s.word(c.Args[0].Value).text == "-p" {
			return s.environment(s.line(c))
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return s.stmt(c.Stmt, in)
		}
	case *syntax.CoprocClause:
		return s.stmt(c.Stmt, in)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
	}
	return taint{}
}

func (s *sh) environment(line int) taint {
	if !s.narrowed {
		s.add("environment-dump", line, report.With{})
	}
	return taint{label: envAll, what: "the environment", where: s.here(line)}
}

// narrows: of what the command reads it shows the lines with one name, which is no key's.
func narrows(to *syntax.Stmt) bool {
	c, ok := to.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 2 || c.Args[0].Lit() != "grep" {
		return false
	}
	for _, w := range c.Args[1:] {
		lit := w.Lit()
		switch {
		case strings.HasPrefix(lit, "-") && !strings.Contains(lit, "v") && !strings.Contains(lit, "e"):
		default:
			return oneName.MatchString(lit) && !keyLike.MatchString(lit)
		}
	}
	return false
}

var (
	oneName = source.Re(`^\^?[A-Za-z_]\w+=?$`)
	keyLike = source.Re(`(?i)key|pass|tok|secr|auth|cred|pw`)
)

func (s *sh) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	if a.Value != nil {
		v := s.word(a.Value)
		s.set(name, v.taint)
		s.setText(name, v.text)
		s.Redirected(name+"="+v.text, s.line(a))
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				v := s.word(e.Value)
				s.set(name, v.taint)
				s.setText(name, v.text)
			}
		}
	}
}

// Redirected: the agent's own service is another host.
func (s *Pass) Redirected(text string, line int) {
	if u := strings.ToUpper(text); !strings.Contains(u, "BASE") && !strings.Contains(u, "PROXY") && !strings.Contains(u, "API_URL") &&
		!strings.Contains(u, "CA_CERTS") {
		return
	}
	m := baseURL.FindStringSubmatch(text)
	if m == nil {
		return
	}
	h := strings.ToLower(m[1])
	if source.Local(h) || strings.Contains(h, "anthropic") && source.Imitation(h) == "" || strings.Contains(h, "openai") &&
		source.Imitation(h) == "" ||
		strings.ContainsAny(h, "<$") {
		return
	}
	v := report.With{Meaning: "The agent's traffic goes to " + source.Short(h, 60) + "."}
	if strings.Contains(strings.ToUpper(m[0]), "PROXY") {
		v.Severity = report.Medium
	}
	s.add("agent-redirect", line, v)
}

// call evaluates one command.
func (s *sh) call(c *syntax.CallExpr, in taint, content string) taint {
	for _, as := range c.Assigns {
		s.assign(as)
	}
	if len(c.Args) == 0 {
		return taint{}
	}
	var args []arg
	for _, w := range c.Args {
		a := s.word(w)
		if ifs := s.textOf("IFS"); ifs != "" && len(w.Parts) == 1 && strings.ContainsAny(a.text, ifs) {
			if _, ok := w.Parts[0].(*syntax.ParamExp); ok {
				a.text = strings.Map(func(r rune) rune {
					if strings.ContainsRune(ifs, r) {
						return ' '
					}
					return r
				}, a.text)
			}
		}
		if q, ok := w.Parts[0].(*syntax.DblQuoted); ok && len(w.Parts) == 1 && len(q.Parts) == 1 {
			if p, ok := q.Parts[0].(*syntax.ParamExp); ok && p.Param != nil && p.Param.Value == "@" && a.known {
				for f := range strings.FieldsSeq(a.text) {
					args = append(args, arg{f, a.taint, a.known})
				}
				continue
			}
		}
		if strings.Contains(a.text, " ") && len(w.Parts) == 1 { // an unquoted list that was put together, or braces
			switch w.Parts[0].(type) {
			case *syntax.BraceExp, *syntax.ParamExp:
				for f := range strings.FieldsSeq(a.text) {
					args = append(args, arg{f, a.taint, a.known})
				}
				continue
			}
		}
		args = append(args, a)
	}
	if len(args) > 2 && args[0].text == "set" && args[1].text == "--" {
		s.setText("@", strings.TrimPrefix(join(args[2:]), " "))
	}
	line := s.line(c)
	if s.grave {
		s.judge(c, line)
	}
	return s.run(args, in, content, line)
}

// judge asks what the deed is that a line does: rights that it takes.
func (s *sh) judge(c *syntax.CallExpr, line int) {
	var b strings.Builder
	if syntax.NewPrinter().Print(&b, c) != nil || b.Len() > 4000 {
		return
	}
	f := danger.Command(b.String())
	first := s.word(c.Args[0])
	if !f.Has(danger.Escalates) ||
		source.Words("service systemctl defaults gsettings dconf ip ifconfig route mount umount ldconfig at batch " +
			"systemd-run launchctl crontab nmcli renice")[path.Base(first.text)] {
		return
	}
	sev := report.Medium
	if usualRoot.MatchString(b.String()) {
		sev = report.Low
	}
	s.add("privilege", line, report.With{Meaning: Upper(f.Why) + ".", Severity: sev})
}

// usualRoot is what installation guides do as administrator.
var usualRoot = source.Re(
	`^(?:sudo|doas) (?:-\w+ )*(?:DEBIAN_FRONTEND=\w+ )?(?:apt|apt-get|dnf|yum|pacman|apk|zypper|brew|snap|port|systemctl ` +
		`(?:status|restart|reload|start)|service|docker|podman|journalctl|ls|cat /var/log|nginx|mkdir|ldconfig)\b`)

var wrappers = map[string]string{"sudo": "-u -g -h -p -C -D", "doas": "-u -C", "pkexec": "--user", "env": "-u -C -S", "nohup": "",
	"setsid": "", "time": "-f -o", "nice": "-n", "ionice": "-c -n", "timeout": "-k -s", "command": "", "builtin": "", "exec": "-a",
	"stdbuf": "-i -o -e",
	"xargs":  "-I -n -P -L -d -a -s -E", "parallel": "-j -a", "busybox": "", "proxychains": "", "torsocks": "", "caffeinate": "",
	"unbuffer": "", "script": "", "su": "", "chroot": "", "runuser": "-u", "watch": "-n -d"}

// run evaluates a command with its arguments.
func (s *sh) run(args []arg, in taint, content string, line int) taint {
	all := in
	for range 6 {
		if len(args) == 0 {
			return all
		}
		name := path.Base(args[0].text)
		valued, ok := wrappers[name]
		if !ok {
			break
		}
		if name == "sudo" || name == "su" || name == "doas" {
			s.U.F.Uses.Tools["sudo"] = true
		}
		rest := args[1:]
		if name == "su" || name == "script" {
			for i, a := range rest {
				if a.text == "-c" && i+1 < len(rest) {
					return s.inner(rest[i+1].text, in, line)
				}
			}
		}
		if name == "env" && operand(rest) < 0 && len(rest) == 0 || name == "env" && len(rest) == 1 && rest[0].text == "-0" {
			return s.environment(line)
		}
		i := 0
		for i < len(rest) {
			t := rest[i].text
			if strings.HasPrefix(t, "-") {
				if Contains(strings.Fields(valued), t) {
					i++
				}
			} else if name == "env" && strings.Contains(t, "=") || name == "sudo" && strings.Contains(t, "=") || name == "timeout" && i == 0 {
				k, v, _ := strings.Cut(t, "=")
				s.set(k, rest[i].taint)
				s.Redirected(k+"="+v, line)
			} else {
				break
			}
			i++
		}
		args = rest[i:]
		if name == "exec" && len(args) == 0 {
			return all
		}
	}
	if len(args) == 0 {
		return all
	}
	return s.program(args, in, content, line)
}

func operand(args []arg) int {
	for i, a := range args {
		if !strings.HasPrefix(a.text, "-") {
			return i
		}
	}
	return -1
}

// inner is shell text inside shell text.
func (s *sh) inner(text string, in taint, line int) taint {
	if s.deep > 20 || text == "" {
		return taint{}
	}
	f := parseShell(text)
	if f == nil {
		return taint{}
	}
	sub := &sh{Pass: s.Pass, base: line - 1, deep: s.deep + 10}
	return sub.stmts(f.Stmts, in)
}

// Unescape reads the escapes of C.
func Unescape(t string) string {
	if !strings.Contains(t, `\`) {
		return t
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] != '\\' || i+1 >= len(t) {
			b.WriteByte(t[i])
			continue
		}
		i++
		switch c := t[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r', 'a', 'b', 'f', 'v', 'e':
		case 'x', 'u', 'U':
			n, used := 0, 0
			limit := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			j := i + 1
			if j < len(t) && t[j] == '{' {
				j++
				limit = 6
			}
			for used < limit && j < len(t) && hexDigit(t[j]) >= 0 {
				n = n*16 + hexDigit(t[j])
				j++
				used++
			}
			if j < len(t) && t[j] == '}' {
				j++
			}
			if used > 0 {
				if n < 0x110000 {
					b.WriteRune(rune(n))
				}
				i = j - 1
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, j := 0, i
			for j < len(t) && j < i+3 && t[j] >= '0' && t[j] <= '7' {
				n = n*8 + int(t[j]-'0')
				j++
			}
			b.WriteRune(rune(n))
			i = j - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
