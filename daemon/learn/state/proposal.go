package state

const (
	ValidationNone    = "none"
	ValidationRunning = "running"
)

// WithLists turns null lists into empty ones, because the schemas refuse null.
func WithLists(p Proposal) Proposal {
	for _, l := range []*[]string{&p.SourceTraceIDs, &p.TriggerPhrases, &p.NegativeTriggers, &p.SupportPackRefs} {
		if *l == nil {
			*l = []string{}
		}
	}
	return p
}

// ViewProposal is a proposal as the caller sees it; sess is its first session, nil when that was deleted.
func ViewProposal(p Proposal, sess *Session) Proposal {
	p = WithLists(p)
	p.AllowedActions = proposalActions(p, sess)
	return p
}

// LanePending is a proposal's lane before its installation.
const LanePending = "pending"

// ProposalState is SkillBundleProposalState for a session's state.
func ProposalState(s State, otherwise string) string {
	switch s {
	case DraftingProposal:
		return "draft"
	case TestingProposal:
		return "testing"
	case AwaitingQuestions, ReadyForReview, InstallingPrivate, InstalledPrivate, Approved, Rejected, Cancelled, Quarantined:
		return string(s)
	}
	return otherwise
}

// proposalActions lists what may be done with a proposal, by its session's state.
func proposalActions(p Proposal, sess *Session) []Action {
	if sess == nil || p.ImportID != "" {
		return []Action{}
	}
	out := []Action{}
	if p.PutAsideUntil != nil {
		return append(out, CanTakeUp)
	}
	for _, a := range actionsOf[sess.State] {
		switch a {
		case CanAnswer:
			if p.OpenQuestions > 0 {
				out = append(out, a)
			}
		case CanInstall, CanApprove, CanReject, CanValidate, CanRevise, CanCancelRun, CanPutAside:
			out = append(out, a)
		}
	}
	return out
}
