package pipeline_test

import (
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/capture/seal"
)

// everything is a session with something to hide in every place where an adapter can put text.
func everything() []capture.Observation {
	page := func(url, title string) *capture.Page { return &capture.Page{URL: url, Title: title, Tab: "tab1"} }
	field := func(label, text string) capture.Field {
		return capture.Field{Label: label, Role: "textbox", Raw: &capture.RawValue{Text: text}}
	}
	return []capture.Observation{
		{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Label: "Password"},
			Value: &capture.RawValue{Text: "Canary-Pw-7781", InputType: "password", FieldName: "pw"}},
		{Verb: capture.Submit, Page: page("http://bob:urlpw99@127.0.0.1:8080/login?user=bob&pw=Canary-Pw-7781&next=%2Forders",
			"Login Canary-Pw-7781")},
		{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Label: "Note", Text: "Please ring the blue doorbell twice"},
			Value: &capture.RawValue{Text: "Please ring the blue doorbell twice", FieldName: "note"}},
		{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Label: "Room"}, Value: &capture.RawValue{Text: "Q7X", FieldName: "room"},
			After: &capture.State{URL: "http://127.0.0.1:8080/rooms/Q7X", Title: "Room Q7X", Headings: []string{"Room q7x: all"}}},
		{Verb: capture.Navigate,
			Page: page("http://127.0.0.1:8080/orders/A-1042?note=Please+ring+the+blue+doorbell+twice#Please%20ring%20the%20blue",
				"Please ring the blue doorb… – Orders"),
			Window: "Note: please ring the blue doorbell twice",
			After: &capture.State{URL: "http://127.0.0.1:8080/x?q=Please%20ring%20the%20blue%20doorbell",
				Title:    "Saved: Please ring the blue doorbell twice",
				Headings: []string{"Please ring the blue doorbell twice", "Orders"}, Alerts: []string{"Saved 'Please ring the blue doorbell twice'"},
				Dialogs: []string{"please RING the blue"}, Focus: "textbox Please ring the blue doorbell twice",
				Fields: []capture.Field{field("Note", "Please ring the blue doorbell twice"), field("API token", "tok-canary-55")},
				Details: []capture.Field{field("Customer", "Wilhelmina Canarybird"), field("State", "Canaried"), field("API token", "tok-canary-56"),
					field("Paid with", "4111 1111 1111 1111"),
					field("Remark", strings.Repeat("ring the blue doorbell ", 60))},
				Tables: []capture.Table{{Name: "Notes: ring the blue doorbell", Columns: []string{"Note"}, Rows: 3}}}},
		{Verb: capture.Click, Target: &capture.Target{Role: "row", Name: "Wilhelmina Canarybird 42",
			Landmark: &capture.Landmark{Role: "row", Name: "Wilhelmina Canarybird 42"},
			Locators: []capture.Locator{{By: "role", Role: "row", Value: "Wilhelmina Canarybird 42", Matches: 1}}}},
		{Verb: capture.Dialog, Dialog: &capture.DialogInfo{Type: "prompt", Message: "card 4111 1111 1111 1111 for wilhelmina@canary.example?",
			Accepted: true}},
		{Verb: capture.Download, File: &capture.File{Name: "token ghx_4f9Kq2Lr7TpVw4KdNs9YzX8.csv", Path: "/home/anna/Downloads/x.csv"}},
	}
}

func commands() []capture.Observation {
	var out []capture.Observation
	for _, line := range []string{
		"mysql -u root -pCanaryMy99 shop", "curl -u bob:CanaryCu88 https://h/x", "export DEPLOY_TOKEN=CanaryEx77",
		"psql postgres://a:CanaryPg66@db/x",
		"cat <<EOF > secrets.txt\nCanaryHere55 and more\nEOF", "git commit -m 'CanaryMsg44 is fixed'",
		"gh auth login --with-token <<< CanaryHs33",
		"tool --password 'Canary Flag22'", `curl -H "Authorization: Bearer CanaryBe11" u`, "docker run -e MODE=CanaryEnv00 img",
		"echo done # CanaryComment12",
		"if then 'Canary Broken13", "for f in *.csv; do grep 'CanaryGrep 14' $f; done", "x=$(grep 'CanarySub 15' f)",
		"cat <<'E' | sh -s 'unterminated\nCanaryHere16\n",
		"grep Q7X list.csv > room-Q7X.csv", "wc -l room-Q7X.csv", "echo Canary-Pw-7781 | wc -c", "ls /home/anna/work",
		"cat > n.txt <<< 'Please ring the blue doorbell'", "echo please ring the blue doorbell twice",
	} {
		out = append(out, capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: "pts/3"},
			Verb:    capture.Run,
			Command: &capture.RawCommand{Line: line, Shell: "bash", CwdFrom: "/home/anna/work", CwdTo: "/home/anna/work", Duration: time.Second}})
	}
	return out
}

func TestNoCanarySurvives(t *testing.T) {
	log := &memory{}
	p := start(t, config(t, log))
	for _, o := range everything() {
		o.Kind, o.Origin = capture.BrowserDOM, site
		p.Emit(o)
	}
	off := click("CanaryOff")
	off.Origin.Site = "private.example"
	p.Emit(off)
	for _, o := range commands() {
		p.Emit(o)
	}
	flush(t, p)
	text := strings.ToLower(dump(t, log.all()))
	// Needles that nothing else can contain: four digits of a card also occur in the microseconds of a time.
	for _, secret := range []string{"canary", "urlpw99", "doorbell", "ring the blue", "4111 1111", "41111111", "tok-canary", "ghx_4f9",
		"/home/anna", "wilhelmina", "q7x"} {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("%q survives: …%s…", secret, text[max(0, i-160):min(len(text), i+60)])
		}
	}
	if n := int(p.Kept()); n != len(everything())+len(commands()) {
		t.Errorf("kept %d: %v", n, p.Withheld())
	}
	sealed := map[string]bool{}
	var rows []capture.SealedRow
	for _, r := range log.all() {
		for _, row := range r.Sealed {
			sealed[row.LinkID] = true
			rows = append(rows, row)
		}
		for _, m := range capture.ParseMasks(dump(t, r)) {
			if !sealed[m.LinkID] {
				t.Errorf("no sealed row for %s", m)
			}
		}
	}
	values, err := seal.Open(key, rows)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range values {
		all = append(all, v)
	}
	vault := strings.Join(all, "\n")
	if !strings.Contains(vault, "Please ring the blue doorbell twice") {
		t.Error("the note is not in the vault")
	}
	for _, secret := range []string{"Canary-Pw-7781", "CanaryMy99", "CanaryCu88", "tok-canary-55", "CanaryBe11", "Flag22", "4111 1111",
		"41111111"} {
		if strings.Contains(vault, secret) {
			t.Errorf("secret %q is in the vault", secret)
		}
	}
	if testing.Verbose() {
		for _, r := range log.all() {
			t.Log(r.Event.ActionLabel)
			if r.Action.Command != nil {
				t.Log("    ", r.Action.Command.Line)
			}
			if r.Action.Page != nil {
				t.Log("    ", r.Action.Page.URL, r.Action.Page.Pattern)
			}
		}
	}
}
