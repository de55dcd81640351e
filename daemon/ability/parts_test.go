package ability_test

import (
	"fmt"
	"reflect"
	"testing"

	"showhow/daemon/ability"
)

// What a caller from elsewhere is answered does not depend on abilities that it does not have: not on their words, not on
// their number, and not on how many of them fit better.
func TestACallerIsAnsweredFromWhatItHas(t *testing.T) {
	entry := func(id, phrase string, agents ...string) ability.AvailabilityEntry {
		e := ability.AvailabilityEntry{AbilityID: id, SkillSlug: id, Title: phrase, TriggerPhrases: []string{phrase},
			InstallLane: ability.LaneApproved, Enabled: true, UsableNow: true}
		e.Permissions.Agents = agents
		return e
	}
	its := []ability.AvailabilityEntry{entry("water", "water the orchid on the sill", "remote/*"),
		entry("prune", "prune the hedge by the gate", "remote/scout")}
	all := its
	for i := range 40 {
		all = append(all, entry(fmt.Sprint("own-", i), fmt.Sprintf("water the orchid in merger room %d", i)))
	}
	for _, asked := range []string{"water the orchid", "orchid", "merger room", "prune the hedge"} {
		q := ability.LookupQuery{UserQuery: asked, Agent: []string{"remote/scout"}}
		alone, among := ability.NewMatcher(its...).Lookup(q), ability.NewMatcher(all...).Lookup(q)
		if !reflect.DeepEqual(alone, among) {
			t.Errorf("%s:\n%+v\n%+v", asked, alone, among)
		}
		q.Agent = []string{"codex"}
		if got := ability.NewMatcher(all...).Lookup(q); asked == "merger room" && len(got.Matches) == 0 {
			t.Errorf("%+v: an agent of this computer", got)
		}
	}
}
