package compile

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A month that was given by its name is found by its number in addresses, where something says that it is one.
func TestMonthsInAddresses(t *testing.T) {
	g := newGeneraliser(nil)
	month := &param{Param: workflow.Param{ParamID: "p1", Kind: capture.KindChoice}}
	year := &param{Param: workflow.Param{ParamID: "p2", Kind: capture.KindChoice}}
	g.learn(month, "March")
	g.learn(year, "2026")
	for in, want := range map[string]string{
		"https://a.example/statements/2026/03":     "https://a.example/statements/" + ref("p2") + "/" + ref("p1.number"),
		"/statements/2026-03/rows":                 "/statements/" + ref("p2") + "-" + ref("p1.number") + "/rows",
		"/statements?year=2026&month=3":            "/statements?year=" + ref("p2") + "&month=" + ref("p1.digit"),
		"/statements?year=2026&page=3":             "/statements?year=" + ref("p2") + "&page=3",
		"https://a.example:3/items/3":              "https://a.example:3/items/3",
		"https://a.example/version/03/about?x=y#3": "https://a.example/version/03/about?x=y#3",
	} {
		if got := g.address(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
