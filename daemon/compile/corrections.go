package compile

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// signIn takes everything done on a page with a password field out: being signed in is a condition, not a step.
func (n *normalised) signIn() {
	pages := map[string]string{} // address of a page that asks for a password -> site
	for _, a := range n.acts {
		for _, s := range []*capture.State{a.before, a.after} {
			if s != nil && asksPassword(s) {
				pages[loginPage(s.URL)] = hostOf(s.URL)
			}
		}
	}
	maps.Copy(pages, n.logins(pages))
	if len(pages) == 0 {
		return
	}
	var kept []*act
	for _, a := range n.acts {
		site := pages[loginPage(a.urlBefore())]
		if site == "" && a.moved && a.file == nil {
			site = pages[loginPage(a.url())] // the way to it
		}
		if site == "" || a.surface != workflow.OnBrowser {
			if k := len(kept); k == 0 || len(n.signedIn) == 0 || !onlyMoves(a) || a.verb == capture.Navigate || kept[k-1].url() != a.url() {
				kept = append(kept, a) // else the way back to where the person was before signing in
			}
			continue
		}
		n.toSignIn(site)
	}
	n.acts = kept
}

func loginPage(address string) string { return hostOf(address) + pathOf(address) }

// asksPassword reports whether a page has a field for the current password and no more than a log-in has besides.
func asksPassword(s *capture.State) bool {
	passwords := 0
	for _, f := range s.Fields {
		if f.Value != nil && f.Value.Kind == capture.KindPassword {
			passwords++
		}
	}
	return passwords == 1 && len(s.Fields) <= 4
}

// failedCommands takes out a command that failed and was then given again, corrected. What a person mistyped teaches
// nothing; any other failure becomes advice.
func (n *normalised) failedCommands() {
	for i := 0; i < len(n.acts); i++ {
		a := n.acts[i]
		if a.command == nil || a.command.Exit == 0 {
			continue
		}
		j := n.retry(i)
		if j < 0 {
			if n.slipped(i) {
				n.drop(i, i+1, say("A run of `%s` that failed, and nothing came of it.", programOr(a.command)))
				i--
			}
			continue
		}
		prog, fixed := programOf(a.command), programOf(n.acts[j].command)
		if strings.ContainsRune(prog, refOpen) {
			prog, fixed = "the command", "the command"
		}
		if a.command.Exit == 127 || prog != fixed {
			n.drop(i, i+1, say("A mistyped command, which was then given again."))
		} else {
			n.drop(i, i+1, say("A run of `%s` that failed; it was then given again, corrected.", prog))
			n.recovery = append(n.recovery, say("If `%s` fails, read its message, correct the arguments and run it again: that happened in the demonstration too.", prog))
		}
		i--
	}
}

// slipped reports whether the failed command i was a slip: it says nothing by failing, it made nothing, nothing later needs it, and
// it is not all there is.
func (n *normalised) slipped(i int) bool {
	a := n.acts[i]
	l := readLine(a.command)
	if a.command.Running || answersByFailing(a.command) || len(l.makes()) > 0 || len(newFiles(a)) > 0 || len(a.stateBefore().Files) > 0 || a.command.CwdFrom != a.command.CwdTo {
		return false
	}
	return slices.ContainsFunc(n.acts, func(b *act) bool { return b != a && (b.command == nil || b.command.Exit == 0) })
}

// answering are programs that end with code 1 to say no: nothing was found, the files differ.
var answering = set("grep egrep fgrep zgrep rg ag diff cmp comm test [ [[ pgrep pidof expr false git jq which type command")

func answersByFailing(c *capture.Command) bool { return c.Exit == 1 && answering[programOf(c)] }

// programOr is a command's program, where that is no value.
func programOr(c *capture.Command) string {
	if prog := programOf(c); !strings.ContainsRune(prog, refOpen) && prog != "" {
		return prog
	}
	return "a command"
}

// retry finds the successful repetition of the failed command i among the next few commands, or -1.
func (n *normalised) retry(i int) int {
	failed := n.acts[i].command
	for j, seen := i+1, 0; j < len(n.acts) && seen < 4; j++ {
		c := n.acts[j].command
		if c == nil {
			continue
		}
		seen++
		if c.Exit == 0 && (programOf(c) == programOf(failed) || near(programOf(c), programOf(failed))) {
			return j
		}
	}
	return -1
}

