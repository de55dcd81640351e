package clean

import (
	"regexp"
	"strings"
	"sync"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/secret"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// value applies the session's policy to what the person supplied, or to what an untouched field shows.
func (vals *values) value(raw *capture.RawValue, supplied bool) *capture.Value {
	if raw == nil {
		return nil
	}
	text := redact.Clean(raw.Text)
	kind := vals.infer(raw, text)
	v := &capture.Value{Policy: vals.cfg.Values.For(vals.app, kind), Kind: kind, Chosen: raw.Chosen}
	if v.Policy == capture.Omitted {
		vals.learnSecret(raw, text, kind)
		return v
	}
	if lexical.Normal(text) == "" {
		v.Policy = capture.Masked
		return v
	}
	if at := raw.Source; at != nil && supplied {
		v.Source = &capture.Source{Path: vals.text(at.Path, maxText), Before: vals.text(at.Before, maxText),
			After: vals.text(at.After, maxText), Near: vals.text(at.Near, maxText)}
	}
	if supplied && !raw.Chosen && kind != capture.KindBoolean {
		if in := vals.shown(text); in != nil {
			if v.Source == nil {
				v.Source = &capture.Source{}
			}
			v.Source.Document = in
		}
	}
	sealed := vals.seal(kind, text)
	v.Length, v.LinkID = sealed.Length, sealed.LinkID
	if v.Policy == capture.Literal {
		v.Text = secret.Cut(vals.redact(text), maxLine)
		return v
	}
	if kind != capture.KindBoolean && (supplied || kind != capture.KindChoice && kind != capture.KindNumber && distinct(text)) {
		vals.known.Add(text, recall.Value{Kind: kind})
		if supplied {
			vals.known.AddNames(raw, text, kind)
		}
	}
	return v
}

// knownSecret reports whether a text is a known secret: it stays one in every place.
func (t *texts) knownSecret(text string) bool {
	for _, m := range t.known.Find(text) {
		if m.Value.Secret != "" && m.Value.Secret != secret.Name {
			return true
		}
	}
	return false
}

// learnSecret makes an omitted value known: as a whole if its field asked for a secret, otherwise the secret in it.
func (vals *values) learnSecret(raw *capture.RawValue, text string, kind capture.ValueKind) {
	spans := vals.secrets(cutRaw(text))
	if !kind.Secret() || raw.Kind.Secret() || vals.declared(raw) != "" || len(spans) == 0 {
		vals.known.Add(text, recall.Value{Kind: kind, Secret: secretKind(kind)})
		return
	}
	for _, sp := range spans {
		if !sp.Kind.Personal() {
			vals.known.Add(text[sp.Start:sp.End], recall.Value{Kind: kind, Secret: sp.Kind})
		}
	}
}

func secretKind(k capture.ValueKind) secret.Kind {
	switch k {
	case capture.KindPassword:
		return secret.Password
	case capture.KindOTP:
		return secret.OTP
	case capture.KindCard:
		return secret.Card
	}
	return secret.Secret
}

// infer is the kind of a value: by the field's declaration first, then by the text's form.
func (vals *values) infer(raw *capture.RawValue, text string) capture.ValueKind {
	if raw.Kind.Secret() {
		return raw.Kind
	}
	if k := vals.declared(raw); k != "" {
		return k
	}
	if k := vals.textSecret(text); k != "" {
		return k
	}
	if vals.knownSecret(text) {
		return capture.KindSecret
	}
	if raw.Kind != "" {
		return raw.Kind
	}
	switch raw.InputType {
	case "checkbox":
		return capture.KindBoolean
	case "radio", "select", "select-one", "select-multiple":
		return capture.KindChoice
	case "number", "range":
		return capture.KindNumber
	case "date", "datetime-local", "month", "week", "time":
		return capture.KindDate
	case "email":
		return capture.KindEmail
	case "url":
		return capture.KindURL
	case "file":
		return capture.KindFile
	}
	if raw.Chosen {
		return capture.KindChoice
	}
	return vals.looks.Get(text, Infer)
}

// declared is the secret kind that a field asks for, cached by its words.
func (vals *values) declared(raw *capture.RawValue) capture.ValueKind {
	key := raw.InputType + "\x00" + raw.Autocomplete + "\x00" + raw.FieldName
	return vals.named.Get(key, func(string) capture.ValueKind { return fieldSecret(raw) })
}

// Names of fields that ask for a password, and for a one-time code.
var (
	passwordField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + lang.Pattern(lang.Secret)) })
	codeField     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + lang.Pattern(lang.Code)) })
)

