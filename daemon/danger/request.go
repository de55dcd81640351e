package danger

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// Request judges an HTTP request by its method, a method hidden in it (_method), the operation that a GraphQL or RPC
// body names, the words of its address, the fields of its form, and the words of the control that caused it (wording,
// may be ""). A body that is neither a form nor JSON is judged by its method alone.
func Request(method, address string, body []byte, wording string) Finding {
	method = strings.ToUpper(strings.TrimSpace(method))
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{}
	}
	fields := fieldsOf(u, body)
	if m := overridden(fields, method); m != "" {
		method = m
	}
	if f, ok := operation(u, body); ok {
		return f
	}
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY", "":
		return asking(u, wording, err != nil)
	case "DELETE", "PURGE":
		return finding(Destroys, "the request deletes something")
	case "POST", "PUT", "PATCH", "MOVE", "COPY", "MKCOL", "LOCK", "UNLOCK", "PROPPATCH":
		return changing(method, u, fields, wording)
	}
	return finding(Unknown, "what the request's method does is not known")
}

// fieldsOf returns the names and values that a request carries: the query's, a form's, a flat JSON object's.
func fieldsOf(u *url.URL, body []byte) map[string]string {
	out := map[string]string{}
	for k, v := range u.Query() {
		out[strings.ToLower(k)] = v[0]
	}
	text := strings.TrimSpace(string(body))
	switch {
	case strings.HasPrefix(text, "{"):
		var obj map[string]any
		if json.Unmarshal([]byte(text), &obj) == nil {
			for k, v := range obj {
				s, _ := v.(string)
				out[strings.ToLower(k)] = s
			}
		}
	case strings.HasPrefix(text, "--"): // multipart
		for _, m := range partName.FindAllStringSubmatch(text, 200) {
			out[strings.ToLower(m[1])] = m[2]
		}
	default:
		if q, err := url.ParseQuery(text); err == nil {
			for k, v := range q {
				out[strings.ToLower(k)] = v[0]
			}
		}
	}
	return out
}

var partName = lazyre.New(`(?i)content-disposition: form-data; name="([^"\r\n]{1,100})"(?:\r?\n\r?\n([^\r\n]{0,200}))?`)

// overridden is the method that a form hides in a field, if it is a graver one: frameworks obey it for POST.
func overridden(fields map[string]string, method string) string {
	if method != "POST" && method != "GET" {
		return ""
	}
	for _, k := range []string{"_method", "x-http-method-override", "x-http-method", "x-method-override", "_httpmethod"} {
		switch m := strings.ToUpper(strings.TrimSpace(fields[k])); m {
		case "DELETE", "PUT", "PATCH", "PURGE":
			return m
		}
	}
	return ""
}

// operation judges the operation that a GraphQL or JSON-RPC body names.
func operation(u *url.URL, body []byte) (Finding, bool) {
	text := strings.TrimSpace(string(body))
	var many []map[string]any
	switch {
	case strings.HasPrefix(text, "["):
		if json.Unmarshal([]byte(text), &many) != nil {
			return Finding{}, false
		}
	case strings.HasPrefix(text, "{"):
		var one map[string]any
		if json.Unmarshal([]byte(text), &one) != nil {
			return Finding{}, false
		}
		many = append(many, one)
	default:
		q := u.Query().Get("query")
		if !graphPath(u) || q == "" {
			return Finding{}, false
		}
		many = append(many, map[string]any{"query": q})
	}
	var out Finding
	for _, m := range many {
		f, ok := called(u, m)
		if !ok {
			return Finding{}, false
		}
		out = out.and(f)
	}
	return out, len(many) > 0
}

func graphPath(u *url.URL) bool {
	segs := segments(u.Path)
	return slices.ContainsFunc(segs, func(s string) bool { s = strings.ToLower(s); return s == "graphql" || s == "gql" || s == "graph" })
}

