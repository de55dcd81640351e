package browserdom

import (
	"net/url"
	"slices"
	"strings"

	"showhow/adapters/browserdom/script"
	"showhow/capture"
)

// state converts the digest to capture's form.
func (t *tab) state(p *script.State) *capture.State {
	s := p.State
	s.URL = t.cleanURL(s.URL)
	s.Fields, s.Details = script.Fields(p.Fields), script.Fields(p.Details)
	return &s
}

func (t *tab) target(p *script.Target) *capture.Target {
	if p == nil {
		return nil
	}
	out := p.Target
	out.Href, out.OfEveryRow, out.ItemTexts = t.cleanURL(out.Href), p.EveryRow, p.ItemTexts
	if p.CountedUS > 0 {
		out.CountedAt = script.CountedAt(p.CountedUS)
	}
	return &out
}

// counted sets how many elements an act's locators matched, once the page had time to count.
func (l *line) counted(m *script.Message) {
	w := l.find(m.ID)
	if w == nil {
		return
	}
	w.counting = false
	defer l.pump()
	if w.o.Target == nil || len(m.Counts) == 0 || len(m.Counts) > len(w.o.Target.Locators) {
		return
	}
	t := *w.o.Target
	t.Locators, t.CountedAt = slices.Clone(t.Locators), script.CountedAt(m.At)
	first := len(t.Locators) - len(m.Counts) // the accessibility tree's additions come first
	for i, n := range m.Counts {
		t.Locators[first+i].Matches = n
	}
	w.o.Target = &t
}

// cleanURL drops user info and the values of fields known to be secret: a GET form writes a password into the
// address. The pipeline's redactor checks it again.
func (t *tab) cleanURL(s string) string {
	if s == "" {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	u.User = nil
	if len(t.r.secrets) == 0 || u.RawQuery == "" {
		return u.String()
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, p := range parts {
		key, _, _ := strings.Cut(p, "=")
		if name, err := url.QueryUnescape(key); err == nil && slices.Contains(t.r.secrets, name) {
			parts[i] = key + "=" + url.QueryEscape("[[secret password]]")
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return u.String()
}
