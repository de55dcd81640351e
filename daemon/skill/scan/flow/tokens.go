package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/skill/scan/source"
)

// tokenKind is what a piece of a program's text is.
type tokenKind uint8

const (
	Word tokenKind = iota
	Literal
	Sign
	Comment
)

// Token is one word, string or sign. inside of a string are the expressions put into it (f"{x}", `${x}`).
type Token struct {
	Kind   tokenKind
	raw    bool // a regular expression
	Text   string
	Line   int
	indent int // of its line, for the first of a line; -1 for others
	Inside [][]Token
}

// lexer cuts a program's text into tokens. It knows what Python, JavaScript and their like have in common: strings, comments,
// names and signs; anything else is a sign, so that no text is refused.
type lexer struct {
	src    string
	at     int
	line   int
	indent int
	hash   bool // # begins a comment
	slash  bool // // and /* */ do
	py     bool
	out    []Token
	depth  int
}

const maxTokens = 1 << 20

func Lex(k source.Kind, src string) []Token {
	l := &lexer{src: src, line: 1, indent: 0, py: k == source.Python, hash: k != source.Script, slash: k != source.Python}
	if k == source.Other && strings.Contains(src[:min(len(src), 4000)], "#include") {
		l.hash = false
	}
	l.out = make([]Token, 0, len(src)/3+8)
	l.run("")
	return l.out
}

// run cuts until the end, or until the closing sign of an expression inside a string.
func (l *lexer) run(until string) {
	fresh := until == ""
	open := 0
	for l.at < len(l.src) && len(l.out) < maxTokens {
		c := l.src[l.at]
		if until != "" && open == 0 && strings.HasPrefix(l.src[l.at:], until) {
			return
		}
		switch n := l.lineEnd(); {
		case n > 0:
			if c == '\n' {
				l.line++
			}
			l.at += n
			fresh = true
			l.indent = 0
			for l.at < len(l.src) && (l.src[l.at] == ' ' || l.src[l.at] == '\t') {
				l.indent++
				l.at++
			}
			continue
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
			continue
		case c == '\\' && l.at+1 < len(l.src) && l.src[l.at+1] == '\n':
			l.at += 2
			l.line++
			continue
		}
		n := len(l.out)
		start := l.line
		l.one(c)
		if until != "" && len(l.out) > n && l.out[n].Kind == Sign {
			switch l.out[n].Text {
			case "{", "(", "[":
				open++
			case "}", ")", "]":
				open--
			}
		}
		for i := n; i < len(l.out); i++ {
			l.out[i].indent = -1
			if l.out[i].Line == 0 {
				l.out[i].Line = start
			}
		}
		if fresh && len(l.out) > n && l.out[n].Kind != Comment {
			l.out[n].indent = l.indent
			fresh = false
		}
	}
}

