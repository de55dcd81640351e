package report

import (
	"cmp"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// State is the input of the governance report.
type State struct {
	Feedback  []Feedback                  // all of it, in the order it was given
	Sessions  int                         // with any event
	Handoffs  []wire.RuntimeSessionReport // of the sessions to be continued
	Drafts    []Draft                     // that a person has not decided on
	Abilities []Ability
}

// Evolution lists possible improvements, most pressing first.
func Evolution(s State, now clock.Time) wire.EvolutionReport {
	byName := names(s.Abilities)
	proposals := []Proposal{}
	for _, d := range s.Drafts {
		proposals = append(proposals, draftProposal(d, s.Abilities))
	}
	skills, gaps := tally(s.Feedback)
	for _, t := range skills {
		if t.failures > 0 {
			proposals = append(proposals, skillProposal(t, byName))
		}
	}
	for _, t := range gaps {
		proposals = append(proposals, gapProposal(t, byName))
	}
	order := map[string]int{Ready: 0, Review: 1, Blocked: 2}
	slices.SortStableFunc(proposals, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(order[a.Readiness], order[b.Readiness]),
			cmp.Compare(slices.Index(levels, b.Risk.Level), slices.Index(levels, a.Risk.Level)), cmp.Compare(a.ProposalID, b.ProposalID))
	})
	return wire.EvolutionReport{ArtifactKind: "evolution_report", SchemaVersion: schema, GeneratedAt: now, Feedback: len(s.Feedback),
		Sessions: s.Sessions, Proposals: proposals}
}

// Governance summarises the gate's verdicts.
func Governance(e wire.EvolutionReport) wire.GovernanceReport {
	g := wire.GovernanceReport{ArtifactKind: "governance_report", SchemaVersion: schema, GeneratedAt: e.GeneratedAt, Feedback: e.Feedback,
		Sessions: e.Sessions, Proposals: e.Proposals}
	for _, p := range e.Proposals {
		switch p.Readiness {
		case Ready:
			g.Ready++
		case Review:
			g.Review++
		default:
			g.Blocked++
		}
	}
	return g
}

// OperatorReview lists what waits for a person: sessions to continue, then proposals.
func OperatorReview(s State, e wire.EvolutionReport) wire.OperatorReview {
	q := wire.OperatorReview{ArtifactKind: "operator_review", SchemaVersion: schema, GeneratedAt: e.GeneratedAt,
		Items: []wire.OperatorReviewItem{}}
	for _, r := range s.Handoffs {
		q.Items = append(q.Items, wire.OperatorReviewItem{Kind: "handoff", ID: r.SessionID, Title: r.Task, Risk: r.PromotionRisk.Level,
			Action: "showhow events report --session " + r.SessionID}) // what a sender wrote is no action
	}
	for _, p := range e.Proposals {
		if p.Readiness == Blocked {
			continue
		}
		q.Items = append(q.Items, wire.OperatorReviewItem{Kind: p.Kind, ID: p.ProposalID, Title: p.Title, Readiness: p.Readiness,
			Risk: p.Risk.Level, Action: p.OperatorActions[0]})
	}
	return q
}

// Promotion is what a promotion would install now.
func Promotion(e wire.EvolutionReport) wire.PromotionArtifact {
	a := wire.PromotionArtifact{ArtifactKind: "promotion_artifact", SchemaVersion: schema, GeneratedAt: e.GeneratedAt, Mode: "dry_run",
		Candidates: []Proposal{}}
	for _, p := range e.Proposals {
		if p.Readiness == Ready {
			a.Candidates = append(a.Candidates, p)
		}
	}
	a.NotReady = len(e.Proposals) - len(a.Candidates)
	return a
}

// count holds the sessions' verdicts on one skill or gap.
type count struct {
	name     string // as the first named it
	sessions []string
	failures int
	goods    int
	scores   float64
	by       []string
}

// tally counts each session once, by its newest feedback, for every skill and gap that it names.
func tally(all []Feedback) (skills, gaps []*count) {
	bySession := map[string][]Feedback{}
	var order []string
	for _, f := range all {
		if bySession[f.SessionID] == nil {
			order = append(order, f.SessionID)
		}
		bySession[f.SessionID] = append(bySession[f.SessionID], f)
	}
	skillOf, gapOf := map[string]*count{}, map[string]*count{}
	add := func(of map[string]*count, list *[]*count, name string, f Feedback) {
		c := of[key(name)]
		if c == nil {
			c = &count{name: name}
			of[key(name)], *list = c, append(*list, c)
		}
		if slices.Contains(c.sessions, f.SessionID) { // it names the same twice
			return
		}
		c.sessions = append(c.sessions, f.SessionID)
		c.scores += f.Score
		c.by = union(c.by, []string{f.ReportedBy})
		switch judge(f) {
		case good:
			c.goods++
		case bad:
			c.failures++
		}
	}
	for _, id := range order {
		f, _ := newest(bySession[id])
		for _, s := range f.SelectedSkillIDs {
			add(skillOf, &skills, s, f)
		}
		for _, m := range f.MissingCapabilities {
			add(gapOf, &gaps, m, f)
		}
	}
	return skills, gaps
}

func (c *count) evidence() wire.EvolutionEvidence {
	e := wire.EvolutionEvidence{Sessions: len(c.sessions), Failures: c.failures, Successes: c.goods, Reporters: c.by,
		SessionIDs: c.sessions[:min(len(c.sessions), 20)]}
	if n := len(c.sessions); n > 0 {
		mean := float64(int(c.scores/float64(n)*1000+.5)) / 1000
		e.MeanScore = &mean
	}
	return e
}

// key makes names comparable: code_review, Code Review and code-review are one.
func key(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-./:\t\n", r) }), "-")
}

// Resolve finds an ability by a runtime's name for it: id, its skill's folder, capability or title.
func Resolve(name string, all []Ability) (Ability, bool) {
	a, ok := names(all)[key(name)]
	return a, ok
}

func names(all []Ability) map[string]Ability {
	out := map[string]Ability{}
	for _, of := range []func(Ability) string{func(a Ability) string { return a.AbilityID }, func(a Ability) string { return a.SkillSlug },
		func(a Ability) string { return a.PrimaryCapabilityID }, func(a Ability) string { return a.Title }} {
		for _, a := range all {
			k := key(of(a))
			if _, taken := out[k]; k != "" && !taken {
				out[k] = a
			}
		}
	}
	return out
}
