package api

import (
	"errors"
	"strings"
	"testing"

	"showhow/daemon/api/strict"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func TestEveryFailureIsAnEnvelope(t *testing.T) {
	r := newRig(t)
	id := r.learn.session.LearnSessionID
	goal := "/api/learn/sessions/" + id + "/mark-goal"
	for name, c := range map[string]struct {
		method, path, body string
		code               fault.Code
	}{
		"no such route":   {"GET", "/api/nothing", "", fault.RouteNotFound},
		"outside the API": {"GET", "/", "", fault.RouteNotFound},
		"unclean path":    {"POST", "/api//learn/sessions", "", fault.RouteNotFound},
		"dots":            {"POST", "/api/learn/../learn/sessions", "", fault.RouteNotFound},
		"wrong method":    {"PATCH", "/api/learn/sessions", "", fault.MethodNotAllowed},
		"head":            {"OPTIONS", "/api/learn/sessions", "", fault.MethodNotAllowed},
		"not a uuid":      {"GET", "/api/learn/sessions/zzz/detail", "", fault.InvalidRequest},
		"no such session": {"GET", "/api/learn/sessions/00000000-0000-7000-8000-000000000000/detail", "", fault.LearnSessionNotFound},
		"not JSON":        {"POST", goal, "{", fault.MalformedJSON},
		"a key twice":     {"POST", goal, `{"goal_description":"a","goal_description":"b"}`, fault.MalformedJSON},
		"trailing data":   {"POST", goal, `{"goal_description":"a"} {}`, fault.MalformedJSON},
		"invalid UTF-8":   {"POST", goal, "{\"goal_description\":\"\xff\"}", fault.MalformedJSON},
		"deep":            {"POST", goal, strings.Repeat("[", 500) + strings.Repeat("]", 500), fault.MalformedJSON},
		"an array":        {"POST", goal, `[]`, fault.InvalidRequest},
		"null":            {"POST", goal, `null`, fault.InvalidRequest},
		"other case":      {"POST", goal, `{"Goal_Description":"b"}`, fault.InvalidRequest},
		"unknown key": {"POST", "/api/skills/import/discard",
			`{"import_id":"00000000-0000-7000-8000-000000000000","schema_version":1,"x":1}`, fault.InvalidRequest},
		"unknown parameter":  {"GET", "/api/learn/sessions?pagesize=2", "", fault.InvalidRequest},
		"page size":          {"GET", "/api/learn/sessions?page_size=101", "", fault.InvalidRequest},
		"page not a number":  {"GET", "/api/learn/sessions?page=two", "", fault.InvalidRequest},
		"a huge body":        {"POST", goal, `{"goal_description":"` + strings.Repeat("x", strict.MaxBody) + `"}`, fault.TooLarge},
		"too long in UTF-16": {"POST", goal, `{"goal_description":"` + strings.Repeat("😀", 201) + `"}`, fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) { r.do(c.method, c.path, c.body).want(t, c.code) })
	}
	if a := r.do("POST", goal, `{"goal_description":"`+strings.Repeat("😀", 200)+`"}`); a.status != 200 {
		t.Errorf("400 UTF-16 units fit: %s", a.body)
	}
	if a := r.do("PUT", "/api/learn/sessions", ""); a.header.Get("Allow") != "GET, POST" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	}
	r.do("POST", goal, `x=1`, "Content-Type: text/plain").want(t, fault.MalformedJSON)
}

