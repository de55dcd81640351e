package record

// LookLabel marks the runs by which Showhow checks by itself whether an installed ability still works.
const LookLabel = "showhow.canary"

// Codes of performed steps, in addition to those of types.go.
const (
	CodeTargetMissing   = "target_missing"    // the target of the step is missing
	CodeTargetAmbiguous = "target_ambiguous"  // several elements match
	CodeNotPerformed    = "not_performed"     // the run had stopped before it
	CodeCheckFailed     = "check_failed"      // the checkpoint's state was not reached
	CodeNoEffect        = "no_effect"         // the page reported success, but no effect was found
	CodeUnverified      = "effect_unverified" // only the page's own message claims success
	CodeServerError     = "server_error"      // the site failed to make a page
	CodeSignIn          = "sign_in_required"
	CodeStepFailed      = "step_failed"
	CodeValueAbsent     = "value_absent"     // the run's document has nothing at the place of a value
	CodeValueAmbiguous  = "value_ambiguous"  // it has several texts there
	CodeValueForm       = "value_form"       // it has no number there that can be read in one way only
	CodeMachineFailed   = "machine_failed"   // the browser, the network or this computer failed before the page answered
	CodeConditionUnread = "condition_unread" // the step's condition is in words that no machine can judge
	CodeNothingDone     = "nothing_done"     // no step that changes something was done
	CodeAlreadySo       = "already_so"       // the checkpoint's state was there before its step
	CodeNotClean        = "not_clean"        // something of the run remains on this machine
)
