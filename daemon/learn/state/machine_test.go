package state

import (
	"slices"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// table is DOC3 0C.1A typed in a second time, row by row.
var table = map[State]string{
	"idle": "armed cancelled", "armed": "capturing cancelled", "capturing": "paused stopped cancelled",
	"paused": "capturing stopped cancelled", "stopped": "reviewing cancelled",
	"reviewing":          "awaiting_questions drafting_proposal cancelled",
	"awaiting_questions": "reviewing drafting_proposal cancelled",
	"drafting_proposal":  "testing_proposal ready_for_review cancelled",
	"testing_proposal":   "ready_for_review drafting_proposal cancelled quarantined",
	"ready_for_review":   "installing_private approved rejected drafting_proposal",
	"installing_private": "installed_private quarantined", "installed_private": "approved quarantined",
	"approved": "quarantined", "rejected": "", "cancelled": "", "quarantined": "drafting_proposal cancelled",
}

func TestTransitionsAllPairs(t *testing.T) {
	if len(States) != 16 || len(table) != 16 {
		t.Fatalf("%d states, want 16", len(States))
	}
	for _, from := range States {
		for _, to := range States {
			want := slices.Contains(strings.Fields(table[from]), string(to))
			if got := CanGo(from, to); got != want {
				t.Errorf("%s -> %s is %v, want %v", from, to, got, want)
			}
		}
	}
}

// The fault of a refused transition names both states, so that callers need not read its text.
func TestRefusedTransitionNamesBothStates(t *testing.T) {
	err := CheckTransition(Stopped, Capturing)
	f := fault.From(err)
	if f.Code != fault.InvalidLearnStateTransition || f.Details["from"] != "stopped" || f.Details["to"] != "capturing" || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	if err := CheckTransition(Armed, Capturing); err != nil {
		t.Error(err)
	}
}

// leadsTo are the states that an action which moves a session leads to.
var leadsTo = map[Action][]State{
	CanStart: {Capturing}, CanPause: {Paused}, CanResume: {Capturing}, CanStop: {Stopped}, CanCancel: {Cancelled}, CanReject: {Rejected},
	CanInstall: {InstallingPrivate}, CanApprove: {Approved},
}

// What is offered must be possible: a button that the table refuses is a lie.
func TestActionsFollowTheTable(t *testing.T) {
	for _, s := range States {
		for _, a := range AllowedActions(Session{State: s}) {
			for _, to := range leadsTo[a] {
				if !CanGo(s, to) {
					t.Errorf("%s is offered while %s, which cannot become %s", a, s, to)
				}
			}
		}
	}
}

func TestImportsAreDecidedElsewhere(t *testing.T) {
	sess := Session{State: ReadyForReview, EntryMode: ImportSkill, ImportID: "i"}
	if got := AllowedActions(sess); len(got) != 0 {
		t.Errorf("an import's session offers %v", got)
	}
	if err := CheckNotImport(sess); !fault.Is(err, fault.DecidedOnImport) {
		t.Errorf("got %v", err)
	}
	if got := WithoutImports([]Session{sess, {LearnSessionID: "own", EntryMode: ImportSkill}}); len(got) != 1 ||
		got[0].LearnSessionID != "own" {
		t.Errorf("got %v", got)
	}
}

// A draft and the parts split from it share their slot; whatever else is open holds its own.
func TestSlotOf(t *testing.T) {
	whole := Session{LearnSessionID: "w", TargetID: "w"}
	part := Session{LearnSessionID: "p", TargetID: "p", SlotID: SlotOf(whole)}
	if SlotOf(part) != SlotOf(whole) || SlotOf(Session{TargetID: "x"}) == SlotOf(whole) {
		t.Errorf("%q %q", SlotOf(part), SlotOf(whole))
	}
}

func TestCheckRevision(t *testing.T) {
	two := 2
	if err := CheckRevision(Meta{}, 7); err != nil {
		t.Error("who names no revision is not refused:", err)
	}
	if err := CheckRevision(Meta{IfMatch: &two}, 2); err != nil {
		t.Error(err)
	}
	err := CheckRevision(Meta{IfMatch: &two}, 3)
	if f := fault.From(err); f.Code != fault.RevisionConflict || f.Details["current_revision"] != 3 {
		t.Errorf("%+v", f)
	}
}
