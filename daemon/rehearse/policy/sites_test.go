package policy

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

func TestTheRunsSiteReplacesTheDemonstratedOne(t *testing.T) {
	req := record.Request{StartURL: "https://staging.example:8443/",
		Draft: compile.Output{RequiredSites: []string{"desk.example"}, Graph: workflow.Graph{Steps: []workflow.Step{
			{Surface: OnBrowser, Page: &capture.Page{URL: "https://desk.example/orders"}}}}}, AllowHosts: []string{"staging.example:8443"}}
	s := SitesOf(req)
	for in, want := range map[string]string{
		"https://desk.example/orders?q=1": "https://staging.example:8443/orders?q=1", "https://other.example/x": "https://other.example/x",
		"/relative": "/relative",
	} {
		if got := s.Address(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := s.Line("curl https://desk.example/api | jq ."); got != "curl https://staging.example:8443/api | jq ." {
		t.Error(got)
	}
	req.Draft.Graph.Steps = append(req.Draft.Graph.Steps, workflow.Step{Surface: OnBrowser, Page: &capture.Page{URL: "https://bank.example/"}})
	if _, err := Moves(req); !fault.Is(err, fault.InvalidRequest) || !strings.Contains(fault.From(err).Message, "desk.example, bank.example") {
		t.Errorf("which of two sites is meant was not asked: %v", err)
	}
	both := req
	both.StartURL, both.StartURLs = "", map[string]string{"desk.example": "https://a.example", "Bank.example": "http://b.example:81/in"}
	at := SitesOf(both)
	for in, want := range map[string]string{"https://desk.example/orders": "https://a.example/orders",
		"https://bank.example/x?y": "http://b.example:81/x?y"} {
		if got := at.Address(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := at.Begin("https://bank.example/"); got != "http://b.example:81/in" {
		t.Error(got)
	}
	both.StartURLs = map[string]string{"shop.example": "https://a.example"}
	if _, err := Moves(both); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a site that was never shown: %v", err)
	}
	if strings.Join(s.Hosts, " ") != "staging.example:8443" {
		t.Error(s.Hosts, "the demonstrated site must not be reached any more")
	}
}
