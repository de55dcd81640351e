package inbox_test

import (
	"context"
	"strings"
	"testing"

	"showhow/daemon/inbox"
	"showhow/daemon/wire"
)

// A repair says who found what (issue: one action for each item), and an agent's word is told from what Showhow saw.
func TestRepairsSayWhereTheyComeFrom(t *testing.T) {
	seen := wire.RenamedControl{StepID: "s1", Name: "Check", Changes: []string{`it is called "Check" now`},
		Told: "Showhow saw it when it looked"}
	told := seen
	told.Agent, told.Told = "scout", "scout reported it; Showhow has not seen it"
	for _, c := range []struct {
		name, status, lane string
		found              []wire.RenamedControl
		kind, title, says  string
	}{
		{"seen", "healthy", "experimental_private", []wire.RenamedControl{seen}, "repair_ready", "works, but the page", "Showhow saw it"},
		{"told", "healthy", "experimental_private", []wire.RenamedControl{told}, "repair_ready", "An agent reports", "Showhow has not seen it"},
		{"degraded", "degraded", "experimental_private", []wire.RenamedControl{seen, told}, "repair_ready", "fails, and the page", "scout"},
		{"quarantined", "quarantined", "quarantined", []wire.RenamedControl{seen}, "quarantined", "no longer works", "taken from agents"},
		{"nothing", "degraded", "experimental_private", nil, "degraded", "failed three times", "told"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := func(context.Context) (wire.AbilityAvailabilitySnapshot, error) {
				return wire.AbilityAvailabilitySnapshot{Abilities: []wire.AbilityAvailabilityEntry{{AbilityID: "a", Title: "Send a parcel",
					SkillSlug: "send-a-parcel", Source: "learned", InstallLane: c.lane, UsableNow: true,
					Health: &wire.AbilityHealth{Status: c.status, Renamed: len(c.found)}}}}, nil
			}
			box := inbox.Inbox{Sources: []inbox.Source{inbox.Abilities(list,
				func(context.Context) (wire.CapabilityStatsIndex, error) { return wire.CapabilityStatsIndex{}, nil },
				func(context.Context) (wire.Canaries, error) { return wire.Canaries{}, nil },
				func(context.Context, string) ([]wire.RenamedControl, error) { return c.found, nil })}}
			l, err := box.Items(t.Context())
			if err != nil || len(l.Items) != 1 {
				t.Fatal(err, l.Items)
			}
			i := l.Items[0]
			if i.Kind != c.kind || !strings.Contains(i.Title, c.title) || !strings.Contains(i.Detail, c.says) {
				t.Errorf("%+v", i)
			}
			if repairs := strings.Contains(i.Action.Command, "ability repair"); repairs != (len(c.found) > 0) {
				t.Errorf("%+v", i.Action)
			}
		})
	}
}

// The item of a caller that waits leads to that caller, and names the command that decides.
func TestCallersLeadToTheRequest(t *testing.T) {
	st := wire.RemoteStatus{Waiting: []wire.RemoteRequest{{RequestID: "00aa11bb22cc33dd", ClientName: "Ledger"}},
		Tasks: []wire.RemoteTask{{TaskID: "5d0d7a52-64b1-4b3c-8d38-1f4a4ad0f9aa", Caller: "remote/ledger"}}}
	items, err := inbox.Callers(func(context.Context) (wire.RemoteStatus, error) { return st, nil })(t.Context())
	if err != nil || len(items) != 2 {
		t.Fatal(err, items)
	}
	for i, command := range []string{"showhow remote approve CODE", "showhow remote allow " + st.Tasks[0].TaskID} {
		if a := items[i].Action; a.Command != command || a.Page != "/trust#"+items[i].Ref {
			t.Errorf("%+v", a)
		}
	}
}

// A question of a run for a caller says where its answer can go.
func TestARunsQuestionSaysWhereItsAnswerGoes(t *testing.T) {
	for caller, want := range map[string]bool{"": false, "remote/scout": true} {
		items, err := inbox.Runs(func(context.Context) ([]wire.SandboxRun, error) {
			return []wire.SandboxRun{{RunID: "r", Agent: "codex", For: caller, Question: &wire.SandboxQuestion{Text: "?"}}}, nil
		})(t.Context())
		if err != nil || len(items) != 1 || strings.Contains(items[0].Detail, "can reach remote/scout") != want {
			t.Errorf("%q: %+v %v", caller, items, err)
		}
	}
}
