package flow

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"showhow/daemon/skill/scan/source"
)

// word evaluates a word. Variables with one known text are put in; ~ and $HOME stay readable.
func (s *sh) word(w *syntax.Word) arg {
	if w == nil {
		return arg{}
	}
	var b strings.Builder
	a := arg{known: true}
	s.parts(w.Parts, &b, &a)
	a.text = b.String()
	if len(a.text) > 1<<16 {
		a.text = a.text[:1<<16]
	}
	return a
}

func (s *sh) parts(ps []syntax.WordPart, b *strings.Builder, a *arg) {
	for i, p := range ps {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(p.Value, "\\\n", ""), `\`, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(Unescape(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			s.parts(p.Parts, b, a)
		case *syntax.ParamExp:
			if s.splits(ps, i, b.String()) {
				continue // of a variable that nobody set
			}
			s.param(p, b, a)
		case *syntax.CmdSubst:
			if said, ok := s.printed(p); ok {
				b.WriteString(said)
				continue
			}
			if s.deep < 50 {
				a.taint = a.taint.and(s.stmts(p.Stmts, taint{}))
			}
			a.known = false
			b.WriteString("$()")
		case *syntax.ProcSubst:
			if s.deep < 50 {
				a.taint = a.taint.and(s.stmts(p.Stmts, taint{}))
			}
			a.known = false
		case *syntax.BraceExp:
			for _, e := range p.Elems {
				s.parts(e.Parts, b, a)
				b.WriteByte(' ')
			}
		default:
			a.known = false
		}
	}
}

// splits: a variable that is not set stands between the letters of a name, to take it apart for readers.
func (s *sh) splits(ps []syntax.WordPart, i int, before string) bool {
	p, _ := ps[i].(*syntax.ParamExp)
	if p == nil || p.Param == nil || p.Exp != nil || i+1 >= len(ps) || before == "" || !letter(before[len(before)-1]) {
		return false
	}
	next, ok := ps[i+1].(*syntax.Lit)
	name := p.Param.Value
	return ok && next.Value != "" && letter(next.Value[0]) && strings.ToUpper(name) != name && s.textOf(name) == "" && s.get(name).label == 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// printed is what a substitution prints, when it is nothing but printf or echo with a known text.
func (s *sh) printed(p *syntax.CmdSubst) (string, bool) {
	if len(p.Stmts) != 1 || len(p.Stmts[0].Redirs) > 0 {
		return "", false
	}
	c, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 2 || len(c.Assigns) > 0 {
		return "", false
	}
	name := s.word(c.Args[0]).text
	if name == "printf" && len(c.Args[1].Parts) == 1 {
		if q, ok := c.Args[1].Parts[0].(*syntax.SglQuoted); ok && !strings.Contains(q.Value, "%") {
			return Unescape(q.Value), true
		}
	}
	a := s.word(c.Args[1])
	return a.text, (name == "printf" || name == "echo") && a.known && a.taint.label == 0 && !strings.ContainsAny(a.text, "%$")
}

func (s *sh) param(p *syntax.ParamExp, b *strings.Builder, a *arg) {
	if p.Param == nil {
		a.known = false
		return
	}
	name := p.Param.Value
	a.taint = a.taint.and(s.get(name))
	if source.CredentialName(name) {
		s.U.F.Uses.Credentials[name] = true
		a.taint = a.taint.and(taint{label: cred, creds: []string{name}, where: s.here(s.line(p))})
	}
	switch text := s.textOf(name); {
	case name == "HOME":
		b.WriteString("~")
	case text != "":
		b.WriteString(text)
	default:
		a.known = false
		b.WriteString("${" + name + "}")
	}
	if p.Exp != nil && p.Exp.Word != nil {
		v := s.word(p.Exp.Word)
		a.taint = a.taint.and(v.taint)
	}
}
