package values

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// callArguments makes parameters of a call's arguments and returns their description: "title {title}, due {due}". It
// also stores the template of each argument.
func callArguments(s *Study, c *align.Column, a *align.Cell) string {
	var out []string
	each := make([]string, len(a.Call.Args))
	s.Bindings[c.ID].Args = each
	for i, arg := range a.Call.Args {
		if arg.Value != nil && arg.Value.Kind.Secret() {
			each[i] = page.AnyRef
			continue
		}
		if arg.Value == nil || arg.Value.LinkID == "" && arg.Value.Text == "" {
			continue
		}
		label := argLabel(arg.Name)
		p := &Param{Param: workflow.Param{Label: label, Kind: arg.Value.Kind, LinkID: arg.Value.LinkID, Required: true}, Source: "argument",
			where: arg.Name}
		p.Literal = arg.Value.Policy == capture.Literal
		value := func(b *align.Cell) string {
			if b.Call == nil || i >= len(b.Call.Args) || b.Call.Args[i].Name != arg.Name || b.Call.Args[i].Value == nil {
				return ""
			}
			return s.Open(b.Call.Args[i].Value)
		}
		p.Texts = s.each(c, value)
		s.inRounds(c, p, value)
		if _, base := c.Base(); p.Texts[base] == "" {
			each[i] = page.AnyRef
			continue
		}
		each[i] = s.settle(c, p)
		out = append(out, label+" "+each[i])
	}
	return strings.Join(out, ", ")
}

// argLabel returns an argument's name in words: "order id" for order_id, "since" for filter.since.
func argLabel(name string) string {
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	if plain.Digits(last) == len(last) && len(parts) > 1 {
		last = parts[len(parts)-2] // an item of a list
	}
	return strings.Join(trace.ToolWords(last), " ")
}
