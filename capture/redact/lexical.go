package redact

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// What the rules' keep functions check about a candidate and its context.

var (
	// A reference that the shell, a template or the program resolves later; the line contains no secret. An address without
	// user, query and fragment says where it is kept (op://vault/item/field).
	referenceRE = lazyre.New(`^\\?["']?(?:(?:\$\w+|\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\(.*|\x60.*|%\w+%|\{\{.*|\{\w+\}|\$env:\w+|[:/@._-])+|` +
		`(?:process\.|import\.meta\.)?env\.\w+!?|[a-z][a-z0-9+.-]*://[^@?#\s"']*)\\?["']?[,;})\]]*$`)
	// Placeholders that people write instead of a value.
	placeholderRE = lazyre.New(
		`(?i)^["']?(?:<[^>]*>|\[[a-z_ -]+\]|\*+|x{3,}|\.{2,}|…|true|false|null|none|nil|undefined|yes|no|[^\p{L}\p{N}]{1,2})["']?[,;]?$`)
	pathRE = lazyre.New(`^["']?(?:~|\.{0,2}/|[A-Za-z]:\\)|\.(?:pem|key|json|ya?ml|crt|cer|pub|txt|toml|env)["']?$`)
	// Texts of user interfaces after "Password:".
	uiWordRE = lazyre.New(`(?i)^["']?(?:required|optional|incorrect|invalid|expires?|expired|wrong|hidden|weak|strong|reset|` +
		`changed|change|updated|missing|show|hide|forgot|forgotten|confirm|new|old|current|enter|the|your|must|is|was|has|cannot|should|at|` +
		`not|please|string|str|bool|boolean|int|number|any|object|secret|password|token)["']?[,.;:!?)]*$`)
	riskyRE = lazyre.New(`[0-9]|[^\w\s.,;:!?()'"-]|[a-z][A-Z]`)
	countRE = lazyre.New(`^v?\d+(?:[.:]\d+)*$`)
)

// uiWords are texts of user interfaces after "Password:" in other languages.
var uiWords = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for _, c := range []lang.Concept{lang.Required, lang.Optional, lang.Refusal, lang.Forgotten} {
		all = append(all, lang.Pattern(c, "en"))
	}
	return regexp.MustCompile(`(?i)^["']?(?:` + strings.Join(all, "|") + `)["']?[,.;:!?)]*$`)
})

