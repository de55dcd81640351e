package capture

import (
	"regexp"
	"strings"

	"showhow/capture/lexical"
	"showhow/capture/redact"
)

// value applies the session's policy to what the person supplied, or to what a field shows without having been touched.
func (j *job) value(raw *RawValue, supplied bool) *Value {
	if raw == nil {
		return nil
	}
	text := redact.Clean(raw.Text)
	kind := j.infer(raw, text)
	v := &Value{Policy: j.cfg.Values.For(j.app, kind), Kind: kind, Chosen: raw.Chosen}
	if v.Policy == Omitted {
		j.learnSecret(raw, text, kind)
		return v
	}
	if lexical.Normal(text) == "" {
		v.Policy = Masked
		return v
	}
	sealed := j.seal(kind, text)
	v.Length, v.LinkID = sealed.Length, sealed.LinkID
	if v.Policy == Literal {
		v.Text = redact.Cut(j.redact(text), maxLine)
		return v
	}
	if kind != KindBoolean && (supplied || kind != KindChoice && kind != KindNumber && distinct(text)) {
		j.known.add(text, knownValue{kind: kind})
		if supplied {
			j.addParts(raw, text, kind)
		}
	}
	return v
}

// knownSecret: a secret that comes back in another place is one there, too.
func (j *job) knownSecret(text string) bool {
	for _, m := range j.known.find(text) {
		if m.value.secret != "" && m.value.secret != redact.Name {
			return true
		}
	}
	return false
}

// learnSecret makes an omitted value known: as a whole when its field asked for a secret, otherwise what in it is one.
func (j *job) learnSecret(raw *RawValue, text string, kind ValueKind) {
	spans := j.secrets(cutRaw(text))
	if !kind.Secret() || raw.Kind.Secret() || j.declared(raw) != "" || len(spans) == 0 {
		j.known.add(text, knownValue{kind: kind, secret: secretKind(kind)})
		return
	}
	for _, sp := range spans {
		if !sp.Kind.Personal() {
			j.known.add(text[sp.Start:sp.End], knownValue{kind: kind, secret: sp.Kind})
		}
	}
}

func secretKind(k ValueKind) redact.Kind {
	switch k {
	case KindPassword:
		return redact.Password
	case KindOTP:
		return redact.OTP
	case KindCard:
		return redact.Card
	}
	return redact.Secret
}

// infer is the kind of a value: what the field says of itself first, then what the text looks like.
func (j *job) infer(raw *RawValue, text string) ValueKind {
	if raw.Kind.Secret() {
		return raw.Kind
	}
	if k := j.declared(raw); k != "" {
		return k
	}
	if k := j.textSecret(text); k != "" {
		return k
	}
	if j.knownSecret(text) {
		return KindSecret
	}
	if raw.Kind != "" {
		return raw.Kind
	}
	switch raw.InputType {
	case "checkbox":
		return KindBoolean
	case "radio", "select", "select-one", "select-multiple":
		return KindChoice
	case "number", "range":
		return KindNumber
	case "date", "datetime-local", "month", "week", "time":
		return KindDate
	case "email":
		return KindEmail
	case "url":
		return KindURL
	case "file":
		return KindFile
	}
	if raw.Chosen {
		return KindChoice
	}
	return j.looks.get(text, Infer)
}

// declared is the secret kind that a field asks for, remembered by its words.
func (j *job) declared(raw *RawValue) ValueKind {
	key := raw.InputType + "\x00" + raw.Autocomplete + "\x00" + raw.FieldName
	return j.named.get(key, func(string) ValueKind { return fieldSecret(raw) })
}

// Names by which fields ask for secrets, in the languages of our users. Whole words, so that "shipping" asks for no PIN.
var (
	passwordFieldRE = regexp.MustCompile(`(?i)pass[ _-]?(?:word|wd|phrase|wort|code)|(?:^|[^\p{L}])(?:pwd|pass|passwd|kennwort|mot de passe|motdepasse|contraseña|contrasena|wachtwoord|senha|has[lł]o|lösenord)(?:[^\p{L}]|$)|пароль|密码|パスワード|암호`)
	otpFieldRE      = regexp.MustCompile(`(?i)one[ _-]?time|(?:^|[^\p{L}])(?:otp|totp|mfa|2fa|tan|pin)(?:[^\p{L}]|$)|(?:verification|security|authenticat\p{L}+|confirmation|sms|login|bestätigungs|sicherheits|einmal)[ _-]?code`)
	cardFieldRE     = regexp.MustCompile(`(?i)(?:card|karten|kreditkarten?|carte)[ _-]?(?:number|no\b|num|nummer|bancaire)|cc[ _-]?(?:num|number|exp|csc)|(?:^|[^\p{L}])(?:cvv|cvc|cvn|csc)2?(?:[^\p{L}]|$)`)
	secretFieldRE   = regexp.MustCompile(`(?i)secret|(?:^|[^\p{L}])(?:token|ssn|seed phrase|recovery (?:key|phrase|code))s?(?:[^\p{L}]|$)|(?:access|auth|bearer|api|refresh)[ _-]?token|(?:api|access|private|license|encryption|secret)[ _-]?key|social security|credential`)
	camelRE         = regexp.MustCompile(`([\p{Ll}\d])(\p{Lu})`)
)