func TestViolationsAreAllListedAndNeverRepeatWhatWasSubmitted(t *testing.T) {
	r := newRig(t)
	body := `{"entry_mode":"zzsecretzz","MODE":"zzsecretzz","zzsecretzz":1,"goal":"` + strings.Repeat("zzsecretzz",
		100) + `","scope":{"apps":"zzsecretzz"},"example_of":"zzsecretzz","retain":"zzsecretzz"}`
	a := r.do("POST", "/api/learn/sessions?zzsecretzz=1", body)
	e := a.want(t, fault.InvalidRequest)
	if strings.Contains(string(a.body), "zzsecretzz") || strings.Contains(r.log.String(), "zzsecretzz") {
		t.Errorf("the answer repeats what was submitted: %s", a.body)
	}
	rules := map[string]bool{}
	for _, v := range e.Details["violations"].([]any) {
		m := v.(map[string]any)
		rules[m["path"].(string)+" "+m["rule"].(string)] = true
	}
	for _, want := range []string{"body.entry_mode enum", "body.goal max_length", "body.scope.apps type", "body.example_of format",
		"body.retain type", "query unknown_key"} {
		if !rules[want] {
			t.Errorf("%q is missing from %v", want, rules)
		}
	}
}

func TestUnknownKeysNameTheKnownOne(t *testing.T) {
	r := newRig(t)
	discard := `{"import_id":"00000000-0000-7000-8000-000000000000","schema_version":1,"Reason":"x"}`
	e := r.do("POST", "/api/skills/import/discard", discard).want(t, fault.InvalidRequest)
	v := e.Details["violations"].([]any)[0].(map[string]any)
	if v["did_you_mean"] != "reason" || v["path"] != "body" {
		t.Errorf("%v", v)
	}
}

func TestDefaultsOfTheSchemaAreFilledIn(t *testing.T) {
	r := newRig(t)
	r.do("POST", "/api/learn/sessions", `{"entry_mode":"demonstrating_skill"}`).ok(t, 200)
	if got := <-r.learn.calls; got != "create demonstrating_skill build_then_review" {
		t.Error(got)
	}
}

func TestCausesAndPanicsAreNotExposed(t *testing.T) {
	r := newRig(t)
	goal := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/mark-goal"
	r.learn.err = errors.New("sql: /home/ada/secret")
	a := r.do("POST", goal, `{"goal_description":"a"}`)
	a.want(t, fault.Internal)
	if strings.Contains(string(a.body), "home/ada") {
		t.Errorf("%s", a.body)
	}
	// The fake panics on a method it does not have.
	a = r.do("POST", "/api/learn/sessions/"+r.learn.session.LearnSessionID+"/pause", "")
	a.want(t, fault.Internal)
	if strings.Contains(r.log.String(), "home/ada") {
		t.Errorf("log: %s", r.log)
	}
	if l := r.log.String(); !strings.Contains(l, "recovered from a panic") || !strings.Contains(l, a.header.Get(wire.HeaderCorrelation)) {
		t.Errorf("log: %s", l)
	}
	// A repeat of a request that panicked is not left waiting.
	for range 2 {
		r.do("POST", "/api/learn/sessions/"+r.learn.session.LearnSessionID+"/pause", `{"client_request_id":"p1"}`).want(t, fault.Internal)
	}
}

func TestValidCorrelationIDsAreKept(t *testing.T) {
	r := newRig(t)
	if got := r.do("GET", "/api/version", "", "X-Correlation-ID: trace-1").header.Get(wire.HeaderCorrelation); got != "trace-1" {
		t.Error(got)
	}
	if got := r.do("GET", "/api/version", "", "X-Correlation-ID: a b\"c").header.Get(wire.HeaderCorrelation); got == "" ||
		strings.Contains(got, " ") {
		t.Error(got)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	r := newRig(t)
	if a := r.do("GET", "/api/learn/sessions", "").ok(t, 200); !strings.Contains(string(a.body), `"sessions":[]`) {
		t.Errorf("%s", a.body)
	}
}

func TestIfMatchAndETag(t *testing.T) {
	r := newRig(t)
	one := "/api/learn/sessions/" + r.learn.session.LearnSessionID
	if tag := r.do("GET", one+"/detail", "").ok(t, 200).header.Get("ETag"); tag != `"3"` {
		t.Error(tag)
	}
	r.do("POST", one+"/mark-goal", `{"goal_description":"a"}`, `If-Match: "3"`).ok(t, 200)
	r.do("POST", one+"/mark-goal", `{"goal_description":"a"}`, `If-Match: three`).want(t, fault.InvalidRequest)
}
