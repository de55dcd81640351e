package proposal

import (
	"context"
	"strings"

	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Hindrance says what hinders the draft's installation; nil if its runs passed or none has ended.
func (s *Reader) Hindrance(ctx context.Context, st rehearse.Standing) (*wire.Hindrance, error) {
	if st.RunID == "" || st.Overall != rehearse.Failed && st.Overall != rehearse.Partial {
		return nil, nil
	}
	_, steps, err := s.d.Validator.Get(ctx, st.RunID)
	if err != nil {
		return nil, err
	}
	return describe(st, steps), nil
}

func describe(st rehearse.Standing, steps []rehearse.ValidationStepResult) *wire.Hindrance {
	h := &wire.Hindrance{ValidationRunID: st.RunID, RunKind: st.Kind, Result: st.Overall}
	for _, x := range steps {
		if st.Kind != "" && x.RunKind != st.Kind || x.Result == rehearse.StepPassed {
			continue
		}
		if failed := x.Result == rehearse.StepFailed; h.Step == "" || failed {
			h.CheckpointID, _ = strings.CutPrefix(x.TestCaseID, string(st.Kind)+".checkpoint.")
			if h.CheckpointID == x.TestCaseID {
				h.CheckpointID = ""
			}
			h.Step, h.Details = x.Label, x.Details
			if failed {
				break
			}
		}
	}
	what, again := kindWords(st.Kind)
	at := ""
	switch {
	case h.CheckpointID != "":
		at = " at " + h.CheckpointID + ", " + plain.Clip(h.Step, 200)
	case h.Step != "":
		at = " at: " + plain.Clip(h.Step, 200)
	}
	if h.Result == rehearse.Failed {
		h.Message = what + " of this revision failed" + at
		h.Next = again + " once what it works on is mended, or change the draft with `showhow proposal revise` and perform that"
		return h
	}
	h.Message = what + " of this revision was only partial" + at
	if st.Kind == "" && st.Reason != "" { // nothing failed; something was never looked at
		h.Message = st.Reason
	}
	h.Next = again + ", or take it as it is with `showhow proposal install --accept-partial`"
	return h
}

// kindWords names a kind of run and the command that repeats it.
func kindWords(k rehearse.RunKind) (what, again string) {
	const validate = "`showhow proposal validate` again"
	switch k {
	case rehearse.RunRehearsal:
		return "the rehearsal", "`showhow proposal rehearse` again"
	case rehearse.RunCanary:
		return "the canary", "`showhow proposal rehearse --canary` again"
	case rehearse.RunLint:
		return "the lint", validate
	case rehearse.RunTrigger:
		return "the check of its phrases", validate
	case rehearse.RunDependencyCheck:
		return "the check of what it needs", validate
	case rehearse.RunAdapterCheck:
		return "the check of what it is done with", validate
	case rehearse.RunDryRun:
		return "the dry run", validate
	}
	return "the validation", validate
}

// HindranceFault is the error of an installation that h hinders.
func HindranceFault(h *wire.Hindrance) *fault.Error {
	return fault.New(fault.NotValidated, h.Message).WithHint(h.Next).WithDetail("overall_result", string(h.Result)).
		WithDetail("validation_run_id", h.ValidationRunID)
}
