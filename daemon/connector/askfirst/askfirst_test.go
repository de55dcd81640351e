package askfirst_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/connector/askfirst"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

var now = clock.At(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))

var bound = askfirst.Binding{Agent: "codex", Server: "notes", Tool: "write", Definition: "d1", Arguments: "a1"}

func waiting() askfirst.Record {
	return askfirst.Record{Dispatch: connector.Dispatch{DispatchID: "x", Status: askfirst.Pending, ExpiresAt: now.Plus(askfirst.Wait)},
		Binding: bound, Session: "s1"}
}

// Every pair of states: what the table allows is possible, and nothing else is.
func TestEveryTransition(t *testing.T) {
	all := []string{askfirst.Pending, askfirst.Once, askfirst.Turn, askfirst.Session, askfirst.Project, askfirst.Denied,
		askfirst.Expired, askfirst.Canceled,
		askfirst.Resumed}
	n := 0
	for _, from := range all {
		for _, to := range all {
			if askfirst.CanGo(from, to) {
				n++
				if to == askfirst.Pending || from == askfirst.Denied || from == askfirst.Resumed {
					t.Errorf("%s can become %s", from, to)
				}
			}
		}
	}
	if n != 19 {
		t.Errorf("%d hops", n)
	}
}

func TestAnApprovalIsForOneCall(t *testing.T) {
	r, err := waiting().Decide("approve_once", "user", "", false, now)
	if err != nil || r.Status != askfirst.Once || r.ApprovedBy != "user" {
		t.Fatal(r.Status, err)
	}
	for name, change := range map[string]func(*askfirst.Binding){
		"another agent":      func(b *askfirst.Binding) { b.Agent = "claude-code" },
		"another server":     func(b *askfirst.Binding) { b.Server = "mail" },
		"another tool":       func(b *askfirst.Binding) { b.Tool = "delete" },
		"another definition": func(b *askfirst.Binding) { b.Definition = "d2" },
		"other arguments":    func(b *askfirst.Binding) { b.Arguments = "a2" },
		"another project":    func(b *askfirst.Binding) { b.Project = "p2" },
	} {
		b := bound
		change(&b)
		if _, err := r.Resume(b, now); !fault.Is(err, fault.MCPAskFirstRequired) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := waiting().Resume(bound, now); err == nil {
		t.Error("what nobody approved went on")
	}
	done, err := r.Resume(bound, now.Plus(time.Minute))
	if err != nil || done.Status != askfirst.Resumed {
		t.Fatal(done.Status, err)
	}
	if _, err := done.Resume(bound, now); err == nil {
		t.Error("the call went twice")
	}
	if _, err := r.Resume(bound, now.Plus(askfirst.Wait)); !fault.Is(err, fault.MCPAskFirstExpired) {
		t.Errorf("an old approval: %v", err)
	}
}

func TestDecisionsAreFinal(t *testing.T) {
	denied, err := waiting().Decide("deny", "user", "no", false, now)
	if err != nil || denied.Status != askfirst.Denied || denied.DecisionReason != "no" {
		t.Fatal(denied.Status, err)
	}
	if _, err := denied.Decide("approve_once", "user", "", false, now); !fault.Is(err, fault.MCPAskFirstExpired) {
		t.Error(err)
	}
	if _, err := waiting().Decide("approve_once", "user", "", false, now.Plus(askfirst.Wait)); !fault.Is(err, fault.MCPAskFirstExpired) {
		t.Error(err)
	}
	if _, err := waiting().Decide("approve_once", "user", "", true, now); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("any arguments, once: %v", err)
	}
	late, err := waiting().Expire(now.Plus(askfirst.Wait))
	if err != nil || late.Status != askfirst.Expired {
		t.Error(err)
	}
	gone, err := waiting().Cancel("tool_changed", now)
	if err != nil || gone.Status != askfirst.Canceled || gone.DecisionReason != "tool_changed" {
		t.Error(err)
	}
}

