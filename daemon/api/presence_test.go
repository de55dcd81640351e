package api

import (
	"fmt"
	"testing"

	"showhow/capture"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func TestConfirmationsAreForKnownActionsAndPlainSubjects(t *testing.T) {
	r := newRig(t)
	r.do("POST", "/api/confirmations", `{"action":"dance","subject_id":"x"}`).want(t, fault.NotFound)
	r.do("POST", "/api/confirmations", `{"action":"install","subject_id":"x\u001b[2J"}`).want(t, fault.InvalidRequest)
	r.do("POST", "/api/confirmations", `{"action":"install","subject_id":"x","content_hash":"\u001b]0;x"}`).want(t, fault.InvalidRequest)
}

func TestOnlyWideningAScopeNeedsAPerson(t *testing.T) {
	r := newRig(t)
	path := "/api/learn/sessions/" + r.learn.session.LearnSessionID + "/scope"
	put := func(body string) answerOf { return r.do("PUT", path, body) }
	const rest = `"sites":[],"folders":[],"shells":[],"devices":[]`
	put(`{"scope":{"apps":["Chromium"],`+rest+`}}`).ok(t, 200)
	put(`{"scope":{"apps":[],`+rest+`}}`).ok(t, 200)
	put(`{"scope":{"apps":[],`+rest+`},"value_policy":"omitted"}`).ok(t, 200)
	for _, body := range []string{
		`{"scope":{"apps":["chromium","mail"],` + rest + `}}`,
		`{"scope":{"apps":[],"sites":["example.com"],"folders":[],"shells":[],"devices":[]}}`,
		`{"scope":{"apps":[],` + rest + `},"value_policy":"literal"}`,
		`{"scope":{"apps":[],` + rest + `},"literal_apps":["chromium"]}`,
	} {
		put(body).want(t, fault.PresenceRequired)
	}
	r.learn.session.ValuePolicy = capture.Omitted
	put(`{"scope":{"apps":[],`+rest+`},"value_policy":"masked"}`).want(t, fault.PresenceRequired)
}

func TestGrantingInAdvanceNeedsAPerson(t *testing.T) {
	r := newRig(t)
	for _, extra := range []string{`"value_policy":"literal"`, `"literal_apps":["bash"]`, `"allow_private_install":true`,
		`"build_policy":"private_auto_install"`} {
		e := r.do("POST", "/api/learn/sessions", `{"entry_mode":"demonstrating_skill",`+extra+`}`).want(t, fault.PresenceRequired)
		if e.Details["subject_id"] != "new-session" || e.Details["action"] != "grant-in-advance" {
			t.Errorf("%v", e.Details)
		}
	}
}

// A change between the code and its use voids it, through the API.
func TestAnInstallInstallsWhatWasConfirmed(t *testing.T) {
	r := newRig(t)
	p := &r.learn.proposal.Proposal
	install := "/api/learn/proposals/" + p.ProposalID + "/install"
	body := fmt.Sprintf(`{"install_lane":"experimental_private","revision":2,"content_hash":%q}`, p.ContentHash)
	r.do("POST", install, body).want(t, fault.PresenceRequired)

	header, _ := ask(t, r.s.engine.Confirm, "install", presence.Subject{ID: p.ProposalID, Revision: 2, ContentHash: p.ContentHash})
	p.Revision, p.ContentHash = 3, "sha256:ffff"
	r.do("POST", install, body, wire.HeaderConfirmation+": "+header).want(t, fault.PresenceRejected)

	header, _ = ask(t, r.s.engine.Confirm, "install", presence.Subject{ID: p.ProposalID, Revision: 3, ContentHash: p.ContentHash})
	r.do("POST", install, body, wire.HeaderConfirmation+": "+header).ok(t, 200)
}

// A code confirms the request that was sent back, and no other of the same action and subject.
func TestACodeConfirmsOneRequest(t *testing.T) {
	r := newRig(t)
	put := func(what string) string { return `{"entry_mode":"demonstrating_skill",` + what + `}` }
	const path = "/api/learn/sessions"
	seen, other := put(`"literal_apps":["gedit"]`), put(`"allow_private_install":true`)
	r.do("POST", path, other, wire.HeaderConfirmation+": "+r.confirmed("POST", path, seen)).want(t, fault.PresenceRejected)
	header, _ := ask(t, r.s.engine.Confirm, "grant-in-advance", presence.Subject{ID: "new-session"})
	r.do("POST", path, other, wire.HeaderConfirmation+": "+header).want(t, fault.PresenceRejected) // for no request
	r.do("POST", path, seen, wire.HeaderConfirmation+": "+r.confirmed("POST", path, seen)).ok(t, 200)
}

// confirmed is the header that spends a confirmation of a request that is sent back for one.
func (r *rig) confirmed(method, path, body string) string {
	r.t.Helper()
	d := r.do(method, path, body).want(r.t, fault.PresenceRequired).Details
	text := func(k string) string { s, _ := d[k].(string); return s }
	n, _ := d["revision"].(float64)
	header, _ := ask(r.t, r.s.engine.Confirm, text("action"), presence.Subject{ID: text("subject_id"), ContentHash: text("content_hash"),
		Revision: int(n)})
	return header
}

// ask opens a confirmation as for our own window, and returns the header that spends it.
func ask(t testing.TB, c *presence.Confirmations, action string, s presence.Subject) (header, id string) {
	t.Helper()
	o, err := c.Offer(wire.ConfirmationRequest{Action: action, SubjectID: s.ID, ContentHash: s.ContentHash, Revision: s.Revision}, "")
	if err != nil {
		t.Fatal(err)
	}
	return o.ConfirmationID + ":" + o.Code, o.ConfirmationID
}