// near reports whether two words differ by one slip of a finger: one letter more, less, other, or two swapped.
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

// rejectedForms takes out a submit that the page refused and that was repeated, and keeps what it taught.
func (n *normalised) rejectedForms() {
	for i := 0; i < len(n.acts); i++ {
		a := n.acts[i]
		if !rejected(a) || !n.repeatedLater(i) {
			continue
		}
		fields := slices.Clone(a.state().Invalid)
		n.drop(i, i+1, say("A first try to send the form, which the page refused; it was corrected and sent again."))
		n.recovery = append(n.recovery, refusal(fields, saying(a)))
		i--
	}
}

// saying lists an act's new messages without the headings that they begin with.
func saying(a *act) []string {
	var out []string
	for _, m := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
		m = plain.Squeeze(m)
		for _, h := range a.state().Headings {
			m = strings.TrimSpace(strings.TrimPrefix(m, plain.Squeeze(h)))
		}
		if m != "" {
			out = append(out, m)
		}
	}
	return out
}

func refusal(fields, messages []string) note {
	message := ""
	var args []string
	if len(fields) > 0 {
		for i := range fields {
			args = append(args, clean(fields[i]))
		}
	}
	if len(messages) > 0 {
		message = ` (the page said: "%s")`
		args = append(args, strings.TrimRight(plain.Squeeze(messages[0]), ". "))
	}
	switch {
	case len(fields) == 1:
		return say(`If "%s" is marked as not valid after the form was sent`+message+`, correct it and send the form again.`, args...)
	case len(fields) > 1:
		quoted := make([]string, len(fields))
		for i := range quoted {
			quoted[i] = `"%s"`
		}
		return say(`If `+andList(quoted)+` are marked as not valid after the form was sent`+message+`, correct them and send the form again.`, args...)
	}
	return say(`If the form is refused`+message+`, correct what it names and send it again.`, args...)
}

// rejected reports whether the page refused what was sent.
func rejected(a *act) bool {
	if a.surface != workflow.OnBrowser || a.moved && pathOf(a.urlBefore()) != pathOf(a.url()) {
		return false
	}
	if a.verb != capture.Submit && a.verb != capture.Click && a.verb != capture.Press {
		return false
	}
	if len(a.state().Invalid) > 0 {
		return true
	}
	for _, m := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
		if failing(m) {
			return true
		}
	}
	return false
}

var failWords = set("error errors invalid failed failure required missing wrong incorrect cannot couldn't denied rejected refused must fehler ungueltig")

// failing reports whether a message says that something went wrong.
func failing(message string) bool {
	for _, w := range plain.Words(message) {
		if failWords[w] {
			return true
		}
	}
	return false
}

// repeatedLater reports whether the same control was used again on the same page, with only form fields in between.
func (n *normalised) repeatedLater(i int) bool {
	a := n.acts[i]
	for _, b := range n.acts[i+1:] {
		if b.surface != workflow.OnBrowser {
			return false
		}
		if b.verb == a.verb && (b.field() == a.field() || b.verb == capture.Submit && b.page != nil && a.page != nil && b.tab() == a.tab() && sameForm(a, b)) {
			return true
		}
		if b.moved {
			return false
		}
	}
	return false
}

func sameForm(a, b *act) bool {
	return pathOf(a.urlBefore()) == pathOf(b.urlBefore()) || pathOf(a.url()) == pathOf(b.urlBefore())
}

// reentered keeps the last of several entries into one field before the form is sent.
func (n *normalised) reentered() {
	first := map[string]int{}
	for i := 0; i < len(n.acts); i++ {
		a := n.acts[i]
		if !a.fills() {
			if a.moved || a.verb == capture.Submit || a.surface != workflow.OnBrowser {
				clear(first)
			}
			for key, j := range first {
				if takes(a, n.acts[j]) {
					delete(first, key)
				}
			}
			continue
		}
		key := a.field()
		j, again := first[key]
		if !again || a.verb == capture.Check || a.verb == capture.Uncheck || n.acts[j].verb != a.verb || key == "" {
			first[key] = i
			continue
		}
		a.recs = append(n.acts[j].recs, a.recs...)
		n.acts[j] = a // the later entry takes the earlier one's place
		n.drop(i, i+1, say(`An earlier entry in "%s": only the last one counts.`, a.name()))
		i--
	}
}

