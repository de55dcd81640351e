package scan

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/skill"
	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// about finds SKILL.md and what the skill says of itself; what the other files may show depends on it.
func (b *bundle) about() {
	for _, f := range b.files {
		if f.Path == skill.Entry {
			b.entry = f
		}
	}
	if b.entry == nil {
		for _, f := range b.files { // a skill in another spelling
			if strings.EqualFold(path.Base(f.Path), skill.Entry) && b.entry == nil {
				b.entry = f
			}
		}
	}
	if b.entry != nil {
		if doc, err := skill.ParseMarkdown([]byte(b.entry.Text)); err == nil {
			b.doc, b.docOK = doc, true
		} else if doc, ok := byLine(b.entry.Text); ok {
			b.doc, b.docOK, b.byLine = doc, true, true
		}
	}
	teaches := prose.Topic.MatchString(b.doc.Name + " " + b.doc.Description)
	desc := b.doc.Name + " " + b.doc.Description
	speaks := b.speaksOf()
	b.purpose = prose.About(strings.ReplaceAll(speaks, "-", " "))
	letters := source.Squash(speaks)
	entry := ""
	if b.entry != nil {
		entry = strings.ToLower(b.entry.Text)
	}
	for _, f := range b.files {
		f.Teaches = teaches
		f.About = letters
		f.Entry = entry
		f.Says = desc
		b.ours[path.Base(f.Path)] = true
	}
}

// head reads the frontmatter as it is written: its comments and values are text that agents read.
func (f *file) head(head string) {
	for i, l := range strings.Split(head, "\n") {
		if j := strings.Index(l, "#"); j >= 0 && (j == 0 || l[j-1] == ' ') {
			document{f}.comment(l[j+1:], i+1)
		}
	}
	if f.Path == skill.Entry || strings.HasSuffix(f.Path, "/"+skill.Entry) {
		f.settingsData(strings.TrimPrefix(head, "---"), 1, source.Place{Head: true, Literal: true})
	}
	document{f}.spans(head, 1, source.Place{Head: true})
	f.Addresses(head, 1, source.Place{})
	f.blobs(head, 1, source.Place{}, 0)
	if strings.Contains(head, "hooks:") {
		f.Add("install-hook", 1+strings.Count(head[:strings.Index(head, "hooks:")], "\n"), "",
			report.With{Meaning: "The skill brings hooks that the agent runs by itself."})
	}
}

// declared compares what SKILL.md declares with everything else: name, triggers, tools.
func (b *bundle) declared() {
	if !b.docOK {
		return
	}
	b.named()
	b.bait()
	b.tools()
}

// wellKnown are names that people trust.
var wellKnown = strings.Fields("github gitlab slack notion google-drive gmail calendar outlook jira confluence stripe anthropic openai " +
	"claude openclaw clawhub docx xlsx pptx pdf skill-creator frontend-design mcp-builder webapp-testing brand-guidelines canvas-design " +
	"playwright puppeteer terraform kubernetes docker postgres mongodb summarize weather obsidian apple-notes things trello discord " +
	"telegram whatsapp spotify twitter linear figma vercel cloudflare supabase salesforce hubspot shopify airtable dropbox zapier polymarket")

func (b *bundle) named() {
	line := b.lineOf("name:")
	for _, n := range []string{b.doc.Name, b.o.Name} {
		if n == "" {
			continue
		}
		if l := source.Latin(n); l != n && !source.Ascii(n) && strings.IndexFunc(l, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
			b.entry.Add("name-squat", line, n, report.With{
				Meaning: fmt.Sprintf("The name reads %q and is spelt with other letters.", source.Short(l, 60))})
			return
		}
		low := strings.ToLower(n)
		parts := append([]string{low}, strings.FieldsFunc(low, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })...)
		for _, w := range wellKnown {
			for _, p := range parts {
				// A British spelling in a longer name is a word like others; a name that is nothing else is taken for the known one's.
				if len(w) >= 6 && p != w && !slices.Contains(wellKnown, p) && !flow.KnownPackage(p) &&
					(source.Near(p, w) && !flow.Plural(p, w) && !derived(p, w) && !(p != low && derived(lang.American(p), w)) || source.Digits(p) == w) {
					b.entry.Add("name-squat", line, n, report.With{Meaning: fmt.Sprintf("%s is nearly %s.", source.Short(p, 60), w)})
					return
				}
			}
		}
		for _, s := range b.o.Installed {
			if s.Slug != n && len(s.Slug) > 5 && source.Near(low, s.Slug) {
				b.entry.Add("name-squat", line, n, report.With{
					Meaning:  fmt.Sprintf("%s is nearly %s, which is installed.", source.Short(n, 60), source.Short(s.Slug, 60)),
					Severity: report.Medium})
				return
			}
		}
	}
}

