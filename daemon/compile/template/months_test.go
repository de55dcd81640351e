package template

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// A month that was chosen by name is found by its number in addresses where the context says that it is a month.
func TestMonthsInAddresses(t *testing.T) {
	g := NewGeneraliser(nil)
	month := workflow.Param{ParamID: "p1", Kind: capture.KindChoice}
	year := workflow.Param{ParamID: "p2", Kind: capture.KindChoice}
	g.Learn(month, "March")
	g.Learn(year, "2026")
	for in, want := range map[string]string{
		"https://a.example/statements/2026/03":     "https://a.example/statements/" + page.Ref("p2") + "/" + page.Ref("p1.number"),
		"/statements/2026-03/rows":                 "/statements/" + page.Ref("p2") + "-" + page.Ref("p1.number") + "/rows",
		"/statements?year=2026&month=3":            "/statements?year=" + page.Ref("p2") + "&month=" + page.Ref("p1.digit"),
		"/statements?year=2026&page=3":             "/statements?year=" + page.Ref("p2") + "&page=3",
		"https://a.example:3/items/3":              "https://a.example:3/items/3",
		"https://a.example/version/03/about?x=y#3": "https://a.example/version/03/about?x=y#3",
	} {
		if got := g.Address(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
