package upkeep

import (
	"fmt"

	"showhow/daemon/ability"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
)

const when = "2 January 2006, 15:04"

// because explains an ability's health, and what would change it. Of an ability that nobody may use before a person has
// decided, it says that first: neither its failures nor a check mend that.
func because(a ability.Ability, c *wire.CanaryConsent, waiting string) (out []string) {
	h, say := a.Health, func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch a.Trust {
	case ability.TrustNeedsReapproval:
		say("It was changed after you approved it. `showhow skill diff %s` shows the change. Agents do not see the skill until you approve "+
			"the change (`showhow skill approve %s`) or restore what you approved (`showhow skill restore %s`).", a.Slug, a.Slug, a.Slug)
		if h.Totals.Passed+h.Totals.Failed > 0 {
			say("The uses and trials counted so far are those of what you approved.")
		}
		return out
	case ability.TrustPendingReview:
		say("It waits for your review: `showhow skill diff %s`. Agents do not see it until you approve it.", a.Slug)
		return out
	}
	switch {
	case a.Lane == ability.LaneQuarantined && a.QuarantinedBy == "" && a.QuarantineReason == "":
		say("A person quarantined it, without giving a reason.")
	case a.Lane == ability.LaneQuarantined && a.QuarantinedBy == "":
		say("A person quarantined it: %s", a.QuarantineReason)
	case h.Status == health.Quarantined && h.Reason == health.CriticalFailure:
		say("It did what its policy forbids%s (%s). Once is enough: agents no longer see it.", at(h.Step), h.Code)
	case h.Status == health.Quarantined:
		say("It failed %d times or more within seven days%s (%s). Agents no longer see it.", health.QuarantineAt, at(h.Step), h.Code)
	case h.Status == health.Degraded && h.Code == health.ReplacedCode:
		say("A control was missing%s %d times or more within seven days, and something new stood in its place: it may have been renamed. "+
			"Agents still find the skill and are told; checks alone do not withdraw it.", at(h.Step), health.DegradeAt)
	case h.Status == health.Degraded:
		say("It failed %d times or more within seven days%s (%s). Agents still find it and are told.", health.DegradeAt, at(h.Step), h.Code)
	case h.Status == health.Healthy && h.VerifiedAt != nil:
		say("Showhow saw it work on %s.", h.VerifiedAt.Local().Format(when))
	case h.Status == health.Healthy:
		say("Agents report that it works; Showhow has not checked it.")
	case h.Suspect():
		say("Nobody has seen it work yet.")
	default:
		say("Nothing is known yet: nobody has used it since you approved it.")
	}
	switch {
	case h.Status == health.Quarantined:
		say("%d successful checks in a row bring it back; so far there were %d. Or review it yourself and clear the quarantine.",
			health.HealAfter, h.GoodCanaries)
	case h.Status == health.Degraded:
		say("%s ends this.", cure(failing(h)))
	case h.Suspect():
		last := h.Failing[len(h.Failing)-1]
		if last.Doubt() {
			say("It may fail: on %s a check no longer saw what %s needs, which earlier checks had seen. They open the page without doing what "+
				"leads there, so it may only be in another state; agents are told. %s clears this.", h.FailedAt.Local().Format(when),
				last.Step, cure(last))
			break
		}
		say("It may fail: on %s it failed%s (%s), and agents are told. If it fails the same way %d times within seven days, it is marked as "+
			"degraded. %s clears this.", h.FailedAt.Local().Format(when), at(last.Step), last.Code, health.DegradeAt, cure(last))
	}
	switch {
	case c == nil:
		say("Showhow does not check it automatically; `showhow canary allow %s` allows read-only checks.", a.Slug)
	case waiting != "":
		say("Showhow may check it automatically, but %s.", waitingWords[waiting])
	case c.NextAt != nil:
		say("Showhow checks it next on %s.", c.NextAt.Local().Format(when))
	}
	return out
}

// at names the step where something failed. A failure of the whole has none.
func at(step string) string {
	if step == "" {
		return ""
	}
	return " at " + step
}

// failing is the failure that degraded an ability.
func failing(h health.State) health.Failing {
	for _, f := range h.Failing {
		if f.Step == h.Step && f.Code == h.Code {
			return f
		}
	}
	return health.Failing{Step: h.Step, Code: h.Code}
}

// cure is what clears a failure.
func cure(f health.Failing) string {
	switch {
	case f.Call:
		return "Three successful calls of that tool in a row, or a successful check of the step that makes them,"
	case f.Step == "":
		return "A successful check, or three successful uses in a row,"
	}
	return "A successful check of that step, or three reports in a row that it was reached,"
}

// waitingWords says why no check is made now.
var waitingWords = map[string]string{
	canary.WhyOff: "automatic checks are switched off", canary.WhyBusy: "Showhow is in use",
	canary.WhyLocked:  "the screen is locked",
	canary.WhyMetered: "the connection is metered", canary.WhyBattery: "the computer runs on battery",
	canary.WhyBudget: "today's checks are used up",
}
