package state

import (
	"time"

	"showhow/internal/fault"
)

// Reasons of the transitions by which a draft is put aside and taken up again.
const (
	ReasonPutAside = "put_aside"
	ReasonTakenUp  = "taken_up"
	ReasonImport   = "import" // the session mirrors the import of a skill; nobody demonstrated anything
)

// AsideFor is how long a draft that was put aside can be taken up again. Its demonstration and the key of its values
// are kept as long.
const AsideFor = 30 * 24 * time.Hour

// IsPutAside reports whether a session was put aside and has not been taken up again.
func IsPutAside(s Session) bool {
	return s.State == Cancelled && s.Reason == ReasonPutAside && s.TakenUpBy == ""
}

// FirstOf returns the session of a learning target that its examples belong to, given the target's sessions, oldest
// first. After a draft was taken up, it is the session that took it up.
func FirstOf(all []Session) (first Session, ok bool) {
	for _, s := range all {
		if s.ExampleOf == "" {
			first, ok = s, true
		}
	}
	return first, ok
}

// NotPutAside returns the fault for taking up a draft that was not put aside.
func NotPutAside() error {
	return fault.New(fault.InvalidLearnStateTransition, "this draft was not put aside, or its time is over").
		WithHint("`showhow proposal list` says which drafts wait")
}
