package trace

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/draft"
)

// Signing in before other work is left out. Where it is all that was done it is the work, with the fields that the page had as entries.
func TestSignIn(t *testing.T) {
	login := &capture.State{URL: "http://a/login", Fields: []capture.Field{{Label: "User", Role: "textbox"},
		{Label: "Password", Role: "textbox", Value: &capture.Value{Policy: capture.Omitted, Kind: capture.KindPassword}}}}
	home := &capture.State{URL: "http://a/home"}
	at := 0
	record := func(verb capture.Verb, name string, before, after *capture.State) capture.Record {
		at++
		id := string(rune('a' + at))
		return capture.Record{Seq: int64(at), Event: capture.Event{EventID: id, AdapterKind: capture.BrowserDOM}, Before: before,
			After: after, Action: capture.Action{Verb: verb, OccurredAt: "2026-03-04T05:06:0" + string(rune('0'+at)) + "Z",
				Page: &capture.Page{URL: before.URL, Tab: "t"}, Target: &capture.Target{Role: "button", Name: name}}}
	}
	open := record(capture.Navigate, "", login, login)
	send := record(capture.Click, "Sign in", login, home)
	later := record(capture.Click, "Export", home, home)
	said := func(records ...capture.Record) string {
		n := Read(draft.Trace{Records: records})
		var out []string
		for _, a := range n.Acts {
			what := string(a.Verb) + " " + a.Name()
			if a.Secret() {
				what += " (" + string(a.Value.Kind) + ")"
			}
			out = append(out, what)
		}
		return strings.Join(append(out, n.SignedIn...), ", ")
	}
	if got := said(open, send); got != "navigate , type User (secret), type Password (password), click Sign in" {
		t.Error(got)
	}
	if got := said(open, send, later); strings.Contains(got, "Password") || !strings.HasSuffix(got, "click Export, a") {
		t.Error(got)
	}
}
