package rehearse

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// A value stays one word of a command line, whatever is in it and wherever it stands.
func TestAValueIsNoCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, v := range []string{"plain", "two words", `a'b`, `a"b`, "$(echo bad)", "`echo bad`", "; echo bad", "a\\b", "*", "-n", "$HOME", "a\nb", "ünï"} {
		s := &supply{bindings: bindings{"x": v}}
		for _, tmpl := range []string{"printf '%s.' {x}", `printf '%s.' "{x}"`, `printf '%s.' '{x}'`} {
			out, err := exec.Command(sh, "-c", s.command(tmpl)).Output()
			if err != nil || string(out) != v+"." {
				t.Errorf("%s with %q: %q %v", tmpl, v, out, err)
			}
		}
	}
	if fish, err := exec.LookPath("fish"); err == nil {
		for _, v := range []string{"plain", "two words", `a'b`, `a\`, `\'; echo bad`, `a"b`, "$(echo bad)", "(echo bad)", "; echo bad", `a\\b`, "*", "$HOME", "~", "{a,b}", "a\nb", "ünï"} {
			s := &supply{bindings: bindings{"x": v}, fish: true}
			for _, tmpl := range []string{"printf '%s.' {x}", `printf '%s.' "{x}"`, `printf '%s.' '{x}'`, `printf '%s.' 'it\'s'{x}`} {
				out, err := exec.Command(fish, "--no-config", "-c", s.command(tmpl)).Output()
				if err != nil || strings.TrimPrefix(string(out), "it's") != v+"." {
					t.Errorf("fish: %s with %q: %q %v", tmpl, v, out, err)
				}
			}
		}
	}
	several := &supply{bindings: bindings{"files": "a b.txt\nc.txt"}, several: map[string]bool{"files": true}}
	out, err := exec.Command(sh, "-c", several.command("printf '%s.' {files}")).Output()
	if err != nil || string(out) != "a b.txt.c.txt." {
		t.Errorf("%q %v", out, err)
	}
	if got := (&supply{bindings: bindings{}}).command("awk '{print $1}' {file}"); got != "awk '{print $1}' {file}" {
		t.Error(got)
	}
}

// In a text that a line holds, a value is what it is: no quotation marks come into it, nothing in it is run, and it does not end it.
func TestAValueInAHeredoc(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, v := range []string{"two words", `it's "so"`, "$(echo bad)", "`echo bad`", `a\b`, "$HOME", "a\nb", "EO", "<<X"} {
		s := &supply{bindings: bindings{"x": v, "y": "don't"}}
		for _, tmpl := range []string{"cat <<EOF\n- {x}.\nEOF", "cat <<'EOF'\n- {x}.\nEOF", "cat <<EOF\nit's {y}\n- {x}.\nEOF\nprintf %s {y}"} {
			out, err := exec.Command(sh, "-c", s.command(tmpl)).Output()
			if got, _ := strings.CutPrefix(string(out), "it's don't\n"); err != nil || strings.TrimSuffix(got, "don't") != "- "+v+".\n" {
				t.Errorf("%s with %q: %q %v", tmpl, v, out, err)
			}
		}
	}
	for tmpl, want := range map[string]string{
		"cat <<A <<B\na\nA\n{x}\nB": "$(echo bad); it's\n", "printf %s \"$(cat <<EOF\n{x}\nEOF\n)\"": "$(echo bad); it's",
		"printf '%s' 'a <<EOF'\nprintf %s {x}\n: <<EOF\nEOF": "a <<EOF$(echo bad); it's", "printf %s $((1<<2))\nprintf %s {x}": "4$(echo bad); it's",
	} {
		line := (&supply{bindings: bindings{"x": "$(echo bad); it's"}}).command(tmpl)
		if out, err := exec.Command(sh, "-c", line).Output(); err != nil || string(out) != want {
			t.Errorf("%s: %q %v", line, out, err)
		}
	}
	for _, c := range []struct{ tmpl, x, y string }{{"cat <<B <<EOF\nB\n{x}\nEOF", "EOF", ""}, {"cat <<EOF\n{x}\nEOF", "a\nEOF\necho bad", ""}, {"cat <<EOF\n{x}{y}\nEOF", "EO", "F\necho bad"}, {"cat <<'EOF'\n{x}\nEOF", "EOF", ""}, {"cat <<EOF\n- {x}OF\nEOF", "\nE", ""}} {
		if line := (&supply{bindings: bindings{"x": c.x, "y": c.y}}).command(c.tmpl); !strings.Contains(line, "{") {
			t.Errorf("it ended the text: %q", line)
		}
	}
}

