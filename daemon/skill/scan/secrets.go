package scan

import (
	"strings"

	"showhow/capture/redact"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// keyForms are forms that only a key has; the redactor confirms them. Personal values and passwords in examples are not what
// this rule is for: a skill may show a form, and an address of a person is no secret.
var keyForms = []struct {
	re   *lazyre.Regexp
	what string
	hint []string
}{
	{source.Re(`-----BEGIN (?:[A-Z]+ )?PRIVATE KEY(?: BLOCK)?-----\s+[A-Za-z0-9+/=:,\s-]{60,}`), "A private key", []string{"PRIVATE KEY"}},
	{source.Re(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`), "An AWS key", []string{"AKIA"}},
	{source.Re(`\bASIA[A-Z2-7]{16}\b`), "An AWS key", []string{"ASIA"}},
	{source.Re(`\bgh[pousr]_[A-Za-z0-9]{36,}\b`), "A GitHub token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}},
	{source.Re(`\bgithub_pat_[A-Za-z0-9_]{50,}\b`), "A GitHub token", []string{"github_pat_"}},
	{source.Re(`\bglpat-[\w-]{20,}`), "A GitLab token", []string{"glpat-"}},
	{source.Re(`\bxox[abposr]-[\w-]{20,}`), "A Slack token", []string{"xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxr-"}},
	{source.Re(`\bsk_live_[A-Za-z0-9]{20,}`), "A Stripe key", []string{"sk_live_"}},
	{source.Re(`\brk_live_[A-Za-z0-9]{20,}`), "A Stripe key", []string{"rk_live_"}},
	{source.Re(`\bsk-ant-[\w-]{40,}`), "An Anthropic key", []string{"sk-ant-"}},
	{source.Re(`\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{40,}`), "An OpenAI key", []string{"sk-"}},
	{source.Re(`\bAIza[\w-]{35}\b`), "A Google key", []string{"AIza"}},
	{source.Re(`\bnpm_[A-Za-z0-9]{36}\b`), "An npm token", []string{"npm_"}},
	{source.Re(`\bpypi-[A-Za-z0-9_-]{50,}`), "A PyPI token", []string{"pypi-"}},
	{source.Re(`\bhf_[A-Za-z0-9]{30,}\b`), "A Hugging Face token", []string{"hf_"}},
	{source.Re(`\bSG\.[\w-]{20,}\.[\w-]{30,}`), "A SendGrid key", []string{"SG."}},
	{source.Re(`\bAGE-SECRET-KEY-1[A-Z0-9]{50,}`), "An age key", []string{"AGE-SECRET"}},
	{source.Re(`\b\d{8,10}:AA[\w-]{33}\b`), "A Telegram bot's token", []string{":AA"}},
	{source.Re(`https://hooks\.slack\.com/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{18,}`), "A Slack webhook",
		[]string{"hooks.slack.com"}},
	{source.Re(`https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{50,}`), "A Discord webhook", []string{"api/webhooks"}},
	{source.Re(`\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}`), "A signed token", []string{"eyJ"}},
}

var assigned = source.Re(`(?i)(?:passw(?:or)?d|secret|token|api_?key|access_?key)["']?\s*(?::|=|:=)\s*["']?([^\s"'` + "`" +
	`,;]{12,80})["']?`)

var sample = source.Re(
	`(?i)example|sample|placeholder|your|xxx|dummy|changeme|\*\*\*|\.\.\.|<|\$|\{|redact|fake|test|todo|insert|replace|` +
		`abc123|123456|0000|1111|env\.|getenv|\(`)

// suspect: the text has something that a key's form has.
func suspect(s string) bool {
	for i := range keyForms {
		if hint.Any(s, keyForms[i].hint) {
			return true
		}
	}
	return suspectLine(s)
}

func (f *file) secretsIn(b *bundle, chunk string, start int) {
	for i := range keyForms {
		k := &keyForms[i]
		if !hint.Any(chunk, k.hint) {
			continue
		}
		for _, m := range k.re.FindAllStringIndex(chunk, 5) {
			v := chunk[m[0]:m[1]]
			if sample.MatchString(v) || !varied(v) {
				continue
			}
			f.Add("secret-inside", f.Line(start+m[0]), k.what, report.With{Meaning: k.what + " is written in the file."})
		}
	}
	at := 0
	for l := range strings.Lines(chunk) {
		if len(l) > 14 && len(l) < 1000 && strings.ContainsAny(l, "=:") && givenLine(l) {
			f.assignedIn(b, l, start+at)
		}
		at += len(l)
	}
}

// suspectLine looks for a word of secrets in any case.
func suspectLine(l string) bool { return secretWord(l, 0) >= 0 }

// givenLine: a word of secrets is followed by what gives it a value, as assigned wants it.
func givenLine(l string) bool {
	for i := secretWord(l, 0); i >= 0; i = secretWord(l, i) {
		rest := l[i:]
		for _, end := range []string{"ord", "d"} { // of passw
			if len(rest) >= len(end) && strings.EqualFold(rest[:len(end)], end) {
				rest = rest[len(end):]
				break
			}
		}
		rest = strings.TrimLeft(rest, "\"' \t\n\f\r")
		if rest != "" && (rest[0] == ':' || rest[0] == '=') {
			return true
		}
	}
	return false
}

// secretWord is the end of the next word of secrets, -1 when there is none. Without a copy: it sees every byte of a bundle.
func secretWord(l string, from int) int {
	for i := from; i+2 < len(l); i++ {
		w := ""
		switch l[i] | 0x20 {
		case 'p':
			w = "passw"
		case 's':
			w = "secret"
		case 't':
			w = "token"
		case 'k':
			w = "key"
		default:
			continue
		}
		if len(l)-i >= len(w) && strings.EqualFold(l[i:i+len(w)], w) {
			return i + len(w)
		}
	}
	return -1
}

// assignedIn looks for a password or key that is given to a name in one line.
func (f *file) assignedIn(b *bundle, l string, offset int) {
	for _, m := range assigned.FindAllStringSubmatchIndex(l, 5) {
		for m[0] > 0 && (l[m[0]-1] == '_' || l[m[0]-1] == '-' || l[m[0]-1] == '.' || l[m[0]-1]|0x20 >= 'a' && l[m[0]-1]|0x20 <= 'z' ||
			l[m[0]-1] >= '0' && l[m[0]-1] <= '9') {
			m[0]-- // the name's beginning
		}
		if v := l[m[2]:m[3]]; sample.MatchString(l[m[0]:m[1]]) || !random(v) || !hasKind(b.o.Redactor, l[m[0]:m[1]]) {
			continue
		}
		f.Add("secret-inside", f.Line(offset+m[0]), "",
			report.With{Meaning: "What looks like a password or key is written in the file.", Severity: report.Medium})
	}
}

func hasKind(r *redact.Redactor, s string) bool { return r.Text(s) != redact.Clean(s) }

// random: letters of both cases and digits, as no word has.
func random(s string) bool {
	var lower, upper, digit int
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digit++
		case strings.ContainsRune("()[]{}/\\.", c):
			return false
		}
	}
	return digit > 1 && (lower > 1 && upper > 1 || len(s) > 24 && lower+upper > 4)
}

// varied: no row of the same sign, as placeholders are.
func varied(s string) bool {
	seen := map[rune]bool{}
	for _, c := range s {
		seen[c] = true
	}
	return len(seen) > 9
}
