package acceptance_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// The pages refresh their list of skills when the stream says so; what they then read must be the ability as promoted.
func TestR11_2_35_PromotedAbilityFollowsTheSnapshotEvent(t *testing.T) {
	t.Parallel()
	w := begin(t)
	all := w.listen("", 0)
	a, _ := w.installed()
	all.await("ability.snapshot.updated") // of the installation
	count := func() (n int) {
		for _, k := range all.kinds() {
			if k == "ability.snapshot.updated" {
				n++
			}
		}
		return n
	}
	before := count()
	got(w.c.PromoteShared(t.Context(), a.AbilityID))(t)
	w.until("the event of the promotion", func() bool { return count() > before })
	items := got(w.c.Catalog(t.Context()))(t).Items
	i := slices.IndexFunc(items, func(e client.CatalogEntry) bool { return e.AbilityID == a.AbilityID })
	if i < 0 || string(items[i].InstallLane) != "shared_promoted" {
		t.Errorf("after the event the catalog has %+v", items)
	}
}

// What the persistent banner is drawn from: while something is observed, and only then, status and runtime name the session.
func TestR11_2_45_ObservationIsShown(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	shown := func(session, state string) {
		t.Helper()
		st, rt := got(w.c.Status(t.Context()))(t), got(w.c.Runtime(t.Context()))(t)
		if st.ActiveSession != session || st.State != state || rt.LearnSessionID != session || string(rt.State) != state {
			t.Errorf("status says %q %s, runtime %q %s; want %q %s", st.ActiveSession, st.State, rt.LearnSessionID, rt.State, session, state)
		}
	}
	if st := got(w.c.Status(t.Context()))(t); st.ActiveSession != "" {
		t.Errorf("nothing is observed, and status names %s", st.ActiveSession)
	}
	all := w.listen("", 0)
	sess := w.capturing(s, asked(s))
	all.await("learn.capture.started")
	shown(sess.LearnSessionID, "capturing")
	got(w.c.PauseSession(t.Context(), sess.LearnSessionID))(t)
	s.marked(false)
	shown(sess.LearnSessionID, "paused")
}

// "Watch My Actions" is a name for the observation mode of a session that is created, and nothing that could be run beside it.
func TestWatchMyActionsAliasOnly(t *testing.T) {
	t.Parallel()
	w := begin(t)
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "openapi.json"))
	must(t, err)
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	must(t, json.Unmarshal(b, &doc))
	if len(doc.Paths) < 50 {
		t.Fatalf("only %d paths are documented", len(doc.Paths))
	}
	for path := range doc.Paths {
		if strings.Contains(path, "watch") {
			t.Errorf("%s is a control of its own", path)
		}
	}
	for _, path := range []string{"/api/learn/watch", "/api/learn/watch/start", "/api/watch"} {
		if a := w.send(http.MethodPost, path, "{}", false); a.status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.status)
		}
	}
	r := asked(nil)
	r.EntryMode = "watch_my_actions"
	_, err = w.c.CreateSession(t.Context(), r)
	refused(t, err, fault.InvalidRequest)
	sess := w.armed(asked(nil))
	if sess.ObservationMode != "outside_agent" {
		t.Errorf("it observes %s", sess.ObservationMode)
	}
	_, err = w.c.CreateSession(t.Context(), asked(nil))
	refused(t, err, fault.LearnSessionAlreadyActive)
}
