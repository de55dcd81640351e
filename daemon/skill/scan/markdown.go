package scan

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

var reader = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
})

// document reads a file of Markdown: what is shown, what is hidden, where its links and images lead.
type document struct{ *file }

// markdown reads a document as an agent does: prose, code, comments, links and what is hidden between them.
func (f document) markdown() {
	body, first := f.Text, 1
	if strings.HasPrefix(body, "---\n") || strings.HasPrefix(body, "---\r\n") {
		if i := strings.Index(body[4:], "\n---"); i >= 0 {
			head := body[:4+i]
			f.head(head)
			first += strings.Count(body[:4+i+1], "\n") + 1
			rest := body[4+i+1:]
			if _, after, ok := strings.Cut(rest, "\n"); ok {
				body = after
			} else {
				body = ""
			}
		}
	}
	f.padding(body, first)
	f.references(body, first)
	f.joined(body, first, source.Place{}, 0)
	body, flat := flattened(body)
	if flat > 0 {
		f.Add("unread", first+flat-1, "", report.With{
			Meaning: "Lists or quotations stand inside each other more often than anybody writes them."})
	}
	src := []byte(body)
	m := &mdWalk{f: f.file, src: src, starts: source.LineStarts(body), first: first}
	_ = ast.Walk(reader().Parse(text.NewReader(src)), m.visit) // visit returns no error
}

// deepest is how many quotations and items may stand inside each other; a parser's time grows with the square of it.
const deepest = 64

// flattened is a text without the marks that nest deeper, and the first line that had such, 0 for none. Lines keep their numbers.
func flattened(body string) (out string, line int) {
	var b strings.Builder
	n := 0
	for l := range strings.Lines(body) {
		n++
		depth, at := nested(l)
		if depth > deepest {
			l = l[at:]
		} else if blank := len(l) - len(strings.TrimLeft(l, " ")); blank > 4*deepest {
			l = l[blank-4*deepest:]
		} else {
			b.WriteString(l)
			continue
		}
		if line == 0 {
			line = n
		}
		b.WriteString(l)
	}
	if line == 0 {
		return body, 0
	}
	return b.String(), line
}

// nested is how many quotations and items a line opens inside each other, and where their text begins.
func nested(l string) (depth, at int) {
	for at < len(l) {
		switch c := l[at]; {
		case c == ' ' || c == '\t':
			at++
			continue
		case c == '>':
			at++
		case (c == '-' || c == '*' || c == '+') && at+1 < len(l) && l[at+1] == ' ':
			at += 2
		case c >= '0' && c <= '9':
			m := numbered.FindString(l[at:min(len(l), at+12)])
			if m == "" {
				return depth, at
			}
			at += len(m)
		default:
			return depth, at
		}
		depth++
	}
	return depth, at
}

var numbered = lazyre.New(`^\d{1,9}[.)] `)

type mdWalk struct {
	f      *file
	src    []byte
	starts []int
	first  int
	before string // the prose before the node: it can say that what follows is a bad example
	header string // the last heading
	intro  string // the last paragraph that is no item of a list
}

func (m *mdWalk) line(offset int) int {
	lo, hi := 0, len(m.starts)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; m.starts[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return m.first + lo
}

func (m *mdWalk) lineOf(n ast.Node) int {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return m.line(n.Lines().At(0).Start)
	}
	return m.first
}

func (m *mdWalk) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		m.code(string(n.Language(m.src)), lines(n, m.src), m.lineOf(n))
	case *ast.CodeBlock:
		m.code("", lines(n, m.src), m.lineOf(n))
	case *ast.HTMLBlock:
		html := lines(n, m.src)
		if n.HasClosure() {
			html += string(n.ClosureLine.Value(m.src))
		}
		document{m.f}.html(html, m.lineOf(n))
	case *ast.Paragraph, *ast.TextBlock:
		m.prose(n)
	case *ast.Heading:
		m.header = lines(n, m.src)
		m.before, m.intro = m.header, ""
		m.prose(n)
	default:
		if n.Kind().String() == "TableCell" {
			m.prose(n)
		}
	}
	return ast.WalkContinue, nil
}

func lines(n ast.Node, src []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(src))
	}
	return b.String()
}

