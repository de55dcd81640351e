package contract

import (
	"encoding/json"
	"slices"
	"strings"
)

// Block classes of refusals that a caller may learn of.
const (
	blockTier       = "safety_tier_gate"
	blockDisclosure = "disclosure_policy"
	blockContent    = "safety_content"
)

// modes of disclosure that the policy knows. "" is the person's own room, "channel" what the channel's tool sets.
var modes = []string{"", "direct", "relay", "delegated", "federated", "professional_update", "investment_discussion", "casual_chat",
	"medical_consultation", "legal_proceeding", "channel"}

// gate decides before any handler runs. It returns the kind, or the answer.
func (s *Service) gate(q Request, c Caller) (Kind, *Envelope) {
	if q.FromKind == "" {
		if q.Verb != selects || q.Ask == "" {
			return Kind{}, s.refusal(q, errKind, "name a from_kind, or ask; system lists the kinds")
		}
		q.FromKind = "recall" // a question without a kind is recalled (section 3.1)
	}
	k, known := kindOf(q.FromKind)
	if !known {
		return k, s.refusal(q, errUnknown+clean(q.FromKind), "system lists the kinds")
	}
	tier := k.tierAt(q.Depth)
	if tier != standard && strings.TrimSpace(q.Purpose) == "" {
		said := errSensitive
		if tier == restricted {
			said = errRestricted
		}
		e := s.refusal(q, said, "say in purpose what it is for, such as preparing_for_meeting or researching_history")
		e.BlockClass = blockTier
		return k, e
	}
	if !slices.Contains(modes, q.mode()) { // no policy matches, so it is held
		if tier != standard {
			return k, noInformation(q.Verb)
		}
		e := s.refusal(q, errDisclosure, "Provide additional purpose or authorization context.")
		e.BlockClass = blockDisclosure
		return k, e
	}
	if e := s.arguments(q, k); e != nil {
		return k, e
	}
	if !k.Held || k.Tier != standard && !(c.Person && q.ownRoom()) { // the person's own altogether
		return k, noInformation(q.Verb)
	}
	if !slices.Contains(k.Verbs, q.Verb) {
		return k, s.refusal(q, "verb "+q.Verb+" not supported for from_kind="+k.Name, "it takes "+strings.Join(k.Verbs, ", "))
	}
	return k, nil
}

// arguments checks what the contract demands of a kind, whether Showhow holds it or not.
func (s *Service) arguments(q Request, k Kind) *Envelope {
	switch {
	case k.Deprecated != "":
		return s.refusal(q, "deprecated from_kind: "+k.Name, "instead: "+k.Deprecated)
	case k.Gated:
		return s.refusal(q, "schema not yet landed", "")
	case k.Name == "situation_brief" && q.Verb == selects && q.FromMatch == "" && q.FromID == "" && q.Ask == "":
		return s.refusal(q, errMatch, "name the situation in from_match")
	case k.Name == "recall" && q.Verb == selects && q.Ask == "":
		return s.refusal(q, errAsk, "say in ask what is to be done")
	case k.Name == "ai_observation" && q.Verb == inserts:
		return s.observation(q)
	}
	return nil
}

// observation checks what an agent would write of a person (section 5). Showhow keeps none.
func (s *Service) observation(q Request) *Envelope {
	var p struct {
		Claim      string   `json:"claim"`
		Confidence *float64 `json:"confidence"`
		Reason     string   `json:"trigger_reason"`
		User       string   `json:"user"`
		TargetUser string   `json:"target_user"`
	}
	if json.Unmarshal(q.Payload, &p) != nil && len(q.Payload) > 0 {
		p.Claim = ""
	}
	who := ""
	if q.Caller != nil {
		who = q.Caller.Who
	}
	secrets, _ := s.o.Find(p.Claim)
	switch {
	case strings.TrimSpace(p.Claim) == "":
		return s.refusal(q, errClaim, "say in payload.claim what was observed")
	case p.Confidence == nil || *p.Confidence < 0 || *p.Confidence > 1:
		return s.refusal(q, errConfidence, "say in payload.confidence how sure it is")
	case !slices.Contains([]string{"user_direct_statement", "ai_synthesis", "nil_result_writeback", "user_confirmed_prior"}, p.Reason):
		return s.refusal(q, errTrigger, "one of user_direct_statement, ai_synthesis, nil_result_writeback, user_confirmed_prior")
	case mismatch(who, p.User, p.TargetUser):
		return s.refusal(q, errCrossUser, "an observation is about who the caller speaks for")
	case len(secrets) > 0:
		return s.refusal(q, errPII, "leave the secret out of the claim")
	}
	return nil
}

// mismatch reports whether several users are named that are not one.
func mismatch(names ...string) bool {
	one := ""
	for _, n := range names {
		if n != "" && one != "" && n != one {
			return true
		}
		if n != "" {
			one = n
		}
	}
	return false
}

// clean is a name that somebody submitted, as an error may repeat it.
func clean(s string) string {
	keep := func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}
	s = strings.Map(keep, s)
	return s[:min(len(s), 60)]
}
