package player

// Reason says why an act could not be done.
type Reason string

// The reasons of Unready.
const (
	Covered    Reason = "covered"     // something else covers it
	Disabled   Reason = "disabled"    // it cannot be operated
	Hidden     Reason = "hidden"      // it has no place on the page
	Moving     Reason = "moving"      // it does not stand still
	Replaced   Reason = "replaced"    // the page keeps redrawing it
	NotTaken   Reason = "not_taken"   // it did not take the value
	NoOption   Reason = "no_option"   // it does not offer the value
	NoField    Reason = "no_field"    // it holds no value
	NoTarget   Reason = "no_target"   // the act names no target
	NoTab      Reason = "no_tab"      // there is no such tab, or none was opened
	NoDialog   Reason = "no_dialog"   // no native dialog is open
	NoHistory  Reason = "no_history"  // there is no such page to go back or forward to
	Unanswered Reason = "unanswered"  // the page does not take input
	Refused    Reason = "refused"     // the guard refused the page, or it cannot be reached
	Endless    Reason = "endless"     // it asks for ever
	Unknown    Reason = "unknown_act" // an unknown act
)

// Unready says why an act could not be performed although its target was found. Its text contains
// no value, and of the page only names of controls.
type Unready struct {
	Reason Reason
	What   string   // what is in the way, or what was wanted: a control's role and name
	Seen   []string // what is offered instead, for NoOption

	passing bool // it may be otherwise in a moment
}

func (u *Unready) Error() string {
	if u.What != "" {
		return "the act could not be done (" + string(u.Reason) + "): " + u.What
	}
	return "the act could not be done (" + string(u.Reason) + ")"
}
