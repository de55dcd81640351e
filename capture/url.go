package capture

import (
	"net/url"
	"regexp"
	"strings"

	"showhow/capture/lexical"
	"showhow/capture/redact"
)

// url returns the URL as it is kept and its pattern. User info is dropped. A path segment passes like any text; one that
// is free text is sealed. A query value stays only when it is a number, a flag or a slug under a name that does not ask for
// typed text: GET forms put what the person typed there.
func (j *job) url(raw string) (kept, pattern string) {
	raw = redact.Clean(cutRaw(strings.TrimSpace(raw)))
	if raw == "" {
		return "", ""
	}
	u, err := url.Parse(raw)
	if err != nil {
		return j.text(stripUser(raw), maxURL), ""
	}
	switch u.Scheme {
	case "data", "javascript", "blob", "view-source":
		return u.Scheme + ":", u.Scheme + ":"
	case "mailto", "tel", "sms":
		return u.Scheme + ":" + redact.Token(redact.Email), u.Scheme + ":"
	}
	if u.Opaque != "" {
		s := j.text(u.Scheme+":"+u.Opaque, maxURL)
		return s, s
	}
	var b, p strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + ":")
	}
	if u.Host != "" || u.Scheme == "file" {
		b.WriteString("//" + j.plain(strings.ToLower(u.Host), 255))
	}
	p.WriteString(b.String())
	j.urlPath(u, &b, &p)
	if u.RawQuery != "" {
		b.WriteByte('?')
		p.WriteByte('?')
		j.query(u.RawQuery, &b, &p)
	}
	if f := u.EscapedFragment(); f != "" {
		b.WriteByte('#')
		p.WriteByte('#')
		j.fragment(f, &b, &p)
	}
	return redact.Cut(b.String(), maxURL), redact.Cut(p.String(), maxURL)
}

func (j *job) urlPath(u *url.URL, b, p *strings.Builder) {
	path := u.EscapedPath()
	if u.Scheme == "file" {
		path = j.homeless(path)
	}
	// The path as a whole may be a secret that its parts are not: its host says what is a webhook's, its parts what is a hash.
	j.segments(j.after(u.Scheme+"://"+u.Host, path), b, p)
}

// after takes the secrets out of s as they show when s follows head.
func (j *job) after(head, s string) string {
	if !strings.HasPrefix(s, "/") {
		head = ""
	}
	spans := j.secrets(head + s)
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
		out.WriteString(j.token(s[start:end], sp.Kind))
		at = end
	}
	return out.String() + s[at:]
}

// segments writes a path segment by segment.
func (j *job) segments(path string, b, p *strings.Builder) {
	for i, seg := range splitSegments(path) {
		if i > 0 {
			b.WriteByte('/')
			p.WriteByte('/')
		}
		kept, variable := j.segment(seg)
		b.WriteString(kept)
		p.WriteString(variable)
	}
}

// splitSegments splits at slashes; a token of an earlier step holds none.
func splitSegments(path string) []string { return strings.Split(path, "/") }

func (j *job) segment(seg string) (kept, pattern string) {
	if seg == "" {
		return "", ""
	}
	text, err := url.PathUnescape(seg)
	if err != nil {
		text = seg
	}
	if r := redact.Readable(text); len(r) == 0 {
		return text, "{secret}"
	}
	if v, ok := j.known.byText[lexical.Fold(lexical.Normal(text))]; ok && v.secret == "" {
		return j.seal(v.kind, text).Mask(), "{" + variableName(text, v.kind) + "}"
	}
	out := text
	if text != seg { // as it stands it has been judged with the whole path
		out = j.redact(redact.Clean(text))
	}
	if out = j.mask(out); out != text {
		return out, "{value}"
	}
	if freeText(text) {
		return j.seal(KindText, text).Mask(), "{text}"
	}
	if name := segmentVariable(text); name != "" {
		return seg, "{" + name + "}"
	}
	return seg, seg
}

var (
	isoDateRE  = regexp.MustCompile(`^\d{4}-\d{2}(?:-\d{2})?$`)
	variableRE = regexp.MustCompile(`^(?:\d+|(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[A-Za-z]{1,8}[-_]?\d{2,}[A-Za-z0-9-]*|\d+[-_][A-Za-z0-9-]*|(?i:[0-9a-f]*\d[0-9a-f]*))$`)
	versionRE  = regexp.MustCompile(`^(?i:v\d+(?:\.\d+)*|(?:utf|iso|http|md|sha|mp|h|base)-?\d+)$`)
)

