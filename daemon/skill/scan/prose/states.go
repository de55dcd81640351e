package prose

import (
	"strings"

	"showhow/daemon/skill/scan/source"
)

// What sounds like concealment and only states something: a second negation takes the first back, a clause about what somebody may not
// know hangs on a noun, and a thing says nothing about another. Each is told by what stands before, so added text changes none of them.

// onlyStates reports whether a match conceals nothing by its grammar.
func onlyStates(text string, m []int) bool {
	said, before := text[m[0]:m[1]], text[:m[0]]
	if i := strings.Index(said, "without "); i >= 0 && !strings.ContainsAny(said[:i], ",;:") && neverWithout(before+said[:i]) {
		return true
	}
	return mayNotKnow.MatchString(said) && hangsOn.MatchString(before) && !joined.MatchString(before)
}

// neverWithout: the one deed that is not done silently is forbidden so: never change a row without telling the user. Nothing else is done
// in between, and the verb is none that turns round what it governs (never hesitate, do not wait).
func neverWithout(before string) bool {
	m := forbidsOne.FindStringSubmatchIndex(before)
	return m != nil && !endsReach.MatchString(before[m[2]:m[3]]) && !anotherDeed.MatchString(before[m[2]:m[3]])
}

var (
	// carried: the deed is what a text says that is looked at: a page that tells the reader to.
	carried = source.Wording("orders.carried")
	// forbidsOne: a negation, and what it governs to the end.
	forbidsOne  = source.Wording("forbids.one")
	anotherDeed = source.Wording("another.deed")
	mayNotKnow  = source.Wording("may.not.know")
	// hangsOn: a noun or a relative stands before, so that the clause says which thing is meant.
	hangsOn = source.Wording("hangs.on")
	joined  = source.Wording("joined.clause")
)
