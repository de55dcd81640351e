package scan

import (
	"path"
	"strings"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// look is everything that one file says by itself. What flows between files comes after.
func (b *bundle) look(f *file) {
	f.content()
	f.nameItself()
	if f.Kind == source.Binaries {
		return
	}
	characters{f}.invisible()
	f.secrets(b)
	base := strings.ToLower(path.Base(f.Path))
	if (f.Kind == source.Markdown || f.Kind == source.Plain || f.Kind == source.Markup) && len(f.Text) > maxProse {
		f.SetText(strings.ToValidUTF8(f.Text[:maxProse], ""))
		f.Add("unread", 0, "", report.With{Meaning: "The text is longer than anybody reads, and was not read to its end."})
	}
	switch {
	case f.Kind == source.Markdown:
		document{f}.markdown()
		f.told = prose.Of(f.File).Doings(isCode)
	case f.Kind == source.Markup:
		document{f}.html(f.Text, 1)
		f.blobs(f.Text, 1, source.Place{}, 0)
	case strings.HasPrefix(base, "requirements") && path.Ext(base) == ".txt":
		flow.Requirements(f.File)
	case f.Kind == source.Plain:
		prose.Of(f.File).Tell(f.Text, 1, source.Place{})
		f.Addresses(f.Text, 1, source.Place{})
		f.blobs(f.Text, 1, source.Place{}, 0)
		f.settings(f.Text, 1, source.Place{})
		if commandLike.MatchString(f.Text) && b.mentions(f) {
			f.piece(source.Shell, flow.Prompts.ReplaceAllString(f.Text, ""), 1, source.Place{})
		} else if k := guess(f.Text); k == source.Python || k == source.Script {
			f.piece(k, f.Text, 1, source.Place{})
		}
	default:
		text := f.Text
		if base == "makefile" || base == "gnumakefile" || path.Ext(base) == ".mk" {
			text = recipe.ReplaceAllString(text, "$1")
		}
		f.piece(f.Kind, text, 1, source.Place{})
	}
}

// maxHeld is the longest program that is kept taken apart between passes: its words take thirty times the room of its text.
const maxHeld = 64 << 10

// maxProse bounds one document.
const maxProse = 1 << 20

// recipe is the mark before a make command: quiet, or failing does not matter.
var recipe = source.Re(`(?m)^(\t)[@+-]+`)

// mentions: one of the documents names the file, so an agent may be told to run what looks like a text.
func (b *bundle) mentions(f *file) bool { return b.spoken[path.Base(f.Path)] }

// speaksOfFiles collects the names that documents mention.
func (b *bundle) speaksOfFiles() map[string]bool {
	out := map[string]bool{}
	for _, d := range b.files {
		if d.Kind != source.Markdown {
			continue
		}
		for w := range strings.FieldsFuncSeq(d.Text, func(r rune) bool { return !source.PathRune(r) }) {
			if w = strings.TrimRight(w, "."); strings.Contains(w, ".") {
				out[path.Base(w)] = true
			}
		}
	}
	return out
}

// nameItself: a file's name can lie, too.
func (f *file) nameItself() {
	if strings.IndexFunc(f.Path, func(r rune) bool { return source.BidiControl(r) || source.Widthless(r) || source.TagRune(r) }) >= 0 {
		f.Add("hidden-bidi", 0, source.Visible(f.Path), report.With{Meaning: "The file's name holds invisible or direction-changing " +
			"characters.",
			Severity: report.High})
	}
	parts := strings.Split(strings.ToLower(path.Base(f.Path)), ".")
	if len(parts) > 2 {
		outer, inner := "."+parts[len(parts)-1], "."+parts[len(parts)-2]
		if source.Words(".exe .scr .bat .cmd .com .vbs .ps1 .lnk .hta .jar .app")[outer] &&
			source.Words(".pdf .docx .xlsx .png .jpg .txt .md .csv .mp4")[inner] {
			f.Add("type-mismatch", 0, f.Path, report.With{Meaning: "The name has two endings; the program's one comes last."})
		}
	}
}

// piece is text in a language: its comments and strings are read as prose, its values followed, its addresses noted.
func (f *file) piece(k source.Kind, text string, line int, p source.Place) {
	if strings.TrimSpace(text) == "" {
		return
	}
	f.Addresses(text, line, p)
	f.blobs(text, line, p, 0)
	f.signatures(k, text, line, p)
	if len(text) > source.MaxCode {
		f.Add("unread", line, "", report.With{Meaning: "The code is longer than what is followed."})
	}
	u := &flow.Unit{F: f.File, Line: line, Place: p, Scope: f.Path}
	switch k {
	case source.Shell:
		f.Uses.Tools["shell"] = true
		u.Run = flow.ShellUnit(text, p.Quoted)
		f.injectable(text, line, p)
		f.permissions(withoutComments(k, text, nil), nil, line)
		f.comments(text, line, p)
	case source.Python, source.Script, source.Other:
		if f.Kind == source.Markdown {
			u.Scope = f.Path + "\x02" + string(k)
		}
		toks := flow.Lex(k, text[:min(len(text), source.MaxCode)])
		f.prose(toks, line, p)
		f.permissions(withoutComments(k, text, toks), toks, line)
		f.unreadable(text, toks, line)
		f.turnedLiterals(text, toks, line, p)
		f.puttogether(toks, line, p)
		f.together(text, line, p)
		f.injectable(text, line, p)
		if k == source.Other {
			f.shellInside(text, line, p)
		}
		if u.Run = flow.CodeOf(k, toks); len(text) > maxHeld {
			code := text[:min(len(text), source.MaxCode)]
			u.Run = func(p *flow.Pass) { flow.CodeOf(k, flow.Lex(k, code))(p) }
		}
	case source.Power:
		f.Uses.Tools["shell"] = true
		f.comments(text, line, p)
		f.together(text, line, p)
		return
	case source.DataFile:
		f.settingsData(text, line, p)
		return
	default:
		return
	}
	f.code = append(f.code, u)
}

// prose reads the comments and the strings of a program: what they say, an agent reads or is told.
func (f *file) prose(toks []flow.Token, line int, p source.Place) {
	p.Literal = true
	for _, t := range toks {
		if t.Kind == flow.Comment && len(t.Text) > 12 || t.Kind == flow.Literal && len(t.Text) > 20 && strings.Contains(t.Text, " ") {
			q := p
			if t.Kind == flow.Literal && patternLike.MatchString(t.Text) { // it is looked for, not said
				q.Quoted, q.Before = true, "Patterns:"
			}
			prose.Of(f.File).Tell(t.Text, line+t.Line-1, q)
		}
	}
}

// filledIn is a command that a value is put into, in the shell's own words.
var filledIn = lazyre.Sparse("(?:\\bos\\.(?:system|popen)|\\bsubprocess\\.(?:getoutput|getstatusoutput)|\\bexec(?:Sync)?|\\bshell_exec" +
	"|\\bsystem)\\(\\s*(?:f[\"'][^\"'\\n]*\\{|[\"'][^\"'\\n]*[\"']\\s*(?:\\+|%|\\.format)|`[^`\\n]*\\$\\{)" +
	"|\\bsubprocess\\.\\w+\\(\\s*(?:f[\"'][^\\n]*\\{|[\"'][^\"'\\n]*[\"']\\s*(?:\\+|%|\\.format))[^\\n]*shell\\s*=\\s*True|\\byaml" +
	"\\.load\\([^)\\n]*\\)|\\bpickle\\.loads?\\(|\\bverify\\s*=\\s*False|rejectUnauthorized\\s*:\\s*false")

// filledVar is a variable that such a text is put into, and the languages' other ways to put a value into one.
var (
	filledVar = lazyre.Sparse("(?m)^\\s*(?:const |let |var |my )?\\$?(\\w+)\\s*=\\s*(?:f[\"'][^\"'\\n]*\\{|" +
		"[\"'][^\"'\\n]*[\"']\\s*(?:\\+|%|\\.format" +
		"|\\.\\s*\\$)|`[^`\\n]*\\$\\{)")
	filledElse = lazyre.Sparse("(?:\\bsystem|\\bexec|\\bpassthru|\\bshell_exec|\\bpopen)\\(\\s*" +
		"(?:[\"'][^\"'\\n]*[\"']\\s*\\.\\s*\\$|\"[^\"\\n]*(?:#\\{|\\$\\w))" +
		"|(?m:^|=)\\s*`[^`\\n]*#\\{|\\beval\\s+\"[^\"\\n]*\\$(?:\\{?\\d|@|\\*)")
)

// shellRuns are calls that give a text to the shell.
var shellRuns = []string{"os.system(", "os.popen(", "exec(", "execSync(", "shell_exec(", "system(", "getoutput("}

// runsVar: a variable is run as a command of the shell.
func runsVar(text, name string) bool {
	for _, call := range shellRuns {
		for _, v := range []string{name, "$" + name} {
			if i := strings.Index(text, call+v); i >= 0 && strings.IndexAny(text[i+len(call+v):min(len(text), i+len(call+v)+1)], "),") == 0 {
				return true
			}
		}
	}
	return false
}

// injectable finds code that whoever supplies a value can turn against its user.
func (f *file) injectable(text string, line int, p source.Place) {
	if p.Quoted && p.Cue() {
		return
	}
	note := func(at int, s string) {
		f.Add("dynamic-code", line+strings.Count(text[:at], "\n"), s, report.With{Severity: report.Medium,
			Meaning: "A command is put together with a value inside: whoever supplies the value can run anything."})
	}
	for _, m := range filledElse.FindAllStringIndex(text, 5) {
		note(m[0], text[m[0]:m[1]])
	}
	if hint.Any(text, shellRuns) {
		for _, m := range filledVar.FindAllStringSubmatchIndex(text, 200) {
			if runsVar(text, text[m[2]:m[3]]) {
				note(m[0], text[m[0]:m[1]])
			}
		}
	}
	for _, m := range filledIn.FindAllStringIndex(text, 5) {
		s := text[m[0]:m[1]]
		if strings.Contains(s, "SafeLoader") || strings.Contains(s, "safe") || p.Quoted && p.Cue() {
			continue
		}
		meaning := "A command is put together with a value inside: whoever supplies the value can run anything."
		if strings.Contains(s, "verify") || strings.Contains(s, "reject") {
			meaning = "It does not check whom it talks to, so anybody on the way can answer."
		}
		f.Add("dynamic-code", line+strings.Count(text[:m[0]], "\n"), s, report.With{Meaning: meaning, Severity: report.Medium})
	}
}

// patternLike is a regular expression.
var patternLike = lazyre.New(`\)[?*+]|\\[bswd]|\[\^|\.[*+]|\w\|\w|\(\?`)

// comments reads the comments of shell text, and what it prints.
func (f *file) comments(text string, line int, p source.Place) {
	p.Literal = true
	n := line
	for l := range strings.SplitSeq(text, "\n") {
		if i := strings.Index(l, "# "); i >= 0 && len(l)-i > 14 {
			prose.Of(f.File).Tell(l[i+2:], n, p)
		} else if t := strings.TrimSpace(l); strings.HasPrefix(t, "echo ") || strings.HasPrefix(t, "printf ") ||
			strings.HasPrefix(t, "Write-Host") {
			prose.Of(f.File).Tell(strings.Trim(t[5:], ` "'`), n, p)
		} else if len(t) > 60 && !strings.ContainsAny(t, "|$;=(){}<>") && !commandLike.MatchString(t) {
			prose.Of(f.File).Tell(t, n, p)
		}
		n++
	}
}

// unreadable: lines nobody reads, names that say nothing, text made of numbers.
func (f *file) unreadable(text string, toks []flow.Token, line int) {
	long := 0
	n := line
	for l := range strings.SplitSeq(text, "\n") {
		if len(l) > 2000 && strings.Count(l, " ")*20 < len(l) {
			if long++; long == 1 {
				f.Add("obfuscated-code", n, "", report.With{Meaning: "A line is far too long to be read."})
			}
		}
		n++
	}
	hexNames, calls := 0, 0
	for i, t := range toks {
		if t.Kind == flow.Word && strings.HasPrefix(t.Text, "_0x") {
			hexNames++
		}
		if t.Kind == flow.Word && (t.Text == "chr" || t.Text == "fromCharCode" || t.Text == "ord") && i+1 < len(toks) && toks[i+1].Text == "(" {
			calls++
		}
	}
	if hexNames > 5 || calls > 8 {
		f.Add("obfuscated-code", line, "", report.With{Meaning: "Names or text are put together so that nobody can read them.",
			Severity: report.High})
	}
}

// secrets finds keys that were left, or put, in the bundle.
func (f *file) secrets(b *bundle) {
	for start := 0; start < len(f.Text); {
		end := min(len(f.Text), start+32<<10)
		if end < len(f.Text) {
			if i := strings.LastIndexByte(f.Text[start:end], '\n'); i > 0 {
				end = start + i + 1
			}
		}
		chunk := f.Text[start:end]
		if source.Ascii(chunk) && !suspect(chunk) {
			start = end
			continue
		}
		f.secretsIn(b, chunk, start)
		start = end
	}
}