// one cuts one token.
func (l *lexer) one(c byte) {
	rest := l.src[l.at:]
	switch {
	case l.hash && c == '#' && !strings.HasPrefix(rest, "#{"), l.slash && strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "#!") &&
		l.at == 0:
		end := strings.IndexAny(rest, l.lineEnds())
		if end < 0 {
			end = len(rest)
		}
		l.out = append(l.out, Token{Kind: Comment, Text: strings.TrimLeft(rest[:end], "#/! "), Line: l.line})
		l.at += end
	case l.slash && strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			end = len(rest) - 4
		}
		text := rest[2:max(2, 2+end)]
		l.out = append(l.out, Token{Kind: Comment, Text: text, Line: l.line})
		l.line += strings.Count(text, "\n")
		l.at = min(len(l.src), l.at+max(end, 0)+4)
	case c == '"' || c == '\'' || c == '`':
		l.quoted("")
	case c < utf8.RuneSelf && (c == '_' || c == '$' || c == '@' && !l.py || unicode.IsLetter(rune(c))) || c >= utf8.RuneSelf:
		n := 0
		for n < len(rest) && (rest[n] == '_' || rest[n] == '$' || rest[n] == '@' && n == 0 || rest[n] >= utf8.RuneSelf ||
			rest[n] >= '0' && rest[n] <= '9' || rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
			n++
		}
		if !l.py && !source.Ascii(rest[:n]) {
			if i := strings.IndexAny(rest[:n], "\u2028\u2029"); i > 0 {
				n = i // the line ends within
			}
		}
		if n < len(rest) && (rest[n] == '"' || rest[n] == '\'') && n <= 3 && l.py && strings.Trim(strings.ToLower(rest[:n]), "rbfut") == "" {
			l.at += n
			l.quoted(strings.ToLower(rest[:n]))
			return
		}
		l.out = append(l.out, Token{Kind: Word, Text: source.Latin(rest[:n]), Line: l.line})
		l.at += n
	case c >= '0' && c <= '9':
		n := 1
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z' ||
			rest[n] == '_' || rest[n] == '.' && n+1 < len(rest) && rest[n+1] >= '0' && rest[n+1] <= '9') {
			n++
		}
		l.out = append(l.out, Token{Kind: Sign, Text: rest[:n], Line: l.line})
		l.at += n
	case c == '/' && l.slash && l.regex():
		l.pattern()
	default:
		if len(rest) > 1 && strings.IndexByte("=*/.>|&?:+-", rest[1]) >= 0 {
			for _, op := range operators {
				if strings.HasPrefix(rest, op) {
					l.out = append(l.out, Token{Kind: Sign, Text: op, Line: l.line})
					l.at += len(op)
					return
				}
			}
		}
		l.out = append(l.out, Token{Kind: Sign, Text: rest[:1], Line: l.line})
		l.at++
	}
}

// lineEnds are the characters that end a line, and with it a comment, in the language: what follows them is run.
func (l *lexer) lineEnds() string {
	switch {
	case l.py:
		return "\n\r"
	case !l.hash: // JavaScript
		return "\n\r\u2028\u2029"
	}
	return "\n"
}

// lineEnd is how many bytes of a line's end stand here, 0 for anything else. An editor shows some of them as no end.
func (l *lexer) lineEnd() int {
	switch rest := l.src[l.at:]; {
	case rest[0] == '\n':
		return 1
	case rest[0] == '\r' && (len(rest) < 2 || rest[1] != '\n') && (l.py || !l.hash):
		return 1
	case rest[0] == 0xe2 && !l.py && !l.hash && (strings.HasPrefix(rest, "\u2028") || strings.HasPrefix(rest, "\u2029")):
		return 3
	}
	return 0
}

// operators are signs of more than one letter, the longer ones first.
var operators = []string{"===", "!==", "**=", "//=", "...", "=>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "|=", "&=", ":=", "?.",
	"->", "||", "&&", "??", "::", "++", "--"}

// regex: a slash here begins a regular expression rather than dividing.
func (l *lexer) regex() bool {
	for i := len(l.out) - 1; i >= 0; i-- {
		t := l.out[i]
		switch t.Kind {
		case Comment:
			continue
		case Literal:
			return false
		case Word:
			return t.Text == "return" || t.Text == "typeof" || t.Text == "case"
		}
		return t.Text != ")" && t.Text != "]" && t.Text != "}" && (t.Text[0] < '0' || t.Text[0] > '9')
	}
	return true
}

func (l *lexer) pattern() {
	class := false
	for i := l.at + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\n':
			l.out = append(l.out, Token{Kind: Sign, Text: "/", Line: l.line})
			l.at++
			return
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.out = append(l.out, Token{Kind: Literal, Text: "", raw: true, Line: l.line})
			l.at = i + 1
			return
		}
	}
	l.out = append(l.out, Token{Kind: Sign, Text: "/", Line: l.line})
	l.at++
}

