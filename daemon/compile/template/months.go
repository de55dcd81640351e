package template

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// monthNumber is the number of a month that was chosen by name.
type monthNumber struct{ text, to string }

func (g *Generaliser) learnMonth(p workflow.Param, text string) {
	for _, part := range []string{workflow.PartMonth, workflow.PartMonthDigit} {
		if num, ok := workflow.Part(capture.KindChoice, text, part); ok {
			g.months = append(g.months, monthNumber{num, page.JoinRef(p.ParamID, part)})
		}
	}
}

// withFixedParts replaces the masks of fixed parts of an address by their text, escaped for a path or a query.
func (g *Generaliser) withFixedParts(s string) string {
	out, end := "", 0
	for _, m := range page.MaskForm.FindAllStringSubmatchIndex(s, -1) {
		out += s[end:m[0]]
		end = m[1]
		escape := url.PathEscape
		if before := s[strings.LastIndexByte(s[:m[0]], '#')+1 : m[0]]; strings.Contains(before, "?") {
			escape = url.QueryEscape
		}
		text := ""
		if m[2] >= 0 {
			text = strings.ReplaceAll(escape(g.Fixed[s[m[2]:m[3]]]), "%2F", "/")
		}
		out += cmp.Or(text, s[m[0]:m[1]])
	}
	return out + s[end:]
}

// Address returns an address as a template. Beyond Text, it replaces the number of a month that was chosen by name: in a
// part of the path that contains another value or is next to one, and in a query under a key for months.
func (g *Generaliser) Address(s string) string {
	if len(g.Fixed) > 0 {
		s = g.withFixedParts(s)
	}
	t := g.Text(s)
	if i := strings.Index(s, "://"); i > 0 { // a field may contain the site's own address, which stays as it is
		i += len("://")
		end := i + strings.IndexAny(s[i:]+"/", "/?#")
		host := g.Text(s[:end])
		// or a word of it
		if part := len(page.RefsOf(host)) > 0 &&
			plain.Letters(page.RefForm.ReplaceAllString(host[min(i, len(host)):], "")) > 0; !strings.HasPrefix(t, s[:end]) &&
			(host == page.AnyRef || part) {
			t = s[:end] + g.Text(s[end:])
		}
	}
	if len(g.months) == 0 || len(s) == 0 || !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
		return t
	}
	path, query, asks := strings.Cut(t, "?")
	start := 0
	if i := strings.Index(path, "://"); i >= 0 {
		start = i + 3
	}
	parts := strings.Split(path[start:], "/")
	holds := func(i int) bool { return i > 0 && i < len(parts) && len(page.RefsOf(parts[i])) > 0 }
	beside := make([]bool, len(parts))
	for i := range parts {
		beside[i] = i > 0 && (holds(i-1) || holds(i) || holds(i+1))
	}
	for i, p := range parts {
		if beside[i] {
			parts[i] = g.month(p)
		}
	}
	t = path[:start] + strings.Join(parts, "/")
	if !asks {
		return t
	}
	pairs := strings.Split(query, "&")
	for i, kv := range pairs {
		if k, v, ok := strings.Cut(kv, "="); ok && monthKey(k) {
			pairs[i] = k + "=" + g.month(v)
		}
	}
	return t + "?" + strings.Join(pairs, "&")
}

// month replaces the number of a month if it stands alone or beside a value and occurs exactly once.
func (g *Generaliser) month(s string) string {
	for _, m := range g.months {
		form := regexp.MustCompile(`(^|[^\p{L}\p{N}])` + m.text + `($|[^\p{L}\p{N}])`)
		if at := form.FindAllStringIndex(s, -1); len(at) == 1 {
			return form.ReplaceAllString(s, "${1}"+m.to+"${2}")
		}
	}
	return s
}

var monthWords = lang.Exactly("thing.month")

func monthKey(k string) bool {
	return slices.ContainsFunc(plain.Words(k), func(w string) bool { return w == "m" || w == "mm" || monthWords.Has(w) })
}
