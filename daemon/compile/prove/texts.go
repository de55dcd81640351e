package prove

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// heading returns the template of the heading that distinguishes this page from the previous one; fallback allows a
// heading that was there before.
func (m *miner) heading(fallback bool) string {
	first := func(a *align.Cell) string {
		b, after := a.StateBefore(), a.State()
		if f := page.FreshHeadings(b.Headings, after.Headings); len(f) > 0 {
			return plain.Squeeze(page.CountForm.ReplaceAllString(f[0], ""))
		}
		if fallback && len(after.Headings) > 0 {
			return plain.Squeeze(page.CountForm.ReplaceAllString(after.Headings[0], ""))
		}
		return ""
	}
	return m.inAll(first, page.IDLike)
}

// reads says what a text is, or how it begins if the rest is unknown.
func reads(what, verb, text string) string {
	begin, open := strings.CutSuffix(strings.TrimSuffix(text, `"`), "...")
	if !open || strings.Contains(begin, "...") || strings.Trim(begin, `" /`) == "" {
		return what + " " + verb + " " + text
	}
	if begin = strings.TrimSpace(begin); strings.HasPrefix(text, `"`) {
		begin += `"`
	}
	return what + " begins with " + begin
}

// message returns the template of a message. Any number in it may differ next time.
func (m *miner) message(msg string) string {
	like := func(a *align.Cell) string { // the message of another demonstration that is at the same place in its list
		at := slices.Index(page.Fresh(m.st.Act.StateBefore().Alerts, m.st.Act.State().Alerts), msg)
		if all := page.Fresh(a.StateBefore().Alerts, a.State().Alerts); a != m.st.Act && at >= 0 && at < len(all) {
			return strings.TrimRight(plain.Squeeze(all[at]), ".")
		}
		if a == m.st.Act {
			return strings.TrimRight(plain.Squeeze(msg), ".")
		}
		return ""
	}
	return m.inAll(like, func(w string) bool { return plain.Digits(w) > 0 })
}

// withNumbers replaces a number in a message that was entered in this segment by its mask: "12 of it were booked in". A
// number is too short to search for everywhere, but here it was just given.
func (m *miner) withNumbers(a *align.Cell, msg string) string {
	t := slices.Index(m.st.Col.Acts, a)
	if t < 0 || msg == "" {
		return msg
	}
	ws := strings.Fields(msg)
	for i, w := range ws {
		for _, st := range m.seg.Steps {
			p := m.n.Params[st.ParamID]
			if p != nil && p.Role != workflow.RoleConstant && st.ValueTemplate == page.Ref(p.ParamID) && t < len(p.Texts) && p.Texts[t] == w &&
				plain.Digits(w) == len(w) {
				ws[i] = page.Ref(p.ParamID)
			}
		}
	}
	return strings.Join(ws, " ")
}

// inAll returns the part of a text's template that all demonstrations share: words that differ, and words that vary by
// their form, are generalised. It returns "" when no readable word is left.
func (m *miner) inAll(text func(*align.Cell) string, varies func(string) bool) string {
	out := ""
	for t, a := range m.st.Col.Acts {
		if a == nil {
			continue
		}
		s := text(a)
		if s == "" {
			continue
		}
		tmpl := loosen(m.withNumbers(a, m.s.Gens[t].Text(s)), varies)
		if out == "" {
			out = tmpl
		} else {
			out = common(out, tmpl)
		}
	}
	if plain.Letters(page.RefForm.ReplaceAllString(out, "")) == 0 && len(page.RefsOf(out)) == 0 {
		return ""
	}
	return out
}

// loosen generalises every word that varies by its form.
func loosen(tmpl string, varies func(string) bool) string {
	ws := strings.Fields(tmpl)
	for i, w := range ws {
		core := strings.Trim(w, ".,;:!?()\"'")
		if !strings.ContainsRune(w, page.RefOpen) && core != "" && varies(core) {
			ws[i] = strings.Replace(w, core, page.AnyRef, 1)
		}
	}
	return strings.Join(ws, " ")
}

// common returns what two templates share, word by word; the differing stretch is generalised.
func common(a, b string) string {
	if a == b {
		return a
	}
	x, y := strings.Fields(a), strings.Fields(b)
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && j < len(y)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	out := append(slices.Clone(x[:i]), page.AnyRef)
	return strings.Join(append(out, x[len(x)-j:]...), " ")
}

// pageGoal describes a page as a person would: "Order {order}" is the page of order {order}.
func (m *miner) pageGoal(heading string) string {
	if ids := page.RefsOf(heading); len(ids) == 1 && strings.HasSuffix(heading, page.Ref(ids[0])) {
		noun := strings.TrimSpace(strings.TrimSuffix(heading, page.Ref(ids[0])))
		if p := m.n.Params[ids[0]]; len(strings.Fields(noun)) == 1 && p != nil && strings.EqualFold(noun, p.Label) {
			return fmt.Sprintf("The page of %s %s is open", plain.LowerFirst(noun), m.n.Prose(page.Ref(ids[0])))
		}
	}
	return fmt.Sprintf(`The page "%s" is open`, m.n.Prose(heading))
}

// address returns the template of a path, with those query values that inputs supply.
func (m *miner) address(url string) string {
	if url == "" {
		return ""
	}
	path, asked, _ := strings.Cut(m.g.Address(page.PathOf(url)+"?"+page.QueryOf(url)), "?")
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.ContainsRune(p, page.RefOpen) && page.NamesThing(parts, i) {
			parts[i] = page.AnyRef
		}
	}
	out := strings.Join(parts, "/")
	var query []string
	for _, t := range strings.Split(asked, "&") {
		k, _, _ := strings.Cut(t, "=")
		if len(m.n.InputsOf(t)) > 0 && !strings.ContainsRune(k, page.RefOpen) {
			query = append(query, t)
		}
	}
	if len(query) > 0 {
		out += "?" + strings.Join(query, "&")
	}
	return out
}

func (m *miner) titleGoal(after *capture.State, address string) string {
	if after.Title != "" {
		return fmt.Sprintf(`The page "%s" is open`, m.n.Prose(m.g.Text(after.Title)))
	}
	return fmt.Sprintf("The page %s is open", m.n.Prose(address))
}