// said is the heading and the words before: they can present what follows as a bad example.
func (m *mdWalk) said() string { return m.header + "\n" + m.before }

func (m *mdWalk) prose(n ast.Node) {
	raw := lines(n, m.src)
	line := m.lineOf(n)
	if n.Kind().String() == "TableCell" {
		if raw == "" {
			raw = m.inline(n)
		}
		if n.FirstChild() != nil {
			if t, ok := n.FirstChild().(*ast.Text); ok {
				line = m.line(t.Segment.Start)
			}
		}
	}
	quoted := false
	for p := n.Parent(); p != nil; p = p.Parent() {
		quoted = quoted || p.Kind() == ast.KindBlockquote
	}
	p := source.Place{Quoted: quoted, Before: m.said()}
	if n.Kind() != ast.KindHeading {
		p.Forbids = source.Forbidding(m.header) || inList(n) && source.Forbidding(m.intro)
		p.Denied = inList(n) && (source.Denying(m.header) && m.intro == "" || source.Denying(m.intro))
	}
	prose.Of(m.f.File).Tell(raw, line, p)
	m.f.Addresses(raw, line, p)
	m.f.blobs(raw, line, source.Place{Quoted: true, Before: p.Before}, 0)
	m.inlines(n, raw, line, p)
	document{m.f}.beacons(raw, line, p)
	if typed.MatchString(raw) {
		m.f.piece(source.Shell, raw, line, source.Place{Quoted: true, Before: p.Before})
	}
	if n.Kind() != ast.KindHeading && n.Kind().String() != "TableCell" { // a table is presented by what stands before it
		m.before = raw
		if !inList(n) {
			m.intro = raw
		}
	}
}

// inList: the paragraph is a list's item.
func inList(n ast.Node) bool { return n.Parent() != nil && n.Parent().Kind() == ast.KindListItem }

func (m *mdWalk) inline(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Value(m.src))
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// inlines looks at what stands within a paragraph: code to be run, links, pictures, raw HTML.
func (m *mdWalk) inlines(n ast.Node, raw string, line int, p source.Place) {
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.CodeSpan:
			s := m.inline(c)
			at := line
			if t, ok := c.FirstChild().(*ast.Text); ok {
				at = m.line(t.Segment.Start)
			}
			q := p
			if i := strings.Index(raw, strings.TrimSpace(s)); i > 0 && attackers.MatchString(raw[max(0, i-120):i]) {
				q.Before += "\nAttackers:"
			}
			document{m.f}.mention(strings.TrimSpace(s), at, q)
		case *ast.Link:
			document{m.f}.link(m.inline(c), string(c.Destination), line)
			prose.Of(m.f.File).Tell(string(c.Title), line, source.Place{Hidden: "hidden-comment"})
		case *ast.Image:
			document{m.f}.image(string(c.Destination), line)
			prose.Of(m.f.File).Tell(m.inline(c), line, source.Place{Hidden: "hidden-markup"})
			prose.Of(m.f.File).Tell(string(c.Title), line, source.Place{Hidden: "hidden-markup"})
		case *ast.RawHTML:
			var b strings.Builder
			for i := range c.Segments.Len() {
				s := c.Segments.At(i)
				b.Write(s.Value(m.src))
			}
			document{m.f}.html(b.String(), line)
		}
		return ast.WalkContinue, nil
	})
}

var languages = map[string]source.Kind{"sh": source.Shell, "bash": source.Shell, "shell": source.Shell, "zsh": source.Shell,
	"console": source.Shell, "terminal": source.Shell,
	"shell-session": source.Shell, "fish": source.Shell, "makefile": source.Shell, "dockerfile": source.Shell, "python": source.Python,
	"py": source.Python, "python3": source.Python,
	"js": source.Script, "javascript": source.Script, "ts": source.Script, "typescript": source.Script, "jsx": source.Script,
	"tsx": source.Script, "node": source.Script, "mjs": source.Script,
	"powershell": source.Power, "ps1": source.Power, "pwsh": source.Power, "bat": source.Power, "cmd": source.Power, "batch": source.Power,
	"json": source.DataFile, "yaml": source.DataFile, "yml": source.DataFile, "toml": source.DataFile, "jsonc": source.DataFile,
	"html": source.Markup, "xml": source.Markup, "ruby": source.Other,
	"php": source.Other, "perl": source.Other, "go": source.Other, "rust": source.Other, "java": source.Other, "applescript": source.Other,
	"osascript": source.Other, "c": source.Other}