// quoted cuts a string with its prefix.
func (l *lexer) quoted(prefix string) {
	q := l.src[l.at : l.at+1]
	if l.py && strings.HasPrefix(l.src[l.at:], strings.Repeat(q, 3)) {
		q = strings.Repeat(q, 3)
	}
	t := Token{Kind: Literal, Line: l.line}
	l.at += len(q)
	var b strings.Builder
	rawText := strings.Contains(prefix, "r")
	holes := ""
	switch {
	case strings.Contains(prefix, "f"):
		holes = "{"
	case q == "`":
		holes = "${"
	case !l.py && q == `"`:
		holes = "#{"
	}
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch {
		case strings.HasPrefix(rest, q):
			l.at += len(q)
			l.close(t, b.String(), rawText)
			return
		case rest[0] == '\\' && len(rest) > 1:
			if rest[1] == '\n' {
				l.line++
			} else {
				b.WriteString(rest[:2])
			}
			l.at += 2
		case rest[0] == '\n':
			if len(q) == 1 && q != "`" && l.py { // an open string ends with its line
				l.close(t, b.String(), rawText)
				return
			}
			l.line++
			b.WriteByte('\n')
			l.at++
		case holes != "" && strings.HasPrefix(rest, holes) && l.depth < 8 && !strings.HasPrefix(rest, "{{"):
			l.at += len(holes)
			sub := &lexer{src: l.src, at: l.at, line: l.line, hash: false, slash: l.slash, py: l.py, depth: l.depth + 1}
			sub.run("}")
			t.Inside = append(t.Inside, sub.out)
			l.at, l.line = min(len(l.src), sub.at+1), sub.line
			b.WriteString("\x00")
		default:
			b.WriteByte(rest[0])
			l.at++
		}
	}
	l.close(t, b.String(), rawText)
}

func (l *lexer) close(t Token, s string, raw bool) {
	if !raw {
		s = Unescape(s)
	}
	t.Text = s
	l.out = append(l.out, t)
}

// statement is the tokens between two ends, with the function that it stands in.
type statement struct {
	toks  []Token
	scope string // whose variables it sees first
	fn    string // whose result its return is
}

// statements cuts tokens where the language ends a statement.
func statements(k source.Kind, toks []Token) []statement {
	c := &cutter{py: k == source.Python || k == source.Other, toks: make([]Token, 0, len(toks)), out: make([]statement, 0, len(toks)/8)}
	for _, t := range toks {
		if t.Kind != Comment {
			c.toks = append(c.toks, t)
		}
	}
	if k == source.Python {
		c.lines()
	} else {
		c.block(0, "")
	}
	return c.out
}

type cutter struct {
	toks []Token
	at   int
	py   bool
	out  []statement
}

// lines cuts Python: a line is a statement unless a bracket is open.
func (c *cutter) lines() {
	type frame struct {
		name   string
		indent int
	}
	var stack []frame
	depth, start := 0, 0
	cut := func(end int) {
		if end > start {
			scope := ""
			if len(stack) > 0 {
				scope = stack[len(stack)-1].name
			}
			c.out = append(c.out, statement{c.toks[start:end], scope, scope})
		}
		start = end
	}
	for i, t := range c.toks {
		if t.indent >= 0 && (depth == 0 || t.Kind == Word && (t.Text == "def" || t.Text == "class" || t.Text == "import")) {
			depth = 0
			cut(i)
			for len(stack) > 0 && t.indent <= stack[len(stack)-1].indent {
				stack = stack[:len(stack)-1]
			}
			d := i
			if t.Text == "async" && i+1 < len(c.toks) {
				d++
			}
			if c.toks[d].Kind == Word && c.toks[d].Text == "def" && d+1 < len(c.toks) {
				stack = append(stack, frame{c.toks[d+1].Text, t.indent})
			}
		}
		if t.Kind == Sign {
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth = max(0, depth-1)
			case ";":
				if depth == 0 {
					cut(i)
				}
			}
		}
	}
	cut(len(c.toks))
}

