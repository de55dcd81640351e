package api

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"showhow/daemon/api/routes"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func (r *rig) redirects(method, path, want string) {
	r.t.Helper()
	a := r.do(method, path, `{"a":1}`)
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != want || a.header.Get("Sunset") == "" {
		r.t.Errorf("%s %s: %d to %q, want %q (%s)", method, path, a.status, a.header.Get("Location"), want, a.body)
	}
}

func TestR11_2_47_TeachStartRedirectsToSessions(t *testing.T) {
	r := newRig(t)
	r.redirects("POST", "/api/capabilities/teach/start", "/api/learn/sessions?entry_mode=demonstrating_skill")
	r.redirects("POST", "/api/capabilities/teach/start?x=1", "/api/learn/sessions?entry_mode=demonstrating_skill&x=1")
	// Followed, it creates a session of that entry mode although the old body did not name one.
	c := r.client()
	c.CheckRedirect = nil
	send(t, c, "http://socket/api/capabilities/teach/start", "POST", `{"goal":"g"}`).ok(t, 200)
	if got := <-r.learn.calls; got != "create demonstrating_skill build_then_review" {
		t.Error(got)
	}
}

func TestR11_2_48_SingularSessionRoutesRedirect(t *testing.T) {
	r := newRig(t)
	id := r.learn.session.LearnSessionID
	r.redirects("POST", "/api/learn/session/start", "/api/learn/sessions")
	r.redirects("POST", "/api/learn/session/"+id+"/stop", "/api/learn/sessions/"+id+"/stop")
	r.redirects("GET", "/api/learn/session/"+id+"/detail?x=y", "/api/learn/sessions/"+id+"/detail?x=y")
	r.redirects("POST", "/api/learn/session", "/api/learn/sessions")
	r.learn.active = true
	r.redirects("POST", "/api/learn/session/pause", "/api/learn/sessions/"+id+"/pause")
	r.learn.session.State = "armed"
	r.redirects("POST", "/api/learn/session/start", "/api/learn/sessions/"+id+"/start")
}

func TestLegacyRoutesFollowTheSession(t *testing.T) {
	r := newRig(t)
	id, p := r.learn.session.LearnSessionID, r.learn.proposal.Proposal.ProposalID
	mining := "/api/skills/mining/proposals"
	r.redirects("GET", mining, "/api/learn/proposals")
	r.redirects("POST", mining+"/"+p+"/questions", "/api/learn/sessions/"+id+"/answer-questions")
	r.redirects("POST", mining+"/"+p+"/answers", "/api/learn/sessions/"+id+"/answer-questions")
	r.redirects("POST", mining+"/"+p+"/test", "/api/learn/proposals/"+p+"/validate")
	r.redirects("POST", mining+"/"+p+"/install-experimental", "/api/learn/proposals/"+p+"/install")
	r.redirects("POST", mining+"/"+p+"/feedback", "/api/learn/proposals/"+p+"/revise")
	r.redirects("POST", "/api/capabilities/promote?ability_id=a%2Fb", "/api/abilities/a%2Fb/promote-shared")

	for _, path := range []string{"/api/capabilities/teach/cancel", "/api/capabilities/teach/finish", "/api/learn/session/pause",
		"/api/capabilities/promote",
		"/api/capabilities/teach/dance", mining + "/x/test", mining + "/" + id + "/answers", "/api/learn/session/a/b",
		"/api/skills/mining/proposals/x"} {
		e := r.do("POST", path, "").want(t, fault.RouteGone)
		if e.Hint == "" {
			t.Errorf("%s: no hint", path)
		}
	}
	r.learn.active = true
	r.redirects("POST", "/api/capabilities/teach/cancel", "/api/learn/sessions/"+id+"/cancel")
	r.redirects("POST", "/api/capabilities/teach/finish", "/api/learn/sessions/"+id+"/stop")
}

func TestLegacyRoutesEnd(t *testing.T) {
	r := newRig(t, func(d *Deps) { d.Now = func() clock.Time { return clock.At(routes.Sunset) } })
	r.do("POST", "/api/capabilities/teach/start", "").want(t, fault.RouteGone)
}