// takes reports whether an act took over what was entered before: its field is empty afterwards, on the same page, and the act
// is none that only empties fields. A tag that was added to a list is no mistake, whatever is entered there next.
func takes(a, entry *act) bool {
	if a.moved || emptiesWords[firstWord(a.name())] {
		return false
	}
	held := func(s *capture.State) bool {
		return slices.ContainsFunc(s.Fields, func(f capture.Field) bool {
			return f.Label == entry.name() && f.Value != nil && f.Value.Length > 0
		})
	}
	empty := slices.ContainsFunc(a.state().Fields, func(f capture.Field) bool {
		return f.Label == entry.name() && f.Value != nil && f.Value.Length == 0
	})
	return empty && held(a.stateBefore()) && !held(a.state())
}

var emptiesWords = set("clear reset empty remove delete undo loeschen leeren zuruecksetzen entfernen")

func firstWord(s string) string {
	for _, w := range plain.Words(s) {
		return w
	}
	return ""
}

// undone drops a tick that was taken back, and what Control+Z undid.
func (n *normalised) undone() {
	for i := 1; i < len(n.acts); i++ {
		a, b := n.acts[i-1], n.acts[i]
		if k := n.switchedBefore(i); k >= 0 {
			n.acts = slices.Delete(n.acts, i, i+1)
			n.drop(k, k+1, say(`"%s" was switched and switched back.`, b.name()))
			i = max(0, k-1)
		} else if b.verb == capture.Press && (b.keys == "Control+Z" || b.keys == "Meta+Z") && a.surface == b.surface && !a.moved {
			n.drop(i-1, i+1, say("Something that was undone at once."))
			i = max(0, i-2)
		}
	}
}

// switchedBefore is the act that switched the box which act i switches back, with only fields filled in between; else -1.
func (n *normalised) switchedBefore(i int) int {
	b := n.acts[i]
	if b.verb != capture.Check && b.verb != capture.Uncheck || b.target == nil {
		return -1
	}
	for k := i - 1; k >= 0 && n.acts[k].fills() && !n.acts[k].moved; k-- {
		a := n.acts[k]
		if a.field() == b.field() && (a.verb == capture.Check || a.verb == capture.Uncheck) {
			if a.verb == b.verb {
				return -1
			}
			return k
		}
	}
	return -1
}

var cancelWords = set("cancel close discard dismiss abort back abbrechen schliessen")

// cancelled drops a dialog that was opened and left without effect.
func (n *normalised) cancelled() {
	for i := 0; i < len(n.acts); i++ {
		if !opened(n.acts[i]) {
			continue
		}
		name := fresh(n.acts[i].stateBefore().Dialogs, n.acts[i].state().Dialogs)[0]
		if j := n.leaves(i, name); j > 0 {
			n.drop(i, j+1, say(`The dialog "%s" was opened and cancelled.`, name))
			i--
		}
	}
}

// leaves is the act that cancels the dialog which act i opened, or 0 when it was used.
func (n *normalised) leaves(i int, dialog string) int {
	for j := i + 1; j < len(n.acts); j++ {
		b := n.acts[j]
		if b.fills() {
			continue
		}
		gone := b.after != nil && !slices.Contains(b.after.Dialogs, dialog)
		cancels := b.keys == "Escape" || starts(b.verb) && len(plain.Words(b.name())) > 0 && cancelWords[plain.Words(b.name())[0]]
		if gone && cancels && !b.moved && b.file == nil && len(fresh(b.stateBefore().Alerts, b.state().Alerts)) == 0 {
			return j
		}
		return 0
	}
	return 0
}

// backAndForth drops a visit to a page that the person left again the way they came, having done nothing there.
func (n *normalised) backAndForth() {
	for i := 0; i+1 < len(n.acts); i++ {
		a, b := n.acts[i], n.acts[i+1]
		if !onlyMoves(a) || !onlyMoves(b) || a.urlBefore() == "" || a.urlBefore() != b.url() || a.url() == a.urlBefore() {
			continue
		}
		if i+2 >= len(n.acts) || dataLike(a) && n.visitsAlike(a) > 1 {
			continue // the end of the road, or one of several rows that are read in turn
		}
		n.drop(i, i+2, say("A look at another page and back."))
		i = max(-1, i-2)
	}
}

