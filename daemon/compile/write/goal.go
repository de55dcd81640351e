package write

import (
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// WithoutValues removes the values of this demonstration from a goal: "Export order A-1042" is about exporting an order.
// Words that a person used in the goal and also picked or typed as plain words stay: the work is about them.
func (d *Understanding) WithoutValues(goal string) string {
	g := template.NewGeneraliser(nil)
	var files []string
	for _, p := range d.Study.Params {
		switch p.Kind {
		case capture.KindFile: // only by its whole name: "orders" in "the orders file" is what the work is about
			for _, text := range p.Texts {
				if path.Ext(text) != "" {
					files = append(files, text, "\x00"+strings.ReplaceAll(p.Name, "_", " ")+"\x00")
				}
			}
			continue
		case capture.KindText, capture.KindChoice, capture.KindBoolean:
			if p.Source != "picked" {
				continue
			}
		}
		for _, text := range append(slices.Clone(p.Texts), p.Rounds...) {
			g.Learn(p.Param, text)
		}
	}
	t := g.Text(strings.NewReplacer(files...).Replace(goal))
	if !strings.ContainsRune(t, page.RefOpen) && !strings.Contains(t, "\x00") {
		return goal
	}
	out := page.RefForm.ReplaceAllStringFunc(t, func(m string) string {
		id, _, _ := strings.Cut(page.RefForm.FindStringSubmatch(m)[1], ".")
		p := d.Names.Params[id]
		if p == nil {
			return ""
		}
		if p.Role == workflow.RoleConstant {
			return d.Names.Prose(m)
		}
		return "\x00" + strings.ReplaceAll(p.Name, "_", " ") + "\x00"
	})
	return plain.Squeeze(nameOnce(out))
}

// nameOnce replaces a value by its input's name with an article. A noun before the value takes the name's place: "order
// A-1042" becomes "an order", as "A-1042" alone does.
func nameOnce(s string) string {
	parts := strings.Split(s, "\x00")
	for i := 1; i < len(parts); i += 2 {
		before := strings.Fields(parts[i-1])
		if n := len(before); n > 0 && strings.EqualFold(before[n-1], intent.LastWord(parts[i])) {
			noun := before[n-1]
			lead := strings.Join(before[:n-1], " ")
			if n > 1 && (strings.EqualFold(before[n-2], "the") || strings.EqualFold(before[n-2], "an") || strings.EqualFold(before[n-2], "a")) {
				lead = strings.Join(before[:n-2], " ")
			}
			parts[i-1], parts[i] = lead+" ", intent.Article(noun)
			continue
		}
		parts[i] = intent.Article(parts[i])
	}
	return strings.Join(parts, "")
}
