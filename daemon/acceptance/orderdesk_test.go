package acceptance_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/rehearse"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// The gate before an installation (decisions C1) with rehearsals in real pages and a shell: only a run on this very
// revision opens it, a failure closes it, and a partial result needs the person's confirmation.
func TestRehearsalOfTheOrderDesk(t *testing.T) {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err) // its last steps are commands
	}
	t.Parallel()
	var broken atomic.Bool
	w, d := browsed(t, func(desk http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if broken.Load() && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/confirm") {
				http.Redirect(rw, r, strings.TrimSuffix(r.URL.Path, "/confirm"), http.StatusSeeOther) // and nothing is saved
				return
			}
			desk.ServeHTTP(rw, r)
		})
	})
	values := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		switch {
		case len(in.Options) > 0:
			values[in.Name] = in.Options[3]
		case in.Kind == "date":
			values[in.Name] = "2027-04-01"
		case in.Kind == "id":
			values[in.Name] = "A-1044"
		default:
			values[in.Name] = "Please ring twice at the back"
		}
	}
	run := func(want rehearse.Overall, kind client.RunKind) client.ValidationRun {
		t.Helper()
		r, steps := w.rehearse(d, client.ValidateRequest{RunKinds: []client.RunKind{kind}, Parameters: values,
			TestPolicy: rehearsing("controlled_live_test")})
		if r.OverallResult != want {
			w.tell(steps)
			t.Fatalf("the %s ended %s: %s", kind, r.OverallResult, r.Reason)
		}
		w.nothingLeft(r.ValidationRunID)
		return r
	}
	stands := func(validation string, state client.State) {
		t.Helper()
		d = w.proposal(d.Proposal.ProposalID)
		if now := w.state(d.Proposal.LearnSessionID); d.Proposal.Validation != validation || now != state {
			t.Errorf("the draft counts as %s, the session is %s; want %s, %s", d.Proposal.Validation, now, validation, state)
		}
	}
	closed := func() {
		t.Helper()
		_, err := w.install(d)
		refused(t, err, fault.NotValidated)
	}

	broken.Store(true)
	failed := run("failed", "rehearsal")
	stands("failed", "drafting_proposal")
	closed()
	if ev := got(w.c.RunEvidence(t.Context(), failed.ValidationRunID))(t).Evidence; len(ev) != 1 || len(ev[0].State.Headings) == 0 {
		t.Errorf("of the failure was kept %+v", ev)
	}
	broken.Store(false)
	run("passed", "canary")
	stands("failed", "drafting_proposal") // its beginning was not what failed
	closed()
	run("passed", "rehearsal")
	stands("passed", "ready_for_review")

	d = got(w.c.Revise(t.Context(), d.Proposal.ProposalID,
		client.ReviseRequest{EditedFields: map[string]any{"title": "Change an order of the desk"}}))(t)
	stands("none", "drafting_proposal")
	closed()
	run("passed", "lint")
	stands("partial", "ready_for_review") // no more than its words were looked at
	closed()
	got(w.c.Install(t.Context(), d.Proposal.ProposalID,
		client.InstallRequest{InstallLane: "experimental_private", Revision: d.Proposal.Revision,
			ContentHash: d.Proposal.ContentHash, ConfirmPartial: true}))(t)
	stands("partial", "installed_private")
	if !slices.ContainsFunc(w.receipts(client.ReceiptFilter{SessionID: d.Proposal.LearnSessionID}), func(r client.Receipt) bool {
		return r.Reason == "partial_confirmed"
	}) {
		t.Error("no receipt says that the person accepted what was only partly looked at")
	}
}