// derived reports whether a name is a form of a known verb. A name that is no verb has no forms: striped is no form of stripe.
func derived(name, known string) bool { return verbs.Has(known) && lang.VerbForm(name, known) }

// verbs are those of wellKnown that say what is done.
var verbs = lang.English("skills.verbs")

func (b *bundle) lineOf(prefix string) int {
	for i, l := range strings.SplitN(b.entry.Text, "\n", 60) {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(l)), prefix) {
			return i + 1
		}
	}
	return 1
}

var (
	claimsAll = source.Wording("claims.all")
	everyday  = lang.English("skills.everyday")
)

// bait looks at description and triggers: a skill that wants to be chosen for everything.
func (b *bundle) bait() {
	d := source.Latin(b.doc.Description)
	line := b.lineOf("description:")
	switch {
	case claimsAll.MatchString(d) && !prose.Negated.MatchString(strings.ToLower(d[:claimsAll.FindStringIndex(d)[0]])):
		b.entry.Add("trigger-bait", line, claimsAll.FindString(d), report.With{Weak: true})
	case repeated(d):
		b.entry.Add("trigger-bait", line, d, report.With{Meaning: "The description repeats its words to be found.", Weak: true})
	case commas(d) > 40:
		b.entry.Add("trigger-bait", line, d, report.With{Severity: report.Medium, Meaning: "The description is a list of search words."})
	case commas(d) > 22:
		b.entry.Add("trigger-wide", line, d, report.With{Severity: report.Low, Meaning: "The description is a long list of words."})
	}
	line = b.lineOf("triggers:")
	wide := 0
	for _, t := range b.doc.Triggers {
		l := strings.ToLower(strings.Trim(t, `"'*. `))
		if everyday.Has(l) || l == "" || t == "*" || t == ".*" {
			wide++
		}
		if claimsAll.MatchString(t) || t == "*" || t == ".*" {
			b.entry.Add("trigger-bait", line, t, report.With{})
		}
	}
	switch n := len(b.doc.Triggers); {
	case wide >= 4 || n > 60:
		b.entry.Add("trigger-bait", line, strings.Join(b.doc.Triggers[:min(n, 8)], ", "),
			report.With{Meaning: fmt.Sprintf("%d triggers, %d of them everyday words.", n, wide)})
	case wide > 0 || n > 30:
		b.entry.Add("trigger-wide", line, strings.Join(b.doc.Triggers[:min(n, 8)], ", "), report.With{})
	}
}

var listWord = lazyre.New(`[\pL\pN]+`)

func commas(s string) int {
	return strings.Count(s, ",") + strings.Count(s, ";") + strings.Count(s, "|")
}

// repeated: one word, not a common one, makes up much of the text. In an example of a request, which stands in quotes, each word
// counts once: an order at the order desk is no repetition.
func repeated(s string) bool {
	count := map[string]int{}
	all := []string{}
	for i, part := range strings.Split(strings.NewReplacer("“", `"`, "”", `"`).Replace(strings.ToLower(s)), `"`) {
		words := listWord.FindAllString(part, -1)
		if once := slices.Compact(slices.Sorted(slices.Values(words))); i%2 == 1 && len(once)*3 >= len(words)*2 { // a sentence
			words = once
		}
		all = append(all, words...)
	}
	for _, w := range all {
		if len(w) > 3 && w != "with" && w != "when" && w != "from" && w != "user" && w != "this" && w != "that" {
			count[w]++
		}
	}
	for _, n := range count {
		if n >= 8 && n*6 > len(all) {
			return true
		}
	}
	return false
}

