package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// noRequest: a typed code is not bound to the request.
func noRequest() (none [32]byte) { return none }

// ask opens a confirmation as if its code had been shown, and returns the header that spends it.
func ask(t *testing.T, c *confirmations, action string, s Subject) (header, id string) {
	t.Helper()
	id, err := c.add(claim{action, s.ID, s.ContentHash, s.Revision}, "abcdef")
	if err != nil {
		t.Fatal(err)
	}
	return id + ":abc-DEF", id
}

func TestAConfirmationIsGoodForExactlyWhatWasSeen(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	seen := Subject{ID: "p1", Revision: 2, ContentHash: "h1", ChangedAt: clock.At(now)}
	for name, c := range map[string]struct {
		action string
		now    Subject
		later  time.Duration
		ok     bool
	}{
		"what was seen":    {"install", seen, time.Second, true},
		"another action":   {"approve", seen, 0, false},
		"another subject":  {"install", Subject{ID: "p2", Revision: 2, ContentHash: "h1"}, 0, false},
		"a later revision": {"install", Subject{ID: "p1", Revision: 3, ContentHash: "h1"}, 0, false},
		"other content":    {"install", Subject{ID: "p1", Revision: 2, ContentHash: "h2"}, 0, false},
		"changed in between": {"install", Subject{ID: "p1", Revision: 2, ContentHash: "h1", ChangedAt: clock.At(now.Add(time.Second))}, 0,
			false},
		"a bit too late":      {"install", seen, confirmationLife, false},
		"at the last moment":  {"install", seen, confirmationLife - time.Millisecond, true},
		"nothing of the kind": {"", Subject{}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := now
			cs := newConfirmations(func() time.Time { return at }, clock.NewID)
			header, _ := ask(t, cs, "install", seen)
			at = at.Add(c.later)
			err := cs.use(header, c.action, c.now, noRequest)
			if (err == nil) != c.ok || (err != nil && !fault.Is(err, fault.PresenceRejected)) {
				t.Error(err)
			}
			if cs.use(header, "install", seen, noRequest) == nil {
				t.Error("it was good twice")
			}
		})
	}
}

func TestGuessesAreFew(t *testing.T) {
	cs := newConfirmations(time.Now, clock.NewID)
	s := Subject{ID: "p1"}
	header, id := ask(t, cs, "install", s)
	for range confirmationGuesses {
		if err := cs.use(id+":zzzzzz", "install", s, noRequest); !fault.Is(err, fault.PresenceRejected) {
			t.Fatal(err)
		}
	}
	if err := cs.use(header, "install", s, noRequest); !fault.Is(err, fault.PresenceRejected) {
		t.Error("the right code after three wrong ones")
	}
	for _, h := range []string{"", ":", id, id + ":", "x:abcdef", strings.Repeat("x", 1<<16)} {
		if cs.use(h, "install", s, noRequest) == nil {
			t.Errorf("%.20q was accepted", h)
		}
	}
}

func TestATerminalIsNotFlooded(t *testing.T) {
	now := time.Now()
	cs := newConfirmations(func() time.Time { return now }, clock.NewID)
	for range confirmationsOpen {
		ask(t, cs, "install", Subject{ID: "p1"})
	}
	if _, err := cs.add(claim{}, "abcdef"); !fault.Is(err, fault.TooManyRequests) {
		t.Error(err)
	}
	now = now.Add(confirmationLife)
	ask(t, cs, "install", Subject{ID: "p1"})
}

func TestCodesAreEasyToReadAndDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		c := newCode()
		if len(c) != 6 || strings.ContainsAny(c, "il1o05s8b") && strings.ContainsAny(c, "il1o058") || seen[c] {
			t.Fatalf("%q", c)
		}
		seen[c] = true
	}
}

func TestConfirmationsAreForKnownActionsAndPlainSubjects(t *testing.T) {
	r := newRig(t)
	r.do("POST", "/api/confirmations", `{"action":"dance","subject_id":"x"}`).want(t, fault.NotFound)
	r.do("POST", "/api/confirmations", `{"action":"install","subject_id":"x\u001b[2J"}`).want(t, fault.InvalidRequest)
	r.do("POST", "/api/confirmations", `{"action":"install","subject_id":"x","content_hash":"\u001b]0;x"}`).want(t, fault.InvalidRequest)
}

func TestNarrowingAScopeNeedsNobodyWideningAPerson(t *testing.T) {
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
func TestAConfirmedInstallIsOfWhatWasConfirmed(t *testing.T) {
	r := newRig(t)
	p := &r.learn.proposal.Proposal
	install := "/api/learn/proposals/" + p.ProposalID + "/install"
	body := fmt.Sprintf(`{"install_lane":"experimental_private","revision":2,"content_hash":%q}`, p.ContentHash)
	r.do("POST", install, body).want(t, fault.PresenceRequired)

	header, _ := ask(t, r.s.confirm, "install", Subject{ID: p.ProposalID, Revision: 2, ContentHash: p.ContentHash})
	p.Revision, p.ContentHash = 3, "sha256:ffff"
	r.do("POST", install, body, wire.HeaderConfirmation+": "+header).want(t, fault.PresenceRejected)

	header, _ = ask(t, r.s.confirm, "install", Subject{ID: p.ProposalID, Revision: 3, ContentHash: p.ContentHash})
	r.do("POST", install, body, wire.HeaderConfirmation+": "+header).ok(t, 200)
}
