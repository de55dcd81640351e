package redact

import (
	"regexp"
	"strings"
	"sync"

	"showhow/capture/secret"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// spokenRules recognise secrets as people, mails and pages state them.
var spokenRules = []rule{
	{
		name: "spoken-password", kind: secret.Password, hints: []string{"password", "passphrase", "passcode"},
		names: `\b(?:password|passphrase|passcode)\b`,
		re:    `(?i)(?:` + longNames + `)\s*(?:` + copulas + `|=)\s*["'“「„]?([^\s\x00"'”」“]+)`,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || uiWord(t[s:e]) || !riskyRE.MatchString(strings.TrimRight(t[s:e], ".,;:!?。"))
		},
		hits: []string{"the password is «hunter2»", "password was «owl7»"},
		words: []string{"Das Passwort lautet «Eule7»", "le mot de passe est «hibou7»", "パスワードは「«sakura8»」", "пароль был «сова7»",
			"密码是«miao99»", "hasło to «sowa7»"},
		misses: []string{`password="$PAPERLESS_PASSWORD"`, "Password is required.", "the password is too short", "Das Passwort ist falsch.",
			"Le mot de passe est obligatoire."},
	},
	{
		name: "told-password", kind: secret.Password, hints: []string{"password ", "passphrase ", "token ", "secret ", "pw "},
		names: `\b(?:password|passphrase|pw|token|secret)`,
		re:    `(?i)(?:` + longNames + `)\s+["'“]?([^\s\x00"'”]+)`,
		keep: func(t string, s, e int) bool {
			v := strings.TrimRight(t[s:e], `.,;:!?)"'`)
			if len(v) < 8 || strings.ContainsAny(v, "/=(<>[]{}@\\") || v[0] == '-' || v[0] == '$' || fileLikeRE.MatchString(v) {
				return true
			}
			return !mixedRE.MatchString(v) || slugTailRE.MatchString(v)
		},
		hits: []string{"anna / password «Ferien2026!»", "reset token «7f3a9c0d1e2b4455» sent", "the password «Topinambur7»",
			"pw «Kerbelruebe9» works"},
		words:  []string{"anna, Passwort «Kerbel7ruebe»", "le mot de passe «Topinambour7»", "пароль «Топинамбур7»"},
		misses: []string{"password strength: 8/10", "password reset-2026", "token bucket size", "secret santa2", "password report-2026.pdf"},
	},
	{
		name: "assignment-pin", kind: secret.OTP, hints: []string{"pin", "code", "otp", "tan"},
		re: `(?i)(?:\bcode[ \t]+(\d{4,8})\b[^\n]{0,24}(?:one[- ]time|otp|verif|log ?in|sign ` +
			`?in|2fa)|(?:^|[^a-z])(?:pin|otp|(?:verification|security|sms|login|auth(?:entication|enticator)?|one[- ` +
			`]time|2fa|mfa|confirmation|access|bestätigungs|sicherheits|einmal)[ _-]?(?:code|pin|passcode|password))(?:["'])?(?:[ ` +
			`\t]+(?:is|ist|lautet))?[ \t]{0,2}[=:]?[ \t]{0,2}["']?(\d{4,8})\b)`,
		hits: []string{"pin=«4711»", "Your verification code is «123456»", "otp: «998877»", "security code: «1234»",
			"Use code «551204» as your one-time password", "my pin is «4821»"}, misses: []string{
			"pin=13", "zip code 12345", "exit code 1234", "shipping=1234"},
	},
	{
		name: "announced-code", kind: secret.OTP, hints: []string{"code", "password"}, digits: 4, concept: lang.Code,
		names: `(?:verification|security|confirmation|one[- ]time|authentication|login|sign[- ]in|sms)[ _-]?(?:code|password)`,
		re: `(?i)(?:` + longNames + `)["']?(?:[ \t]{0,2}[:：=][ \t]{0,2}["']?(\d{4})\b|` +
			`[^\n\p{N}]{0,12}(\d{3}[ -]?\d{3}|\d{5,8})(?:[^\d]|$))`,
		hits: []string{"confirmation code: «4711»", "Your login code, «552817»", "One-time password — «901 284»."},
		words: []string{"Ihr Bestätigungscode lautet «552817»", "Код подтверждения: «4821»", "認証コードは«739204»です。",
			"votre code de vérification est «482 910»", "Doğrulama kodunuz «90512»", "验证码：«5517»"},
		misses: []string{"verification code expired 2026", "Security code page 12", "one-time code sent to 2 phones"},
	},
	{
		name: "told-code", kind: secret.OTP, hints: []string{"code", "tan ", "tan:"}, digits: 4,
		re: `\bm?TAN:?\s+(\d{6,8})\b|\b(\d{3}[ -]?\d{3})\b[^\n]{0,60}\b` +
			`(?i:one-time|verification|security|login|sign-in|single-use)[ -](?i:pass)?(?i:code)\b`,
		keep:   func(t string, s, e int) bool { return otherCodeRE.MatchString(before(t, s, 60)) },
		hits:   []string{"Enter TAN «334190»", "Use «382 114» to sign in. It is your one-time code."},
		misses: []string{"tan 123456 shoes"},
	},
	{
		name: "code-is", kind: secret.OTP, hints: []string{"code", "tan"}, digits: 4, concept: "thing.code", loans: []string{"code", "tan"},
		names: `\byour\b[^\n\d]{0,40}?\b(?:code|tan)\b`,
		re: `(?i)(?:` + longNames + `)\s*(?:` + copulas + `|[:：])\s*["'“「]?(\d{3}[ -]?\d{3}|\d{4,8})(?:[^\d]|$)|` +
			`\b(?:[A-Z]-)?(\d{3}[ -]?\d{3}|\d{4,8})\s+(?:` + copulas + `)[^\n]{0,40}?(?:` + longNames + `|\p{L}{4}code\b)`,
		keep: func(t string, s, e int) bool { return otherCodeRE.MatchString(before(t, s, 60)) },
		hits: []string{"Your Acme code is «739204».", "your TAN: «334190»", "«84512» is your verification code",
			"G-«482910» is your Google verification code."},
		words: []string{"Ihr Code lautet «739204».", "«84512» ist Ihr Bestätigungscode", "Votre code est «739 204»", "Kod to «482910»",
			"コードは«739204»です", "Su código es «4821»"},
		misses: []string{"your postal code is 12345", "your exit code is 1234", "Ihr Code ist abgelaufen", "código postal 28001",
			"404 is your status"},
	},
	{
		name: "pin-is", kind: secret.OTP, hints: []string{"pin "}, digits: 4, concept: lang.Code, loans: []string{"pin"},
		names: `(?-i:\bPIN\b)`,
		re:    `(?i)(?:` + longNames + `)[^\n\d]{0,30}?(?:` + copulas + `|[:=])\s*(\d{4,8})\b`,
		hits:  []string{"PIN for the door is «5517»"}, misses: []string{"PIN on page 1234", "pin the tab at 1234"},
		words: []string{"Die PIN für heute ist «5517»", "PIN à la porte: «5517»"},
	},
	{
		name: "recovery-codes", kind: secret.OTP, hints: []string{"recovery", "backup code", "backup key", "rescue", "emergency", "scratch",
			"wiederherstellung"},
		re: `(?i)\b(?:recovery|backup|rescue|emergency|scratch|wiederherstellungs)[ ` +
			`-]?(?:codes?|keys?|schlüssel)\b[^\n\w]{0,4}(?:is\s+|are\s+|\n)?((?:(?:[A-Z0-9]{3,8}-){1,9}[A-Z0-9]{3,8}|[A-Z0-9]{8,12}|\d{6,8})(?:[ ` +
			`,;\n]+(?:(?:[A-Z0-9]{3,8}-){1,9}[A-Z0-9]{3,8}|[A-Z]*\d[A-Z0-9]{6,11}))*)`,
		keep:   func(t string, s, e int) bool { return !strings.ContainsAny(t[s:e], "0123456789") },
		hits:   []string{"Recovery codes: «a1b2c-d3e4f g5h6i-j7k8l»", "backup code «8F3K-29QX»", "Your recovery key is «RK7D-92MX-QP4T-88LZ»"},
		misses: []string{"Recovery codes: none left", "backup key-rotation", "Recovery code required", "recovery-codes.txt"},
	},
	{
		name: "seed-phrase", kind: secret.PrivateKey, hints: []string{"seed", "mnemonic", "recovery phrase", "wallet", "secret phrase"},
		re: `(?i)\b(?:seed(?: ?phrase| words)?|mnemonic(?: phrase)?|(?:secret )?recovery phrase|secret phrase|wallet(?: words| ` +
			`phrase)?)["']?\s*(?:is\s+|[:=]\s*)["']?((?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})\b`,
		hits: []string{"seed phrase: «legal winner thank year wave sausage worth useful legal winner thank yellow»"}, misses: []string{
			"seed: potatoes and carrots", "Wallet: none"},
	},
	{
		name: "seed-words", kind: secret.PrivateKey, hints: []string{" "},
		re:   `^["']?((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}|(?:[a-z]{3,8} ){6}|(?:[a-z]{3,8} ){9}|(?:[a-z]{3,8} ){12})?[a-z]{3,8})["']?$`,
		keep: func(t string, s, e int) bool { return sentence().MatchString(t[s:e]) },
		hits: []string{"«abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about»"}, misses: []string{
			"show the open orders from this week and export them for anna today", "a b c"},
	},
}

var (
	fileLikeRE = lazyre.New(`(?i)\.[a-z]{2,5}$`)
	mixedRE    = lazyre.New(`\pL.*\d|\d.*\pL`)
	// reset-2026, bcrypt2, 14days
	slugTailRE  = lazyre.New(`^\p{L}+[-_:](?:\d{1,2}|\d{4}(?:-\d\d){0,2})$|^\p{Ll}+\d{1,2}$|^\d+\p{L}+$|^\p{L}+-\p{L}+`)
	otherCodeRE = lazyre.New(`(?i)(?:zip|postal|post|area|country|error|exit|status|return|product|item|colou?r|source|sort|bar|qr|` +
		`room|discount|coupon|promo|voucher|booking)[ -]?code`)
)

// sentence reports whether a text contains a word that occurs in sentences but not in wallets' word lists.
var sentence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:` + strings.Join(lang.EnglishOnce("wallets.not"), "|") + `)\b`)
})
