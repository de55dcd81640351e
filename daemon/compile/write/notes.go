package write

import (
	"fmt"
	"slices"

	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
)

// noteWords are the texts of notes; arguments replace %s.
var noteWords = map[trace.Code]string{
	trace.FormLeft:        "A form that was opened and left without sending it.",
	trace.LookedElsewhere: "A look at other pages and back.",
	trace.LookedBack:      "A look at another page and back.",
	trace.UndoneAtOnce:    "Something that was undone at once.",
	trace.SearchCorrected: `A search in "%s" that was corrected.`,
	trace.CommandStopped:  "A command that was stopped with Control+C.",
	trace.ResultTakenBack: "A command whose result was taken back at once.",
	trace.SentAgain:       "A form that was sent, corrected and sent again: only the last time counts.",
	trace.SignedIn:        "Signing in to %s: being signed in is a condition before the start, and none of it was kept.",
	trace.RunFailed:       "A run of `%s` that failed, and nothing came of it.",
	trace.Mistyped:        "A mistyped command, which was then given again.",
	trace.RunCorrected:    "A run of `%s` that failed; it was then given again, corrected.",
	trace.FormRefused:     "A first try to send the form, which the page refused; it was corrected and sent again.",
	trace.EnteredAgain:    `An earlier entry in "%s": only the last one counts.`,
	trace.SwitchedBack:    `"%s" was switched and switched back.`,
	trace.DialogCancelled: `The dialog "%s" was opened and cancelled.`,
	trace.PassedBy:        "A page that was opened and left again, with nothing done there.",
	trace.WentBack:        "Going to another page at the end, with nothing done there.",
	trace.LookedAround:    "Commands that only look around, such as `ls`.",
	trace.CallFailed:      "A tool call that failed.",
	trace.OnlyRead:        "Tool calls that only read.",
	trace.CorrectCommand:  "If `%s` fails, read its message, correct the arguments and run it again: that happened in the demonstration too.",
}

// notes puts what was left out and learned into words, without values, each once.
func (d *Understanding) notes(traces []trace.Trace) {
	for t, tr := range traces {
		hide := func(text string) string { return d.Names.Prose(d.Study.Gens[t].Text(text)) }
		for _, n := range tr.LeftOut {
			if s := noteText(n, hide); !slices.Contains(d.LeftOut, s) {
				d.LeftOut = append(d.LeftOut, s)
			}
		}
		for _, n := range tr.Recovery {
			if s := noteText(n, hide); !slices.Contains(d.recover, s) {
				d.recover = append(d.recover, s)
			}
		}
	}
}

// noteText puts a note into words. hide removes values from a text of the trace; the name of a site is kept.
func noteText(n trace.Note, hide func(string) string) string {
	if n.Code == trace.SignedIn {
		hide = func(site string) string { return site }
	}
	args := make([]any, len(n.Args))
	for i, a := range n.Args {
		args[i] = hide(a)
	}
	if n.Code == trace.CorrectForm {
		return page.Cut(refusalText(args, n.Said, hide), 300)
	}
	return page.Cut(fmt.Sprintf(noteWords[n.Code], args...), 300)
}

func refusalText(fields []any, said string, hide func(string) string) string {
	why := ""
	if said != "" {
		why = fmt.Sprintf(` (the page said: "%s")`, hide(said))
	}
	quoted := make([]string, len(fields))
	for i, f := range fields {
		quoted[i] = fmt.Sprintf(`"%s"`, f)
	}
	switch len(fields) {
	case 0:
		return "If the form is refused" + why + ", correct what it names and send it again."
	case 1:
		return "If " + quoted[0] + " is marked as not valid after the form was sent" + why + ", correct it and send the form again."
	}
	return "If " + intent.AndList(quoted) + " are marked as not valid after the form was sent" + why +
		", correct them and send the form again."
}
