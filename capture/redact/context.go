package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// longNames is a placeholder for names in a pattern, see rule.
const longNames = `{names}`

// copulas is a placeholder, in a pattern with longNames, for what joins a name and its value: is, was.
const copulas = `{copulas}`

const (
	programNames = `passw(?:or)?d|passphrase|secret|token|api[_.-]?key|` +
		`access[_-]?key(?:[_-]?id)?|secret[_-]?key(?:[_-]?base)?|private[_-]?key|encryption[_-]?key|master[_-]?key|signing[_-]?key|` +
		`account[_-]?key|auth[_-]?key|service[_-]?key|credentials?|bearer|passcode|consumer[_-]?key|key_?material|requirepass|masterauth`
	shortNames = `pass|pwd|pw|otp|totp|jwt|cvv|cvc|sid|psk|[jw]?sess(?:ion)?[_-]?id|phpsessid|aspsessionid\w*|_auth|sas|dsn|connect\.sid`
)

// contextRules recognise a secret by the text before it.
var contextRules = []rule{
	{
		name: "url-password", kind: secret.Password, hints: []string{"://"},
		re: `[A-Za-z][A-Za-z0-9+.-]*://[^\s/:"'<>\x00]*:([^\s/"'<>\x00]+)@`, // up to the last @ before the host
		keep: func(t string, s, e int) bool {
			_, user, _ := strings.Cut(before(t, s, 200), "://")
			return harmless(t, s, e) || strings.Contains(user, "@") && portRE.MatchString(t[s:e])
		},
		hits: []string{"https://user@host:«pw!#@498»@example.com", "psql postgres://app:«s3cret»@db.internal:5432/orders",
			"git clone https://bob:«p@ss»@example.com/r.git",
			"redis://:«hunter2»@cache:6379/0", "mongodb+srv://u:«abc»@cluster0.mongodb.net"},
		misses: []string{"http://localhost:8080/x?mail=a@b.example", "https://anna@h.example:8080?to=a@b.example",
			"https://example.com/@user", "postgres://app:$PGPASS@db/x",
			"git@github.com:o/r.git"},
	},
	{
		name: "url-password-with-slash", kind: secret.Password, hints: []string{"://"},
		re: `\b(?:(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|ldaps?|smb|s?ftp)://[^\s/:@"'<>\x00]*:` +
			`([^\s"'<>?\x00]*/[^\s"'<>?\x00]*)@|` +
			`(?:https?|svn|rtsp|wss?)://[^\s/:@"'<>\x00]+:([^\s"'<>&=\x00]*/[^\s"'<>&=\x00]*)@[\w-]+\.[\w.-]+(?:[:/"'\s]|$))`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || portRE.MatchString(t[s:e]) },
		hits:   []string{"postgres://app:«a/b/c»@db/x", "https://bob:«a/b#1»@h.example/x"},
		misses: []string{"redis://cache:6379/0", "https://h.example:8443/x/@anna.b/c"},
	},
	{
		name: "url-token", kind: secret.AccessKey, hints: []string{"://"},
		re:     `[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@"'<>\x00]{16,})@`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || !strings.ContainsAny(t[s:e], "0123456789") },
		hits:   []string{"git clone https://«a8f5f167f44f4964e6c998dee827110c»@example.com/r"},
		misses: []string{"ssh://git@github.com/o/r", "https://deployment-service-user@example.com"},
	},
	{
		name: "assignment", kind: secret.Password, hints: []string{"pass", "pw", "secret", "token", "key", "credential",
			"bearer", "masterauth"},
		re: `(?i)(?:` + longNames + `)\d{0,2}(?:\\?["'])?\]?[ \t]{0,2}(?:=|:=|=>)[ \t]{0,2}` + value,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || fileNamed(t, s, e) || secretName(t, s) || aliased(t, s) || commandLine(t, s, e)
		},
		hits: []string{"export GITHUB_TOKEN=«abc123»", "DB_PASSWORD='«hunter 2»' ./run", "password=«hunter2» host=db",
			"curl -d 'user=a&password=«x»&b=1' u",
			"api_key = \"«k»\"", "set apiKey:=«zz9»", "https://h/p?access_token=«q1w2»&n=1", "PGPASSWORD=«pg» psql",
			"AWS_SECRET_ACCESS_KEY=«wJalr/bPx+» aws s3 ls",
			"$env:API_TOKEN = '«t0k»'", "--from-literal=password=«abc»", "java -Ddb.password=«pw» -jar a.jar", "--client-secret=«s»",
			"--password=«X»", "SECRET_KEY_BASE=«aa11»"},
		words: []string{"HESLO=«tajne1» ./run", "ŞİFRE=«gizli»", "salasana='«kissa 4»'", "DB_KENNWORT=«x1»", "mot_de_passe=«ete»",
			"contraseña=«sol»"},
		misses: []string{"TOKEN=$(cat t)", "PASSWORD=$PW make", "max_tokens=100", "token_count=5", "SECRET_NAME=orders", "password_reset=true",
			"use_token=false",
			"alias token='cat token.txt'", "alias -g token=cat", "TOKEN_CMD=x; token='vault read -field=x y'",
			"PRIVATE_KEY=~/.ssh/id_rsa", "token == x", "API_KEY=<your key>", "gcloud run deploy api --secret=db-password"},
	},
	{
		name: "assignment-short", kind: secret.Password, hints: []string{"pass", "pw", "otp", "jwt", "cv", "sid", "psk", "sess", "auth", "sas",
			"dsn"},
		re: `(?i)(?:(?:^|[^A-Za-z])(?:` + shortNames + `)|(?-i:[a-z](?:PW|Pwd|Pass)))\d{0,2}` +
			`(?:\\?["'])?\]?[ \t]{0,2}(?:=|:=)[ \t]{0,2}` + value,
		keep: func(t string, s, e int) bool { return harmlessOrPath(t, s, e) || aliased(t, s) || commandLine(t, s, e) },
		hits: []string{"DB_PASS=«hunter2» run", "https://h/cart;jsessionid=«7F3A»", "psk=«wifi»", "pwd=«abc»", "mount -o user=bob,pass=«x»",
			"jwt=«a.b»", "PHPSESSID=«12ab»", "--pass=«k»", "AdminPW = «aster7»", "alias up='DB_PASS=«hunter2» run'"},
		misses: []string{"bypass=true", "compass=x1", "PWD=/srv/app", "OLDPWD=/tmp", "inside=4", "alias pwd='pwd -P'", "alias pass=gopass",
			"pass='gopass show -c mail | head'"},
	},
	{
		name: "env-key", kind: secret.AccessKey, hints: []string{"_key=", "_key\"", "_key'", "_pat=", "pass="},
		re: `(?:^|[\s"';&|(])(?:export\s+)?[A-Z][A-Z0-9_]*(?:_KEY|_PAT|[A-Z]PASS)=` + value,
		keep: func(t string, s, e int) bool {
			return harmlessOrPath(t, s, e) || publicKeyRE.MatchString(t[max(0, s-24):s]) || !riskyRE.MatchString(t[s:e]) && e-s < 12
		},
		hits:   []string{"MAPBOX_KEY=«pk.ab12» npm start", "export STRIPE_KEY=«rk1»", "SSHPASS=«pw1» sshpass -e ssh h", "GH_PAT='«abc 1»' run"},
		misses: []string{"SORT_KEY=name2", "PRIMARY_KEY=id", "X_KEY=$K", "SSH_KEY=~/.ssh/id", "BYPASS=1x", "CACHE_KEY=v1-linux"},
	},
	{
		name: "colon", kind: secret.Password, hints: []string{"pass", "pw", "secret", "token", "key", "credential"},
		re: `(?i)(?:` + longNames + `|(?:^|[^A-Za-z])(?:pass|pwd|pw))\d{0,2}(?:\\?["'])?[ \t]?[:：][ \t]{0,3}` + loose,
		keep: func(t string, s, e int) bool {
			return prose(t, s, e) || absentRE.MatchString(before(t, s, 40)) || chosenRE.MatchString(before(t, s, 40))
		},
		hits: []string{`{"user":"bob","password":"«x y»"}`, "password: «hunter2»", "api_key: «letmein»",
			"secret:«k3y» next", `-H 'X-Emby-Token: «k3y»' | jq '.Items'`, "token: «abc-DEF_9» (copied)"},
		words: []string{"Passwort: «Geheim1»", "Пароль: «Тайна-7»", "Nové heslo: «Kolo9kolo»", "パスワード：«sakura8»", `{"senha": "«vento1»"}`},
		misses: []string{"Password: required", "Password: must contain 8 characters", "Token: expired", "API key: see the manual",
			"missing secret: shop-db", "token: $TOKEN", `-H "X-Key: $KEY" -F "a=b"`, "token: process.env.X_TOKEN!,",
			`ok ? "PASS" : "FAIL, no signature"`, "secret: op://vault/item/field", `X="${A_PASSWORD:-$PASSWORD}"`, `{\"password\":\"$PW\"}`,
			"password: ", `-v "$PWD":/srv nginx`},
	},
	{
		name: "flag", kind: secret.Password, hints: []string{"pass", "pwd", "secret", "token", "key", "-bearer", "-pin", "-otp", "credential",
			"-pw"},
		re: `(?i)(?:^|[\s"'])--?(?:[a-z0-9]+[-_.])*(?:[a-z]*(?:` + longNames +
			`)\d?(?:[-_](?:string|value|text|data|phrase))?|pass|pwd|pw|pin|otp|[a-z]*(?:store|key)pass)[ \t]+` + value,
		keep: func(t string, s, e int) bool {
			return harmlessOrPath(t, s, e) || t[s] == '-' || t[s] == '(' || secretName(t, s) || commandLine(t, s, e) ||
				strings.HasPrefix(t[s:e], "id=") || strings.HasPrefix(t[s:e], "src=")
		},
		hits: []string{"mysql --password «X» -h db", "tool --token «abc»", "gpg --batch --passphrase '«a b»' x",
			"keytool -storepass «changeit» -list", "az login --service-principal --password «p»",
			"stripe --api-key «sk» listen", "x --client-secret \"«zz»\"", "sfdx auth --clientsecret «sf»", "x --pass «p»", "x -pass «p»",
			"aws x --secret-string «s1»", "imapsync --password1 «p1»", "snowsql --mfa-passcode «123456»", "keytool -srcstorepass «s1»"},
		words: []string{"tool --passwort «X1y» run", "x --senha «vento1»"},
		misses: []string{"docker login --password-stdin", "tool --password --user bob", "x --token $TOKEN", "ssh-keygen --private-key ~/.ssh/id",
			"docker build --secret id=a,src=b .", "x --token-ttl 5m", "New-LocalUser -Password (Get-Secret)"},
	},
	{
		name: "auth-header", kind: secret.AccessKey, hints: []string{"authorization"},
		re: `(?i)\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest|apikey|negotiate|` +
			`aws4-hmac-sha256)\s+)?([^\x00\n"'\\]+)`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || uiWord(firstWord(t[s:e])) },
		hits:   []string{`curl -H "Authorization: Bearer «abc.def»" u`, `-H 'authorization: «xyz»'`, "Authorization: Basic «dXNlcjpwdw==»"},
		misses: []string{`-H "Authorization: Bearer $TOKEN"`, "Authorization: required"},
	},
	{
		name: "key-header", kind: secret.AccessKey, hints: []string{"-key", "-token", "-secret", "-auth", "_key", "_token", "-signature"},
		re: `(?i)["'\s](?:x-)?[a-z0-9-]*-(?:key|token|secret|auth|signature)\s?:\s?([^\s\x00"'\\]+)`,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || prose(t, s, e) && uiWord(t[s:e])
		},
		hits: []string{`curl -H "X-Api-Key: «abcd»" u`, `-H 'PRIVATE-TOKEN: «zzz»'`, `-H "X-Vault-Token: «s.1»"`}, misses: []string{
			`-H "X-Auth-Token: $T"`, "sort-by: name"},
	},
	{
		name: "bearer", kind: secret.AccessKey, hints: []string{"bearer"},
		re:   `(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{6,})`,
		keep: func(t string, s, e int) bool { return !strings.ContainsAny(t[s:e], "0123456789._=+/") },
		hits: []string{"http GET u 'X: Bearer «ab12cd»'"}, misses: []string{"the bearer certificate", "Bearer token"},
	},
	{
		name: "cookie-header", kind: secret.Cookie, hints: []string{"cookie"},
		re: `(?i)\bcookie2?["']?\s?:\s?["']?([^\s\x00"'=;]+=[^\x00\n"']*)`,
		keep: func(t string, s, e int) bool {
			_, v, _ := strings.Cut(t[s:e], "=")
			return harmless(v, 0, len(v))
		},
		hits: []string{`curl -H "Cookie: «sid=abc; theme=dark»" u`, "Set-Cookie: «a=b; HttpOnly»"}, misses: []string{
			`-H "Cookie: session=$SESSION" \\`, "Cookie: preferences", "Cookies: accept all"},
	},
	{
		name: "sql-password", kind: secret.Password, hints: []string{"identified", "password"},
		re: `(?i)\b(?:identified\s+(?:with\s+\S+\s+)?(?:by|as)|(?:with\s+)?(?:encrypted\s+)?password)(?:\s+|\s*\(\s*)(?:'([^'\x00]+)'|` +
			`"([^"\x00]+)"|\\'([^'\x00\\]+)\\')`,
		keep: harmless,
		hits: []string{"CREATE USER bob IDENTIFIED BY '«pw»'", `psql -c "ALTER ROLE a WITH PASSWORD '«x»'"`,
			"SET PASSWORD FOR a = PASSWORD('«x»')"}, misses: []string{"SELECT password FROM users", "ALTER USER a PASSWORD NULL"},
	},
	{
		name: "markup", kind: secret.Password, hints: []string{"</"},
		re: `(?i)<(?:\w+:)?[\w.-]*(?:` + longNames + `|pass|pwd)(?:\s[^<>]*)?>([^<>\x00]+)</`, keep: harmless,
		hits:  []string{"<password>«Triticale6»</password>", "<ns:apiKey a='1'>«k2»</ns:apiKey>"},
		words: []string{"<Kennwort>«Triticale6»</Kennwort>", "<пароль>«т6»</пароль>"}, misses: []string{
			"<password>$PW</password>", "<passage>text</passage>"},
	},
	{
		name: "private-key", kind: secret.PrivateKey, hints: []string{"private key"},
		re: `-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|[\s\S]*)`,
		hits: []string{"echo '«-----BEGIN OPENSSH PRIVATE KEY-----\nAAA\n-----END OPENSSH PRIVATE KEY-----»'",
			"«-----BEGIN RSA PRIVATE KEY-----\nMIIE»"},
		misses: []string{"-----BEGIN PUBLIC KEY-----"},
	},
	{
		name: "jwt", kind: secret.AccessKey, hints: []string{"eyj"},
		re:   `\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?`,
		hits: []string{"jwt decode «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln»"}, misses: []string{"eyJ is how they begin"},
	},
}