// kindOf is the language of a block of code.
func kindOf(lang, code string) source.Kind {
	name := strings.ToLower(strings.Trim(lang, "{}. "))
	k, known := languages[name]
	switch {
	case !known:
		k = guess(code)
	case (k == source.Python || k == source.Script || k == source.Other) && spoken(code):
		k = source.Plain
	}
	if k == source.Plain && built(code) {
		return source.Other
	}
	return k
}

// built: most lines end or are joined as no sentence is, so the block is a program, a table of values or a drawing.
func built(code string) bool {
	lines, odd := 0, 0
	for l := range strings.Lines(code) {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		lines++
		if oddLine(l) {
			odd++
		}
	}
	return lines > 1 && odd*4 >= lines*3
}

// onlySaid is a block without the lines that are no sentences; lines keep their numbers.
func onlySaid(code string) string {
	var b strings.Builder
	for l := range strings.Lines(code) {
		if oddLine(strings.TrimSpace(l)) {
			l = "\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// oddLine: the line is no sentence, nor a part of one.
func oddLine(l string) bool {
	words := len(strings.Fields(l))
	return words < 3 || words < 6 && joint.MatchString(l) || words < 9 && valued.MatchString(l) || words < 14 && notSaid.MatchString(l)
}

// valued is a name with its value.
var valued = lazyre.New(`^[\w.$@"'-]+\s*[:=]\s*\S`)

// notSaid is how lines of programs, of values and of drawings look.
var notSaid = lazyre.New(`[{}();\[\]>|=]$|^[<@}\])|+│├└─/]|[├└│▼]`)

// joint is how a program's words are joined.
var joint = lazyre.New(`,$|\w\(|->|=>|[→←↓]`)

// spoken: most lines are sentences, whatever language the block says it is in.
func spoken(code string) bool {
	lines, said := 0, 0
	for l := range strings.Lines(code) {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		lines++
		if len(strings.Fields(l)) > 5 && !strings.ContainsAny(l, "=(){};<>$\\@") {
			said++
		}
	}
	return said*2 > lines
}

// isCode: the block is read by its language, not as prose.
func isCode(lang, code string) bool {
	k := kindOf(lang, code)
	return k != source.Plain && (k != source.Markup || built(code))
}

func (m *mdWalk) code(lang, code string, line int) {
	k := kindOf(lang, code)
	p := source.Place{Quoted: true, Before: m.said()}
	_, named := languages[strings.ToLower(strings.Trim(lang, "{}. "))]
	if k == source.Other && !named {
		code := onlySaid(code)
		prose.Of(m.f.File).Tell(code, line, source.Place{Quoted: p.Cue(), Before: p.Before})
	}
	if k == source.Plain || k == source.Markup { // of data, piece reads the values
		prose.Of(m.f.File).Tell(code, line, source.Place{Quoted: p.Cue(), Before: p.Before})
	}
	if !isCode(lang, code) {
		document{m.f}.spans(code, line, p)
	}
	m.f.piece(k, code, line, p)
}

// codeSpan is inline code, as it is written.
var codeSpan = lazyre.New("`([^`]{8,400})`")

// spans are commands and pictures in a text that no reader of Markdown takes apart.
func (f document) spans(text string, line int, p source.Place) {
	for _, m := range codeSpan.FindAllStringSubmatchIndex(text, 40) {
		q := p
		if attackers.MatchString(text[max(0, m[0]-120):m[0]]) {
			q.Before += "\nAttackers:"
		}
		f.mention(strings.TrimSpace(text[m[2]:m[3]]), line+strings.Count(text[:m[2]], "\n"), q)
	}
	f.beacons(text, line, p)
}

// mention is inline code: often a command to be run, often only a name.
func (f document) mention(s string, line int, p source.Place) {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), `\|`, "|") // in a table the sign is escaped
	if len(s) < 8 || !strings.Contains(s, " ") {
		return
	}
	if commandLike.MatchString(s) || strings.Contains(s, "|") || strings.Contains(s, "$(") {
		f.piece(source.Shell, s, line, source.Place{Quoted: true, Before: p.Before})
	}
}

var linkHost = lazyre.New(`(?i)^\W*(?:https?://)?((?:[\w-]+\.)+[a-z]{2,})(?:/\S*)?\W*$`)

// link compares what a link says with where it goes.
func (f document) link(label, target string, line int) {
	f.Address(target, line, source.Place{})
	low := strings.ToLower(strings.TrimSpace(target))
	if strings.HasPrefix(low, "data:") || strings.HasPrefix(low, "javascript:") || strings.HasPrefix(low, "vbscript:") {
		f.Add("deceptive-link", line, target, report.With{Meaning: "The link's target is a program or data, not an address."})
	}
	m := linkHost.FindStringSubmatch(strings.TrimSpace(label))
	if m == nil || !strings.Contains(target, "://") {
		return
	}
	said, goes := strings.ToLower(m[1]), source.HostOf(target)
	if _, file := source.ByExt[said[strings.LastIndexByte(said, '.'):]]; file || !realHost(said) {
		return // README.md is a file, fmt.Stringer a name in a program
	}
	if said != goes && site(said) != site(goes) && goes != "" {
		v := report.With{Meaning: "It says " + source.Short(said, 60) + " and goes to " + source.Short(goes, 60) + "."}
		if source.TrustedHost(goes) {
			v.Severity = report.Medium // a project's page at a well-known site
			if strings.Contains(low, said) {
				v.Severity = report.Low // pkg.go.dev/golang.org/...
			}
		}
		f.Add("deceptive-link", line, target, v)
	}
}

var slot = lazyre.New(`(?i)\{\{?\s*[\w .$-]+\}?\}|\$\{[^}]*\}|\$\([^)]*\)|%7b|<[\w -]+>|\[[A-Z_ ]{4,}\]`)

func (f document) image(target string, line int) {
	f.Address(target, line, source.Place{})
	if i := strings.IndexAny(target, "?&"); strings.Contains(target, "://") && i > 0 && slot.MatchString(target[i:]) {
		f.Add("image-beacon", line, target, report.With{})
	}
}

// attackers: the words before a piece of code say who does such a thing.
var attackers = source.Wording("attackers")

// dataPicture is a picture, written as text, whose address is to be filled with data.
var dataPicture = lazyre.New(`!\[[^\]\n]{0,80}\]\(https?://[^)\s]+[?&][\w.-]{0,30}=[^)\s]*(?:[A-Z][A-Z_]{3,}|\{|<|\[|\$|%7[Bb])`)

// beacons: the agent is told to show such a picture.
func (f document) beacons(raw string, line int, p source.Place) {
	if !strings.Contains(raw, "](http") {
		return
	}
	if m := dataPicture.FindStringIndex(raw); m != nil && !p.Cue() &&
		!source.TrustedHost(source.HostOf(raw[m[0]+strings.Index(raw[m[0]:], "](http")+2:])) {
		f.Add("image-beacon", line+strings.Count(raw[:m[0]], "\n"), raw[m[0]:m[1]], report.With{})
	}
}

var (
	commentRE = lazyre.New(`(?s)<!--(.*?)(?:-->|$)`)
	tagRE     = lazyre.New(`(?s)<[^>]*>`)
	unseen    = lazyre.New(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\.0*)?\s*[;"']|` +
		`color\s*:\s*(?:white|#fff(?:fff)?\b|transparent)|text-indent\s*:\s*-\d{3}|left\s*:\s*-\d{3}|(?:height|width)\s*:\s*0(?:px)?\s*[;"']|` +
		`<[a-z]+[^>]*\shidden[\s>=]|clip\s*:\s*rect\(0|aria-hidden\s*=\s*["']true`)
	toAgent = source.Wording("to.agent")
	deed    = source.Wording("deed.words")
)

// html looks at raw markup: comments, hidden text, scripts.
func (f document) html(s string, line int) {
	for _, m := range commentRE.FindAllStringSubmatchIndex(s, 50) {
		f.comment(s[m[2]:m[3]], line+strings.Count(s[:m[2]], "\n"))
	}
	rest := f.scripts(commentRE.ReplaceAllString(s, ""), line)
	text := tagRE.ReplaceAllString(rest, " ")
	if unseen.MatchString(rest) && len(strings.TrimSpace(text)) > 10 {
		f.unshown(text, line, "hidden-markup")
	} else {
		prose.Of(f.File).Tell(text, line, source.Place{})
	}
	if strings.Contains(rest, "<") {
		prose.Of(f.File).Tell(rest, line, source.Place{})
	}
	f.Addresses(rest, line, source.Place{})
}

var (
	script     = lazyre.New(`(?is)<script\b([^>]*)>(.*?)(?:</script|$)`)
	scriptType = lazyre.New(`(?i)(?:^|\s)type\s*=\s*["']?([^"'\s>]*)`)
	programs   = source.Words("module text/javascript application/javascript text/babel text/jsx text/typescript")
)

// scripts reads the programs of a page, and leaves the page without them. One of a type that is no program's is read as text too.
func (f document) scripts(s string, line int) string {
	var b strings.Builder
	end := 0
	for _, m := range script.FindAllStringSubmatchIndex(s, -1) {
		program := s[m[4]:m[5]]
		f.piece(source.Script, program, line+strings.Count(s[:m[4]], "\n"), source.Place{})
		if t := scriptType.FindStringSubmatch(s[m[2]:m[3]]); t != nil && t[1] != "" && !programs[strings.ToLower(t[1])] {
			continue
		}
		b.WriteString(s[end:m[4]])
		b.WriteString(strings.Repeat("\n", strings.Count(program, "\n")))
		end = m[5]
	}
	b.WriteString(s[end:])
	return b.String()
}

// comment is text that only the agent sees.
func (f document) comment(s string, line int) { f.unshown(s, line, "hidden-comment") }

func (f document) unshown(s string, line int, rule string) {
	n := len(f.Found)
	prose.Of(f.File).Tell(s, line, source.Place{Hidden: rule})
	f.spans(s, line, source.Place{Hidden: rule})
	f.blobs(s, line, source.Place{Hidden: rule}, 0)
	if len(f.Found) > n {
		return
	}
	line += strings.Count(s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))], "\n")
	switch {
	case toAgent.MatchString(s) && deed.MatchString(s):
		f.Add(rule, line, s, report.With{})
	case commandLike.MatchString(s) && (strings.Contains(s, "http") || strings.Contains(s, "|")):
		f.Add(rule, line, s, report.With{})
		f.piece(source.Shell, s, line, source.Place{})
	case rule == "hidden-markup" && f.Kind == source.Markdown && len(strings.Fields(s)) > 4:
		f.Add(rule, line, s, report.With{Severity: report.Medium})
	}
}

