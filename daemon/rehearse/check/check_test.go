package check

import (
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// Each kind of check tells what it is for from what it is not.
func TestChecksOfAState(t *testing.T) {
	b := supply.Bindings{"order": "A-1042", "q": "a b"}
	before := capture.State{URL: "http://desk/orders",
		Tables: []capture.Table{{Name: "Orders", Columns: []string{"Order", "Status"}, Rows: 4}}}
	st := capture.State{URL: "http://desk/orders/A-1042?q=a+b", Headings: []string{"Order A-1042"}, Dialogs: []string{"Edit"},
		Alerts: []string{"Order A-1042 was saved. Thanks."},
		Fields: []capture.Field{{Label: "Status", Raw: &capture.RawValue{Text: "Shipped"}}},
		Details: []capture.Field{{Label: "Order", Raw: &capture.RawValue{Text: "a-1042"}},
			{Label: "Total", Raw: &capture.RawValue{Text: "1,250.00"}}},
		Tables: []capture.Table{{Name: "Orders", Columns: []string{"Order", "Status"}, Rows: 5}}}
	sc := &Scene{Before: before}
	for name, c := range map[string]struct {
		check workflow.Check
		want  Ruling
	}{
		"url":            {workflow.Check{Kind: "url", Expect: "/orders/{order}?q={q}"}, Holds},
		"url, any":       {workflow.Check{Kind: "url", Expect: "/orders/{*}"}, Holds},
		"url, one part":  {workflow.Check{Kind: "url", Expect: "/{*}"}, Fails},
		"url, query":     {workflow.Check{Kind: "url", Expect: "/orders/{order}?q=x"}, Fails},
		"heading":        {workflow.Check{Kind: "heading", Expect: "Order {order}"}, Holds},
		"heading, part":  {workflow.Check{Kind: "heading", Expect: "Order"}, Fails},
		"dialog gone":    {workflow.Check{Kind: "dialog", Expect: "Edit", Gone: true}, Fails},
		"alert":          {workflow.Check{Kind: "alert", Expect: "Order {order} was saved"}, Holds},
		"alert, another": {workflow.Check{Kind: "alert", Expect: "Order A-104 was saved"}, Fails},
		"field":          {workflow.Check{Kind: "field_value", Name: "Status", Expect: "shipped"}, Holds},
		"field, other":   {workflow.Check{Kind: "field_value", Name: "Status", Expect: "New"}, Fails},
		"detail":         {workflow.Check{Kind: "detail", Name: "Order", Expect: "{order}"}, Holds},
		"detail, field":  {workflow.Check{Kind: "detail", Name: "Status", Expect: "Shipped"}, Fails},
		"detail, number": {workflow.Check{Kind: "detail", Name: "Total", Expect: "1250"}, Holds},
		"detail, less":   {workflow.Check{Kind: "detail", Name: "Total", Expect: "125"}, Fails},
		"detail, before": {workflow.Check{Kind: "detail", Name: "Order"}, Unknowable},
		"rows":           {workflow.Check{Kind: "row_count", Delta: 1, Extra: map[string]string{"columns": "Order; Status"}}, Holds},
		"rows, two":      {workflow.Check{Kind: "row_count", Delta: 2, Extra: map[string]string{"columns": "Order; Status"}}, Fails},
		"rows, at least": {workflow.Check{Kind: "row_count", Name: "Orders", Extra: map[string]string{"min": "6", "columns": "Order; Status"}},
			Fails},
		"not of a state": {workflow.Check{Kind: "manual"}, Unknowable},
	} {
		if got := (Judge{b}).State(c.check, st, sc); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// The first page of a program that keeps its routes behind "#" is the page itself.
func TestTheFirstRouteIsThePage(t *testing.T) {
	for _, c := range []struct {
		expect, at string
		want       bool
	}{
		{"/", "http://desk/#/", true}, {"/#/", "http://desk/", true}, {"/app", "http://desk/app/#!/", true},
		{"/#/", "http://desk/#/?tab=2", true},
		{"/", "http://desk/#/orders", false}, {"/#/orders", "http://desk/#/", false}, {"/#/orders/{order}", "http://desk/#/orders/A-1", true},
		{"/app", "http://desk/#/", false},
	} {
		if got := (Judge{supply.Bindings{"order": "A-1"}}).AtAddress(c.expect, c.at); got != c.want {
			t.Errorf("%s at %s: %v", c.expect, c.at, got)
		}
	}
}