// Names of fields that ask for other secrets. Whole words, so that "shipping" does not ask for a PIN.
var (
	otpFieldRE = lazyre.New(`(?i)one[ _-]?time|(?:^|[^\p{L}])(?:otp|totp|mfa|2fa|tan|pin)(?:[^\p{L}]|$)|(?:verification|` +
		`security|authenticat\p{L}+|confirmation|sms|login)[ _-]?code`)
	cardFieldRE = lazyre.New(`(?i)(?:card|karten|kreditkarten?|carte)[ _-]?(?:number|no\b|num|nummer|bancaire)|cc[ ` +
		`_-]?(?:num|number|exp|csc)|(?:^|[^\p{L}])(?:cvv|cvc|cvn|csc)2?(?:[^\p{L}]|$)`)
	secretFieldRE = lazyre.New(`(?i)secret|(?:^|[^\p{L}])(?:token|ssn|seed phrase|recovery ` +
		`(?:key|phrase|code))s?(?:[^\p{L}]|$)|(?:access|auth|bearer|api|refresh)[ _-]?token|(?:api|access|private|license|encryption|secret)[ ` +
		`_-]?key|social security|credential`)
	camelRE = lazyre.New(`([\p{Ll}\d])(\p{Lu})`)
)

// fieldSecret is the secret kind that a field declares, "" for none.
func fieldSecret(raw *capture.RawValue) capture.ValueKind {
	if strings.EqualFold(raw.InputType, "password") {
		return capture.KindPassword
	}
	for token := range strings.FieldsSeq(strings.ToLower(raw.Autocomplete)) {
		switch {
		case token == "current-password" || token == "new-password":
			return capture.KindPassword
		case token == "one-time-code":
			return capture.KindOTP
		case strings.HasPrefix(token, "cc-") && token != "cc-name" && token != "cc-type":
			return capture.KindCard
		}
	}
	name := strings.ReplaceAll(camelRE.ReplaceAllString(raw.FieldName, "$1 $2"), "_", " ")
	switch {
	case name == "":
		return ""
	case passwordField().MatchString(name):
		return capture.KindPassword
	case cardFieldRE.MatchString(name):
		return capture.KindCard
	case otpFieldRE.MatchString(name) || codeField().MatchString(name):
		return capture.KindOTP
	case secretFieldRE.MatchString(name):
		return capture.KindSecret
	}
	return ""
}

// textSecret is KindCard or KindSecret for a text that contains a secret; personal identifiers are ordinary values.
func (t *texts) textSecret(text string) capture.ValueKind {
	for _, sp := range t.secrets(cutRaw(text)) {
		switch {
		case sp.Kind == secret.Card:
			return capture.KindCard
		case !sp.Kind.Personal():
			return capture.KindSecret
		}
	}
	return ""
}

var (
	numberRE = lazyre.New(
		`^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:[.,' ]\d{3})+)(?:[.,]\d+)?(?:\s?(?:%|€|\$|£|[A-Z]{3}))?$|^[€$£]\s?\d[\d.,]*$`)
	dateRE = lazyre.New(`(?i)^(?:\d{4}-\d{2}(?:-\d{2})?(?:[T ` +
		`]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d{2})|\d{1,2}/\d{1,` +
		`2}/(?:\d{4}|\d{2})|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}-\d{1,2}-\d{4}|\d{1,2}\.? ` +
		`(?:jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*\.? ` +
		`\d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2},? \d{4}|\d{4}-W\d{2}|\d{1,2}:\d{2}(?::\d{2})?)$`)
	emailRE = lazyre.New(`^[^\s@<>"]+@[^\s@<>"]+\.\p{L}{2,24}$`)
	urlRE   = lazyre.New(`^(?:[a-z][a-z0-9+.-]*://\S+|www\.\S+\.\S+)$`)
	fileRE  = lazyre.New(
		`^(?:(?:~|\.{1,2})?/)?(?:[^\s/\x00]+/)*[^\s/\x00]*\.[A-Za-z][A-Za-z0-9]{0,5}$|^(?:~|\.{1,2})?/(?:[^\s/\x00]+/?)+$|^[A-Za-z]:\\\S+$`)
	idRE = lazyre.New(`^(?:[A-Za-z]{1,10}[-_/#.]?\d[\w.-]*|#?\d{1,12}[-_/][\w-]+|#\d+|` +
		`(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[0-9a-f]{8,64})$`)
)

// Infer is the kind of a text by its form alone; never a secret kind.
func Infer(text string) capture.ValueKind {
	s := strings.TrimSpace(text)
	switch {
	case s == "":
		return capture.KindText
	case strings.EqualFold(s, "true") || strings.EqualFold(s, "false"):
		return capture.KindBoolean
	case len(s) <= 40 && dateRE.MatchString(s):
		return capture.KindDate
	case len(s) <= 40 && numberRE.MatchString(s):
		return capture.KindNumber
	case emailRE.MatchString(s):
		return capture.KindEmail
	case urlRE.MatchString(s):
		return capture.KindURL
	case len(s) <= 64 && idRE.MatchString(s) && !fileExt(s):
		return capture.KindID
	case fileRE.MatchString(s):
		return capture.KindFile
	}
	return capture.KindText
}

// fileExt keeps "report2.csv" a file although it begins like an id.
func fileExt(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && len(s)-i <= 6 && fileRE.MatchString(s) && strings.Trim(s[i+1:], "0123456789") != ""
}
