package binding

import (
	"testing"

	"showhow/daemon/wire"
)

func bound(id, policy string, aliases ...string) wire.ProjectBinding {
	return wire.ProjectBinding{ProjectID: id, Aliases: aliases, AmbiguityPolicy: policy, BucketIDs: []string{"b-" + id}}
}

// R9 0.7 with 0.11C: a text that fits several projects is resolved, or not, by the binding's policy.
func TestResolverObeysItsThreePolicies_0_7(t *testing.T) {
	for _, c := range []struct {
		name, policy, query, active string
		state, first                string
		matches                     int
	}{
		{"by its id", RoomContext, "henderson-2026", "", "resolved", "henderson-2026", 1},
		{"by an alias in a sentence", RoomContext, "the latest draft in Smith v. Jones please", "", "resolved", "smith", 1},
		{"nothing fits", RoomContext, "water the plants", "", "none", "", 0},
		{"several, returned all", ReturnAll, "Baker contract", "", "resolved", "baker-east", 2},
		{"several, to be told apart", Disambiguate, "Baker contract", "baker-west", "ambiguous", "baker-east", 2},
		{"several, and one is worked on", RoomContext, "Baker contract", "baker-west", "resolved", "baker-west", 2},
		{"several, and none is worked on", RoomContext, "Baker contract", "smith", "ambiguous", "baker-east", 2},
	} {
		all := []wire.ProjectBinding{bound("baker-east", c.policy, "Baker contract East"), bound("baker-west", c.policy, "Baker contract West"),
			bound("henderson-2026", c.policy, "Henderson"), bound("smith", c.policy, "Smith v. Jones")}
		got := Resolve(all, wire.ProjectResolve{Query: c.query, ActiveProjectID: c.active})
		if got.ResolutionState != c.state || len(got.Matches) != c.matches || c.matches > 0 && got.Matches[0].ProjectID != c.first {
			t.Errorf("%s: %s %+v", c.name, got.ResolutionState, got.Matches)
		}
		for _, m := range got.Matches {
			if m.Confidence <= 0 || m.Confidence > 1 || m.Because == "" {
				t.Errorf("%s: %+v", c.name, m)
			}
		}
	}
}

func TestACandidateBucketResolvesToItsProject(t *testing.T) {
	all := []wire.ProjectBinding{bound("smith", RoomContext), bound("baker", RoomContext)}
	got := Resolve(all, wire.ProjectResolve{Query: "the newest version", CandidateBucketIDs: []string{"b-baker"}})
	if got.ResolutionState != "resolved" || got.Matches[0].ProjectID != "baker" {
		t.Errorf("%+v", got)
	}
}
