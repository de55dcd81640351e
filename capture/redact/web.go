package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// webRules recognise secrets in addresses, cookies and calls.
var webRules = []rule{
	{
		name: "query-signature", kind: secret.AccessKey, hints: []string{"sig=", "signature=", "x-amz-", "x-goog-", "sharedaccess"},
		re: `(?i)(?:[?&;]|%26|&amp;)(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|awsaccesskeyid|` +
			`sharedaccesskey)=([^&\s"'#;<>\x00]+)`,
		keep: harmless,
		hits: []string{"https://a.example/f?sv=1&sig=«Zq8%2Bxy%3D»", "https://s/b/o?Expires=1&Signature=«kJ8s%2Fq»",
			"u?X-Amz-Credential=«AKIA%2F2026»&a=1"},
		misses: []string{"https://h/?sign=up", "https://h/?signature_page=2"},
	},
	{
		name: "query-grant", kind: secret.AccessKey, hints: []string{"code=", "auth=", "ticket=", "key=", "state=", "nonce=", "assertion=",
			"samlre", "jwt=", "hash=", "otp="},
		re: `(?i)[?&#](?:(?:[a-z]+[_-])?code|auth|ticket|(?:app|api|map|share|invite|access)?-?key|state|nonce|(?:client_)?assertion|` +
			`saml(?:request|response)|id_token|hash|authuser_token)=([^&\s"'#;<>\x00]{6,})`,
		keep: func(t string, s, e int) bool {
			v := t[s:e]
			return harmless(t, s, e) || countRE.MatchString(v) && len(v) < 6 || !strings.ContainsAny(v, "0123456789%") ||
				strings.HasPrefix(v, "http") || uuidRE.MatchString(v)
		},
		hits: []string{"https://idp.example/cb?code=«4/0AX4XfWh-qrst»&state=«x77y12»", "https://h/unsubscribe?auth=«u7y6t5»",
			"https://h/?key=«k2j4h5»"},
		misses: []string{"https://h/?code=login", "https://h/?state=open", "https://h/?key=value", "https://h/search?q=code=1",
			"https://h/?state=Bavaria"},
	},
	{
		name: "hook-address", kind: secret.AccessKey, hints: []string{"hook"},
		re: `(?i)https?://(?:[\w.-]*\bhooks?\.[\w.-]+/(?:[a-z]+/)*|` +
			`[\w.-]+/(?:[\w.@-]+/)*?(?:incoming)?-?webhooks?(?:b2)?/(?:[a-z]+/)*)([^\s"'?#\x00]{6,})`,
		keep: func(t string, s, e int) bool {
			v := strings.TrimRight(t[s:e], "/")
			return !strings.ContainsAny(v, "0123456789") || countRE.MatchString(v) || versionPathRE.MatchString(v)
		},
		hits: []string{"https://hooks.zapier.com/hooks/catch/«1234567/ab12cd3/»", "curl https://hooks.slack.com/services/«T02AB3/B05EF6/q8Z»",
			"https://discord.com/api/webhooks/«112233/Zq8-x»", "https://acme.webhook.office.com/webhookb2/«0a1b-2c@d3/IncomingWebhook/5f4d/x»"},
		misses: []string{"https://h.example/webhooks/stripe", "https://github.com/acme/app/settings/hooks",
			"https://docs.example.org/webhooks/v2/events", "https://h/webhooks/123456"},
	},
	{
		name: "bot-address", kind: secret.AccessKey, hints: []string{"/bot"},
		re:   `/bot(\d{6,12}:[\w-]{20,})`,
		hits: []string{"https://api.telegram.org/bot«110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5»/getMe"}, misses: []string{
			"https://h/bot12/x", "/bottle:12"},
	},
	{
		name: "token-address", kind: secret.AccessKey, hints: []string{"/reset", "/invite", "/confirm", "/verify", "/magic", "/activate",
			"/unsubscribe", "/share", "/recover"},
		re: `(?i)https?://[^\s"'?#]*/(?:reset(?:-password)?|password-reset|invit(?:e|ation)s?|confirm(?:ation)?|verify(?:-email)?|` +
			`magic(?:-link)?|activate|unsubscribe|recover)/([\w.~%-]{8,})`,
		keep: func(t string, s, e int) bool {
			return !strings.ContainsAny(t[s:e], "0123456789") || countRE.MatchString(t[s:e])
		},
		hits: []string{"https://h.example/invite/«aB3xQ9zz»", "https://h.example/reset-password/«f00d-1234-beef»?x=1"}, misses: []string{
			"https://h/reset/password", "https://h/confirm/12345678"},
	},
	{
		name: "cookie-script", kind: secret.Cookie, hints: []string{".cookie"},
		re:   `\.cookie\s*=\s*(?:"([^"\x00]*=[^"\x00]*)"|'([^'\x00]*=[^'\x00]*)'|\x60([^\x60\x00]*=[^\x60\x00]*)\x60)`,
		hits: []string{`document.cookie = "«session=zz91kk»"`}, misses: []string{"if (document.cookie == '') x()"},
	},
	{
		name: "registry-auth", kind: secret.Password, hints: []string{`"auth"`, `auth\"`},
		re:   `\\?"auth\\?"\s*:\s*\\?"([A-Za-z0-9+/_-]{6,}={0,2})\\?"`,
		keep: func(t string, s, e int) bool { return uiWord(t[s:e]) || !riskyRE.MatchString(t[s:e]) },
		hits: []string{`{"auths":{"r.example":{"auth":"«YW5uYTpiYW5hbmE3»"}}}`}, misses: []string{`{"auth": "required"}`, `{"auth":"basic"}`},
	},
	{
		name: "wifi-code", kind: secret.Password, hints: []string{"wifi:"},
		re:   `WIFI:[^\s]*?;P:((?:\\.|[^;\\\x00])+);`,
		hits: []string{"WIFI:T:WPA;S:Home;P:«blauerWal77»;;"}, misses: []string{"WIFI:S:Open;;", "WiFi: connected"},
	},
}

var versionPathRE = lazyre.New(`(?i)^(?:v\d+/)?[a-z_/-]*$`)
