package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// argument is one argument of a call, with the comma after it.
const argument = `(?:"[^"\n]{0,120}"|'[^'\n]{0,120}'|[^\s"'(),;][^"'(),;\n]{0,80})\s*,\s*`

// fileRules recognise secrets in program files and source code.
var fileRules = []rule{
	{
		name: "mixed-in", kind: secret.Password, hints: []string{"salt", "nonce", "pepper"},
		re: `(?i)(?:(?:^|[^A-Za-z])(?:{secrets.mixed})|(?-i:[a-z](?:{Secrets.mixed})))(?:_?key)?` +
			`(?:\\?["'])?\]?[ \t]{0,2}(?::=|=>|[=:])[ \t]{0,2}` + loose,
		keep: func(t string, s, e int) bool {
			quoted := t[s-1] == '"' || t[s-1] == '\''
			return harmlessOrPath(t, s, e) || uiWord(t[s:e]) || countRE.MatchString(t[s:e]) || strings.ContainsAny(t[s:e], "()") && !quoted ||
				!quoted && !riskyRE.MatchString(t[s:e])
		},
		hits: []string{"PASSWORD_SALT=«zwiebel22»", "$salt = '«kartoffel»';", "'salt' => '«b4d9»',", `"cookie_salt": "«thymian»"`,
			"pepper: «Pfeffer9x»", `"passwordSalt": "«Zq8W»"`, "saltKey: '«buche»'"},
		misses: []string{"salt: 1 tsp", "make SALT=on", "salt = random_bytes(16)", "basalt=b1", "nonce=$NONCE", "salt=16"},
	},
	{
		name: "login-call", kind: secret.Password, hints: []string{"login(", "login (", "logon(", "signin(", "sign_in(",
			"auth(", "auth (", "auth=(", "auth = (", "authenticate(", "authorize(", "identify("},
		re:   `(?i)(?:\b|_|[a-z])(?:{calls.login})\s*(?:=\s*)?\(\s*(?:\$\w+\s*,\s*)?` + argument + `(?:"([^"\n\x00]+)"|'([^'\n\x00]+)')`,
		keep: noPassword,
		hits: []string{"db.login('anna', '«Quitte»')", `smtp.login("a@b.example", "«mohn»")`, "get(u, auth=('bob', '«roggen»'))",
			"imap.login(user, '«w7»')", "ftp_login($c, 'web', '«hafer»');", "HTTPBasicAuth('anna', '«silber»')"},
		misses: []string{"login('anna', pw)", "login(a)", "auth('x', 'https://h.example/')", "author('a', 'b') is one", "login('a', '/home')"},
	},
	{
		name: "connect-call", kind: secret.Password, hints: []string{"connect(", "connect (", "connection(", "pdo(", "mysqli("},
		re: `(?i)(?:\b|_|[a-z])(?:{calls.connect})\s*\(\s*` + argument + `(?:\d{2,5}\s*,\s*)?(?:` + argument + `)?` +
			`(?:"([^"\n\x00]+)"|'([^'\n\x00]+)')`,
		keep: noPassword,
		hits: []string{"mysqli_connect('localhost', 'root', '«zaunwinde»', 'shop')", "new PDO('mysql:host=h', 'root', '«emmer»');",
			`DriverManager.getConnection(url, "sa", "«eisen»")`, "c.connect('bob', '«apfel»')",
			`c.connect("h.example", 22, "root", "«horn»")`},
		misses: []string{"connect('localhost')", "connect(host, port)", "s.connect('h', 'tcp://x:1')"},
	},
	{
		name: "irc-identify", kind: secret.Password, hints: []string{"nickserv"},
		re: `(?i)\bnickserv[ \t:]+identify[ \t]+(?:[\w-]+[ \t]+)?` + value, keep: harmless,
		hits: []string{"/msg NickServ identify «Fichte»", "/msg nickserv IDENTIFY anna «Kiefer3»"}, misses: []string{"ask nickserv to help"},
	},
	{
		name: "putty-key", kind: secret.PrivateKey, hints: []string{"private-lines", "private-mac", "private-hash"},
		re:     `\bPrivate-Lines:[ \t]*\d+\s*((?:[A-Za-z0-9+/=]{4,}\s*?(?:\n|$))+)|\bPrivate-(?:MAC|Hash):[ \t]*([0-9a-f]{40,64})`,
		hits:   []string{"Private-Lines: 2\n«AAAAgQC8\nAAE=\n»Private-MAC: x", "Private-MAC: «0123456789abcdef0123456789abcdef01234567»"},
		misses: []string{"Public-Lines: 2\nAAAAB3Nz\n", "Private-Lines: 4"},
	},
	{
		// The beginning of a key's bytes in base64: a sequence whose first element is a version (RFC 5208, 5915,
		// 8017), or OpenSSH's name.
		name: "key-body", kind: secret.PrivateKey, hints: []string{"ibaa", "ibad", "caqa", "caqe", "agea", "ageb", "b3blbnnz"},
		re: `\b((?:MII[A-Za-z0-9+/]{3}IBA[AD]|M[A-Z][A-Za-z0-9+/]{0,2}(?:CAQ[AE]|AgE[AB])|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{8,}={0,2}` +
			`(?:\s*\n\s*[A-Za-z0-9+/]{4,}={0,2}\b)*)`,
		hits: []string{"«MIIEpAIBAAKCAQEA7Zq8Wx7Ec6Rv5\nTb4Yn3Um2Ik1»", "k=«MC4CAQAwBQYDK2VwBCIEIabc»", "«b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAA»",
			"«MHcCAQEEIAabcdefgh1234»"},
		misses: []string{"MIIDXTCCAkWgAwIBAgIJAKoK", "MESSAGE", "AAAAB3NzaC1yc2EAAAADAQABAAABAQ"},
	},
	{
		name: "key-line", kind: secret.PrivateKey, run: 60,
		re: `(?m)^[ \t]*["']?((?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?:\s*\n\s*[A-Za-z0-9+/]{4,76}={0,2}\b)*)["',\\]*$`,
		keep: func(t string, s, e int) bool {
			line, _, _ := strings.Cut(t[s:e], "\n")
			return hexRE.MatchString(line) || publicRE.MatchString(line) || !everyClassRE.MatchString(line) || shannon(line) < 4.5
		},
		hits: []string{"«Zq8Wx7Ec6Rv5Tb4Yn3Um2Ik1Ol0Pa9Sd8Fg7Hj6Kl5Zx4Cv3Bn2Mq1Wa0Ed9Rf8T\nab12»"}, misses: []string{
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
	},
	{
		// Logins stored by browsers: under names, or as NSS writes them.
		name: "browser-login", kind: secret.Password, hints: []string{"encrypted", "eepgaaa"},
		re:   `(?i:encrypted[_-]?\w*["']?\s*[:=]\s*["']([A-Za-z0-9+/=_-]{16,})["'])|\b(M[A-Z][A-Za-z0-9]{1,3}EPgAAAA[A-Za-z0-9+/]{16,}={0,2})`,
		keep: func(t string, s, e int) bool { return uuidRE.MatchString(t[s:e]) || !everyClassRE.MatchString(t[s:e]) },
		hits: []string{`"encryptedPassword":"«MEIEEPgAAAAAAAAAAAAAAAAAAAEwFAYIKoZI7q»"`, `"app_bound_encrypted_key":"«QVBQQgEAAADQzz12»"`,
			"x MDIEEPgAAAAA, «MDIEEPgAAAAAAAAAAAAAAAAAAAEwFAYI9zb»"},
		misses: []string{`"encrypted": true`, `"encrypted_at": "2026-01-01T00-00"`, `"encrypted": "aes-256-gcm-with-kms"`},
	},
}

// everyClassRE: a capital, a small letter and a digit, in any order.
var everyClassRE = lazyre.New(`[A-Z].*[a-z].*\d|[A-Z].*\d.*[a-z]|[a-z].*[A-Z].*\d|[a-z].*\d.*[A-Z]|\d.*[A-Z].*[a-z]|\d.*[a-z].*[A-Z]`)

// noPassword: a literal argument that names a place, or is a typical text of a page.
func noPassword(text string, start, end int) bool {
	v := text[start:end]
	return harmlessOrPath(text, start, end) || uiWord(v) || strings.Contains(v, "://") || countRE.MatchString(v)
}
