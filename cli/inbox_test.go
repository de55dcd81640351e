package cli

import (
	"context"
	"strings"
	"testing"

	"showhow/daemon/inbox"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Every kind of item in the inbox names an existing command with existing flags.
func TestEveryItemOfTheInboxLeadsSomewhere(t *testing.T) {
	entry := func(change func(*wire.AbilityAvailabilityEntry)) wire.AbilityAvailabilityEntry {
		e := wire.AbilityAvailabilityEntry{AbilityID: "a", SkillSlug: "change-an-order", PrimaryCapabilityID: "c", Title: "Change an order",
			InstallLane: "experimental_private", UsableNow: true, Trust: "approved", Health: &wire.AbilityHealth{Status: "healthy"}}
		change(&e)
		return e
	}
	abilities := []wire.AbilityAvailabilityEntry{
		entry(func(e *wire.AbilityAvailabilityEntry) { e.AbilityID, e.Trust = "changed", "needs_reapproval" }),
		entry(func(e *wire.AbilityAvailabilityEntry) {
			e.AbilityID, e.Health.Status, e.InstallLane = "broken", "quarantined", "quarantined"
		}),
		entry(func(e *wire.AbilityAvailabilityEntry) { e.AbilityID, e.Health.Status = "failing", "degraded" }),
		entry(func(e *wire.AbilityAvailabilityEntry) { e.AbilityID, e.Health.Renamed = "renamed", 1 }),
		entry(func(e *wire.AbilityAvailabilityEntry) { e.AbilityID = "proven" }),
		entry(func(e *wire.AbilityAvailabilityEntry) { e.AbilityID, e.Trust = "adopted", "pending_review" }),
		entry(func(e *wire.AbilityAvailabilityEntry) {
			e.AbilityID, e.Trust, e.ReasonCode, e.UsableNow = "refused", "pending_review", "rejected", false
		}),
	}
	b := inbox.Inbox{Sources: []inbox.Source{
		inbox.Calls(func(context.Context) (wire.MCPAskFirstPendingListResponse, error) {
			return wire.MCPAskFirstPendingListResponse{Dispatches: []wire.MCPAskFirstDispatchRecord{{DispatchID: "d", Agent: "codex"}}}, nil
		}),
		inbox.Runs(func(context.Context) ([]wire.SandboxRun, error) {
			return []wire.SandboxRun{{RunID: "r", Question: &wire.SandboxQuestion{}}, {RunID: "asks nothing"}}, nil
		}),
		inbox.Questions(func(context.Context) (wire.AgentQuestions, error) {
			return wire.AgentQuestions{Questions: []wire.AgentQuestion{{QuestionID: "q", Agent: "codex", Text: "Which one?"}}}, nil
		}),
		inbox.Connectors(func(context.Context) (wire.MCPServerListResponse, error) {
			return wire.MCPServerListResponse{Servers: []wire.MCPServerListItem{{BadgeStates: []string{"auth_required"},
				Registry: wire.MCPServerRegistryEntry{ServerID: "tracker", Enabled: true}},
				{Registry: wire.MCPServerRegistryEntry{Enabled: true}}}}, nil
		}),
		inbox.Abilities(func(context.Context) (wire.AbilityAvailabilitySnapshot, error) {
			return wire.AbilityAvailabilitySnapshot{Abilities: abilities}, nil
		}, func(context.Context) (wire.CapabilityStatsIndex, error) {
			return wire.CapabilityStatsIndex{Capabilities: []wire.CapabilityStats{{CapabilityID: "c", Passed: 12}}}, nil
		}, func(context.Context) (wire.Canaries, error) {
			return wire.Canaries{Canaries: []wire.CanaryConsent{
				{AbilityID: "renamed", Repairs: 1, LastResult: "passed", LastAt: clock.Now().Ptr()}}}, nil
		}, func(context.Context, string) ([]wire.RenamedControl, error) {
			return []wire.RenamedControl{{Name: "Store", Changes: []string{"called Store"}}}, nil
		}),
		inbox.Mined(func(context.Context) ([]wire.MinedRoutine, error) {
			return []wire.MinedRoutine{{Summary: "You did this 3 times: export an order"}}, nil
		}),
		inbox.Imports(func(context.Context) ([]wire.ImportedSkillRecord, error) {
			return []wire.ImportedSkillRecord{{ImportID: "i", RequiresAdapter: true, StageState: wire.ImportReadyForReview},
				{ImportID: "p", Source: "elnor_generated", StageState: wire.ImportReadyForReview},
				{ImportID: "pulled", StageState: wire.ImportReadyForReview, Verdict: "blocked"},
				{ImportID: "done", StageState: wire.ImportApproved}}, nil
		}),
		inbox.Notes(func(context.Context) (wire.ChangeSets, error) {
			return wire.ChangeSets{ChangeSets: []wire.ChangeSet{{ChangeSetID: "a", Actor: wire.NoteActor{Type: "agent", ID: "scout"}},
				{ChangeSetID: "b", Actor: wire.NotePerson}}}, nil
		}),
	}}
	all, err := b.Items(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, i := range all.Items {
		kinds = append(kinds, i.Kind)
		words := strings.Fields(i.Action.Command)
		cmd, rest, err := Tree().Find(words[1:])
		if words[0] != "showhow" || err != nil || cmd.HasSubCommands() {
			t.Errorf("%s: there is no command %q", i.Kind, i.Action.Command)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: %q: %v", i.Kind, i.Action.Command, err)
		}
		if i.Action.Label == "" || i.Title == "" || !strings.HasPrefix(i.Action.Page, "/") {
			t.Errorf("%+v", i)
		}
	}
	if got := strings.Join(kinds, " "); got != "call_waiting run_question agent_question connector_auth reapproval quarantined repair_ready "+
		"degraded import_needs_adapter agent_proposal review_waiting review_waiting note_proposal note_proposal done_again promotion_candidate" {
		t.Error(got)
	}
}
