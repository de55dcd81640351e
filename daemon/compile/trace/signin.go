package trace

import (
	"cmp"
	"slices"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// signIn leaves out the signing in: being signed in is a precondition, not a step. Where nothing else was done, signing in is the work.
func (n *Trace) signIn() {
	whole := *n
	n.dropSignIn()
	opening := func(a *Act) bool {
		return a.Surface == workflow.OnBrowser && (a.Verb == capture.Navigate || a.Verb == capture.NewTab)
	}
	if len(n.SignedIn) > 0 && !slices.ContainsFunc(n.Acts, func(a *Act) bool { return !opening(a) }) &&
		!slices.Contains(n.Acts, whole.Acts[len(whole.Acts)-1]) {
		*n = whole
		n.enterSignIn()
	}
}

// enterSignIn adds the entries that were sent with a sign-in. What is entered there is never recorded: that something was shows in the
// fields that the page had when it was sent.
func (n *Trace) enterSignIn() {
	for i, a := range slices.Backward(n.Acts) {
		if a.Before == nil || !asksPassword(a.Before) || a.Verb != capture.Click && a.Verb != capture.Submit && a.Verb != capture.Press {
			continue
		}
		var entries []*Act
		for _, f := range a.Before.Fields {
			if f.Role != "textbox" || f.Label == "" {
				continue
			}
			kind := capture.KindSecret // who signs in is private, too
			if f.Value != nil && f.Value.Kind.Secret() {
				kind = f.Value.Kind
			}
			entries = append(entries, &Act{Recs: a.Recs[:1], At: a.At, Surface: a.Surface, Verb: capture.Type, Page: a.Page, Before: a.Before,
				After: a.Before, Target: &capture.Target{Role: f.Role, Name: f.Label, Label: f.Label}, Times: 1, part: "#" + f.Label,
				Value: &capture.Value{Policy: capture.Omitted, Kind: kind}})
		}
		n.Acts = slices.Insert(n.Acts, i, entries...)
		return
	}
}

// logins finds the sign-in pages that only an entered password identifies. If other work is done on the page, as in an
// application that asks for the password again, only the sign-in is removed. A password that is one field of a larger
// form is no sign-in, and stays a step for the user.
func (n *Trace) logins(known map[string]string) (pages map[string]string) {
	pages = map[string]string{}
	var out []int // acts that sign in on pages with other work
	for i, a := range n.Acts {
		at := loginPage(a.URLBefore())
		if !a.Secret() || a.Value.Kind != capture.KindPassword || a.Page == nil || known[at] != "" {
			continue
		}
		from, to, ok := signInAround(n, i)
		switch {
		case !ok:
		case onlyIn(n, at, from, to):
			pages[at] = SiteOf(a)
		default:
			for k := from; k < to; k++ {
				out = append(out, k)
			}
			n.toSignIn(SiteOf(a))
		}
	}
	n.Acts = slices.Clone(n.Acts)
	for _, k := range slices.Backward(out) {
		n.Acts = slices.Delete(n.Acts, k, k+1)
	}
	return pages
}

// signInAround returns the range of acts that belong to the password entered by act i: the user name, a check box or
// two, and the act that sends it. It is no sign-in when anything else was entered into the same form.
func signInAround(n *Trace, i int) (from, to int, ok bool) {
	at := loginPage(n.Acts[i].URLBefore())
	here := func(k int) bool {
		return k >= 0 && k < len(n.Acts) && loginPage(n.Acts[k].URLBefore()) == at && n.Acts[k].Surface == workflow.OnBrowser
	}
	from, to = i, i+1
	for here(from-1) && n.Acts[from-1].Fills() {
		if from--; n.Acts[from].Verb != capture.Type || !whoField(n.Acts[from].Target) || i-from > 2 {
			return 0, 0, false
		}
	}
	for here(to) && n.Acts[to].Fills() {
		if n.Acts[to].Verb == capture.Type || n.Acts[to].Verb == capture.Select {
			return 0, 0, false // a new password twice, or a larger form
		}
		to++
	}
	if here(to) && (n.Acts[to].Verb == capture.Click || n.Acts[to].Verb == capture.Submit || n.Acts[to].Verb == capture.Press) {
		to++
	}
	return from, to, true
}

// onlyIn reports whether nothing was done on a page outside the range from-to, other than moving through it.
func onlyIn(n *Trace, at string, from, to int) bool {
	for k, a := range n.Acts {
		if (k < from || k >= to) && a.Surface == workflow.OnBrowser && !OnlyMoves(a) && loginPage(a.URLBefore()) == at {
			return false
		}
	}
	return true
}

// accountWords are words of fields that say who signs in.
var accountWords = lang.Of("thing.username", "thing.email", "thing.user", "thing.account", "thing.customer", "thing.id", "thing.phone",
	"deed.login")

func whoField(t *capture.Target) bool {
	if t == nil {
		return false
	}
	return t.InputType == "email" || accountWords.In(cmp.Or(t.Label, t.Name))
}

// toSignIn notes that a site requires the user to be signed in.
func (n *Trace) toSignIn(site string) {
	if !slices.Contains(n.SignedIn, site) {
		n.SignedIn = append(n.SignedIn, site)
		n.LeftOut = append(n.LeftOut, Note{Code: SignedIn, Args: []string{site}})
	}
}