// fieldSecret is the secret kind that a field declares, "" for none.
func fieldSecret(raw *RawValue) ValueKind {
	if strings.EqualFold(raw.InputType, "password") {
		return KindPassword
	}
	for token := range strings.FieldsSeq(strings.ToLower(raw.Autocomplete)) {
		switch {
		case token == "current-password" || token == "new-password":
			return KindPassword
		case token == "one-time-code":
			return KindOTP
		case strings.HasPrefix(token, "cc-") && token != "cc-name" && token != "cc-type":
			return KindCard
		}
	}
	name := strings.ReplaceAll(camelRE.ReplaceAllString(raw.FieldName, "$1 $2"), "_", " ")
	switch {
	case name == "":
		return ""
	case passwordFieldRE.MatchString(name):
		return KindPassword
	case cardFieldRE.MatchString(name):
		return KindCard
	case otpFieldRE.MatchString(name):
		return KindOTP
	case secretFieldRE.MatchString(name):
		return KindSecret
	}
	return ""
}

// textSecret is KindCard or KindSecret for a text that holds a secret; personal identifiers are values like others.
func (j *job) textSecret(text string) ValueKind {
	for _, sp := range j.secrets(cutRaw(text)) {
		switch {
		case sp.Kind == redact.Card:
			return KindCard
		case !sp.Kind.Personal():
			return KindSecret
		}
	}
	return ""
}

var (
	numberRE = regexp.MustCompile(`^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:[.,' ]\d{3})+)(?:[.,]\d+)?(?:\s?(?:%|€|\$|£|[A-Z]{3}))?$|^[€$£]\s?\d[\d.,]*$`)
	dateRE   = regexp.MustCompile(`(?i)^(?:\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d{2})|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}-\d{1,2}-\d{4}|\d{1,2}\.? (?:jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*\.? \d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2},? \d{4}|\d{4}-W\d{2}|\d{1,2}:\d{2}(?::\d{2})?)$`)
	emailRE  = regexp.MustCompile(`^[^\s@<>"]+@[^\s@<>"]+\.\p{L}{2,24}$`)
	urlRE    = regexp.MustCompile(`^(?:[a-z][a-z0-9+.-]*://\S+|www\.\S+\.\S+)$`)
	fileRE   = regexp.MustCompile(`^(?:(?:~|\.{1,2})?/)?(?:[^\s/\x00]+/)*[^\s/\x00]*\.[A-Za-z][A-Za-z0-9]{0,5}$|^(?:~|\.{1,2})?/(?:[^\s/\x00]+/?)+$|^[A-Za-z]:\\\S+$`)
	idRE     = regexp.MustCompile(`^(?:[A-Za-z]{1,10}[-_/#.]?\d[\w.-]*|#?\d{1,12}[-_/][\w-]+|#\d+|(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[0-9a-f]{8,64})$`)
)

// Infer is the kind of a text by its looks alone; never a secret kind.
func Infer(text string) ValueKind {
	s := strings.TrimSpace(text)
	switch {
	case s == "":
		return KindText
	case strings.EqualFold(s, "true") || strings.EqualFold(s, "false"):
		return KindBoolean
	case len(s) <= 40 && dateRE.MatchString(s):
		return KindDate
	case len(s) <= 40 && numberRE.MatchString(s):
		return KindNumber
	case emailRE.MatchString(s):
		return KindEmail
	case urlRE.MatchString(s):
		return KindURL
	case len(s) <= 64 && idRE.MatchString(s) && !fileExt(s):
		return KindID
	case fileRE.MatchString(s):
		return KindFile
	}
	return KindText
}

// fileExt keeps "report2.csv" a file although it begins like an id.
func fileExt(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && len(s)-i <= 6 && fileRE.MatchString(s) && strings.Trim(s[i+1:], "0123456789") != ""
}