func TestGrants(t *testing.T) {
	grant := func(decision string, anything bool) askfirst.Grant {
		r, err := waiting().Decide(decision, "user", "", anything, now)
		if err != nil {
			t.Fatal(err)
		}
		g, ok := askfirst.GrantOf(r, now)
		if ok != (decision != "approve_once") {
			t.Fatalf("%s grants %v", decision, ok)
		}
		return g
	}
	grant("approve_once", false)
	other := bound
	other.Arguments = "a2"
	anotherTool := bound
	anotherTool.Tool = "delete"
	g := grant("approve_for_session", false)
	if !g.Covers(bound, "s1", now) || g.Covers(other, "s1", now) || g.Covers(bound, "s2", now) {
		t.Error("a grant for the session covers this call in this session alone")
	}
	if !g.Covers(bound, "s1", now.Plus(time.Hour)) || g.Covers(bound, "s1", now.Plus(askfirst.SessionMost)) {
		t.Error("a session lasts twelve hours at most")
	}
	g = grant("approve_for_session", true)
	if !g.Covers(other, "s1", now) || g.Covers(anotherTool, "s1", now) {
		t.Error("any arguments to this tool, and to no other")
	}
	if _, err := waiting().Decide("approve_for_project", "user", "", false, now); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("for a project that nobody named: %v", err)
	}
	inProject := waiting()
	inProject.Binding.Project = "p1"
	if _, err := inProject.Decide("approve_for_project", "user", "", true, now); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("any arguments for a project that the agent itself names: %v", err)
	}
	decided, err := inProject.Decide("approve_for_project", "user", "", false, now)
	if err != nil || decided.Status != askfirst.Project {
		t.Fatal(decided.Status, err)
	}
	g, ok := askfirst.GrantOf(decided, now)
	elsewhere := inProject.Binding
	elsewhere.Project = "p2"
	if !ok || !g.Covers(inProject.Binding, "s2", now.Plus(48*time.Hour)) || g.Covers(elsewhere, "s1", now) || g.Covers(bound, "s1", now) {
		t.Error("a grant for a project covers this call in every session of it, and in no other project")
	}
	if g.Covers(inProject.Binding, "s1", now.Plus(askfirst.ProjectMost)) {
		t.Error("an approval for a project lasts for ever")
	}
	wide := g
	wide.Any = true
	otherInProject := inProject.Binding
	otherInProject.Arguments = "a2"
	if wide.Covers(otherInProject, "s1", now) {
		t.Error("an approval for a project that was given with any arguments still covers others")
	}
	g = grant("approve_until_end_of_turn", false)
	if !g.Covers(bound, "s1", now.Plus(9*time.Minute)) || g.Covers(bound, "s1", now.Plus(10*time.Minute)) {
		t.Error("a turn is over after ten idle minutes")
	}
}

func TestHashArguments(t *testing.T) {
	hash := func(s string) string {
		h, err := askfirst.HashArguments(json.RawMessage(s))
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return h
	}
	if hash(`{"a":1,"b":[2,{"c":3,"d":4}]}`) != hash(`{ "b": [2, {"d":4,"c":3}], "a": 1 }`) || hash("") != hash("{}") {
		t.Error("the same arguments in another order are other arguments")
	}
	for _, s := range []string{`{"a":2}`, `{"a":"1"}`, `{"a":1,"b":null}`, `{"a":12345678901234567890}`, `{"a":12345678901234567891}`} {
		if hash(s) == hash(`{"a":1}`) {
			t.Errorf("%s is taken for another", s)
		}
	}
	if hash(`{"a":12345678901234567890}`) == hash(`{"a":12345678901234567891}`) {
		t.Error("large numbers are taken for one another")
	}
	if hash("null") != hash("{}") || hash(" {\"a\":1} \n") != hash(`{"a":1}`) {
		t.Error("blanks around the arguments, or null, make them others")
	}
	for _, s := range []string{`{`, `{"a":1}{"a":2}`, `{"a":1} null`, `{"a":1},`, `{"a":1}]`} {
		if _, err := askfirst.HashArguments(json.RawMessage(s)); !fault.Is(err, fault.MalformedJSON) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// What differs from the call before is told without keeping what was in it.
func TestChanged(t *testing.T) {
	marks := func(args string) askfirst.Marks {
		m, err := askfirst.MarksOf([]byte("key"), json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	long := strings.Repeat("k", 200)
	got := askfirst.Changed(marks(`{"to":"a","text":"x","cc":1,"at":{"x":1,"y":2},"`+long+`":1}`),
		marks(`{"to":"b","text":"x","urgent":true,"at":{"y":2,"x":1},"`+long+`":2}`))
	if !slices.Equal(got, []string{"cc is left out", long[:120] + " is another", "to is another", "urgent is new"}) {
		t.Error(got)
	}
	if other, _ := askfirst.MarksOf([]byte("another"), json.RawMessage(`{"to":"a"}`)); other["to"] == marks(`{"to":"a"}`)["to"] {
		t.Error("a mark can be guessed by who does not have the key")
	}
}

// Arguments that somebody would read as others are refused.
func TestArgumentsThatAreNotWhatIsShown(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 500)
	for _, s := range []string{`{"id":9007199254740993}`, `{"a":{"n":[1,12345678901234567891]}}`, `{"limit":1e999}`, `{"limit":-1e999}`,
		`{"limit":1e-999}`, `{"a":0.1000000000000000055}`, `{"a":1e99999999999999999999}`, `{"a":1e-99999999999999999999}`,
		deep + `9007199254740993` + strings.Repeat(`]}`, 500), `["drop","everything"]`, `[]`, `"text"`, `1`, `true`} {
		_, err := askfirst.Single(json.RawMessage(s))
		if !fault.Is(err, fault.InvalidRequest) || fault.From(err).Hint == "" {
			t.Errorf("%.60s: %v", s, err)
		}
	}
	for _, s := range []string{``, `null`, `{}`, `{"id":9007199254740992,"a":[0,-0,0.1,0.30000000000000004,1.50,1E3,1e21,1e-7]}`,
		`{"id":100000000000000000000}`,
		`{"a":1.7976931348623157e308,"b":5e-324,"c":0.000,"d":0e5,"e":"9007199254740993","f":123456789012345000000}`} {
		if _, err := askfirst.Single(json.RawMessage(s)); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}
