package trace

import (
	"maps"
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// dropSignIn removes everything done on a page with a password field.
func (n *Trace) dropSignIn() {
	pages := map[string]string{} // address of a page that asks for a password -> site
	for _, a := range n.Acts {
		for _, s := range []*capture.State{a.Before, a.After} {
			if s != nil && asksPassword(s) {
				pages[loginPage(s.URL)] = page.HostOf(s.URL)
			}
		}
	}
	maps.Copy(pages, n.logins(pages))
	if len(pages) == 0 {
		return
	}
	var kept []*Act
	for _, a := range n.Acts {
		site := pages[loginPage(a.URLBefore())]
		if site == "" && a.Moved && a.File == nil {
			site = pages[loginPage(a.URL())] // the way to it
		}
		if site == "" || a.Surface != workflow.OnBrowser {
			if k := len(kept); k == 0 || len(n.SignedIn) == 0 || !OnlyMoves(a) || a.Verb == capture.Navigate || kept[k-1].URL() != a.URL() {
				kept = append(kept, a) // else the way back to where the person was before signing in
			}
			continue
		}
		n.toSignIn(site)
	}
	n.Acts = kept
}

func loginPage(address string) string { return page.HostOf(address) + page.PathOf(address) }

// asksPassword reports whether a page has exactly one password field and at most four fields in all.
func asksPassword(s *capture.State) bool {
	passwords := 0
	for _, f := range s.Fields {
		if f.Value != nil && f.Value.Kind == capture.KindPassword {
			passwords++
		}
	}
	return passwords == 1 && len(s.Fields) <= 4
}

// failedCommands removes a command that failed and was then repeated in a corrected form. A mistyped program name
// teaches nothing; any other failure becomes advice.
func (n *Trace) failedCommands() {
	for i := 0; i < len(n.Acts); i++ {
		a := n.Acts[i]
		if a.Command == nil || a.Command.Exit == 0 {
			continue
		}
		j := retry(n, i)
		if j < 0 {
			if slipped(n, i) {
				n.drop(i, i+1, Note{Code: RunFailed, Args: []string{shell.ProgramOr(a.Command)}})
				i--
			}
			continue
		}
		prog, fixed := shell.ProgramOf(a.Command), shell.ProgramOf(n.Acts[j].Command)
		if strings.ContainsRune(prog, page.RefOpen) {
			prog, fixed = "the command", "the command"
		}
		if a.Command.Exit == 127 || prog != fixed {
			n.drop(i, i+1, Note{Code: Mistyped})
		} else {
			n.drop(i, i+1, Note{Code: RunCorrected, Args: []string{prog}})
			n.Recovery = append(n.Recovery, Note{Code: CorrectCommand, Args: []string{prog}})
		}
		i--
	}
}

// slipped reports whether the failed command i was a slip: its failure carries no answer, it made nothing and changed no
// folder, and something else succeeded.
func slipped(n *Trace, i int) bool {
	a := n.Acts[i]
	l := shell.Read(a.Command)
	if a.Command.Running || shell.AnswersByFailing(a.Command) || len(l.Makes()) > 0 || len(NewFiles(a)) > 0 ||
		len(a.StateBefore().Files) > 0 || a.Command.CwdFrom != a.Command.CwdTo {
		return false
	}
	return slices.ContainsFunc(n.Acts, func(b *Act) bool { return b != a && (b.Command == nil || b.Command.Exit == 0) })
}

// retry finds the successful repetition of the failed command i among the next few commands, or -1.
func retry(n *Trace, i int) int {
	failed := n.Acts[i].Command
	for j, seen := i+1, 0; j < len(n.Acts) && seen < 4; j++ {
		c := n.Acts[j].Command
		if c == nil {
			continue
		}
		seen++
		if c.Exit == 0 && (shell.ProgramOf(c) == shell.ProgramOf(failed) || near(shell.ProgramOf(c), shell.ProgramOf(failed))) {
			return j
		}
	}
	return -1
}

// near reports whether two words differ by one typing slip: one letter more, less or different, or two swapped.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) < 2 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i == len(a) || a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// rejectedForms removes a submit that the page refused and that was then repeated, and keeps the refusal as advice.
func (n *Trace) rejectedForms() {
	for i := 0; i < len(n.Acts); i++ {
		a := n.Acts[i]
		if !rejected(a) || !repeatedLater(n, i) {
			continue
		}
		fields := slices.Clone(a.State().Invalid)
		n.drop(i, i+1, Note{Code: FormRefused})
		n.Recovery = append(n.Recovery, refusal(fields, saying(a)))
		i--
	}
}

// saying lists an act's new messages, without the headings that they start with.
func saying(a *Act) []string {
	var out []string
	for _, m := range page.Fresh(a.StateBefore().Alerts, a.State().Alerts) {
		m = plain.Squeeze(m)
		for _, h := range a.State().Headings {
			m = strings.TrimSpace(strings.TrimPrefix(m, plain.Squeeze(h)))
		}
		if m != "" {
			out = append(out, m)
		}
	}
	return out
}

// refusal is the advice for a form that the page refuses: the fields that it marked as not valid, and its message.
func refusal(fields, messages []string) Note {
	n := Note{Code: CorrectForm}
	for _, f := range fields {
		n.Args = append(n.Args, page.Clean(f))
	}
	if len(messages) > 0 {
		n.Said = strings.TrimRight(plain.Squeeze(messages[0]), ". ")
	}
	return n
}

// rejected reports whether the page refused what was sent.
func rejected(a *Act) bool {
	if a.Surface != workflow.OnBrowser || a.Moved && page.PathOf(a.URLBefore()) != page.PathOf(a.URL()) {
		return false
	}
	if a.Verb != capture.Submit && a.Verb != capture.Click && a.Verb != capture.Press {
		return false
	}
	if len(a.State().Invalid) > 0 {
		return true
	}
	for _, m := range page.Fresh(a.StateBefore().Alerts, a.State().Alerts) {
		if page.Failing(m) {
			return true
		}
	}
	return false
}

// repeatedLater reports whether the same control was used again on the same page, with only form fields filled in
// between.
func repeatedLater(n *Trace, i int) bool {
	a := n.Acts[i]
	for _, b := range n.Acts[i+1:] {
		if b.Surface != workflow.OnBrowser {
			return false
		}
		if b.Verb == a.Verb && (b.Field() == a.Field() || b.Verb == capture.Submit && b.Page != nil && a.Page != nil && b.Tab() == a.Tab() &&
			sameForm(a, b)) {
			return true
		}
		if b.Moved {
			return false
		}
	}
	return false
}

func sameForm(a, b *Act) bool {
	return page.PathOf(a.URLBefore()) == page.PathOf(b.URLBefore()) || page.PathOf(a.URL()) == page.PathOf(b.URLBefore())
}

// reentered keeps only the last of several entries into one field before the form is sent.
func (n *Trace) reentered() {
	first := map[string]int{}
	for i := 0; i < len(n.Acts); i++ {
		a := n.Acts[i]
		if !a.Fills() {
			if a.Moved || a.Verb == capture.Submit || a.Surface != workflow.OnBrowser {
				clear(first)
			}
			for key, j := range first {
				if takes(a, n.Acts[j]) {
					delete(first, key)
				}
			}
			continue
		}
		key := a.Field()
		j, again := first[key]
		if !again || a.Verb == capture.Check || a.Verb == capture.Uncheck || n.Acts[j].Verb != a.Verb || key == "" {
			first[key] = i
			continue
		}
		a.Recs = append(n.Acts[j].Recs, a.Recs...)
		n.Acts[j] = a // the later entry takes the earlier one's place
		n.drop(i, i+1, Note{Code: EnteredAgain, Args: []string{a.Name()}})
		i--
	}
}

// takes reports whether an act consumed the entry before it: the field is empty afterwards, the page is the same, and
// the act is not one that only clears fields. A tag added to a list is no mistake, whatever is entered next.
func takes(a, entry *Act) bool {
	if a.Moved || emptiesWords.Has(page.FirstLabelWord(a.Name())) {
		return false
	}
	held := func(s *capture.State) bool {
		return slices.ContainsFunc(s.Fields, func(f capture.Field) bool {
			return f.Label == entry.Name() && f.Value != nil && f.Value.Length > 0
		})
	}
	empty := slices.ContainsFunc(a.State().Fields, func(f capture.Field) bool {
		return f.Label == entry.Name() && f.Value != nil && f.Value.Length == 0
	})
	return empty && held(a.StateBefore()) && !held(a.State())
}

var emptiesWords = lang.English("controls.emptying")

// undone drops a tick that was taken back, and what was undone with Control+Z.
func (n *Trace) undone() {
	for i := 1; i < len(n.Acts); i++ {
		a, b := n.Acts[i-1], n.Acts[i]
		if k := switchedBefore(n, i); k >= 0 {
			n.Acts = slices.Delete(n.Acts, i, i+1)
			n.drop(k, k+1, Note{Code: SwitchedBack, Args: []string{b.Name()}})
			i = max(0, k-1)
		} else if b.Verb == capture.Press && (b.Keys == "Control+Z" || b.Keys == "Meta+Z") && a.Surface == b.Surface && !a.Moved {
			n.drop(i-1, i+1, Note{Code: UndoneAtOnce})
			i = max(0, i-2)
		}
	}
}

// switchedBefore returns the index of the earlier act on the box that act i switches back, with only fields filled in
// between, or -1.
func switchedBefore(n *Trace, i int) int {
	b := n.Acts[i]
	if b.Verb != capture.Check && b.Verb != capture.Uncheck || b.Target == nil {
		return -1
	}
	for k := i - 1; k >= 0 && n.Acts[k].Fills() && !n.Acts[k].Moved; k-- {
		a := n.Acts[k]
		if a.Field() == b.Field() && (a.Verb == capture.Check || a.Verb == capture.Uncheck) {
			if a.Verb == b.Verb {
				return -1
			}
			return k
		}
	}
	return -1
}

var cancelWords = lang.English("controls.cancelling")

// cancelled drops a dialog that was opened and cancelled.
func (n *Trace) cancelled() {
	for i := 0; i < len(n.Acts); i++ {
		if !Opened(n.Acts[i]) || n.Acts[i].Verb == capture.Navigate {
			continue // a dialog that the page opens by itself has to be closed: a step
		}
		name := page.Fresh(n.Acts[i].StateBefore().Dialogs, n.Acts[i].State().Dialogs)[0]
		if j := leaves(n, i, name); j > 0 {
			n.drop(i, j+1, Note{Code: DialogCancelled, Args: []string{name}})
			i--
		}
	}
}

// leaves returns the index of the act that cancels the dialog opened by act i, or 0 if the dialog was used.
func leaves(n *Trace, i int, dialog string) int {
	for j := i + 1; j < len(n.Acts); j++ {
		b := n.Acts[j]
		if b.Fills() {
			continue
		}
		gone := b.After != nil && !slices.Contains(b.After.Dialogs, dialog)
		cancels := b.Keys == "Escape" || page.IsClick(b.Verb) && cancelWords.Has(page.FirstLabelWord(b.Name()))
		if gone && cancels && !b.Moved && b.File == nil && len(page.Fresh(b.StateBefore().Alerts, b.State().Alerts)) == 0 {
			return j
		}
		return 0
	}
	return 0
}

// backAndForth drops a visit to a page that the person left by going back, having done nothing there.
func (n *Trace) backAndForth() {
	for i := 0; i+1 < len(n.Acts); i++ {
		a, b := n.Acts[i], n.Acts[i+1]
		if !OnlyMoves(a) || !OnlyMoves(b) || a.URLBefore() == "" || a.URLBefore() != b.URL() || a.URL() == a.URLBefore() {
			continue
		}
		if i+2 >= len(n.Acts) || IsPick(a) && visitsAlike(n, a) > 1 {
			continue // the last page of the work, or one of several rows that are read in turn
		}
		n.drop(i, i+2, Note{Code: LookedBack})
		i = max(-1, i-2)
	}
}

// passedBy drops a page that was opened by its address and left for another address, with nothing done there.
func (n *Trace) passedBy() {
	for i := 0; i+1 < len(n.Acts); i++ {
		a, b := n.Acts[i], n.Acts[i+1]
		if a.Verb == capture.Navigate && (b.Verb == capture.Navigate || b.Verb == capture.NewTab && b.Moved) && a.Surface == b.Surface {
			n.drop(i, i+1, Note{Code: PassedBy})
			i--
		}
	}
}

// wentBack drops the last move to a page after something was saved or downloaded, when the person continued outside the
// browser.
func (n *Trace) wentBack() {
	last := -1
	for i, a := range n.Acts {
		if a.Surface == workflow.OnBrowser {
			last = i
		}
	}
	if last < 1 || last+1 == len(n.Acts) || !OnlyMoves(n.Acts[last]) || n.Acts[last].Verb == capture.Navigate {
		return
	}
	before := n.Acts[last-1]
	if before.Verb == capture.Download || len(page.Fresh(before.StateBefore().Alerts, before.State().Alerts)) > 0 {
		n.drop(last, last+1, Note{Code: WentBack})
	}
}

func visitsAlike(n *Trace, a *Act) int {
	count := 0
	for _, b := range n.Acts {
		if OnlyMoves(b) && meaning(b) == meaning(a) {
			count++
		}
	}
	return count
}

// clearsFirst matches a line that clears the screen before another command.
var clearsFirst = lazyre.New(`^\s*(?:clear|reset)\s*(?:;|&&)\s*(\S)`)

// dropScreenClears removes the clearing of the screen from command lines.
func (n *Trace) dropScreenClears() {
	for _, a := range n.Acts {
		if a.Command == nil {
			continue
		}
		if m := clearsFirst.FindStringSubmatchIndex(a.Command.Line); m != nil {
			c := *a.Command
			c.Line = c.Line[m[2]:]
			if p := path.Base(c.Program); p == "clear" || p == "reset" {
				c.Program = ""
			}
			a.Command = &c
		}
	}
}

// lookedAround drops commands that only show the person where they are. Changes of folder are kept by the commands that
// follow.
func (n *Trace) lookedAround() {
	useful := 0
	for _, a := range n.Acts {
		if a.Command == nil || !shell.ViewCommands[shell.ProgramOf(a.Command)] || composed(a.Command.Line) {
			useful++
		}
	}
	if useful == 0 {
		return // the person only looked around
	}
	seen := false
	n.Acts = slices.DeleteFunc(n.Acts, func(a *Act) bool {
		if a.Command == nil || !shell.ViewCommands[shell.ProgramOf(a.Command)] || composed(a.Command.Line) {
			return false
		}
		seen = seen || !strings.HasPrefix(shell.ProgramOf(a.Command), "cd")
		return true
	})
	if seen {
		n.LeftOut = append(n.LeftOut, Note{Code: LookedAround})
	}
}

// composed reports whether a line does more than run its first command.
func composed(line string) bool { return strings.ContainsAny(line, "|>;&") }

// turnsOn reports whether the same control turned pages twice, where the heading around it is of the page that is shown.
func turnsOn(a, b *Act) bool {
	if a.Role() != b.Role() || a.Name() != b.Name() || a.Tab() != b.Tab() || !page.LeadsFurther(a.Target) {
		return false
	}
	l, m, css := a.Target.Landmark, b.Target.Landmark, a.Target.Located("css")
	return l != nil && m != nil && l.Role == "heading" && m.Role == "heading" && css != "" && css == b.Target.Located("css")
}

// repeated counts an act that was done several times in a row, such as clicking Next three times, instead of listing it
// each time.
func (n *Trace) repeated() {
	for i := 1; i < len(n.Acts); i++ {
		a, b := n.Acts[i-1], n.Acts[i]
		if a.Surface == workflow.OnBrowser && page.IsClick(a.Verb) && a.Verb == b.Verb && a.Target != nil && !IsPick(a) &&
			(a.Field() == b.Field() || turnsOn(a, b)) && len(page.Fresh(a.State().Dialogs, b.State().Dialogs)) == 0 {
			a.Times += b.Times
			a.Recs = append(a.Recs, b.Recs...)
			a.After, a.Changed, a.Moved = keep(b.After, a.After), a.Changed || b.Changed, a.Moved || b.Moved
			n.Acts = slices.Delete(n.Acts, i, i+1)
			i--
		}
	}
}