func TestValuesAreHidden(t *testing.T) {
	s := &supply{bindings: bindings{"order": "A-1042", "note": "Ring twice", "n": "2"}}
	for in, want := range map[string]string{
		"Order A-1042 says ring  twice": "Order {order} says {note}", "2 of 12": "{n} of 12", "nothing": "nothing",
	} {
		if got := s.hide(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Each kind of check tells what it is for from what it is not.
func TestChecksOfAState(t *testing.T) {
	b := bindings{"order": "A-1042", "q": "a b"}
	before := capture.State{URL: "http://desk/orders", Tables: []capture.Table{{Name: "Orders", Columns: []string{"Order", "Status"}, Rows: 4}}}
	st := capture.State{URL: "http://desk/orders/A-1042?q=a+b", Headings: []string{"Order A-1042"}, Dialogs: []string{"Edit"}, Alerts: []string{"Order A-1042 was saved. Thanks."},
		Fields:  []capture.Field{{Label: "Status", Raw: &capture.RawValue{Text: "Shipped"}}},
		Details: []capture.Field{{Label: "Order", Raw: &capture.RawValue{Text: "a-1042"}}, {Label: "Total", Raw: &capture.RawValue{Text: "1,250.00"}}}, Tables: []capture.Table{{Name: "Orders", Columns: []string{"Order", "Status"}, Rows: 5}}}
	sc := &scene{before: before}
	for name, c := range map[string]struct {
		check workflow.Check
		want  ruling
	}{
		"url":            {workflow.Check{Kind: "url", Expect: "/orders/{order}?q={q}"}, holds},
		"url, any":       {workflow.Check{Kind: "url", Expect: "/orders/{*}"}, holds},
		"url, one part":  {workflow.Check{Kind: "url", Expect: "/{*}"}, fails},
		"url, query":     {workflow.Check{Kind: "url", Expect: "/orders/{order}?q=x"}, fails},
		"heading":        {workflow.Check{Kind: "heading", Expect: "Order {order}"}, holds},
		"heading, part":  {workflow.Check{Kind: "heading", Expect: "Order"}, fails},
		"dialog gone":    {workflow.Check{Kind: "dialog", Expect: "Edit", Gone: true}, fails},
		"alert":          {workflow.Check{Kind: "alert", Expect: "Order {order} was saved"}, holds},
		"alert, another": {workflow.Check{Kind: "alert", Expect: "Order A-104 was saved"}, fails},
		"field":          {workflow.Check{Kind: "field_value", Name: "Status", Expect: "shipped"}, holds},
		"field, other":   {workflow.Check{Kind: "field_value", Name: "Status", Expect: "New"}, fails},
		"detail":         {workflow.Check{Kind: "detail", Name: "Order", Expect: "{order}"}, holds},
		"detail, field":  {workflow.Check{Kind: "detail", Name: "Status", Expect: "Shipped"}, fails},
		"detail, number": {workflow.Check{Kind: "detail", Name: "Total", Expect: "1250"}, holds},
		"detail, less":   {workflow.Check{Kind: "detail", Name: "Total", Expect: "125"}, fails},
		"detail, before": {workflow.Check{Kind: "detail", Name: "Order"}, unknowable},
		"rows":           {workflow.Check{Kind: "row_count", Delta: 1, Extra: map[string]string{"columns": "Order; Status"}}, holds},
		"rows, two":      {workflow.Check{Kind: "row_count", Delta: 2, Extra: map[string]string{"columns": "Order; Status"}}, fails},
		"rows, at least": {workflow.Check{Kind: "row_count", Name: "Orders", Extra: map[string]string{"min": "6", "columns": "Order; Status"}}, fails},
		"not of a state": {workflow.Check{Kind: "manual"}, unknowable},
	} {
		if got := b.state(c.check, st, sc); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestAnotherChoice(t *testing.T) {
	options := []string{"-- choose --", "New", "Shipped", "Cancelled"}
	for shown, want := range map[string]string{"New": "Shipped", "cancelled": "New", "": "New"} {
		if got := another(options, shown); got != want {
			t.Errorf("%q: %q", shown, got)
		}
	}
	if got := another([]string{"Only"}, "only"); got != "" {
		t.Error(got)
	}
}

func TestAnotherRow(t *testing.T) {
	orders := []Row{
		{List: "orders", Cells: []string{"A-1041", "Contoso", "Open"}, Links: []Link{{Name: "A-1041"}}},
		{List: "orders", Cells: []string{"A-1042", "Fabrikam", "Open"}, Links: []Link{{Name: "A-1042"}}},
		{List: "orders", Cells: []string{"A-1043", "Fabrikam", "Sent"}, Links: []Link{{Name: "A-1043"}}},
		{List: "notes", Cells: []string{"B-7", "x", "y"}},
		{List: "people", Links: []Link{{Name: "Amina"}, {Name: "Edit"}}},
		{List: "people", Links: []Link{{Name: "Boris"}, {Name: "Edit"}}},
	}
	for shown, want := range map[string][]string{
		"A-1042": {"A-1043", "A-1041"}, "a-1041": {"A-1042", "A-1043"}, "Amina": {"Boris"},
		"Contoso": nil, "Open": {"Sent"}, // a word that stands twice names no row
		"A-0900": {"A-1041", "A-1042", "A-1043"}, "Zoe": nil, "": nil,
	} {
		if got := otherRows(orders, shown); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}

func TestTheRunsPlaceStandsForTheDemonstratedOne(t *testing.T) {
	req := Request{StartURL: "https://staging.example:8443/", Draft: compile.Output{RequiredSites: []string{"desk.example"}, Graph: workflow.Graph{Steps: []workflow.Step{
		{Surface: onBrowser, Page: &capture.Page{URL: "https://desk.example/orders"}}}}}, AllowHosts: []string{"staging.example:8443"}}
	s := sitesOf(req)
	for in, want := range map[string]string{
		"https://desk.example/orders?q=1": "https://staging.example:8443/orders?q=1", "https://other.example/x": "https://other.example/x", "/relative": "/relative",
	} {
		if got := s.address(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := s.line("curl https://desk.example/api | jq ."); got != "curl https://staging.example:8443/api | jq ." {
		t.Error(got)
	}
	req.Draft.Graph.Steps = append(req.Draft.Graph.Steps, workflow.Step{Surface: onBrowser, Page: &capture.Page{URL: "https://bank.example/"}})
	if _, err := moves(req); !fault.Is(err, fault.InvalidRequest) || !strings.Contains(fault.From(err).Message, "desk.example, bank.example") {
		t.Errorf("which of two sites is meant was not asked: %v", err)
	}
	both := req
	both.StartURL, both.StartURLs = "", map[string]string{"desk.example": "https://a.example", "Bank.example": "http://b.example:81/in"}
	at := sitesOf(both)
	for in, want := range map[string]string{"https://desk.example/orders": "https://a.example/orders", "https://bank.example/x?y": "http://b.example:81/x?y"} {
		if got := at.address(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := at.begin("https://bank.example/"); got != "http://b.example:81/in" {
		t.Error(got)
	}
	both.StartURLs = map[string]string{"shop.example": "https://a.example"}
	if _, err := moves(both); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a site that was never shown: %v", err)
	}
	if strings.Join(s.hosts, " ") != "staging.example:8443" {
		t.Error(s.hosts, "the demonstrated site must not be reached any more")
	}
}