// secretWords are the names of secrets in other languages.
var secretWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` + lang.Pattern(lang.Secret, "en") + `)$`)
})

// uiWord reports whether a word is one that user interfaces show in place of a secret.
func uiWord(w string) bool { return uiWordRE.MatchString(w) || uiWords().MatchString(w) }

// harmless: a reference or a placeholder.
func harmless(text string, start, end int) bool {
	v := text[start:end]
	return referenceRE.MatchString(v) || placeholderRE.MatchString(v)
}

// harmlessOrPath: harmless, or the value is the name of a file that contains the secret.
func harmlessOrPath(text string, start, end int) bool {
	return harmless(text, start, end) || pathRE.MatchString(text[start:end])
}

// harmlessOrFlag: harmless, or the next flag follows directly.
func harmlessOrFlag(text string, start, end int) bool {
	return harmless(text, start, end) || text[start] == '-'
}

// aliasRE: aliases have arbitrary names.
var aliasRE = lazyre.New(`(?:^|[\s;|&(])(?:alias|abbr)(?:[ \t]+-\w+)*[ \t]+[\w.-]+=["']?$`)

// aliased: the assigned value is the command of an alias.
func aliased(text string, start int) bool { return aliasRE.MatchString(before(text, start, 120)) }

// commandRE: a program, then somewhere an option or an operator between commands.
var commandRE = lazyre.New(`^[a-z][\w./-]*\s(?:.*\s)?(?:-{1,2}[A-Za-z]|\||&&|[<>]{1,2}\s)`)

// commandLine: a quoted value that is a whole command is not a secret; its words are judged one by one.
func commandLine(text string, start, end int) bool {
	return start > 0 && (text[start-1] == '"' || text[start-1] == '\'') && commandRE.MatchString(text[start:end])
}

// unchosen: a bare word after a flag that could as well be an operand. It counts only if it looks like a password:
// digits among letters, symbols, mixed case, or quotes.
func unchosen(text string, start, end int) bool {
	v := text[start:end]
	if harmlessOrPath(text, start, end) || text[start] == '-' || countRE.MatchString(v) || strings.Contains(v, "://") ||
		strings.Contains(v, "/") {
		return true
	}
	quoted := start > 0 && (text[start-1] == '"' || text[start-1] == '\'')
	return !quoted && !riskyRE.MatchString(v)
}

// tokenLike: long, of both letters and digits, and not a host, path, version or flag.
func tokenLike(v string, least int) bool {
	return len(v) >= least && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, isLetterASCII) &&
		!strings.ContainsAny(v, "./:@,") && v[0] != '-'
}

func isLetterASCII(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// prose: a colon may also be followed by sentences. One word at the end of its line is a value unless it is a word of
// user interfaces; within a line only a word with digits, symbols or mixed case is.
func prose(text string, start, end int) bool {
	if harmless(text, start, end) || uiWord(text[start:end]) {
		return true
	}
	if text[start] == '/' || strings.HasPrefix(text[start:end], "-$") { // -v "$PWD":/srv, ${PASSWORD:-$OTHER}
		return true
	}
	if start > 0 && (text[start-1] == '"' || text[start-1] == '\'') {
		return false
	}
	v := strings.TrimRight(text[start:end], `.,;:!?)"'}]`)
	if len(v) < 3 {
		return true
	}
	if riskyRE.MatchString(v) {
		return false
	}
	rest := strings.TrimLeft(text[end:], `"',;)}]`+" \t")
	return rest != "" && strings.IndexByte("\n>|&", rest[0]) < 0
}

var leadRE = lazyre.New(
	`^(?:sudo|doas|env|time|nohup|command|exec|builtin|nice|then|do|else|and|or|not|if|while|!|[A-Za-z_]\w*=\S*|-\S+)$`)

// program is the base name of the program whose arguments contain the text at position at.
func program(text string, at int) string {
	from := statement(text, at)
	argument := false
	for w := range strings.FieldsSeq(text[from:at]) {
		switch {
		case argument:
			argument = false
		case w == "-u" || w == "-g": // of sudo
			argument = true
		case !leadRE.MatchString(w):
			return path.Base(w)
		}
	}
	return ""
}

// runners run the program that their operands name.
var runners = map[string]bool{"sudo": true, "doas": true, "env": true, "xargs": true, "parallel": true, "watch": true, "timeout": true,
	"docker": true, "podman": true, "nerdctl": true, "docker-compose": true, "kubectl": true, "oc": true, "lxc": true, "ssh": true,
	"sshpass": true, "su": true, "runuser": true, "chroot": true, "nsenter": true, "systemd-run": true, "screen": true, "tmux": true,
	"script": true, "strace": true, "ansible": true, "flatpak": true, "bash": true, "sh": true, "zsh": true, "-exec": true, "-execdir": true,
	"-ok": true, "--": true}

// runs reports whether the word at position at stands where a program does: first in its command, after a program
// that runs others, or in a sentence. A word after an option, or a path element other than the first, is an operand.
func runs(text string, at int) bool {
	from := statement(text, at)
	begin := at
	for begin > from && strings.IndexByte(" \t\n=", text[begin-1]) < 0 {
		begin--
	}
	lead := strings.Trim(text[begin:at], `"'\`)
	var option, first bool
	first = true
	for w := range strings.FieldsSeq(text[from:begin]) {
		switch {
		case runners[path.Base(w)]:
			return true
		case !leadRE.MatchString(w):
			first = false
		}
		option = w[0] == '-' && w != "-"
	}
	if first {
		return true
	}
	return lead == "" && !option
}

// statement is where the innermost command around position at begins.
func statement(text string, at int) int {
	line := max(strings.LastIndexByte(text[:at], '\n')+1, at-4096)
	from, outer, quote := line, line, byte(0)
	for i := line; i < at; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0 && c == quote:
			from, quote = outer, 0
		case quote == 0 && (c == '"' || c == '\''):
			n := strings.IndexByte(text[i+1:], c)
			if n < 0 || i+1+n < at {
				i += max(n+1, 0) // a word that ends before, or an apostrophe
			} else if strings.ContainsAny(text[i+1:i+1+n], " \t") {
				outer, from, quote = from, i+1, c
			}
		case strings.IndexByte(";|&(`", c) >= 0:
			from = i + 1
		}
	}
	return from
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return w
}

// before returns up to n bytes of the line that ends at position at.
func before(text string, at, n int) string {
	s := text[max(0, at-n):at]
	return s[strings.LastIndexByte(s, '\n')+1:]
}