func called(u *url.URL, m map[string]any) (Finding, bool) {
	if q, ok := m["query"].(string); ok && (graphPath(u) || graphText.MatchString(q)) {
		return graph(q), true
	}
	_, persisted := m["extensions"].(map[string]any)
	if name, ok := m["operationName"].(string); ok && (persisted || graphPath(u)) || persisted && graphPath(u) {
		return byName(name, "a stored operation"), true
	}
	if name, ok := m["method"].(string); ok && (m["jsonrpc"] != nil || m["params"] != nil) {
		return byName(name, "a remote call"), true
	}
	return Finding{}, false
}

var (
	graphText  = lazyre.New(`^\s*(?:#[^\n]*\n\s*)*(?:query|mutation|subscription|fragment|\{)[\s\S]*\{`)
	graphNoise = lazyre.New(`(?s)"""(?:.*?)"""|"(?:[^"\\]|\\.)*"|#[^\n]*`)
	mutation   = lazyre.New(`\bmutation\b[^{]*\{`)
	graphField = lazyre.New(`(?:(\w+)\s*:\s*)?(\w+)\s*(?:\(|\{|$|\s)`)
)

// graph judges a GraphQL document: queries read, mutations do what their fields' names say.
func graph(doc string) Finding {
	doc = graphNoise.ReplaceAllString(doc, `""`)
	out := finding(Reads, "the query looks")
	for _, at := range mutation.FindAllStringIndex(doc, -1) {
		out = out.and(finding(Writes, "the mutation changes something"))
		for _, field := range topFields(doc[at[1]:]) {
			out = out.and(byName(field, "the mutation"))
		}
	}
	return out
}

// topFields lists the top-level fields of a selection.
func topFields(s string) []string {
	var b strings.Builder
	for depth := 0; len(s) > 0; s = s[1:] {
		switch s[0] {
		case '{', '(', '[':
			depth++
			b.WriteByte(' ')
		case '}', ')', ']':
			if depth--; depth < 0 {
				s = s[:1]
			}
			b.WriteByte(' ')
		default:
			if depth == 0 {
				b.WriteByte(s[0])
			}
		}
	}
	var out []string
	for _, m := range graphField.FindAllStringSubmatch(b.String(), 50) {
		out = append(out, m[2])
	}
	return out
}

// byName judges an operation by the words of its name: deleteUser, user.remove, sendInvoice, list_orders.
func byName(name, what string) Finding {
	ws := nameWords(name)
	for _, w := range ws {
		if namesDestroying(w) {
			return finding(Destroys, what+" deletes or ends something")
		}
	}
	for _, w := range ws {
		if namesSending(w) {
			return finding(Sends, what+" sends something or commits to it")
		}
	}
	if len(ws) > 0 {
		if first, last := ws[0], ws[len(ws)-1]; verbAsks.Has(first) || verbAsks.Has(last) {
			return finding(Reads, what+" looks")
		}
		for _, w := range ws {
			if verbChanges.Has(w) {
				return finding(Writes, what+" changes something")
			}
		}
	}
	return finding(Unknown, "what "+what+" does is not known")
}

var (
	verbGone    = lang.English("names.destroying")
	verbSends   = lang.English("names.sending")
	verbLeaves  = lang.English("names.leaving")
	verbChanges = lang.English("names.changing")
	verbAsks    = lang.English("names.asking")
)

var (
	addressSends   = lang.English("names.addresses.sending")
	addressChanges = lang.English("names.addresses.changing")
	opensForm      = lang.English("names.forms")
	mailboxes      = lang.English("names.mailboxes")
	notRecipient   = lang.English("names.notrecipients")
)

// Names in other languages than English.
var (
	deletesElsewhere = lang.NonEnglish("deed.delete")
	sendsElsewhere   = lang.NonEnglish("deed.submit")
	leavesElsewhere  = lang.NonEnglish(lang.Leaves)
	recipients       = lang.Exactly(lang.Recipient)
	messageTexts     = lang.Exactly("thing.subject", "thing.message")
)

