package clean

import (
	"net/url"
	"strings"

	"showhow/capture"
	"showhow/capture/lexical"
	"showhow/capture/recall"
	"showhow/capture/redact"
	"showhow/capture/secret"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// addresses cleans URLs.
type addresses struct{ *values }

// url returns the cleaned URL and its pattern. User info is dropped. A path segment passes like any text; free text
// in one is sealed. A query value stays only if it is a number, a flag or a slug under a name that does not ask for
// typed text: GET forms put what the person typed there.
func (a *addresses) url(raw string) (kept, pattern string) {
	raw = redact.Clean(cutRaw(strings.TrimSpace(raw)))
	if raw == "" {
		return "", ""
	}
	u, err := url.Parse(raw)
	if err != nil {
		return a.text(stripUser(raw), maxURL), ""
	}
	switch u.Scheme {
	case "data", "javascript", "blob", "view-source":
		return u.Scheme + ":", u.Scheme + ":"
	case "mailto", "tel", "sms":
		return u.Scheme + ":" + secret.Token(secret.Email), u.Scheme + ":"
	}
	if u.Opaque != "" {
		s := a.text(u.Scheme+":"+u.Opaque, maxURL)
		return s, s
	}
	var b, p strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + ":")
	}
	if u.Host != "" || u.Scheme == "file" {
		b.WriteString("//" + a.plain(strings.ToLower(u.Host), 255))
	}
	p.WriteString(b.String())
	a.urlPath(u, &b, &p)
	if u.RawQuery != "" {
		b.WriteByte('?')
		p.WriteByte('?')
		a.query(u.RawQuery, &b, &p)
	}
	if f := u.EscapedFragment(); f != "" {
		b.WriteByte('#')
		p.WriteByte('#')
		a.fragment(f, &b, &p)
	}
	return secret.Cut(b.String(), maxURL), secret.Cut(p.String(), maxURL)
}

func (a *addresses) urlPath(u *url.URL, b, p *strings.Builder) {
	path := u.EscapedPath()
	if u.Scheme == "file" {
		path = a.homeless(path)
	}
	// The whole path may be a secret where its parts are not: a host identifies a webhook, path elements a hash.
	a.segments(a.after(u.Scheme+"://"+u.Host, path), b, p)
}

// after removes from s the secrets that are recognised when s follows head.
func (t *texts) after(head, s string) string {
	if !strings.HasPrefix(s, "/") {
		head = ""
	}
	spans := t.secrets(head + s)
	if len(spans) == 0 {
		return s
	}
	var out strings.Builder
	at := 0
	for _, sp := range spans {
		start, end := max(sp.Start-len(head), at), sp.End-len(head)
		if end <= start {
			continue
		}
		out.WriteString(s[at:start])
		out.WriteString(t.token(s[start:end], sp.Kind))
		at = end
	}
	return out.String() + s[at:]
}

// segments writes a path segment by segment.
func (a *addresses) segments(path string, b, p *strings.Builder) {
	for i, seg := range splitSegments(path) {
		if i > 0 {
			b.WriteByte('/')
			p.WriteByte('/')
		}
		kept, variable := a.segment(seg)
		b.WriteString(kept)
		p.WriteString(variable)
	}
}

// splitSegments splits at slashes; a token of an earlier step contains none.
func splitSegments(path string) []string { return strings.Split(path, "/") }

func (a *addresses) segment(seg string) (kept, pattern string) {
	if seg == "" {
		return "", ""
	}
	text, err := url.PathUnescape(seg)
	if err != nil {
		text = seg
	}
	if r := secret.Readable(text); len(r) == 0 {
		return text, "{secret}"
	}
	if v, ok := a.known.Of(text); ok && v.Secret == "" {
		return a.seal(v.Kind, text).Mask(), "{" + variableName(text, v.Kind) + "}"
	}
	out := text
	if text != seg { // as it stands it has been judged with the whole path
		out = a.redact(redact.Clean(text))
	}
	if out = a.mask(out); out != text {
		return out, "{value}"
	}
	if freeText(text) {
		return a.seal(capture.KindText, text).Mask(), "{text}"
	}
	if name := segmentVariable(text); name != "" {
		return seg, "{" + name + "}"
	}
	return seg, seg
}

var (
	isoDateRE  = lazyre.New(`^\d{4}-\d{2}(?:-\d{2})?$`)
	variableRE = lazyre.New(`^(?:\d+|(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[A-Za-z]{1,8}[-_]?\d{2,` +
		`}[A-Za-z0-9-]*|\d+[-_][A-Za-z0-9-]*|(?i:[0-9a-f]*\d[0-9a-f]*))$`)
	versionRE = lazyre.New(`^(?i:v\d+(?:\.\d+)*|(?:utf|iso|http|md|sha|mp|h|base)-?\d+)$`)
)

// segmentVariable names the variable of which a segment is an instance, "" if it is fixed.
func segmentVariable(s string) string {
	switch {
	case isoDateRE.MatchString(s):
		return "date"
	case versionRE.MatchString(s):
		return ""
	case lexical.IsNumeric(s):
		return "id"
	case variableRE.MatchString(s) && (len(s) >= 8 || strings.ContainsAny(s, "-_") || s[0] < 'a' || s[0] > 'z' ||
		strings.ContainsAny(s[1:], "0123456789") && len(s) > 3):
		return "id"
	}
	return ""
}

