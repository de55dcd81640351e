package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// rule is one of our own: a declaration with its examples beside it.
type rule struct {
	name   string
	kind   Kind
	hints  []string // lower case; the pattern is tried only on a text that holds one of them. None: always
	digits int      // ... and only on a text with that many digits
	run    int      // ... and with so long a word
	re     string   // RE2; the first group that matched is the secret, else the whole match. Runs on the text as it is
	keep   func(text string, start, end int) bool

	// hits: « and » surround each secret. misses: left as they are by this rule.
	hits   []string
	misses []string
}

type compiled struct {
	rule
	re *regexp.Regexp
}

// Building blocks of the patterns. NUL stands for what is already replaced and is never matched as a value.
const (
	// value is one shell word or quoted text.
	value = `((?:"(?:\\.|[^"\\\x00])*"|'[^'\x00]*'|\\.|[^\s\x00"'|;&<>\\])+|["'][^\s\x00"']+)`
	// loose is a value in JSON, YAML or prose, where a closing quote ends it.
	loose = `(?:"((?:\\.|[^"\\\x00])+)"|'([^'\x00]+)'|` + value + `)`
	// rest is the way from a program's name to a flag within one simple command.
	rest = `\b[^\n|;&]*?`
)

// ownRules compiles every declaration.
func ownRules() ([]compiled, error) {
	var out []compiled
	for _, list := range [][]rule{contextRules, programRules, personalRules, shapeRules} {
		for _, r := range list {
			re, err := regexp.Compile(r.re)
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", r.name, err)
			}
			out = append(out, compiled{r, re})
		}
	}
	return out, nil
}

// features of a text decide cheaply which patterns are worth a try.
type features struct {
	digits int
	run    int // the longest stretch of letters, digits and + / _ - =
}

func measure(s string) (f features) {
	run := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			f.digits++
			run++
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '+', c == '/', c == '_', c == '-', c == '=':
			run++
		default:
			run = 0
		}
		f.run = max(f.run, run)
	}
	return f
}

func (c *compiled) scan(text, low string, f features, found []Span) []Span {
	if f.digits < c.digits || f.run < c.run || !c.hinted(low) {
		return found
	}
	for _, m := range c.re.FindAllStringSubmatchIndex(text, -1) {
		start, end := secretGroup(m, 0)
		start, end = unquote(text, start, end)
		if strings.Trim(text[start:end], "\x00 \t\n") == "" {
			continue
		}
		if c.keep != nil && c.keep(text, start, end) {
			continue
		}
		found = append(found, Span{Start: start, End: end, Kind: c.kind})
	}
	return found
}

func (c *compiled) hinted(low string) bool {
	if len(c.hints) == 0 {
		return true
	}
	for _, h := range c.hints {
		if strings.Contains(low, h) {
			return true
		}
	}
	return false
}

// unquote leaves the quotes around a value in place, so that the line keeps its shape.
func unquote(text string, start, end int) (int, int) {
	if end-start >= 2 && (text[start] == '"' || text[start] == '\'') && text[end-1] == text[start] {
		return start + 1, end - 1
	}
	return start, end
}

var (
	// A reference is resolved by the shell later; the line holds no secret.
	referenceRE = regexp.MustCompile(`^["']?(?:\$\w+|\$\{[^}]*\}|\$\(.*|\x60.*|%\w+%|\{\{.*|\$env:\w+|[:/@._-])+["']?$`)
	// What people write where a value would stand.
	placeholderRE = regexp.MustCompile(`(?i)^["']?(?:<[^>]*>|\*+|x{3,}|\.{2,}|…|true|false|null|none|nil|undefined|yes|no|[^\p{L}\p{N}]{1,2})["']?[,;]?$`)
	pathRE        = regexp.MustCompile(`^["']?(?:~|\.{0,2}/|[A-Za-z]:\\)|\.(?:pem|key|json|ya?ml|crt|cer|pub|txt|toml|env)["']?$`)
	// What user interfaces say after "Password:".
	uiWordRE = regexp.MustCompile(`(?i)^["']?(?:required|optional|incorrect|invalid|expires?|expired|wrong|hidden|weak|strong|reset|changed|change|updated|missing|show|hide|forgot|forgotten|confirm|new|old|current|enter|the|your|must|is|was|has|cannot|should|at|not|please|string|str|bool|boolean|int|number|any|object|secret|password|token|erforderlich|vergessen|falsch)["']?[,.;:!?)]*$`)
	riskyRE  = regexp.MustCompile(`[0-9]|[^\w\s.,;:!?()'"-]|[a-z][A-Z]`)
)