// tools compares allowed-tools with what text and scripts do.
func (b *bundle) tools() {
	if len(b.doc.AllowedTools) == 0 {
		return
	}
	shellOK, netOK, writes := false, false, false
	line := b.lineOf("allowed")
	for _, t := range b.doc.AllowedTools {
		name, _, _ := strings.Cut(strings.ToLower(t), "(")
		switch strings.TrimSpace(name) {
		case "bash", "shell", "exec", "execute", "terminal", "run", "*", "all", "powershell", "process", "computer", "run_command",
			"execute_command", "code_execution":
			shellOK, netOK, writes = true, true, true
		case "webfetch", "websearch", "browser", "fetch", "http", "web_fetch", "web_search":
			netOK = true
		case "write", "edit", "multiedit", "notebookedit":
			writes = true
		}
		if strings.HasPrefix(name, "mcp__") {
			netOK = true
		}
		if wideTool(t) {
			b.entry.Add("tools-all", line, t, report.With{})
		}
	}
	if shellOK && !b.narrow() {
		return
	}
	for _, f := range b.files {
		runs := f.Kind == source.Shell || f.Kind == source.Python || f.Kind == source.Script || f.Kind == source.Power || f.Kind == source.Other
		grave := false
		for _, x := range f.Found {
			grave = grave || x.Severity.AtLeast(report.High)
		}
		switch {
		case shellOK:
			continue
		case runs && f.Uses.Tools["network"] && !netOK:
			b.entry.Add("tools-undeclared", line, strings.Join(b.doc.AllowedTools, " "),
				report.With{Severity: report.High, Meaning: f.Path + " reaches the network, which allowed-tools leaves out."})
		case (runs || f.Uses.Tools["shell"]) && (f.Uses.Tools["sudo"] || grave):
			b.entry.Add("tools-undeclared", line, strings.Join(b.doc.AllowedTools, " "),
				report.With{Severity: report.Medium, Meaning: f.Path + " does what allowed-tools leaves out."})
		case !runs && f.Uses.Tools["network"] && f.Uses.Tools["shell"] && !netOK && !writes:
			b.entry.Add("tools-undeclared", line, strings.Join(b.doc.AllowedTools, " "),
				report.With{Severity: inEntry(b, f), Meaning: f.Path + " has commands that reach the network; allowed-tools allows reading only."})
		case runs || f.Uses.Tools["shell"]:
			b.entry.Add("tools-undeclared", line, strings.Join(b.doc.AllowedTools, " "),
				report.With{Severity: report.Low, Meaning: f.Path + " has commands or code, and allowed-tools has no tool that runs them."})
		}
	}
	b.outside(line)
}

// inEntry: what SKILL.md itself says is graver than what a text beside it shows.
func inEntry(b *bundle, f *file) report.Severity {
	if f == b.entry {
		return report.High
	}
	return report.Medium
}

var bashOnly = lazyre.New(`(?i)^(?:bash|shell)\(\s*([\w./-]+)`)

// narrow: Bash is allowed for some programs only.
func (b *bundle) narrow() bool {
	some := false
	for _, t := range b.doc.AllowedTools {
		l := strings.ToLower(t)
		if l == "bash" || wideTool(t) {
			return false
		}
		some = some || bashOnly.MatchString(t)
	}
	return some
}

// outside: commands in the text that a narrow Bash(git:*) does not cover, when they reach the network or take rights.
func (b *bundle) outside(line int) {
	if !b.narrow() || b.entry == nil {
		return
	}
	ok := map[string]bool{}
	for _, t := range b.doc.AllowedTools {
		if m := bashOnly.FindStringSubmatch(t); m != nil {
			ok[path.Base(strings.ToLower(m[1]))] = true
		}
	}
	for p := range b.entry.Uses.Programs {
		if !ok[p] && (flow.Fetchers[p] || flow.Senders[p] || p == "sudo" || p == "ssh" || p == "scp" || p == "rsync") {
			b.entry.Add("tools-undeclared", line, strings.Join(b.doc.AllowedTools, " "),
				report.With{Severity: report.High, Meaning: "The text runs " + p + ", which allowed-tools leaves out."})
			return
		}
	}
}

// speaksOf is what the skill's name and description say, for the sentences that are held against it. An address in them declares nothing:
// it could be what the skill takes things to; a host is declared by being spoken of.
func (b *bundle) speaksOf() string {
	said := b.o.Name + " " + b.doc.Name + " " + b.doc.Description
	if b.entry != nil && !b.docOK {
		said += prose.Head(b.entry.Text)
	}
	return strings.ToLower(prose.Unaddressed(said))
}
