package outlook

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	htmltree "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"showhow/internal/plain"
)

// Bounds of what is written.
const (
	maxLine   = 998     // of a subject, a title, a place: runes (RFC 5322)
	maxBody   = 1 << 20 // of a text: bytes
	maxPeople = 100
	maxName   = 200
)

// line checks a text of one line.
func line(what, s string, most int) error {
	if utf8.RuneCountInString(s) > most {
		return invalid(fmt.Sprintf("%s is longer than %d characters", what, most), "shorten it")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return invalid(what+" holds a line break or another control character", "leave it out")
	}
	return nil
}

// prose checks a text of several lines.
func prose(what, s string) error {
	if len(s) > maxBody {
		return invalid(fmt.Sprintf("%s is larger than %d bytes", what, maxBody), "shorten it")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f }) {
		return invalid(what+" holds a control character", "leave it out")
	}
	return nil
}

// addresses checks addresses of people: a person says yes to what is shown of them.
func addresses(what string, all []string) error {
	if len(all) > maxPeople {
		return invalid(fmt.Sprintf("%s has more than %d addresses", what, maxPeople), "write to fewer at once")
	}
	seen := map[string]bool{}
	for _, a := range all {
		at := strings.LastIndexByte(a, '@')
		if at < 1 || at == len(a)-1 || len(a) > 254 || strings.ContainsAny(a, ",;<>\"()[]\\: ") {
			return invalid(what+" has an address that is none", "such as ada@example.com, one for each of them")
		}
		if why := plain.Misleading(a); why != "" {
			return invalid("an address in "+what+" "+why, "have the person write it")
		}
		if key := strings.ToLower(a); seen[key] {
			return invalid(what+" has an address twice", "name each once")
		} else {
			seen[key] = true
		}
	}
	return nil
}

// asHTML is a plain text as the HTML that Outlook takes: it looks the same.
func asHTML(s string) string {
	s = html.EscapeString(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\t", "    "), "  ", "&nbsp; ")
	return "<div>" + strings.ReplaceAll(s, "\n", "<br>") + "</div>"
}

// asText is what an HTML text says, without its marks.
func asText(s string) string {
	var b strings.Builder
	z := htmltree.NewTokenizer(strings.NewReader(s))
	for hidden := atom.Atom(0); ; {
		kind := z.Next()
		if kind == htmltree.ErrorToken {
			return tidy(b.String())
		}
		t := z.Token()
		switch {
		case hidden != 0:
			if kind == htmltree.EndTagToken && t.DataAtom == hidden {
				hidden = 0
			}
		case kind == htmltree.TextToken:
			b.WriteString(strings.ReplaceAll(t.Data, "\u00a0", " "))
		case kind == htmltree.StartTagToken && (t.DataAtom == atom.Script || t.DataAtom == atom.Style || t.DataAtom == atom.Head):
			hidden = t.DataAtom
		case t.DataAtom == atom.Br, kind == htmltree.EndTagToken && ends(t.DataAtom):
			b.WriteByte('\n')
		case kind == htmltree.EndTagToken && (t.DataAtom == atom.Td || t.DataAtom == atom.Th):
			b.WriteByte('\t')
		}
	}
}

// ends reports whether a line ends with the element.
func ends(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Tr, atom.Li, atom.Ul, atom.Ol, atom.Table, atom.Blockquote, atom.H1, atom.H2, atom.H3, atom.H4, atom.Hr:
		return true
	}
	return false
}

// tidy leaves at most one empty line between others.
func tidy(s string) string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimRight(l, " \t\r")
		if l == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, strings.TrimLeft(l, " "))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
