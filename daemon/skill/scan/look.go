package scan

import (
	"path"
	"strings"
)

// look is everything that one file says by itself. What flows between files comes after.
func (b *bundle) look(f *file) {
	f.content()
	f.nameItself()
	if f.kind == binaries {
		return
	}
	characters{f}.invisible()
	f.secrets(b)
	base := strings.ToLower(path.Base(f.path))
	switch {
	case f.kind == markdown:
		document{f}.markdown()
		proseReader{f}.doings()
	case f.kind == markup:
		document{f}.html(f.text, 1)
		f.blobs(f.text, 1, place{}, 0)
	case strings.HasPrefix(base, "requirements") && path.Ext(base) == ".txt":
		f.requirements()
	case f.kind == plain:
		proseReader{f}.tell(f.text, 1, place{})
		f.addresses(f.text, 1, place{})
		f.blobs(f.text, 1, place{}, 0)
		if commandLike.MatchString(f.text) && b.mentions(f) {
			f.piece(shell, prompts.ReplaceAllString(f.text, ""), 1, place{})
		} else if k := guess(f.text); k == python || k == script {
			f.piece(k, f.text, 1, place{})
		}
	default:
		text := f.text
		if base == "makefile" || base == "gnumakefile" || path.Ext(base) == ".mk" {
			text = recipe.ReplaceAllString(text, "$1")
		}
		f.piece(f.kind, text, 1, place{})
	}
}

// recipe is the mark before a make command: quiet, or failing does not matter.
var recipe = re(`(?m)^(\t)[@+-]+`)

// mentions: SKILL.md names the file, so an agent may be told to run what looks like a text.
func (b *bundle) mentions(f *file) bool {
	return b.entry != nil && strings.Contains(b.entry.text, path.Base(f.path))
}

// nameItself: a file's name can lie, too.
func (f *file) nameItself() {
	if strings.IndexFunc(f.path, func(r rune) bool { return bidiControl(r) || widthless(r) || tagRune(r) }) >= 0 {
		f.add("hidden-bidi", 0, visible(f.path), with{meaning: "The file's name holds invisible or direction-changing characters.",
			severity: High})
	}
	parts := strings.Split(strings.ToLower(path.Base(f.path)), ".")
	if len(parts) > 2 {
		outer, inner := "."+parts[len(parts)-1], "."+parts[len(parts)-2]
		if words(".exe .scr .bat .cmd .com .vbs .ps1 .lnk .hta .jar .app")[outer] &&
			words(".pdf .docx .xlsx .png .jpg .txt .md .csv .mp4")[inner] {
			f.add("type-mismatch", 0, f.path, with{meaning: "The name has two endings; the program's one comes last."})
		}
	}
}

// piece is text in a language: its comments and strings are read as prose, its values followed, its addresses noted.
func (f *file) piece(k kind, text string, line int, p place) {
	if strings.TrimSpace(text) == "" {
		return
	}
	f.addresses(text, line, p)
	f.blobs(text, line, p, 0)
	f.signatures(text, line, p)
	if len(text) > maxCode {
		f.add("unread", line, "", with{meaning: "The code is longer than what is followed."})
	}
	u := &unit{f: f, line: line, place: p, scope: f.path}
	switch k {
	case shell:
		f.uses.tools["shell"] = true
		u.run = shellUnit(text, p.quoted)
		f.comments(text, line, p)
	case python, script, other:
		if f.kind == markdown {
			u.scope = f.path + "\x02" + string(k)
		}
		toks := lex(k, text[:min(len(text), maxCode)])
		f.prose(toks, line, p)
		f.unreadable(text, toks, line)
		f.turnedLiterals(text, toks, line, p)
		f.puttogether(toks, line, p)
		f.together(text, line, p)
		if k == other {
			f.shellInside(text, line, p)
		}
		u.run = codeOf(k, toks)
	case power:
		f.uses.tools["shell"] = true
		f.comments(text, line, p)
		f.together(text, line, p)
		return
	case dataFile:
		f.settingsData(text, line, p)
		return
	default:
		return
	}
	f.code = append(f.code, u)
}

// prose reads the comments and the strings of a program: what they say, an agent reads or is told.
func (f *file) prose(toks []token, line int, p place) {
	p.literal = true
	for _, t := range toks {
		if t.kind == comment && len(t.text) > 12 || t.kind == literal && len(t.text) > 20 && strings.Contains(t.text, " ") {
			q := p
			q.quoted = q.quoted || t.kind == literal && f.teaches
			proseReader{f}.tell(t.text, line+t.line-1, q)
		}
	}
}

// comments reads the comments of shell text, and what it prints.
func (f *file) comments(text string, line int, p place) {
	p.literal = true
	n := line
	for l := range strings.SplitSeq(text, "\n") {
		if i := strings.Index(l, "# "); i >= 0 && len(l)-i > 14 {
			proseReader{f}.tell(l[i+2:], n, p)
		} else if t := strings.TrimSpace(l); strings.HasPrefix(t, "echo ") || strings.HasPrefix(t, "printf ") ||
			strings.HasPrefix(t, "Write-Host") {
			proseReader{f}.tell(strings.Trim(t[5:], ` "'`), n, p)
		} else if len(t) > 60 && !strings.ContainsAny(t, "|$;=(){}<>") && !commandLike.MatchString(t) {
			proseReader{f}.tell(t, n, p)
		}
		n++
	}
}

// unreadable: lines nobody reads, names that say nothing, text made of numbers.
func (f *file) unreadable(text string, toks []token, line int) {
	long := 0
	n := line
	for l := range strings.SplitSeq(text, "\n") {
		if len(l) > 2000 && strings.Count(l, " ")*20 < len(l) {
			if long++; long == 1 {
				f.add("obfuscated-code", n, "", with{meaning: "A line is far too long to be read."})
			}
		}
		n++
	}
	hexNames, calls := 0, 0
	for i, t := range toks {
		if t.kind == word && strings.HasPrefix(t.text, "_0x") {
			hexNames++
		}
		if t.kind == word && (t.text == "chr" || t.text == "fromCharCode" || t.text == "ord") && i+1 < len(toks) && toks[i+1].text == "(" {
			calls++
		}
	}
	if hexNames > 5 || calls > 8 {
		f.add("obfuscated-code", line, "", with{meaning: "Names or text are put together so that nobody can read them.", severity: High})
	}
}

// secrets finds keys that were left, or put, in the bundle.
func (f *file) secrets(b *bundle) {
	for start := 0; start < len(f.text); {
		end := min(len(f.text), start+32<<10)
		if end < len(f.text) {
			if i := strings.LastIndexByte(f.text[start:end], '\n'); i > 0 {
				end = start + i + 1
			}
		}
		chunk := f.text[start:end]
		if ascii(chunk) && !suspect(chunk) {
			start = end
			continue
		}
		f.secretsIn(b, chunk, start)
		start = end
	}
}