// segmentVariable names the variable that a segment is an instance of, "" for a fixed one.
func segmentVariable(s string) string {
	switch {
	case isoDateRE.MatchString(s):
		return "date"
	case versionRE.MatchString(s):
		return ""
	case lexical.IsNumeric(s):
		return "id"
	case variableRE.MatchString(s) && (len(s) >= 8 || strings.ContainsAny(s, "-_") || s[0] < 'a' || s[0] > 'z' || strings.ContainsAny(s[1:], "0123456789") && len(s) > 3):
		return "id"
	}
	return ""
}

func variableName(text string, k ValueKind) string {
	if name := segmentVariable(text); name != "" {
		return name
	}
	return string(k)
}

// freeText: what people type rather than what programs name.
func freeText(s string) bool {
	return strings.ContainsAny(s, " \t\n") || strings.IndexFunc(s, func(r rune) bool { return r > 0x7F }) >= 0
}

var (
	secretNameRE = regexp.MustCompile(`(?i)pass|pwd|secret|token|api[_-]?key|^key$|[_-]key$|auth|credential|sig(?:nature)?$|session|sid$|^code$|otp|jwt|nonce|^state$|ticket|hash$|csrf|xsrf|samlre|assertion|^pin$|cvc|cvv|card`)
	typedNameRE  = regexp.MustCompile(`(?i)^(?:q|qs|s|p|query|search|find|text|term|terms|keywords?|kw|filter|name|first.?name|last.?name|full.?name|user.?name|user|login|e?mail|phone|tel|address|street|city|comment|message|note|notes|subject|title|body|description|content|value|input|customer|person|company|suche|nachricht)$`)
	slugRE       = regexp.MustCompile(`^/?[A-Za-z0-9][A-Za-z0-9_.~/-]{0,59}$|^/$`)
	nameRE       = regexp.MustCompile(`^[\w.\[\]:-]{1,60}$`)
)

func (j *job) query(raw string, b, p *strings.Builder) {
	for i, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' || r == ';' }) {
		if i > 0 {
			b.WriteByte('&')
			p.WriteByte('&')
		}
		name, value, has := strings.Cut(pair, "=")
		name, value = unescape(name), unescape(value)
		if !nameRE.MatchString(name) || len(j.secrets(name)) > 0 || j.mask(name) != name {
			// a bare or strange name is text itself
			b.WriteString(j.typed(strings.TrimSuffix(name+"="+value, "=")))
			p.WriteString("{text}")
			continue
		}
		b.WriteString(name)
		p.WriteString(name)
		if has {
			b.WriteString("=" + j.queryValue(name, value))
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

func (j *job) queryValue(name, value string) string {
	switch {
	case value == "":
		return ""
	case secretNameRE.MatchString(name):
		if len(value) >= freeLength && strings.ContainsAny(value, "0123456789") { // "?state=open" makes no secret of a word
			j.known.add(value, knownValue{kind: KindSecret, secret: redact.AccessKey})
		}
		return redact.Token(redact.AccessKey)
	case typedNameRE.MatchString(name) && !(lexical.IsNumeric(value) && len(value) < minContained):
		return j.typed(value)
	}
	out := j.mask(j.redact(value))
	if out == value && !slugRE.MatchString(value) {
		return j.typed(value)
	}
	return out
}

// typed is the mask of a text that may have been typed; a secret in it leaves nothing to seal.
func (j *job) typed(value string) string {
	if j.textSecret(value) != "" {
		return redact.Token(redact.Secret)
	}
	if out := j.knownSecrets(value); out != value {
		return out
	}
	if lexical.Normal(value) == "" {
		return ""
	}
	kind := Infer(value)
	if v, ok := j.known.byText[lexical.Fold(lexical.Normal(value))]; ok {
		kind = v.kind
	}
	if freeText(value) { // a slug may come from a link; the field it was typed into makes it known
		j.known.add(value, knownValue{kind: kind})
	}
	return j.seal(kind, value).Mask()
}

// fragment: a route of a single-page application goes the way of a path, parameters the way of a query, an anchor as text.
func (j *job) fragment(f string, b, p *strings.Builder) {
	path, query, hasQuery := strings.Cut(f, "?")
	switch {
	case strings.HasPrefix(path, "/") || strings.HasPrefix(path, "!/"):
		if len(j.secrets(path)) > 0 {
			path = j.redact(path)
		}
		j.segments(path, b, p)
		if hasQuery {
			b.WriteByte('?')
			p.WriteByte('?')
			j.query(query, b, p)
		}
	case strings.Contains(f, "="):
		j.query(f, b, p)
	default:
		kept, variable := j.segment(j.after("", f))
		b.WriteString(kept)
		p.WriteString(variable)
	}
}

var userInfoRE = regexp.MustCompile(`^([a-z][a-z0-9+.-]*://)[^/\s]*@`)

func stripUser(s string) string { return userInfoRE.ReplaceAllString(s, "$1") }
