package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/internal/plain"
)

// A template is a text of the trace in which every supplied value is a reference: open rune, id, close rune. References are
// resolved to {names}, to a constant's text or to "..." only when something is rendered, so a rename touches no stage.
const (
	refOpen  = '\uE000'
	refClose = '\uE001'
	anyRef   = "\uE000*\uE001" // something that varies and is not known
)

func ref(id string) string { return string(refOpen) + id + string(refClose) }

var refForm = regexp.MustCompile("\uE000([^\uE000\uE001]*)\uE001")

// maskForm matches what the capture pipeline leaves in a text: [[KIND LENGTH LINK]] or [[secret KIND]].
var maskForm = regexp.MustCompile(`\[\[(?:secret [a-z_]+|[a-z_]{2,12} [0-9]{1,7} ([A-Za-z0-9_-]+))\]\]`)

// masksToRefs replaces masks by references to links ("@LINK"); a secret's becomes the anything reference.
func masksToRefs(s string) string {
	if !strings.ContainsRune(s, refOpen) && !strings.Contains(s, "[[") {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r == refOpen || r == refClose {
			return -1
		}
		return r
	}, s)
	return maskForm.ReplaceAllStringFunc(s, func(m string) string {
		if link := maskForm.FindStringSubmatch(m)[1]; link != "" {
			return ref("@" + link)
		}
		return anyRef
	})
}

// stripMasks leaves out masks: for labels, which are words of the page.
func stripMasks(s string) string { return plain.Squeeze(maskForm.ReplaceAllString(s, " ")) }

// refsOf lists the ids that a template refers to, in order, each once.
func refsOf(tmpl string) []string {
	var ids []string
	for {
		i := strings.IndexRune(tmpl, refOpen)
		if i < 0 {
			return ids
		}
		tmpl = tmpl[i+len(string(refOpen)):]
		j := strings.IndexRune(tmpl, refClose)
		if j < 0 {
			return ids
		}
		if id, _, _ := strings.Cut(tmpl[:j], "."); id != "*" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		tmpl = tmpl[j:]
	}
}

// snake makes a name: ASCII words joined by underscores, beginning with a letter, at most 40 characters.
func snake(s string) string {
	ws := plain.Words(plain.ASCII(strings.ReplaceAll(s, "'s ", " ")))
	out := ""
	for i, w := range ws {
		if i == 0 {
			w = w[:min(40, len(w))]
		}
		if next := strings.TrimPrefix(out+"_"+w, "_"); len(next) <= 40 {
			out = next
		} else {
			break
		}
	}
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = strings.TrimSuffix("value_"+out, "_")
	}
	return out
}

// stopWords carry no meaning in a name or a phrase.
var stopWords = set("a an the of for to in on at by with from as and or it its this that their his her my our your is are be then into")

func set(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// slugOf makes a folder's name from a title: lower-case ASCII words without stop words, at most six words and 48 characters.
func slugOf(title string) string {
	var out []string
	n := 0
	for _, w := range plain.Words(plain.ASCII(strings.ReplaceAll(title, "'s", ""))) {
		if stopWords[w] || len(out) == 6 || n+len(w) > 48 || slices.Contains(out, w) {
			continue
		}
		out = append(out, w)
		n += len(w) + 1
	}
	if len(out) == 0 {
		return "learned-skill"
	}
	return strings.Join(out, "-")
}

// unique is name, or name with the first free number appended.
func unique(name, sep string, taken map[string]bool) string {
	got := name
	for i := 2; taken[got]; i++ {
		got = fmt.Sprintf("%s%s%d", name, sep, i)
	}
	taken[got] = true
	return got
}

// andList joins as people do: a, b and c.
func andList(xs []string) string {
	if len(xs) <= 1 {
		return strings.Join(xs, "")
	}
	return strings.Join(xs[:len(xs)-1], ", ") + " and " + xs[len(xs)-1]
}

// cut shortens s to at most n runes, at a word where there is one, never inside a {name} or reference.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	rs := []rune(s)[:n-3]
	end := len(rs)
	for i := end - 1; i > end/2; i-- {
		if rs[i] == ' ' {
			end = i
			break
		}
	}
	depthAt := end
	for i := end - 1; i >= 0; i-- {
		if rs[i] == refClose || rs[i] == '}' {
			break
		}
		if rs[i] == refOpen || rs[i] == '{' {
			depthAt = i
			break
		}
	}
	return strings.TrimRight(string(rs[:depthAt]), " ,;:") + "..."
}

// singular is the singular of a regular English plural, or "".
func singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return ""
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return ""
}

// plural is the regular English plural of the last word of w.
func plural(w string) string {
	switch {
	case w == "" || singular(w) != "":
		return w
	case w == "person":
		return "people"
	case strings.HasSuffix(w, "y") && len(w) > 1 && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
		return w[:len(w)-1] + "ies"
	case strings.HasSuffix(w, "s") || strings.HasSuffix(w, "x") || strings.HasSuffix(w, "ch") || strings.HasSuffix(w, "sh"):
		return w + "es"
	}
	return w + "s"
}

// article puts a or an before a noun.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// countedParts are the parts of a path that a number follows which says how far one is, not which thing it is about.
var countedParts = map[string]bool{"step": true, "steps": true, "page": true, "pages": true, "part": true, "stage": true, "wizard": true, "level": true,
	"section": true, "chapter": true, "version": true, "api": true, "seite": true, "schritt": true}

// thingIn reports whether a part of a path names one thing among many: what looks like an id, and a bare number behind what
// is counted by things, as the 7 of /suppliers/7.
func thingIn(parts []string, i int) bool {
	p := parts[i]
	return idLike(p) || i > 0 && p != "" && plain.Digits(p) == len(p) && plain.Letters(parts[i-1]) > 2 && !countedParts[strings.ToLower(parts[i-1])]
}

// idLike reports whether a text looks like the name of one thing among many: A-1042, #17, INV2026003, a date, a UUID.
func idLike(s string) bool {
	s = strings.TrimSpace(s)
	d := plain.Digits(s)
	if d == 0 || len(s) > 64 || strings.Count(s, " ") > 2 {
		return false
	}
	return d >= 3 || plain.Letters(s) > 0 && d >= 2 && !strings.Contains(s, " ") || strings.ContainsAny(s, "#-_") && !strings.Contains(s, " ")
}
