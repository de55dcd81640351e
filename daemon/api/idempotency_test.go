package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func TestARepeatedRequestIsDoneOnce(t *testing.T) {
	now := clock.Now()
	r := newRig(t, func(d *Deps) { d.Now = func() clock.Time { return now } })
	goal := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/mark-goal"
	body := `{"goal_description":"a","client_request_id":"r-1"}`
	first := r.do("POST", goal, body).ok(t, 200)
	again := r.do("POST", goal, `{"client_request_id":"r-1", "goal_description":"a"}`).ok(t, 200) // the order of keys is no difference
	if string(first.body) != string(again.body) || first.header.Get("ETag") != again.header.Get("ETag") ||
		again.header.Get(wire.HeaderReplayed) != "true" || first.header.Get(wire.HeaderReplayed) != "" {
		t.Errorf("%s\n%s %v", first.body, again.body, again.header)
	}
	if n := len(r.learn.calls); n != 1 {
		t.Fatalf("done %d times", n)
	}
	r.do("POST", goal, `{"goal_description":"b","client_request_id":"r-1"}`).want(t, fault.IdempotencyMismatch)
	r.do("POST", strings.Replace(goal, "goal", "step", 1), `{"step_label":"a","client_request_id":"r-1"}`).want(t, fault.IdempotencyMismatch)
	r.do("POST", goal, body, `If-Match: "3"`).want(t, fault.IdempotencyMismatch)
	now = now.Plus(engine.AnswerLife)
	r.do("POST", goal, body).ok(t, 200)
	if n := len(r.learn.calls); n != 2 {
		t.Errorf("after a day it is a new request: %d", n)
	}
}

func TestAFailedRequestMayBeTriedAgain(t *testing.T) {
	r := newRig(t)
	goal := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/mark-goal"
	r.learn.err = fault.New(fault.InvalidLearnStateTransition, "not now")
	r.do("POST", goal, `{"goal_description":"a","client_request_id":"r-1"}`).want(t, fault.InvalidLearnStateTransition)
	r.learn.err = nil
	r.do("POST", goal, `{"goal_description":"a","client_request_id":"r-1"}`).ok(t, 200)
}

func TestConcurrentRepeatsWaitForTheFirst(t *testing.T) {
	r := newRig(t)
	r.learn.block = make(chan struct{})
	goal := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/mark-goal"
	var wg sync.WaitGroup
	bodies := make([]string, 5)
	for i := range bodies {
		wg.Go(func() {
			bodies[i] = string(r.do("POST", goal, `{"goal_description":"a","client_request_id":"same"}`).body)
		})
	}
	<-r.learn.calls // the first is under way
	time.AfterFunc(20*time.Millisecond, func() { close(r.learn.block) })
	wg.Wait()
	for _, b := range bodies {
		if b != bodies[0] {
			t.Errorf("%s\n%s", b, bodies[0])
		}
	}
	if len(r.learn.calls) != 0 {
		t.Error("done more than once")
	}
}

// Another caller's request id is another request.
func TestRequestIDsBelongToTheirCaller(t *testing.T) {
	r := newRig(t)
	r.do("POST", "/api/agents", `{"name":"scout","client_request_id":"x"}`).want(t, fault.PresenceRequired)
	r.do("POST", "/api/learn/sessions/"+r.learn.session.LearnSessionID+"/mark-goal", `{"goal_description":"a","client_request_id":"x"}`).ok(t,
		200)
	token := r.agentToken("scout")
	a := r.do("POST", "/api/learn/sessions/"+r.learn.session.LearnSessionID+"/mark-goal", `{"goal_description":"a","client_request_id":"x"}`,
		"Authorization: Bearer "+token)
	a.want(t, fault.Forbidden)
}

func TestATokenIsShownOnce(t *testing.T) {
	r := newRig(t)
	body := `{"name":"scout","client_request_id":"add-1"}`
	header := r.confirmed("POST", "/api/agents", body)
	a := r.do("POST", "/api/agents", body, wire.HeaderConfirmation+": "+header).ok(t, 201)
	if !strings.Contains(string(a.body), `"token":"shagent_`) {
		t.Fatalf("%s", a.body)
	}
	again := r.do("POST", "/api/agents", body)
	again.want(t, fault.IdempotencyMismatch)
	if list := r.do("GET", "/api/agents", "").ok(t, 200); strings.Contains(string(list.body), "token") ||
		!strings.Contains(string(list.body), "scout") {
		t.Errorf("%s", list.body)
	}
	header = r.confirmed("POST", "/api/agents", `{"name":"scout"}`)
	r.do("POST", "/api/agents", `{"name":"scout"}`, wire.HeaderConfirmation+": "+header).want(t, fault.NameTaken)
	r.do("POST", "/api/agents", `{"name":"Scout!"}`).want(t, fault.InvalidRequest)
}

// A used confirmation does not stand in the way of the answer to a lost response.
func TestALostAnswerToAConfirmedRequestIsRepeated(t *testing.T) {
	r := newRig(t)
	p := r.learn.proposal.Proposal
	header, _ := ask(t, r.s.engine.Confirm, "install", presence.Subject{ID: p.ProposalID, Revision: p.Revision, ContentHash: p.ContentHash})
	body := fmt.Sprintf(`{"install_lane":"experimental_private","revision":2,"content_hash":%q,"client_request_id":"i-1"}`, p.ContentHash)
	for range 2 {
		r.do("POST", "/api/learn/proposals/"+p.ProposalID+"/install", body, wire.HeaderConfirmation+": "+header).ok(t, 200)
	}
	if len(r.learn.calls) != 1 {
		t.Error("installed twice")
	}
}