// secretName: --secret=NAME of tools that store secrets elsewhere names one and contains none.
func secretName(text string, start int) bool {
	switch program(text, start) {
	case "gcloud", "docker", "podman", "buildah", "kubectl", "oc", "nerdctl", "op", "pulumi":
		return strings.HasSuffix(text[:start], "--secret=") || strings.HasSuffix(text[:start], "--secret ")
	}
	return false
}

// portRE: what follows the colon of an address is a port, and the address continues.
var portRE = lazyre.New(`^\d{1,5}(?:[/?#]|$)`)

// absentRE: a message that names a missing secret.
var absentRE = lazyre.New(
	`(?i)(?:missing|unknown|no such|not found|invalid|create[ds]?|delete[ds]?)\s+(?:secret|token|key|credential)s?["']?:\s*$`)

// chosenRE: the colon of a choice between two texts (ok ? "PASS" : "FAIL").
var chosenRE = lazyre.New(`\?[ \t]*["']\w+["'][ \t]*:[ \t]*["']?$`)

// publicKeyRE: names of keys that grant no access.
var publicKeyRE = lazyre.New(`(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|GROUP|ROW|HOT|INDEX|UNIQUE|ROUTING|OBJECT|MAP|` +
	`S3)_KEY=["']?$|(?:BY|COM|OVER|UNDER|TRES)PASS=["']?$`)

// fileNamed: X_KEY=path names a file; a password or token that looks like a path is still one.
func fileNamed(text string, start, end int) bool {
	from := max(0, start-24)
	name := strings.ToLower(text[from:start])
	return (strings.Contains(name, "key") || strings.Contains(name, "credential")) && pathRE.MatchString(text[start:end])
}
