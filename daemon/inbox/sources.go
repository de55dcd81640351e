package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// agentProposal is the source of an import that an agent proposed.
const agentProposal = "elnor_generated"

// candidateAfter is how often a private skill must have worked to be proposed for the shared lane.
const candidateAfter = 10

// Calls lists agents' calls that wait for a person's decision.
func Calls(list func(context.Context) (wire.MCPAskFirstPendingListResponse, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, d := range l.Dispatches {
			out = append(out, wire.InboxItem{Kind: "call_waiting", Ref: d.DispatchID, Since: d.CreatedAt.Ptr(), ExpiresAt: d.ExpiresAt.Ptr(),
				Title:  fmt.Sprintf("%s wants to use %s of %s", d.Agent, d.ToolName, d.ServerID),
				Detail: "It waits for your answer and is refused when the question expires.",
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow connector pending", Page: "/connectors"}})
		}
		return out, err
	}
}

// Connectors lists services that need a sign-in.
func Connectors(list func(context.Context) (wire.MCPServerListResponse, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, x := range l.Servers {
			if !x.Registry.Enabled || !slices.Contains(x.BadgeStates, "auth_required") {
				continue
			}
			out = append(out, wire.InboxItem{Kind: "connector_auth", Ref: x.Registry.ServerID,
				Title:  x.Registry.DisplayName + " needs you to sign in",
				Detail: "Until then agents cannot use it, nor the skills that need it.",
				Action: wire.InboxAction{Label: "Sign in", Command: "showhow connector login " + x.Registry.ServerID,
					Page: "/connectors/" + x.Registry.ServerID}})
		}
		return out, err
	}
}

// Runs lists agents' runs with an open question.
func Runs(question func(context.Context) ([]wire.SandboxRun, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := question(ctx)
		for _, r := range l {
			if r.Question == nil {
				continue
			}
			detail := "It is paused until you answer."
			if r.For != "" {
				detail += " What you answer can reach " + r.For + ", on another computer."
			}
			out = append(out, wire.InboxItem{Kind: "run_question", Ref: r.RunID, Since: r.Question.AskedAt.Ptr(),
				Title:  fmt.Sprintf("The run of %s has a question", r.Agent),
				Detail: detail,
				Action: wire.InboxAction{Label: "Answer", Command: "showhow run answer " + r.RunID, Page: "/runs/" + r.RunID}})
		}
		return out, err
	}
}

// Questions lists what agents ask outside of runs.
func Questions(list func(context.Context) (wire.AgentQuestions, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, q := range l.Questions {
			out = append(out, wire.InboxItem{Kind: "agent_question", Ref: q.QuestionID, Since: q.AskedAt.Ptr(), ExpiresAt: q.ExpiresAt.Ptr(),
				Title: fmt.Sprintf("%s asks you something", q.Agent), Detail: q.Text,
				Action: wire.InboxAction{Label: "Answer", Command: "showhow inbox answer " + q.QuestionID, Page: "/inbox"}})
		}
		return out, err
	}
}

// Callers lists callers from elsewhere that ask to be let in, and what they ask to have run. The code is with the person's browser alone.
func Callers(status func(context.Context) (wire.RemoteStatus, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		st, err := status(ctx)
		for _, r := range st.Waiting {
			out = append(out, wire.InboxItem{Kind: "remote_sign_in", Ref: r.RequestID, Since: r.AskedAt.Ptr(), ExpiresAt: r.ExpiresAt.Ptr(),
				Title:  fmt.Sprintf("“%s” asks to be let in, from %s", r.ClientName, r.From),
				Detail: "If you began this, type the code that your own browser shows. What it calls itself, nobody has checked.",
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow remote approve CODE", Page: "/trust#" + r.RequestID}})
		}
		for _, t := range st.Tasks {
			out = append(out, wire.InboxItem{Kind: "remote_task", Ref: t.TaskID, Since: t.AskedAt.Ptr(), ExpiresAt: t.ExpiresAt.Ptr(),
				Title:  fmt.Sprintf("%s asks to have “%s” run here", t.Caller, t.Title),
				Detail: "It says: " + t.Goal,
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow remote allow " + t.TaskID, Page: "/trust#" + t.TaskID}})
		}
		return out, err
	}
}

// Abilities lists skills that changed, that failed, that can be repaired, or that worked often enough to be shared;
// renamed returns what a repair of an ability would change.
func Abilities(list func(context.Context) (wire.AbilityAvailabilitySnapshot, error),
	stats func(context.Context) (wire.CapabilityStatsIndex, error), canaries func(context.Context) (wire.Canaries, error),
	renamed func(ctx context.Context, abilityID string) ([]wire.RenamedControl, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		if err != nil {
			return nil, err
		}
		counts, looks := map[string]wire.CapabilityStats{}, map[string]wire.CanaryConsent{}
		s, err := stats(ctx)
		if err != nil {
			return nil, err
		}
		for _, x := range s.Capabilities {
			counts[x.CapabilityID] = x
		}
		c, err := canaries(ctx)
		for _, x := range c.Canaries {
			looks[x.AbilityID] = x
		}
		for _, a := range l.Abilities {
			var found []wire.RenamedControl
			if a.Health != nil && a.Health.Renamed > 0 {
				if found, err = renamed(ctx, a.AbilityID); err != nil {
					return out, err
				}
			}
			if i, waits := ofAbility(a, counts[a.PrimaryCapabilityID], looks[a.AbilityID], found); waits {
				i.Ref = a.AbilityID
				out = append(out, i)
			}
		}
		return out, err
	}
}

// ofAbility is the item of an ability.
func ofAbility(a wire.AbilityAvailabilityEntry, s wire.CapabilityStats, look wire.CanaryConsent,
	renamed []wire.RenamedControl) (wire.InboxItem, bool) {
	page := "/skills/" + a.AbilityID
	h := wire.AbilityHealth{}
	if a.Health != nil {
		h = *a.Health
	}
	at := strings.TrimSuffix(" at "+h.StepID, " at ")
	switch {
	case a.Trust == "needs_reapproval":
		return wire.InboxItem{Kind: "reapproval", Title: "“" + a.Title + "” was changed after you approved it",
			Detail: "Agents do not see it until you have looked.",
			Action: wire.InboxAction{Label: "Look at the change", Command: "showhow skill diff " + a.SkillSlug, Page: page}}, true
	case a.Trust == "pending_review" && a.ReasonCode != "rejected":
		return wire.InboxItem{Kind: "review_waiting", Title: "“" + a.Title + "” waits for your review",
			Detail: "Agents do not see it until you approve it.",
			Action: wire.InboxAction{Label: "Review it", Command: "showhow skill diff " + a.SkillSlug, Page: page}}, true
	case a.InstallLane == "quarantined" && h.Status == "quarantined":
		return wire.InboxItem{Kind: "quarantined", Since: h.Since, Title: "“" + a.Title + "” no longer works",
			Detail: fmt.Sprintf("%s%s (%s) and was taken from agents. %s", why[h.ReasonCode], at, h.Code, told(look)),
			Action: mend(a, page, renamed)}, true
	case len(renamed) > 0:
		return repair(a, page, renamed), true
	case h.Status == "degraded":
		return wire.InboxItem{Kind: "degraded", Since: h.Since, Title: "“" + a.Title + "” has failed three times in the same way",
			Detail: fmt.Sprintf("It failed%s (%s). Agents still find it, and are told. %s", at, h.Code, told(look)),
			Action: wire.InboxAction{Label: "See why", Command: "showhow ability health " + a.SkillSlug, Page: page}}, true
	case a.InstallLane == "experimental_private" && a.UsableNow && s.Passed >= candidateAfter && s.LastFailedAt == nil &&
		h.Status == "healthy":
		return wire.InboxItem{Kind: "promotion_candidate", Title: fmt.Sprintf("“%s” has worked %d times and never failed", a.Title, s.Passed),
			Detail: "Lookups prefer it in the shared lane.",
			Action: wire.InboxAction{Label: "Prefer it", Command: "showhow ability promote " + a.SkillSlug, Page: page}}, true
	}
	return wire.InboxItem{}, false
}

// repair is the item of a skill whose controls are called otherwise now.
func repair(a wire.AbilityAvailabilityEntry, page string, renamed []wire.RenamedControl) wire.InboxItem {
	title := "“" + a.Title + "” works, but the page now uses other names"
	label := "Take it over"
	switch seen := slices.ContainsFunc(renamed, func(r wire.RenamedControl) bool { return r.Agent == "" }); {
	case !slices.ContainsFunc(renamed, func(r wire.RenamedControl) bool { return !r.Guess }):
		title, label = "“"+a.Title+"” misses a control, and another is new in its place", "Try the new one"
	case a.Health.Status == "degraded":
		title = "“" + a.Title + "” fails, and the page now uses other names"
	case !seen:
		title = "An agent reports that the page now uses other names for “" + a.Title + "”"
	}
	var said []string
	for _, r := range renamed {
		x := plain.UpperFirst(strings.Join(r.Changes, "; ")) + " (" + r.Told + ")"
		if !slices.Contains(said, x) { // a form that is called otherwise is that for each of its fields
			said = append(said, x)
		}
	}
	return wire.InboxItem{Kind: "repair_ready", Since: renamed[0].At.Ptr(), Title: title,
		Detail: strings.Join(said, ". ") + ".",
		Action: wire.InboxAction{Label: label, Command: "showhow ability repair " + a.SkillSlug, Page: page}}
}

// mend is the action for a skill that stopped working: what is only called otherwise is taken over, else a learned one
// is demonstrated again, and another one is reviewed.
func mend(a wire.AbilityAvailabilityEntry, page string, renamed []wire.RenamedControl) wire.InboxAction {
	if len(renamed) > 0 {
		return wire.InboxAction{Label: "Take it over", Command: "showhow ability repair " + a.SkillSlug, Page: page}
	}
	if a.Source == "learned" || a.Source == "promoted" {
		return wire.InboxAction{Label: "Show it again", Command: "showhow learn start --improves " + a.SkillSlug, Page: page}
	}
	return wire.InboxAction{Label: "See why", Command: "showhow ability health " + a.SkillSlug, Page: page}
}

// why explains what took a skill from agents.
var why = map[string]string{"matching_failures": "It failed too often", "critical_safety_failure": "It did what its policy forbids"}

func told(c wire.CanaryConsent) string {
	if c.LastTold == "" {
		return ""
	}
	return "Showhow looked: " + c.LastTold + "."
}

// Imports lists imported skills that wait for a review: those that an agent proposes, those that agents here cannot
// follow as they are, and all others.
func Imports(list func(context.Context) ([]wire.ImportedSkillRecord, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, i := range l {
			if i.StageState != wire.ImportReadyForReview && i.StageState != wire.ImportScanComplete {
				continue
			}
			if i.Source == agentProposal {
				out = append(out, wire.InboxItem{Kind: "agent_proposal", Ref: i.ImportID, Since: i.CreatedAt.Ptr(),
					Title:  "An agent proposes the skill “" + i.SkillName + "”",
					Detail: "It was scanned; nobody can use it before you approve it.",
					Action: wire.InboxAction{Label: "Review it", Command: "showhow skill imports show " + i.ImportID,
						Page: "/import/" + i.ImportID}})
				continue
			}
			if !i.RequiresAdapter {
				out = append(out, review(i))
				continue
			}
			out = append(out, wire.InboxItem{Kind: "import_needs_adapter", Ref: i.ImportID, Since: i.CreatedAt.Ptr(),
				Title:  "“" + i.SkillName + "” needs something that is missing here",
				Detail: "Agents on this computer cannot follow it as it is; its report says what is missing.",
				Action: wire.InboxAction{Label: "Read the report", Command: "showhow skill imports show " + i.ImportID,
					Page: "/import/" + i.ImportID}})
		}
		return out, err
	}
}

// review is the item of an imported skill that a person has not decided about.
func review(i wire.ImportedSkillRecord) wire.InboxItem {
	title := "“" + i.SkillName + "” waits for your review"
	if v := i.Provenance.Version; v != "" {
		title = "“" + i.SkillName + "”, version " + v + ", waits for your review"
	}
	detail := "It was scanned; nobody can use it before you approve it."
	if i.Verdict == "blocked" {
		detail = "The scan found what should not be installed; nobody can use it."
	}
	return wire.InboxItem{Kind: "review_waiting", Ref: i.ImportID, Since: i.CreatedAt.Ptr(), Title: title, Detail: detail,
		Action: wire.InboxAction{Label: "Review it", Command: "showhow skill imports show " + i.ImportID, Page: "/import/" + i.ImportID}}
}

// Mined lists routines that may be learned.
func Mined(list func(context.Context) ([]wire.MinedRoutine, error)) Source {
	return func(ctx context.Context) (out []wire.InboxItem, err error) {
		l, err := list(ctx)
		for _, r := range l {
			out = append(out, wire.InboxItem{Kind: "done_again", Ref: r.Cluster.ClusterID, Since: r.LastAt.Ptr(), Title: r.Summary,
				Detail: strings.TrimSuffix("What varied: "+strings.Join(r.Varied, ", ")+".", "What varied: ."),
				Action: wire.InboxAction{Label: "Look at it", Command: "showhow mine show " + r.Cluster.ClusterID, Page: "/learn/mined"}})
		}
		return out, err
	}
}