func namesDestroying(w string) bool { return verbGone.Has(w) || deletesElsewhere.Has(w) }
func namesSending(w string) bool    { return verbSends.Has(w) || sendsElsewhere.Has(w) }
func namesLeaving(w string) bool    { return verbLeaves.Has(w) || leavesElsewhere.Has(w) }

// nameWords splits an identifier into words: deleteUser, delete_user, delete-user.php.
func nameWords(s string) []string {
	var out []string
	start, prev := 0, rune(0)
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(s[start:end]))
		}
	}
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r):
			flush(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			flush(i)
			start = i
		}
		prev = r
	}
	flush(len(s))
	return out
}

func segments(p string) []string {
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == ';' })
}

// asking judges a request that should only read. Some servers act on one all the same: their addresses show it.
func asking(u *url.URL, wording string, unread bool) Finding {
	if document(u) {
		return finding(Reads, "the request looks")
	}
	for _, name := range deedsIn(u) {
		ws := nameWords(name)
		switch {
		case slices.ContainsFunc(ws, namesDestroying):
			return finding(Destroys, "the address it asks for deletes or ends something")
		case slices.ContainsFunc(ws, namesLeaving) || strings.Join(ws, "") == "logout" || strings.Join(ws, "") == "signout" ||
			strings.Join(ws, "") == "logoff":
			return finding(Writes, "the address it asks for ends the session")
		case has(ws, addressSends):
			return finding(Sends, "the address it asks for sends something or commits to it")
		case has(ws, addressChanges):
			return finding(Writes, "the address it asks for changes something")
		}
	}
	for k, vs := range u.Query() {
		if !commandKey.Has(strings.ToLower(k)) {
			continue
		}
		for _, v := range vs {
			if has(nameWords(v), verbChanges) && !has(nameWords(v), opensForm) {
				return finding(Writes, "the address it asks for changes something")
			}
			if k := strings.ToLower(v); k == "add" || k == "create" || k == "save" {
				return finding(Writes, "the address it asks for changes something")
			}
		}
	}
	if f, ok := phrase(wording); ok && f.Has(Destroys) {
		return finding(Unknown, "the control that asks for it says that it deletes something")
	}
	if f, ok := phrase(wording); ok && strings.Contains(f.Why, "session") {
		return finding(Writes, "the control that asks for it ends the session")
	}
	if unread {
		return finding(Unknown, "the address cannot be read")
	}
	return finding(Reads, "the request looks")
}

var commandKey = lang.English("names.commands")

// deedsIn lists the parts of an address that can name an action: short path segments (delete, delete_item,
// item-delete.php), a command parameter's value and a parameter's name (?delete=5). A title in an address
// (how-to-delete-a-file) is longer.
func deedsIn(u *url.URL) []string {
	var out []string
	for _, s := range segments(u.Path) {
		if i := strings.LastIndexByte(s, '.'); i > 0 {
			s = s[:i]
		}
		ws := nameWords(s)
		if n := len(ws); n > 0 && n <= 3 && (edge(ws[0]) || edge(ws[n-1])) {
			out = append(out, s)
		}
	}
	for k, vs := range u.Query() {
		if commandKey.Has(strings.ToLower(k)) {
			for _, v := range vs {
				if len(nameWords(v)) <= 3 {
					out = append(out, v)
				}
			}
		}
		if ws := nameWords(k); len(ws) > 0 && len(ws) <= 2 && (namesDestroying(ws[0]) || namesLeaving(ws[0])) {
			out = append(out, k)
		}
	}
	return out
}

var edges = lang.English("names.edges")

func edge(w string) bool { return namesDestroying(w) || namesLeaving(w) || edges.Has(w) }

func has(ws []string, in *lang.List) bool { return slices.ContainsFunc(ws, in.Has) }