// passedBy drops a page that was opened by its address and left by another address, with nothing done there.
func (n *normalised) passedBy() {
	for i := 0; i+1 < len(n.acts); i++ {
		a, b := n.acts[i], n.acts[i+1]
		if a.verb == capture.Navigate && (b.verb == capture.Navigate || b.verb == capture.NewTab && b.moved) && a.surface == b.surface {
			n.drop(i, i+1, say("A page that was opened and left again, with nothing done there."))
			i--
		}
	}
}

// wentBack drops the last look at a page after something was saved or downloaded, when the person went on elsewhere: in the
// shell, or in another program.
func (n *normalised) wentBack() {
	last := -1
	for i, a := range n.acts {
		if a.surface == workflow.OnBrowser {
			last = i
		}
	}
	if last < 1 || last+1 == len(n.acts) || !onlyMoves(n.acts[last]) || n.acts[last].verb == capture.Navigate {
		return
	}
	before := n.acts[last-1]
	if before.verb == capture.Download || len(fresh(before.stateBefore().Alerts, before.state().Alerts)) > 0 {
		n.drop(last, last+1, say("Going to another page at the end, with nothing done there."))
	}
}

func onlyMoves(a *act) bool {
	return a.surface == workflow.OnBrowser && a.moved && !a.fills() && a.verb != capture.Submit && a.file == nil && a.dialog == nil &&
		len(fresh(a.stateBefore().Alerts, a.state().Alerts)) == 0
}

func (n *normalised) visitsAlike(a *act) int {
	count := 0
	for _, b := range n.acts {
		if onlyMoves(b) && meaning(b) == meaning(a) {
			count++
		}
	}
	return count
}

// looking are commands that only show the person where they are.
var looking = set("ls ll la dir pwd clear history which type whoami man help exit logout tree reset less more cd pushd popd alias jobs fg bg")

// wiping is a screen that was cleared before a command on the same line.
var wiping = regexp.MustCompile(`^\s*(?:clear|reset)\s*(?:;|&&)\s*(\S)`)

// wiped takes the clearing of the screen off the lines that do something.
func (n *normalised) wiped() {
	for _, a := range n.acts {
		if a.command == nil {
			continue
		}
		if m := wiping.FindStringSubmatchIndex(a.command.Line); m != nil {
			c := *a.command
			c.Line = c.Line[m[2]:]
			if p := path.Base(c.Program); p == "clear" || p == "reset" {
				c.Program = ""
			}
			a.command = &c
		}
	}
}

// lookedAround drops commands that only orient: the folder they lead to is kept with the commands that follow.
func (n *normalised) lookedAround() {
	useful := 0
	for _, a := range n.acts {
		if a.command == nil || !looking[programOf(a.command)] || composed(a.command.Line) {
			useful++
		}
	}
	if useful == 0 {
		return // looking around is all there is
	}
	seen := false
	n.acts = slices.DeleteFunc(n.acts, func(a *act) bool {
		if a.command == nil || !looking[programOf(a.command)] || composed(a.command.Line) {
			return false
		}
		seen = seen || !strings.HasPrefix(programOf(a.command), "cd")
		return true
	})
	if seen {
		n.leftOut = append(n.leftOut, say("Commands that only look around, such as `ls`."))
	}
}

// composed reports whether a line does more than its first command.
func composed(line string) bool { return strings.ContainsAny(line, "|>;&") }

// repeated counts an act that was done several times in a row with nothing new: "Next", three times.
func (n *normalised) repeated() {
	for i := 1; i < len(n.acts); i++ {
		a, b := n.acts[i-1], n.acts[i]
		if a.surface == workflow.OnBrowser && starts(a.verb) && a.verb == b.verb && a.target != nil && !dataLike(a) && a.field() == b.field() && len(fresh(a.state().Dialogs, b.state().Dialogs)) == 0 {
			a.times += b.times
			a.recs = append(a.recs, b.recs...)
			a.after, a.changed, a.moved = keep(b.after, a.after), a.changed || b.changed, a.moved || b.moved
			n.acts = slices.Delete(n.acts, i, i+1)
			i--
		}
	}
}