// harmless: a reference or a placeholder.
func harmless(text string, start, end int) bool {
	v := text[start:end]
	return referenceRE.MatchString(v) || placeholderRE.MatchString(v)
}

// harmlessOrPath: as harmless, or the value is the name of a file that holds the secret.
func harmlessOrPath(text string, start, end int) bool {
	return harmless(text, start, end) || pathRE.MatchString(text[start:end])
}

// prose: after a colon people also write sentences. One word at the end of its line is a value unless it is a word
// of user interfaces; within a line only what has digits, symbols or mixed case is.
func prose(text string, start, end int) bool {
	if harmless(text, start, end) || uiWordRE.MatchString(text[start:end]) {
		return true
	}
	if text[start] == '/' { // -v "$PWD":/srv
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
	return rest != "" && rest[0] != '\n'
}

const (
	longNames  = `passw(?:or)?d|passphrase|passwort|kennwort|wachtwoord|contrase(?:ñ|n)a|mot_?de_?passe|secret|token|api[_.-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key(?:[_-]?base)?|private[_-]?key|encryption[_-]?key|master[_-]?key|signing[_-]?key|account[_-]?key|auth[_-]?key|service[_-]?key|credentials?|bearer`
	shortNames = `pass|pwd|pw|otp|totp|jwt|cvv|cvc|sid|sess(?:ion)?[_-]?id|phpsessid|_auth|sas|dsn`
)

// contextRules know a secret by what stands before it.
var contextRules = []rule{
	{
		name: "url-password", kind: Password, hints: []string{"://"},
		re:   `[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>\x00]*:([^\s/"'<>\x00]+)@`,
		keep: harmless,
		hits: []string{"psql postgres://app:«s3cret»@db.internal:5432/orders", "git clone https://bob:«p@ss»@example.com/r.git",
			"redis://:«hunter2»@cache:6379/0", "mongodb+srv://u:«abc»@cluster0.mongodb.net"},
		misses: []string{"http://localhost:8080/x?mail=a@b.example", "https://example.com/@user", "postgres://app:$PGPASS@db/x", "git@github.com:o/r.git"},
	},
	{
		name: "url-password-with-slash", kind: Password, hints: []string{"://"},
		re:   `\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|ldaps?|smb|s?ftp)://[^\s/:@"'<>\x00]*:([^\s"'<>?\x00]*/[^\s"'<>?\x00]*)@`,
		keep: harmless,
		hits: []string{"postgres://app:«a/b/c»@db/x"}, misses: []string{"redis://cache:6379/0"},
	},
	{
		name: "url-token", kind: AccessKey, hints: []string{"://"},
		re:     `[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@"'<>\x00]{16,})@`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || !strings.ContainsAny(t[s:e], "0123456789") },
		hits:   []string{"git clone https://«a8f5f167f44f4964e6c998dee827110c»@example.com/r"},
		misses: []string{"ssh://git@github.com/o/r", "https://deployment-service-user@example.com"},
	},
	{
		name: "assignment", kind: Password, hints: []string{"pass", "pw", "secret", "token", "key", "credential", "kennwort", "contrase", "bearer", "wachtwoord", "mot"},
		re:   `(?i)(?:` + longNames + `)\d{0,2}(?:\\?["'])?\]?[ \t]{0,2}(?:=|:=|=>)[ \t]{0,2}` + value,
		keep: func(t string, s, e int) bool { return harmless(t, s, e) || fileNamed(t, s, e) },
		hits: []string{"export GITHUB_TOKEN=«abc123»", "DB_PASSWORD='«hunter 2»' ./run", "password=«hunter2» host=db", "curl -d 'user=a&password=«x»&b=1' u",
			"api_key = \"«k»\"", "set apiKey:=«zz9»", "https://h/p?access_token=«q1w2»&n=1", "PGPASSWORD=«pg» psql", "AWS_SECRET_ACCESS_KEY=«wJalr/bPx+» aws s3 ls",
			"$env:API_TOKEN = '«t0k»'", "--from-literal=password=«abc»", "java -Ddb.password=«pw» -jar a.jar", "--client-secret=«s»", "--password=«X»", "SECRET_KEY_BASE=«aa11»"},
		misses: []string{"TOKEN=$(cat t)", "PASSWORD=$PW make", "max_tokens=100", "token_count=5", "SECRET_NAME=orders", "password_reset=true", "use_token=false",
			"PRIVATE_KEY=~/.ssh/id_rsa", "token == x", "API_KEY=<your key>"},
	},
	{
		name: "assignment-short", kind: Password, hints: []string{"pass", "pw", "otp", "jwt", "cv", "sid", "sess", "auth", "sas", "dsn"},
		re:     `(?i)(?:^|[^A-Za-z])(?:` + shortNames + `)\d{0,2}(?:\\?["'])?\]?[ \t]{0,2}(?:=|:=)[ \t]{0,2}` + value,
		keep:   harmlessOrPath,
		hits:   []string{"DB_PASS=«hunter2» run", "pwd=«abc»", "mount -o user=bob,pass=«x»", "jwt=«a.b»", "PHPSESSID=«12ab»", "--pass=«k»"},
		misses: []string{"bypass=true", "compass=x1", "PWD=/srv/app", "OLDPWD=/tmp", "inside=4"},
	},
	{
		name: "assignment-pin", kind: OTP, hints: []string{"pin", "code", "otp"},
		re:   `(?i)(?:\bcode[ \t]+(\d{4,8})\b[^\n]{0,24}(?:one[- ]time|otp|verif|log ?in|sign ?in|2fa)|(?:^|[^a-z])(?:pin|otp|(?:verification|security|sms|login|auth(?:entication|enticator)?|one[- ]time|2fa|mfa)[ _-]?(?:code|pin|passcode|password))(?:["'])?(?:[ \t]+is)?[ \t]{0,2}[=:]?[ \t]{0,2}["']?(\d{4,8})\b)`,
		hits: []string{"pin=«4711»", "Your verification code is «123456»", "otp: «998877»", "security code: «1234»", "Use code «551204» as your one-time password"}, misses: []string{"pin=13", "zip code 12345", "exit code 1234", "shipping=1234"},
	},
	{
		name: "colon", kind: Password, hints: []string{"pass", "pw", "secret", "token", "key", "credential", "kennwort", "contrase", "wachtwoord", "mot"},
		re:     `(?i)(?:` + longNames + `|(?:^|[^A-Za-z])(?:pass|pwd|pw))\d{0,2}(?:\\?["'])?[ \t]?:[ \t]{0,3}` + loose,
		keep:   prose,
		hits:   []string{`{"user":"bob","password":"«x y»"}`, "password: «hunter2»", "Passwort: «Geheim1»", "api_key: «letmein»", "secret:«k3y» next", "token: «abc-DEF_9» (copied)"},
		misses: []string{"Password: required", "Password: must contain 8 characters", "Token: expired", "API key: see the manual", "token: $TOKEN", "password: ", `-v "$PWD":/srv nginx`},
	},
	{
		name: "flag", kind: Password, hints: []string{"pass", "pwd", "secret", "token", "key", "-bearer", "-pin", "-otp", "credential", "-pw", "kennwort"},
		re: `(?i)(?:^|[\s"'])--?(?:[a-z0-9]+[-_.])*(?:[a-z]*(?:` + longNames + `)|pass|pwd|pw|pin|otp|storepass|keypass)[ \t]+` + value,
		keep: func(t string, s, e int) bool {
			return harmlessOrPath(t, s, e) || t[s] == '-' || strings.HasPrefix(t[s:e], "id=") || strings.HasPrefix(t[s:e], "src=")
		},
		hits: []string{"mysql --password «X» -h db", "tool --token «abc»", "gpg --batch --passphrase '«a b»' x", "keytool -storepass «changeit» -list", "az login --service-principal --password «p»",
			"stripe --api-key «sk» listen", "x --client-secret \"«zz»\"", "sfdx auth --clientsecret «sf»", "x --pass «p»", "x -pass «p»"},
		misses: []string{"docker login --password-stdin", "tool --password --user bob", "x --token $TOKEN", "ssh-keygen --private-key ~/.ssh/id", "docker build --secret id=a,src=b .", "x --token-ttl 5m"},
	},
	{
		name: "auth-header", kind: AccessKey, hints: []string{"authorization"},
		re:     `(?i)\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest|apikey|negotiate|aws4-hmac-sha256)\s+)?([^\x00\n"'\\]+)`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || uiWordRE.MatchString(firstWord(t[s:e])) },
		hits:   []string{`curl -H "Authorization: Bearer «abc.def»" u`, `-H 'authorization: «xyz»'`, "Authorization: Basic «dXNlcjpwdw==»"},
		misses: []string{`-H "Authorization: Bearer $TOKEN"`, "Authorization: required"},
	},
	{
		name: "key-header", kind: AccessKey, hints: []string{"-key", "-token", "-secret", "-auth", "_key", "_token", "-signature"},
		re: `(?i)["'\s](?:x-)?[a-z0-9-]*-(?:key|token|secret|auth|signature)\s?:\s?([^\s\x00"'\\]+)`,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || prose(t, s, e) && uiWordRE.MatchString(t[s:e])
		},
		hits: []string{`curl -H "X-Api-Key: «abcd»" u`, `-H 'PRIVATE-TOKEN: «zzz»'`, `-H "X-Vault-Token: «s.1»"`}, misses: []string{`-H "X-Auth-Token: $T"`, "sort-by: name"},
	},
	{
		name: "bearer", kind: AccessKey, hints: []string{"bearer"},
		re:   `(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{6,})`,
		keep: func(t string, s, e int) bool { return !strings.ContainsAny(t[s:e], "0123456789._=+/") },
		hits: []string{"http GET u 'X: Bearer «ab12cd»'"}, misses: []string{"the bearer certificate", "Bearer token"},
	},
	{
		name: "cookie-header", kind: Cookie, hints: []string{"cookie"},
		re:   `(?i)\bcookie2?["']?\s?:\s?["']?([^\s\x00"'=;]+=[^\x00\n"']*)`,
		hits: []string{`curl -H "Cookie: «sid=abc; theme=dark»" u`, "Set-Cookie: «a=b; HttpOnly»"}, misses: []string{"Cookie: preferences", "Cookies: accept all"},
	},
	{
		name: "sql-password", kind: Password, hints: []string{"identified", "password"},
		re:   `(?i)\b(?:identified\s+(?:with\s+\S+\s+)?(?:by|as)|(?:with\s+)?(?:encrypted\s+)?password)(?:\s+|\s*\(\s*)(?:'([^'\x00]+)'|"([^"\x00]+)"|\\'([^'\x00\\]+)\\')`,
		keep: harmless,
		hits: []string{"CREATE USER bob IDENTIFIED BY '«pw»'", `psql -c "ALTER ROLE a WITH PASSWORD '«x»'"`, "SET PASSWORD FOR a = PASSWORD('«x»')"}, misses: []string{"SELECT password FROM users", "ALTER USER a PASSWORD NULL"},
	},
	{
		name: "spoken-password", kind: Password, hints: []string{"password", "passwort", "passphrase", "kennwort"},
		re: `(?i)\b(?:password|passwort|passphrase|kennwort)\s+(?:is|ist|was|lautet|=)\s+["'“]?([^\s\x00"'”]+)`,
		keep: func(t string, s, e int) bool {
			return uiWordRE.MatchString(t[s:e]) || !riskyRE.MatchString(strings.TrimRight(t[s:e], ".,;:!?"))
		},
		hits: []string{"the password is «hunter2»"}, misses: []string{"Password is required.", "the password is too short"},
	},
	{
		name: "private-key", kind: PrivateKey, hints: []string{"private key"},
		re:     `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|[\s\S]*)`,
		hits:   []string{"echo '«-----BEGIN OPENSSH PRIVATE KEY-----\nAAA\n-----END OPENSSH PRIVATE KEY-----»'", "«-----BEGIN RSA PRIVATE KEY-----\nMIIE»"},
		misses: []string{"-----BEGIN PUBLIC KEY-----"},
	},
	{
		name: "jwt", kind: AccessKey, hints: []string{"eyj"},
		re:   `\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?`,
		hits: []string{"jwt decode «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln»"}, misses: []string{"eyJ is how they begin"},
	},
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return w
}

// fileNamed: X_KEY=path names a file; a password or token that looks like a path is still one.
func fileNamed(text string, start, end int) bool {
	from := max(0, start-24)
	name := strings.ToLower(text[from:start])
	return (strings.Contains(name, "key") || strings.Contains(name, "credential")) && pathRE.MatchString(text[start:end])
}
