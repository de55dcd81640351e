package ability

import (
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// The states of an ability's trust (decisions C3), which covers exactly one content and one set of permissions.
const (
	TrustApproved        = "approved"         // a person approved exactly this content with these permissions
	TrustPendingReview   = "pending_review"   // new, not reviewed yet
	TrustNeedsReapproval = "needs_reapproval" // approved once, and changed since
)

// TrustEvent is an event that may change an ability's trust.
type TrustEvent string

const (
	Extracted          TrustEvent = "extracted"           // an agent's run, an import or an adoption brought this content
	Installed          TrustEvent = "installed"           // a person installed what they had reviewed
	Approved           TrustEvent = "approved"            // a person approved the content and permissions as they are
	Rejected           TrustEvent = "rejected"            // a person rejected it: recorded, and still not usable
	ContentSame        TrustEvent = "content_same"        // a look found the approved content
	ContentChanged     TrustEvent = "content_changed"     // a look found another content, here or in a copy
	PermissionsChanged TrustEvent = "permissions_changed" // its permissions differ from what was approved
	Restored           TrustEvent = "restored"            // the approved content was put back
)

// transitions is the complete table of trust changes (the lifecycle document's table). Quarantine is not a state of
// trust: it withdraws an ability whatever its trust, and returns it with the trust that it has by then.
var transitions = map[string]map[TrustEvent]string{
	"": {Extracted: TrustPendingReview, Installed: TrustApproved},
	TrustPendingReview: {Extracted: TrustPendingReview, Installed: TrustApproved, Approved: TrustApproved, Rejected: TrustPendingReview,
		ContentSame: TrustPendingReview, ContentChanged: TrustPendingReview, PermissionsChanged: TrustPendingReview, Restored: TrustApproved},
	TrustApproved: {Extracted: TrustPendingReview, Installed: TrustApproved, Approved: TrustApproved,
		ContentSame: TrustApproved, ContentChanged: TrustNeedsReapproval, PermissionsChanged: TrustNeedsReapproval, Restored: TrustApproved},
	TrustNeedsReapproval: {Extracted: TrustPendingReview, Installed: TrustApproved, Approved: TrustApproved, Rejected: TrustNeedsReapproval,
		ContentSame: TrustNeedsReapproval, ContentChanged: TrustNeedsReapproval, PermissionsChanged: TrustNeedsReapproval,
		Restored: TrustApproved},
}

// NextTrust is the trust after an event; ok is false when the event is not allowed.
func NextTrust(trust string, e TrustEvent) (next string, ok bool) {
	next, ok = transitions[trust][e]
	return next, ok
}

// enter changes the ability's trust.
func (a *Ability) enter(e TrustEvent) error {
	next, ok := NextTrust(a.Trust, e)
	if !ok {
		return fault.New(fault.TrustRequired, "the ability's trust does not allow this").WithDetail("trust", a.Trust)
	}
	a.Trust = next
	return nil
}

// normal sorts each list and removes duplicates.
func normal(p Permissions) Permissions { return p.Normalized() }

func samePermissions(a, b Permissions) bool {
	return slices.Equal(a.Tools, b.Tools) && slices.Equal(a.Domains, b.Domains) && slices.Equal(a.Credentials, b.Credentials) &&
		slices.Equal(a.Agents, b.Agents)
}

// Wider reports whether b allows anything that a does not.
func Wider(a, b Permissions) bool {
	more := func(x, y []string) bool {
		return slices.ContainsFunc(y, func(s string) bool { return !slices.Contains(x, s) })
	}
	was, is := a.AgentsHere(), b.AgentsHere()
	here := len(was) > 0 && (len(is) == 0 || more(was, is))
	afar := !a.Admits(wire.EverybodyElsewhere) && more(a.AgentsElsewhere(), b.AgentsElsewhere())
	return here || afar || more(a.Tools, b.Tools) || more(a.Domains, b.Domains) || more(a.Credentials, b.Credentials)
}