var refComment = lazyre.New(`(?m)^ {0,3}\[(?://|comment|_|#|\^?[\w -]{0,20})\]:[ \t]*(?:#|<>|<#>)[ \t]*(?:\(|"|')([^\n]*)`)

// references are link definitions that are used as comments.
func (f document) references(body string, first int) {
	if !strings.Contains(body, "]:") {
		return
	}
	for _, m := range refComment.FindAllStringSubmatchIndex(body, 50) {
		f.comment(body[m[2]:m[3]], first+strings.Count(body[:m[2]], "\n"))
	}
}

// padding: text far right or far below of where people stop reading.
func (f document) padding(body string, first int) {
	empty := 0
	n := first
	for l := range strings.SplitSeq(body, "\n") {
		t := strings.TrimRight(l, " \t\r")
		switch {
		case strings.TrimSpace(l) == "":
			empty++
		default:
			if empty >= 40 {
				f.Add("hidden-padding", n, "", report.With{})
				if toAgent.MatchString(t) || deed.MatchString(t) {
					f.Add("hidden-padding", n, t, report.With{Severity: report.High})
				}
			}
			empty = 0
		}
		if i := strings.Index(t, strings.Repeat(" ", 100)); i >= 0 && !strings.Contains(t, "|") {
			f.Add("hidden-padding", n, strings.TrimSpace(t[i:]), report.With{})
		}
		n++
	}
}
