package redact

import (
	"strings"

	"showhow/capture/secret"
)

const (
	// literal is a quoted text without quotes in it: the secret.
	literal = `(?:"([^"\n\x00]+)"|'([^'\n\x00]+)')`
	// shortened are the short names that only some places make certain.
	shortened = `pass|pwd|pw`
)

// configRules recognise secrets by where a file's syntax has them: in a row, in a block that is named, as what a call is for.
var configRules = []rule{
	{
		name: "directive", kind: secret.Password, hints: []string{"_pass", "_secret", "_token", "_key", "_pw"},
		re: `(?im)^[ \t]*(?:[a-z0-9]+_)+(?:` + longNames + `|` + shortened + `)[ \t]+([^\s"'\x00{}()=:,;<>|&]{3,})[ \t]*$`,
		keep: func(t string, s, e int) bool {
			return harmlessOrPath(t, s, e) || t[s] == '-' || uiWord(t[s:e]) || countRE.MatchString(t[s:e])
		},
		hits:   []string{"smtp_password «wacholder»", "smtp_user anna\nsmtp_pass «x7kk»\nsmtp_port 25", "  api_token «k3kkk»"},
		words:  []string{"smtp_passwort «wacholder»"},
		misses: []string{"smtp_password required", "the smtp_password field is", "sasl_passwd /etc/x", "auth_token = $T", "reset_password 3"},
	},
	{
		name: "directive-after-user", kind: secret.Password, hints: []string{"password", "passwd", "passphrase", "secret"},
		re: `(?im)^[ \t]*(?:user(?:name)?|login|account|host(?:name)?|machine|identity)[ \t]+\S+[ \t]*(?:\n[^\n]*){0,5}\n[ \t]*` +
			`(?:password|passwd|passphrase|secret)[ \t]+([^\s"'\x00{}()=:,;<>|&]{3,})[ \t]*$`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || uiWord(t[s:e]) },
		hits:   []string{"host h.example.com\nuser anna\npassword «urwelt»", "account a\n\n  passwd «urwelt»\n"},
		misses: []string{"host h\npassword required", "the user\npassword forms matter", "user anna\npassword = x"},
	},
	{
		// client, server, secret, addresses: pppd's chap-secrets and pap-secrets.
		name: "secrets-row", kind: secret.Password, hints: []string{"*"},
		re: `(?m)^[ \t]*["']?[\w.@\\-]*[A-Za-z][\w.@\\-]*["']?[ \t]+\*[ \t]+` +
			`(?:"([^"\n\x00]+)"|([^\s"'\x00/*-][^\s"'\x00]*))[ \t]+(?:\*|[\d./]+)[ \t]*$`,
		keep: func(t string, s, e int) bool {
			quotedOrTab := s > 0 && (t[s-1] == '"' || t[s-1] == '\t')
			return harmless(t, s, e) || countRE.MatchString(t[s:e]) || !quotedOrTab && !riskyRE.MatchString(t[s:e])
		},
		hits:   []string{"anna\t*\t«ackerwinde»\t*", "anna * «Winde7» 10.0.0.9", `"a" * "«x y»" *`},
		misses: []string{"cp * target *", "select * from *", "@daily * * *", "MON * 5 *"},
	},
	{
		name: "ipsec-secret", kind: secret.Password, hints: []string{"psk", "xauth", "eap", "ntlm"},
		re:     `(?m)(?:^|[ \t]):[ \t]*(?:PSK|XAUTH|EAP|NTLM)[ \t]+` + literal,
		keep:   harmless,
		hits:   []string{`: PSK "«hainbuche»"`, `%any gw.example.com : PSK "«hain buche»"`, `anna : EAP "«x»"`},
		misses: []string{`mode: PSK or EAP "enterprise"`, `: PSK "$KEY"`},
	},
	{
		name: "tuple", kind: secret.Password, hints: []string{"pass", "secret", "token", "key"},
		re:     `(?i)\{[ \t]*:?[a-z_]*(?:` + longNames + `|` + shortened + `)[ \t]*,[ \t]*(?:<<)?` + literal + `(?:>>)?[ \t]*\}`,
		keep:   noPassword,
		hits:   []string{`{default_pass, <<"«mehlbeere»">>},`, `{password, "«x7»"}`, `{:secret, "«k y»"}`},
		words:  []string{`{passwort, <<"«mehl»">>}`},
		misses: []string{"{password, Password}", `{token, "required"}`, `{ password, "https://h.example/" }`},
	},
	{
		name: "secret-list", kind: secret.Password, hints: []string{"pass", "secrets", "tokens", "keys"},
		re: `(?i)(?:` + longNames + `|` + shortened + `)s?["']?[ \t]*(?:=|:|=>)[ \t]*\[\s*((?:"[^"\n\x00]+"|'[^'\n\x00]+')` +
			`(?:\s*,\s*(?:"[^"\n\x00]+"|'[^'\n\x00]+'))*)`,
		keep: func(t string, s, e int) bool {
			first, _, _ := strings.Cut(t[s:e], t[s-1:s])
			return harmlessOrPath(first, 0, len(first)) || uiWord(first) || namesSecret(first) || strings.ToUpper(first) == first
		},
		hits:   []string{`PASSWORDS = ["«gelb", "wand»"]`, `"tokens": ['«k 1»']`},
		words:  []string{`passworte = ["«gelb»"]`},
		misses: []string{`secrets: ["API_KEY", "DB_URL"]`, "passwords = []", `tokens = ["required"]`},
	},
	{
		// The element around, or the name that the element has as an attribute, says what its text is.
		name: "markup-within", kind: secret.Password, hints: []string{"</"},
		re: `(?i)(?:<(?:\w+:)?[\w.-]*(?:` + longNames + `)(?:\s[^<>]*)?>\s*<[\w:.-]+>|` +
			`<(?:\w+:)?\w+(?:\s[^<>]*)?\s(?:name|key)\s*=\s*["'](?:[^"'<>\s]*[._-])?(?:` + longNames + `|` + shortened + `)["'][^<>]*>)` +
			`([^<>\s\x00]+)</`,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || uiWord(t[s:e]) || strings.HasSuffix(t[:s], "<PlainText>") || namesSecret(t[s:e])
		},
		hits: []string{"<AdminPassword><Value>«UwBvAG0A»</Value></AdminPassword>", `<property name="db.password">«gagel»</property>`,
			`<entry key="mail_pass">«x»</entry>`},
		words:  []string{`<eintrag name="db.passwort">«gagel»</eintrag>`},
		misses: []string{`<string name="password">Passwort</string>`, `<property name="password">${pw}</property>`, `<a name="passage">text</a>`},
	},
	{
		name: "named-block", kind: secret.Password, hints: []string{"default", "value"},
		re:   `(?i)"[\w.-]*(?:` + longNames + `|[_-](?:` + shortened + `))"\s*\{[^{}]{0,300}?\b(?:default|value)\s*=\s*"([^"\n\x00]+)"`,
		keep: noPassword,
		hits: []string{"variable \"db_password\" {\n  type = string\n  default = \"«moosbeere»\"\n}",
			`variable "api_token" { default = "«k»" }`},
		words:  []string{`variable "db_passwort" { default = "«moos»" }`},
		misses: []string{"variable \"db_password\" {\n  type = string\n}", `variable "region" { default = "eu" }`},
	},
	{
		name: "setter-call", kind: secret.Password, hints: []string{"set", "with"},
		re:     `(?i)(?:\b|_)(?:set|with)_?(?:[a-z]{0,12}_?)(?:` + longNames + `|` + shortened + `)\s*\(\s*` + literal + `\s*\)`,
		keep:   noPassword,
		hits:   []string{"->setPassword('«rosskastanie»')", `m.SetSmtpPassword("«walnuss»");`, `b.with_token("«k»")`},
		words:  []string{`m.setPasswort("«walnuss»")`},
		misses: []string{`resetPassword("anna")`, "setPassword(pw)", `getPassword("x")`, `setToken("required")`},
	},
	{
		// A program types into the field that it finds by a secret's name.
		name: "typed-in", kind: secret.Password, hints: []string{"fill", "type", "send_keys", "sendkeys", "value(", "input("},
		re: `(?i)(?:\b(?:fill|fill_in|type|send_?keys|set_?value|input)\(\s*` +
			`(?:"[^"\n]{0,60}(?:` + longNames + `|` + shortened + `)[^"\n]{0,12}"|` +
			`'[^'\n]{0,60}(?:` + longNames + `|` + shortened + `)[^'\n]{0,12}')\s*,\s*(?:with:\s*)?|` +
			`\([^()\n]{0,60}(?:` + longNames + `|` + shortened + `)[^()\n]{0,12}\)\s*\.\s*(?:fill|type|send_?keys|set_?value|input)\(\s*)` + literal,
		keep: noPassword,
		hits: []string{`page.fill('#password', '«ulme»')`, `d.find_element(By.ID, "pass").send_keys("«ulme»")`,
			`page.fill("input[name='pwd']", "«ulme 2»")`, "cy.get('#password').type('«ulme»')"},
		words:  []string{`page.fill('#passwort', '«ulme»')`},
		misses: []string{`page.fill('#name', 'ulme')`, `page.fill('#password', pw)`, `d.find("pass").click("x")`},
	},
	{
		name: "login-call-at-host", kind: secret.Password, hints: []string{"login(", "logon(", "signin(", "sign_in(", "authenticate("},
		re:     `(?i)(?:\b|_|[a-z])(?:{calls.login})\s*\(\s*(?:` + argument + `){2}` + literal,
		keep:   noPassword,
		hits:   []string{"c.login('h.example', 'bob', '«ulme»')", `c.login(host, user, "«ulme»")`},
		misses: []string{"login('a', 'b', pw)", "login(a, b, 'https://h.example/')"},
	},
	{
		// What signs or encrypts is given its key by place.
		name: "keyed-call", kind: secret.AccessKey, hints: []string{"jwt.", "createhmac", "cipher", "hash_hmac", "hmac.new", "cookieparser"},
		re: `(?i)\b(?:(?:jwt\.(?:sign|verify|encode|decode)|create(?:hmac|(?:de)?cipher(?:iv)?))\s*\(\s*(?:\{[^{}\n]{0,200}\}\s*,\s*|` +
			argument + `)|hash_hmac\s*\(\s*(?:` + argument + `){2}|(?:hmac\.new|cookieparser)\s*\(\s*)b?` + literal,
		keep: noPassword,
		hits: []string{"jwt.sign(payload, '«zuergel»')", `jwt.encode({"a": 1}, "«k»", algorithm="HS256")`,
			"crypto.createHmac('sha256', '«maulbeere»')",
			"hash_hmac('sha256', $d, '«k»')", "hmac.new(b'«k»', m)", "cookieParser('«kruste»')"},
		misses: []string{"jwt.sign(payload, key)", "createHmac('sha256', k)", "jwt.decode(t)"},
	},
}

// namesSecret: the text is itself a name for a secret, in any language, as in tables of translated texts.
func namesSecret(w string) bool { return secretWords().MatchString(w) }