// changing judges a request that is made to change something.
func changing(method string, u *url.URL, fields map[string]string, wording string) Finding {
	out := finding(Writes, "the request changes something")
	names := []string{}
	for _, s := range segments(u.Path) {
		if i := strings.LastIndexByte(s, '.'); i > 0 {
			s = s[:i]
		}
		if ws := nameWords(s); len(ws) > 0 && len(ws) <= 4 {
			names = append(names, s)
		}
	}
	if n := len(names); n > 1 && deedOf(names[n-1]) { // /trash/8/restore restores
		names = names[n-1:]
	}
	inPath := len(names)
	for k, v := range fields {
		if commandKey.Has(k) || k == "commit" || k == "submit" || k == "button" || k == "_action" || k == "intent" {
			names = append(names, v)
		}
		if ws := nameWords(k); len(ws) > 0 && len(ws) <= 2 && (namesDestroying(ws[0]) && ws[0] != "cancel" || ws[0] == "send") &&
			fields[k] != "0" && fields[k] != "false" {
			names = append(names, k)
		}
		// send_user_notification: a box that came ticked
		if ws := nameWords(k); len(ws) == 3 && ws[0] == "send" && ticked.Has(strings.ToLower(v)) {
			names = append(names, k)
		}
	}
	// What the control promises outweighs a word in the address. That it only reads does not outweigh the action in
	// the address.
	kept := keeps(wording)
	for i, n := range names {
		ws := nameWords(n)
		if slices.ContainsFunc(ws, namesDestroying) {
			out = out.and(finding(Destroys, "its address or form says that it deletes or ends something"))
		}
		if kept && i < inPath && (savingWords.In(wording) || i < inPath-1 || !deedOf(n)) {
			continue
		}
		if slices.ContainsFunc(ws, namesSending) || i == len(names)-1 && method == "POST" && has(ws, mailboxes) {
			out = out.and(finding(Sends, "its address or form says that it sends something or commits to it"))
		}
	}
	if addressed(fields) {
		out = out.and(finding(Sends, "its form names a recipient and a message"))
	}
	if f, ok := phrase(wording); ok && f.Grave() {
		out = out.and(f)
	}
	return out
}

// deedOf reports whether a part of an address names the action on what the parts before it name.
func deedOf(part string) bool {
	ws := nameWords(part)
	return len(ws) > 0 && (verbChanges.Has(ws[0]) || verbAsks.Has(ws[0]) || verbGone.Has(ws[0]) || verbSends.Has(ws[0]))
}

// ticked are the values of a ticked box.
var ticked = lang.English("names.ticked")

// addressed reports whether a form has a recipient and a text: it is a message, whatever its address says.
func addressed(fields map[string]string) bool {
	to, text := false, false
	for k, v := range fields {
		ws := nameWords(k)
		to = to || v != "" && slices.ContainsFunc(ws, recipients.Has) && len(ws) <= 2 && !has(ws, notRecipient) && !commands(ws, v)
		text = text || v != "" && slices.ContainsFunc(ws, messageTexts.Has) && len(ws) <= 2
	}
	return to && text
}

// commands reports whether a field names the form's action, as do[save] and a=edit do: "do" and "a" are words for a
// recipient in other languages. With anything but an action in it, such a field may still name a recipient.
func commands(field []string, value string) bool {
	if !commandKey.Has(field[0]) {
		return false
	}
	if said := slices.Concat(field[1:], nameWords(value)); len(said) > 0 {
		return deedOf(said[0])
	}
	return false
}

// Tool judges a service's tool by the words of its name: create_issue, deleteFile, list-events. If one word reads and
// another changes something (search_and_replace), it changes something.
func Tool(name string) Finding {
	f := byName(name, "the tool, by its name,")
	switch {
	case f.Has(Reads) && has(nameWords(name), verbChanges):
		return finding(Writes, "the tool, by its name, changes something")
	case f.Has(Unknown):
		return finding(Unknown, "the tool's name does not say what it does")
	}
	return f
}
