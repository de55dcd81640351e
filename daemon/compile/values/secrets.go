package values

import (
	"cmp"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// secret makes an input of a value that is never stored: only the fact that it was entered is known. Whoever runs the
// skill supplies it, or enters it in the window. Two entries with the same label on one page are one value.
func secret(s *Study, c *align.Column, a *align.Cell) string {
	for _, p := range s.Params {
		if p.Source == "secret" && p.Kind == a.Value.Kind && page.PathOf(p.Act.URLBefore()) == page.PathOf(a.URLBefore()) &&
			p.Act.Tab() == a.Tab() && a.Value.Kind == capture.KindPassword {
			return page.Ref(p.ParamID)
		}
	}
	kind := string(a.Value.Kind)
	if a.Value.Kind == capture.KindOTP {
		kind = "code"
	}
	p := &Param{Param: workflow.Param{Label: cmp.Or(page.Clean(a.Name()), kind), Kind: a.Value.Kind}, Source: "secret",
		Texts: make([]string, len(c.Acts))}
	tmpl := s.add(c, p)
	p.Role, p.Settled = workflow.RoleInput, true
	return tmpl
}
