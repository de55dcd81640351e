//go:build !race

package acceptance_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// An installed ability whose site changes (baseline 1.1I with decisions I2): a canary finds it, agents are told, a
// person sees it in the inbox; when the site is back, a good canary ends it. Without a consent there is no canary, and
// a canary writes nothing.
func TestACanaryFindsThatAnAbilityIsBroken(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	var seen, wrote atomic.Int64
	w, d := browsed(t, func(desk http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			seen.Add(1)
			if r.Method != http.MethodGet {
				wrote.Add(1)
			}
			if down.Load() {
				_, _ = io.WriteString(rw, "<h1>We have moved</h1><p>Orders are somewhere else now.</p>")
				return
			}
			desk.ServeHTTP(rw, r)
		})
	})
	d = w.validatedWith(d)
	id := got(w.install(d))(t).AbilityID
	slug := got(w.c.Ability(t.Context(), id))(t).SkillSlug

	_, err := w.c.Reprobe(t.Context(), id)
	refused(t, err, fault.InvalidRequest) // nobody has allowed it
	scout := w.agent("scout")
	_, err = scout.AllowCanary(t.Context(), id, wire.CanaryAllow{})
	refused(t, err, fault.Forbidden)
	w.forward(48 * time.Hour)
	before, written := seen.Load(), wrote.Load()
	c := got(w.c.AllowCanary(t.Context(), slug, wire.CanaryAllow{}))(t)
	if c.EveryHours != 24 || len(c.Sites) != 1 || !strings.HasPrefix(c.Sites[0], "127.0.0.1") {
		t.Errorf("%+v", c)
	}
	if seen.Load() != before {
		t.Error("the site was looked at before the consent")
	}
	// The first look is due at once, when nobody works any more.
	w.stop()
	w.o.Test.Every = 20 * time.Millisecond
	must(t, w.start())
	w.c = client.Unix(w.o.Roots.Socket()) // nothing from here on needs a person's confirmation
	h := w.listen("", 0)
	stop := make(chan struct{})
	watching := make(chan struct{})
	go func() { // a window that is open looks every few moments, and keeps nothing from happening
		defer close(watching)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				_, _ = w.c.Inbox(t.Context())
			}
		}
	}()
	healthy := canonical(w, "capabilities/health_current.json", func(h client.CapabilityHealth) bool {
		return len(h.Capabilities) > 0 && h.Capabilities[0].LastVerifiedAt != nil
	})
	close(stop)
	<-watching
	if h := healthy.Capabilities[0]; h.HealthStatus != "healthy" || h.AbilityID != id {
		t.Errorf("%+v", h)
	}

	// The controls that it acts on are records, which say what a look found (1.1G).
	w.until("the anchors are written", func() bool {
		all := got(w.c.UIAnchors(t.Context()))(t).Anchors
		return slices.ContainsFunc(all, func(x wire.UIAnchor) bool {
			return x.AbilityID == id && x.LastVerifiedAt != nil && x.Confidence > .5 && x.LocatorValue != ""
		})
	})

	way := got(w.c.ExplainRoute(t.Context(), client.RouteAsk{AbilityID: slug}))(t)
	if way.Decision != "allow" || way.Plan == nil || len(way.Surfaces) == 0 || len(way.ScoreBreakdown) != 0 {
		t.Errorf("%+v", way)
	}
	writes := 0
	for _, s := range way.Plan.Steps {
		if s.VerifySurface == "" || s.Writes && s.SupervisionClass == "none" {
			t.Errorf("%+v", s)
		}
		if s.Writes {
			writes++
		}
	}
	if writes == 0 {
		t.Error("no step of the plan writes")
	}

	down.Store(true)
	for i := 1; i <= 3; i++ {
		r := got(w.c.Reprobe(t.Context(), slug))(t)
		if r.Canary.LastResult != "failed" {
			t.Fatalf("look %d: %+v", i, r.Canary)
		}
		if degraded := r.Health.Status == "degraded"; degraded != (i == 3) {
			t.Errorf("after look %d it is %s", i, r.Health.Status)
		}
	}
	a := got(w.c.Ability(t.Context(), id))(t)
	if a.Health == nil || a.Health.Status != "degraded" || a.Health.ReasonCode != "matching_failures" || !a.UsableNow {
		t.Errorf("%+v", a.Health)
	}
	why := got(w.c.ExplainCapability(t.Context(), wire.CapabilityRequest{CapabilityID: a.PrimaryCapabilityID}))(t)
	if why.Probe.Kind != "browser" || why.Probe.Result != "passed" {
		t.Errorf("its health probe: %+v", why.Probe)
	}
	if len(why.Because) < 2 || !strings.Contains(why.Because[0], "failed 3 times") || why.Canary == nil || why.Stats.Failed != 3 {
		t.Errorf("%+v", why)
	}
	box := got(w.c.Inbox(t.Context()))(t)
	if len(box.Items) != 1 || box.Items[0].Kind != "degraded" || box.Items[0].Action.Command == "" {
		t.Errorf("%+v", box.Items)
	}

	down.Store(false)
	if r := got(w.c.Reprobe(t.Context(), slug))(t); r.Canary.LastResult != "passed" || r.Health.Status != "healthy" {
		t.Fatalf("%+v", r)
	}
	if box = got(w.c.Inbox(t.Context()))(t); len(box.Items) != 0 {
		t.Errorf("%+v", box.Items)
	}
	if wrote.Load() != written {
		t.Error("a look wrote something")
	}
	w.reportedAsRenamed(scout, slug, d.Proposal.ProposalID)
	for _, k := range []string{"capability.health.changed", "canary.looked"} {
		w.until("the event "+k, func() bool { return slices.Contains(h.kinds(), k) })
	}
	if n := len(lines[wire.UIAnchor](w, "capabilities/ui_anchors.jsonl")); n < 3 {
		t.Errorf("%d anchors", n)
	}
	if n := len(lines[map[string]any](w, "capabilities/traces.jsonl")); n < 5 {
		t.Errorf("%d traces", n)
	}
	if x := got(w.c.WithdrawCanary(t.Context(), id))(t); !x.Withdrawn {
		t.Errorf("%+v", x)
	}
	before = seen.Load()
	_, err = w.c.Reprobe(t.Context(), id)
	refused(t, err, fault.InvalidRequest)
	if seen.Load() != before {
		t.Error("the site was looked at after the consent ended")
	}
}