// block cuts a language with braces. A block inside an expression becomes statements of its own, after that expression.
func (c *cutter) block(nest int, fn string) {
	var stmt []Token // a part of c.toks as long as it is in one piece
	var pending []statement
	first, depth := 0, 0
	flush := func() {
		if len(stmt) > 0 {
			c.out = append(c.out, statement{stmt, "", fn})
			stmt = nil
		}
		c.out = append(c.out, pending...)
		pending = nil
	}
	for c.at < len(c.toks) {
		t := c.toks[c.at]
		if t.Kind == Sign {
			switch t.Text {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			case "{":
				if c.opensBlock(stmt) && nest < 200 {
					c.at++
					mark := len(c.out)
					c.block(nest+1, functionName(stmt, fn))
					pending = append(pending, c.out[mark:]...)
					c.out = c.out[:mark]
					if depth <= 0 {
						flush()
					}
					continue
				}
				depth++
			case "}":
				if depth <= 0 {
					c.at++
					flush()
					return
				}
				depth--
			case ";":
				if depth <= 0 {
					flush()
					c.at++
					continue
				}
			}
		}
		if t.indent >= 0 && depth <= 0 && len(stmt) > 0 && !continues(stmt[len(stmt)-1], t) {
			flush()
		}
		if len(stmt) == 0 {
			first = c.at
		}
		if first+len(stmt) == c.at {
			stmt = c.toks[first : c.at+1 : c.at+1]
		} else {
			stmt = append(stmt, t)
		}
		c.at++
	}
	flush()
}

// functionName is the function whose block begins after stmt, else the one around it.
func functionName(stmt []Token, fn string) string {
	for i, t := range stmt {
		if t.Kind != Word {
			continue
		}
		switch {
		case (t.Text == "function" || t.Text == "func" || t.Text == "def" || t.Text == "fn" || t.Text == "sub") && i+1 < len(stmt) &&
			stmt[i+1].Kind == Word:
			return stmt[i+1].Text
		case i+1 < len(stmt) && stmt[i+1].Text == "=" && len(stmt) > i+2 &&
			(stmt[len(stmt)-1].Text == "=>" || stmt[i+2].Text == "function" || stmt[i+2].Text == "async"):
			return t.Text
		case (i == 0 || i == 1 && stmt[0].Text == "async") && i+1 < len(stmt) && stmt[i+1].Text == "(" && t.Text != "if" && t.Text != "for" &&
			t.Text != "while" && t.Text != "switch" && t.Text != "catch" && t.Text != "with" && match(stmt, i+1) == len(stmt)-1:
			return t.Text
		}
	}
	return fn
}

// opensBlock tells a block from an object by what stands before the brace.
func (c *cutter) opensBlock(stmt []Token) bool {
	if len(stmt) == 0 {
		return true
	}
	p := stmt[len(stmt)-1]
	if p.Kind == Word {
		switch p.Text {
		case "else", "try", "finally", "do", "then", "begin":
			return true
		case "return", "default", "in", "of", "typeof", "await", "yield":
			return false
		}
		for _, t := range stmt {
			if t.Kind == Word && (t.Text == "class" || t.Text == "interface" || t.Text == "namespace" || t.Text == "func" || t.Text == "fn" ||
				t.Text == "struct") {
				return true
			}
		}
		return false
	}
	return p.Kind == Sign && (p.Text == ")" || p.Text == "=>" || p.Text == ";" || p.Text == "{" || p.Text == "}")
}

// continues: a new line that goes on with the statement.
func continues(last, next Token) bool {
	if next.Kind == Sign && (next.Text == "." || next.Text == "?." || next.Text == "+" || next.Text == "||" || next.Text == "&&" ||
		next.Text == "," || next.Text == ")" || next.Text == "]" || next.Text == "?" || next.Text == ":" || next.Text == "=" ||
		next.Text == "=>" || next.Text == "|") {
		return true
	}
	return last.Kind == Sign && last.Text != ")" && last.Text != "]" && last.Text != "}" && last.Text != "++" && last.Text != "--" &&
		(last.Text[0] < '0' || last.Text[0] > '9')
}