func variableName(text string, k capture.ValueKind) string {
	if name := segmentVariable(text); name != "" {
		return name
	}
	return string(k)
}

// freeText: text that people type rather than names that programs give.
func freeText(s string) bool {
	return strings.ContainsAny(s, " \t\n") || strings.IndexFunc(s, func(r rune) bool { return r > 0x7F }) >= 0
}

var (
	secretNameRE = lazyre.New(`(?i)pass|pwd|secret|token|api[_-]?key|^key$|[_-]key$|auth|credential|sig(?:nature)?$|session|sid$|` +
		`^code$|otp|jwt|nonce|^state$|ticket|hash$|csrf|xsrf|samlre|assertion|^pin$|cvc|cvv|card`)
	typedNameRE = lazyre.New(`(?i)^(?:q|qs|s|p|query|search|find|text|term|terms|keywords?|kw|filter|name|first.?name|last.?name|` +
		`full.?name|user.?name|user|login|e?mail|phone|tel|address|street|city|comment|message|note|notes|subject|title|body|description|` +
		`content|value|input|customer|person|company)$`)
	slugRE = lazyre.New(`^(?:\.{0,2}/)?[A-Za-z0-9][A-Za-z0-9_.~/-]{0,59}$|^/$`)
	nameRE = lazyre.New(`^[\w.\[\]:-]{1,60}$`)
)

// typedNames are names of parameters for typed text, in languages other than English.
var typedNames = lang.NonEnglish("deed.search", "thing.message", "thing.name", "thing.firstname", "thing.lastname", "thing.fullname",
	"thing.username", "thing.email", "thing.phone", "thing.street", "thing.address", "thing.city", "thing.note", "thing.subject",
	"thing.description", "thing.customer", "thing.company")

// typed reports whether a parameter's name says that a person typed its value.
func typed(name string) bool { return typedNameRE.MatchString(name) || typedNames.Is(name) }

func (a *addresses) query(raw string, b, p *strings.Builder) {
	for i, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' || r == ';' }) {
		if i > 0 {
			b.WriteByte('&')
			p.WriteByte('&')
		}
		name, value, has := strings.Cut(pair, "=")
		name, value = unescape(name), unescape(value)
		if !nameRE.MatchString(name) || len(a.secrets(name)) > 0 || a.mask(name) != name {
			// a bare or unknown name is text itself
			b.WriteString(a.typed(strings.TrimSuffix(name+"="+value, "=")))
			p.WriteString("{text}")
			continue
		}
		b.WriteString(name)
		p.WriteString(name)
		if has {
			b.WriteString("=" + a.queryValue(name, value))
			p.WriteString("={" + name + "}")
		}
	}
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return redact.Clean(u)
	}
	return redact.Clean(s)
}

func (a *addresses) queryValue(name, value string) string {
	switch {
	case value == "":
		return ""
	case secretNameRE.MatchString(name) || passwordField().MatchString(name):
		if len(value) >= recall.FreeLength && strings.ContainsAny(value, "0123456789") { // "?state=open" makes no secret of a word
			a.known.Add(value, recall.Value{Kind: capture.KindSecret, Secret: secret.AccessKey})
		}
		return secret.Token(secret.AccessKey)
	case typed(name) && !(lexical.IsNumeric(value) && len(value) < recall.MinContained):
		return a.typed(value)
	}
	out := a.mask(a.redact(value))
	if out == value && !slugRE.MatchString(value) {
		return a.typed(value)
	}
	return out
}

// typed is the mask of a text that may have been typed; if it contains a secret it is not sealed.
func (vals *values) typed(value string) string {
	if vals.textSecret(value) != "" {
		return secret.Token(secret.Secret)
	}
	if out := vals.knownSecrets(value); out != value {
		return out
	}
	if lexical.Normal(value) == "" {
		return ""
	}
	kind := Infer(value)
	if v, ok := vals.known.Of(value); ok {
		kind = v.Kind
	}
	if freeText(value) { // a slug may come from a link; the field it was typed into makes it known
		vals.known.Add(value, recall.Value{Kind: kind})
	}
	return vals.seal(kind, value).Mask()
}

// fragment: a route of a single-page application is treated like a path, parameters like a query, an anchor as text.
func (a *addresses) fragment(f string, b, p *strings.Builder) {
	path, query, hasQuery := strings.Cut(f, "?")
	switch {
	case strings.HasPrefix(path, "/") || strings.HasPrefix(path, "!/"):
		if len(a.secrets(path)) > 0 {
			path = a.redact(path)
		}
		a.segments(path, b, p)
		if hasQuery {
			b.WriteByte('?')
			p.WriteByte('?')
			a.query(query, b, p)
		}
	case strings.Contains(f, "="):
		a.query(f, b, p)
	default:
		kept, variable := a.segment(a.after("", f))
		b.WriteString(kept)
		p.WriteString(variable)
	}
}

var userInfoRE = lazyre.New(`^([a-z][a-z0-9+.-]*://)[^/\s]*@`)

func stripUser(s string) string { return userInfoRE.ReplaceAllString(s, "$1") }
