package routes

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/strict"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// LegacyTargets finds what a deprecated route referred to.
type LegacyTargets interface {
	ActiveSession(ctx context.Context) (state.Session, bool, error)
	Proposal(ctx context.Context, id string) (state.ProposalDetail, error)
}

// The routes of older clients (DOC3 0C.20B, decisions E4) answer 308 with method, query and body preserved, until
// Sunset; then, and whenever there is nothing to redirect to, 410. They come after the guard and are for the user
// only, because the target reveals which session is active.
var Sunset = time.Date(2027, time.May, 21, 0, 0, 0, 0, time.UTC)

var teachRoutes = map[string]string{
	"/api/capabilities/teach/cancel": "cancel",
	"/api/capabilities/teach/finish": "stop",
}

// miningRoutes maps the verb of an old proposal route to its path; sessions accept the answers now.
var miningRoutes = map[string]string{
	"questions":            "session:answer-questions",
	"answers":              "session:answer-questions",
	"test":                 "validate",
	"install-experimental": "install",
	"feedback":             "revise",
}

// LegacyRoutes redirects the requests of older clients.
type LegacyRoutes struct {
	Learn LegacyTargets
	Now   func() clock.Time
}

// Answer answers requests to a deprecated prefix; false for any other.
func (o LegacyRoutes) Answer(g *engine.Engine, w http.ResponseWriter, r *http.Request) bool {
	if !deprecated(r.URL.Path) {
		return false
	}
	c := caller.Of(r.Context())
	if err := engine.Permit(c, engine.UserReads); err != nil {
		g.WriteFault(w, r, err)
		return true
	}
	w.Header().Set("Sunset", Sunset.Format(http.TimeFormat))
	target, err := o.successor(r)
	if err == nil && !o.Now().Before(Sunset) {
		err = gone("this route ended on " + Sunset.Format(time.DateOnly))
	}
	if err != nil {
		g.WriteFault(w, r, err)
		return true
	}
	w.Header().Set("Link", "<"+target+`>; rel="successor-version"`)
	w.Header().Set("Location", target)
	w.WriteHeader(http.StatusPermanentRedirect)
	return true
}

func deprecated(path string) bool {
	for _, p := range []string{"/api/capabilities/teach/", "/api/skills/mining/proposals/", "/api/learn/session/"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return path == "/api/capabilities/promote" || path == "/api/skills/mining/proposals" ||
		path == "/api/learn/session" || connectorRoutes[path] != ""
}

// connectorRoutes are R9's connector routes that DOC3 0.2D renamed (decisions H1). A test's connector is in the query.
var connectorRoutes = map[string]string{
	"/api/mcp/registry":   "/api/mcp/servers",
	"/api/mcp/policy":     "/api/mcp/policy/update",
	"/api/mcp/test":       "smoke-test",
	"/api/mcp/smoke-test": "smoke-test",
}

// successor is the new path of an old route, with its query.
func (o LegacyRoutes) successor(r *http.Request) (string, error) {
	query := r.URL.Query()
	path, err := o.successorPath(r.Context(), r.Method, r.URL.Path, query)
	if err != nil {
		return "", err
	}
	if q := query.Encode(); q != "" {
		path += "?" + q
	}
	return path, nil
}

func (o LegacyRoutes) successorPath(ctx context.Context, method, path string, query url.Values) (string, error) {
	switch to := connectorRoutes[path]; {
	case to == "smoke-test":
		id := query.Get("server_id")
		query.Del("server_id")
		if id == "" {
			return "", gone("the route does not say which connector")
		}
		return "/api/mcp/servers/" + url.PathEscape(id) + "/smoke-test", nil
	case to != "":
		return to, nil
	case path == "/api/learn/session":
		return "/api/learn/sessions", nil
	case strings.HasPrefix(path, "/api/learn/session/"):
		return o.singular(ctx, strings.TrimPrefix(path, "/api/learn/session/"))
	case path == "/api/skills/mining/proposals" && method == http.MethodGet:
		return "/api/learn/proposals", nil
	case method != http.MethodPost:
		return "", gone("this route is no more")
	case path == "/api/capabilities/teach/start":
		query.Set("entry_mode", string(state.DemonstratingSkill))
		return "/api/learn/sessions", nil
	case teachRoutes[path] != "":
		return o.activeSession(ctx, teachRoutes[path])
	case path == "/api/capabilities/promote":
		id := query.Get("ability_id")
		query.Del("ability_id")
		return promoted(id)
	case strings.HasPrefix(path, "/api/skills/mining/proposals/"):
		return o.mining(ctx, strings.TrimPrefix(path, "/api/skills/mining/proposals/"))
	}
	return "", gone("this route is no more")
}

// singular: /api/learn/session/ID/VERB and /api/learn/session/VERB. Starting without a session creates one, as it used
// to.
func (o LegacyRoutes) singular(ctx context.Context, rest string) (string, error) {
	id, tail, _ := strings.Cut(rest, "/")
	switch {
	case strict.UUID.MatchString(id):
		return strings.TrimSuffix("/api/learn/sessions/"+id+"/"+tail, "/"), nil
	case tail != "":
		return "", gone("this route is no more")
	case id == "start":
		x, ok, err := o.Learn.ActiveSession(ctx)
		if err != nil || !ok || x.State != state.Armed {
			return "/api/learn/sessions", err
		}
	}
	return o.activeSession(ctx, id)
}

func (o LegacyRoutes) activeSession(ctx context.Context, verb string) (string, error) {
	x, ok, err := o.Learn.ActiveSession(ctx)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", gone("no learn session is active")
	}
	return "/api/learn/sessions/" + x.LearnSessionID + "/" + url.PathEscape(verb), nil
}

func (o LegacyRoutes) mining(ctx context.Context, rest string) (string, error) {
	id, verb, _ := strings.Cut(rest, "/")
	to, ok := miningRoutes[verb]
	if !ok || !strict.UUID.MatchString(id) {
		return "", gone("this route is no more")
	}
	onSession, ok := strings.CutPrefix(to, "session:")
	if !ok {
		return "/api/learn/proposals/" + id + "/" + to, nil
	}
	d, err := o.Learn.Proposal(ctx, id)
	if fault.Is(err, fault.ProposalNotFound) || (err == nil && d.Proposal.LearnSessionID == "") {
		return "", gone("the proposal has no learn session")
	}
	return "/api/learn/sessions/" + d.Proposal.LearnSessionID + "/" + onSession, err
}

func promoted(abilityID string) (string, error) {
	if abilityID == "" || len(abilityID) > 160 {
		return "", gone("the route does not say which ability")
	}
	return "/api/abilities/" + url.PathEscape(abilityID) + "/promote-shared", nil
}

func gone(why string) error {
	return fault.New(fault.RouteGone, why).WithHint("use the routes under /api/learn and /api/abilities; docs/openapi.json lists them")
}
