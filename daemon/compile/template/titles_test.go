package template

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// A title is recognised in an address in the forms that programs use; a form that cannot be computed is at least not
// constant.
func TestTitlesInAddresses(t *testing.T) {
	g := NewGeneraliser(nil)
	g.Learn(workflow.Param{ParamID: "p1", Kind: capture.KindText}, "Kitchen Rota")
	g.Learn(workflow.Param{ParamID: "p2", Kind: capture.KindText}, "boiler manual")
	for in, want := range map[string]string{
		"/index.php/Kitchen_Rota":    "/index.php/" + page.Ref("p1.underscored"),
		"/doku.php?id=kitchen_rota":  "/doku.php?id=" + page.Ref("p1.snake"),
		"/wiki/Kitchen-Rota/edit":    "/wiki/" + page.Ref("p1.hyphened") + "/edit",
		"/posts/kitchen-rota/":       "/posts/" + page.Ref("p1.slug") + "/",
		"/find?for=kitchen+rota":     "/find?for=" + page.Ref("p1.lower"),
		"/wiki/Kitchen_rota":         "/wiki/" + page.AnyRef,
		"/doku.php?id=boiler_manual": "/doku.php?id=" + page.Ref("p2.snake"),
		"/kitchen_rotation":          "/kitchen_rotation",
	} {
		if got := g.Address(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for part, want := range map[string]string{"underscored": "Café_Menü", "snake": "cafe_menu", "hyphened": "Café-Menü", "slug": "cafe-menu"} {
		if got, ok := workflow.Part(capture.KindText, "Café Menü", part); got != want || !ok {
			t.Errorf("%s: %q", part, got)
		}
	}
	for part, want := range map[string]string{"underscored": "Roof", "snake": "roof", "hyphened": "Roof", "slug": "roof"} {
		if got, ok := workflow.Part(capture.KindText, "Roof", part); got != want || !ok {
			t.Errorf("%s of one word: %q", part, got)
		}
	}
}

// A common word in the query of an address is the program's own unless somebody entered it, even if fields show it too.
func TestWordsThatAddressesAskWith(t *testing.T) {
	g := NewGeneraliser(nil)
	g.History = &History{Open: func(s string) string { return s }, Given: map[string]int{"draft": 0}}
	for _, hidden := range []string{"admin", "draft", "weber"} {
		g.Add(hidden, page.AnyRef)
	}
	if got, want := g.Text("/page?do=admin&state=draft&id=weber&find=admin+weber"),
		"/page?do=admin&state="+page.AnyRef+"&id="+page.AnyRef+"&find="+page.AnyRef+"+"+page.AnyRef; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
