package api

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// wanted is a request that was sent back for a person's word, which the tray can give; it returns the open confirmation.
func (r *rig) wanted(path, body string) wire.Confirmation {
	r.t.Helper()
	d := r.do("POST", path, body).want(r.t, fault.PresenceRequired).Details
	r.do("GET", "/api/confirmations?answering=true", "").ok(r.t, 200)
	ask, err := json.Marshal(map[string]any{"action": d["action"], "subject_id": d["subject_id"], "content_hash": d["content_hash"],
		"client_request_id": clock.NewID()})
	if err != nil {
		r.t.Fatal(err)
	}
	var c wire.Confirmation
	if err := json.Unmarshal(r.do("POST", "/api/confirmations", string(ask)).ok(r.t, 201).body, &c); err != nil || !c.Tray || c.Ticket == "" ||
		c.Code != "" {
		r.t.Fatalf("%v %+v", err, c)
	}
	return c
}

func (r *rig) clicks(c wire.Confirmation, allow bool, by int) answerOf {
	return r.do("POST", "/api/confirmations/"+c.ConfirmationID+"/answer", fmt.Sprintf(`{"allow":%t,"clicked_by":%d}`, allow, by))
}

func TestTheTrayConfirmsWithoutACode(t *testing.T) {
	r := newRig(t)
	body := `{"name":"scout"}`
	c := r.wanted("/api/agents", body)
	used := wire.HeaderConfirmation + ": " + c.ConfirmationID + ":" + c.Ticket
	var p wire.PendingConfirmations
	if err := json.Unmarshal(r.do("GET", "/api/confirmations", "").ok(t, 200).body, &p); err != nil || len(p.Confirmations) != 1 ||
		!strings.Contains(strings.Join(p.Confirmations[0].About, "\n"), "“scout”") || p.Confirmations[0].Question == "" {
		t.Fatalf("%v %+v", err, p)
	}
	r.do("POST", "/api/agents", body, used).want(t, fault.PresenceRejected)
	r.clicks(c, true, 0).want(t, fault.PresenceRejected) // nobody clicked
	r.do("GET", "/api/confirmations", "", "Authorization: Bearer "+r.agentToken("spy")).want(t, fault.Forbidden)
	r.clicks(c, true, os.Getpid()).ok(t, 200)
	r.clicks(c, false, os.Getpid()).want(t, fault.NotFound) // an answer stands
	r.do("POST", "/api/agents", body, used).ok(t, 201)
	r.do("POST", "/api/agents", body, used).want(t, fault.PresenceRejected)

	c = r.wanted("/api/agents", `{"name":"other"}`)
	r.clicks(c, false, 0).ok(t, 200)
	r.do("POST", "/api/agents", `{"name":"other"}`, wire.HeaderConfirmation+": "+c.ConfirmationID+":"+c.Ticket).want(t, fault.PresenceRejected)
}

// A click is for the very request whose words were shown: the claim of the two is the same.
func TestAClickConfirmsTheShownRequestOnly(t *testing.T) {
	r := newRig(t)
	create := func(what string) string { return `{"entry_mode":"demonstrating_skill",` + what + `}` }
	c := r.wanted("/api/learn/sessions", create(`"literal_apps":["gedit"]`))
	r.clicks(c, true, os.Getpid()).ok(t, 200)
	used := wire.HeaderConfirmation + ": " + c.ConfirmationID + ":" + c.Ticket
	r.do("POST", "/api/learn/sessions", create(`"allow_private_install":true`), used).want(t, fault.PresenceRejected)
	r.do("POST", "/api/learn/sessions", create(`"literal_apps":["gedit"]`), used).want(t, fault.PresenceRejected) // it is spent

	c = r.wanted("/api/learn/sessions", create(`"literal_apps":["gedit"]`))
	r.clicks(c, true, os.Getpid()).ok(t, 200)
	r.do("POST", "/api/learn/sessions", create(`"literal_apps":["gedit"],"client_request_id":"`+clock.NewID()+`"`),
		wire.HeaderConfirmation+": "+c.ConfirmationID+":"+c.Ticket).ok(t, 200)
}

// What does not fit into a menu is not confirmed there, nor is what nobody said.
func TestOnlyWhatIsShownInFullCanBeClicked(t *testing.T) {
	r := newRig(t)
	r.do("GET", "/api/confirmations?answering=true", "").ok(t, 200)
	apps := make([]string, 50)
	for i := range apps {
		apps[i] = fmt.Sprintf("%s-%d", strings.Repeat("a-long-name", 10), i)
	}
	list, err := json.Marshal(apps)
	if err != nil {
		t.Fatal(err)
	}
	r.do("POST", "/api/learn/sessions", `{"entry_mode":"demonstrating_skill","literal_apps":`+string(list)+`}`).want(t, fault.PresenceRequired)
	for _, ask := range []string{`{"action":"grant-in-advance","subject_id":"new-session"}`, `{"action":"install","subject_id":"unseen"}`} {
		a := r.do("POST", "/api/confirmations", ask)
		var c wire.Confirmation
		if a.status == 201 && (json.Unmarshal(a.body, &c) != nil || c.Tray) || a.status != 201 && a.fault(t).Code != fault.PresenceRequired {
			t.Errorf("%s: %d %s", ask, a.status, a.body)
		}
	}
}