// Checkpoint reports of agents count (R9 1.1I): three failures of one checkpoint degrade, five quarantine, a person clears it.
func TestReportedFailuresQuarantine(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	agents := []*client.Client{w.agent("scout"), w.agent("helper")}
	report := func(n int, status string) {
		t.Helper()
		agent := agents[n%2] // one alone quarantines nothing
		got(agent.VerifyCheckpoint(t.Context(), client.VerifyCheckpointRequest{AbilityID: a.AbilityID, CheckpointID: a.Checkpoints[0],
			Status: status, Reason: "what should be there is not"}))(t)
		_, err := agent.Lookup(t.Context(), client.LookupQuery{UserQuery: a.TriggerPhrases[0]}) // the next report is of another run
		must(t, err)
	}
	for n := range 3 {
		report(n, "failed")
	}
	if now := got(w.c.Ability(t.Context(), a.AbilityID))(t); now.Health == nil || now.Health.Status != "degraded" || !now.UsableNow {
		t.Errorf("%+v", now.Health)
	}
	for n := range 2 {
		report(n, "failed")
	}
	now := got(w.c.Ability(t.Context(), a.AbilityID))(t)
	if now.InstallLane != "quarantined" || now.Health.Status != "quarantined" || w.there(a.SkillSlug) != 0 {
		t.Errorf("%s %+v", now.InstallLane, now.Health)
	}
	_, err := agents[0].ClearQuarantine(t.Context(), a.AbilityID)
	refused(t, err, fault.Forbidden)
	got(w.c.ClearQuarantine(t.Context(), a.AbilityID))(t)
	if now = got(w.c.Ability(t.Context(), a.AbilityID))(t); !now.UsableNow || now.InstallLane != a.InstallLane {
		t.Errorf("%+v", now)
	}
	if now.Health != nil && now.Health.Status == "quarantined" {
		t.Errorf("%+v", now.Health)
	}
}

// reportedAsRenamed: an agent says that a control has another name. A repair is a draft with the difference, where it
// comes from and its tests; nothing is applied by itself, and a look that finds the control as it was ends the matter.
func (w *world) reportedAsRenamed(scout *client.Client, slug, proposal string) {
	t := w.t
	all := got(w.c.UIAnchors(t.Context()))(t).Anchors
	i := slices.IndexFunc(all, func(x wire.UIAnchor) bool { return x.LastVerifiedAt != nil && x.LocatorType == "aria_text" })
	if i < 0 {
		t.Fatalf("%+v", all)
	}
	before := got(w.c.Ability(t.Context(), slug))(t)
	got(scout.VerifyCheckpoint(t.Context(), wire.VerifyCheckpointRequest{AbilityID: slug, CheckpointID: before.Checkpoints[0],
		Status: "reached", Evidence: "it is there",
		Renamed: []wire.RenamedReport{{Was: all[i].LocatorValue, Now: "Quite another name"}}}))(t)
	box := got(w.c.Inbox(t.Context()))(t)
	if len(box.Items) != 1 || box.Items[0].Kind != "repair_ready" || !strings.Contains(box.Items[0].Detail, "Showhow has not seen it") {
		t.Fatalf("%+v", box.Items)
	}
	d := got(w.c.RepairAbility(t.Context(), slug))(t)
	changes, from := "", ""
	for _, r := range d.Revisions {
		changes, from = changes+strings.Join(r.Changes, "; "), from+r.Instructions
	}
	if d.Proposal.ProposalID == proposal || !strings.Contains(changes, "“Quite another name”, it was") ||
		!strings.Contains(from, "reported it") {
		t.Errorf("%q %q", changes, from)
	}
	w.until("its tests have run", func() bool { // and nothing is tried on a site by an agent's word
		l := got(w.c.ValidationRuns(t.Context(), d.Proposal.ProposalID, client.PageQuery{Page: 1, PageSize: 5}))(t)
		return len(l.Runs) == 1 && l.Runs[0].Status != "running" && !slices.Contains(l.Runs[0].RunKinds, "canary")
	})
	if after := got(w.c.Ability(t.Context(), slug))(t); after.ContentHash != before.ContentHash || !after.UsableNow {
		t.Errorf("it was applied by itself: %+v", after)
	}
	got(w.c.Reprobe(t.Context(), slug))(t)
	box = got(w.c.Inbox(t.Context()))(t)
	if slices.ContainsFunc(box.Items, func(x client.InboxItem) bool { return x.Kind == "repair_ready" }) {
		t.Errorf("Showhow found it as it was: %+v", box.Items)
	}
}