// Acceptance row legacy_post_redirects_never_use_301: no way through an old prefix, tidy or not, answers 301.
func TestLegacyPostRedirectsNeverUse301(t *testing.T) {
	r := newRig(t)
	r.learn.active = true
	for _, prefix := range []string{"/api/capabilities/teach", "/api/capabilities/promote", "/api/learn/session", "/api/skills/mining",
		"/api/skills/mining/proposals/" + r.learn.proposal.Proposal.ProposalID} {
		for _, tail := range []string{"", "/", "//", "/start", "/cancel", "/finish", "/test", "/../x", "/questions", "/feedback"} {
			res, err := r.client().Post("http://socket"+prefix+tail, "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
			if res.StatusCode == 301 || res.StatusCode == 302 || res.StatusCode == 303 {
				t.Errorf("%s%s: %d", prefix, tail, res.StatusCode)
			}
		}
	}
}

// Acceptance rows learn_read_routes_not_appendix_only and learn_inventory_uses_plural_session_routes.
func TestLearnReadRoutesNotAppendixOnly(t *testing.T) {
	doc := described(t).engine.Document().OpenAPI.Paths
	for _, path := range []string{"/api/learn/sessions", "/api/learn/sessions/{sessionId}/detail", "/api/learn/sessions/{sessionId}/events",
		"/api/learn/sessions/{sessionId}/observation-scope", "/api/learn/sessions/{sessionId}/checkpoint-receipts", "/api/learn/proposals",
		"/api/learn/proposals/{proposalId}/detail", "/api/learn/proposals/{proposalId}/validation-runs", "/api/learn/history",
		"/api/learn/receipts"} {
		if doc[path] == nil || doc[path].Get == nil {
			t.Errorf("GET %s is missing", path)
		}
	}
}

func TestLearnInventoryUsesPluralSessionRoutes(t *testing.T) {
	for path := range described(t).engine.Document().OpenAPI.Paths {
		if strings.HasPrefix(path, "/api/learn/session/") || strings.Contains(path, "/teach/") ||
			strings.Contains(path, "/mining/proposals") {
			t.Errorf("%s is a route of the document", path)
		}
	}
}

// DOC3 0C.16 word for word: every route of the mission is there.
func TestEveryRouteOfTheMissionIsThere(t *testing.T) {
	const mission = `POST sessions
GET sessions
GET sessions/{sessionId}/detail
POST sessions/{sessionId}/start
POST sessions/{sessionId}/pause
POST sessions/{sessionId}/resume
POST sessions/{sessionId}/stop
POST sessions/{sessionId}/cancel
POST sessions/{sessionId}/mark-goal
POST sessions/{sessionId}/mark-step
POST sessions/{sessionId}/trim
POST sessions/{sessionId}/answer-questions
POST sessions/{sessionId}/set-test-policy
POST sessions/{sessionId}/generate-proposal
GET sessions/{sessionId}/events
GET sessions/{sessionId}/observation-scope
GET sessions/{sessionId}/checkpoint-receipts
DELETE sessions/{sessionId}
PUT sessions/{sessionId}/scope
GET sessions/{sessionId}/observations
GET sessions/{sessionId}/observations/{eventId}
DELETE sessions/{sessionId}/observations/{eventId}
GET sessions/{sessionId}/observations/stream
GET proposals
GET proposals/{proposalId}/detail
GET proposals/{proposalId}/validation-runs
POST proposals/{proposalId}/revise
POST proposals/{proposalId}/validate
POST proposals/{proposalId}/request-more-tests
POST proposals/{proposalId}/install
POST proposals/{proposalId}/approve
POST proposals/{proposalId}/reject
POST validation-runs/{runId}/cancel
GET /api/abilities/availability
GET /api/abilities/catalog
GET /api/abilities/{abilityId}/availability
POST /api/abilities/lookup
POST /api/abilities/explain-match
POST /api/abilities/{abilityId}/activate
POST /api/abilities/{abilityId}/deactivate
POST /api/abilities/{abilityId}/quarantine
POST /api/abilities/{abilityId}/unquarantine
POST /api/abilities/{abilityId}/promote-shared
DELETE /api/abilities/{abilityId}
GET history
GET receipts
GET runtime/current
GET /api/dispatches/{dispatchId}/checkpoint-receipts
POST /api/bridge/verify-checkpoint
POST /api/config/intents
GET /api/events
GET /api/observe/adapters
GET /api/observe/targets
GET /api/doctor
GET /api/settings
PUT /api/settings
GET /api/version
GET /api/status`
	have := map[string]bool{}
	for _, h := range operations(described(t).engine.Document()) {
		have[h.Method+" "+h.Path] = true
	}
	for line := range strings.Lines(mission) {
		method, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(path, "/") {
			path = "/api/learn/" + path
		}
		if !have[method+" "+path] {
			t.Errorf("%s %s is missing", method, path)
		}
	}
}
