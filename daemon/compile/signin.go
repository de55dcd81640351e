package compile

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// logins finds the pages of which nothing but an entered password says that they are for signing in. A page on which more than
// that is done, as in an application that asks for the password in between, keeps its other acts: only the signing in is taken out.
// Where a password is one field of a larger form, it is no signing in at all, and stays a step that is the user's.
func (n *normalised) logins(known map[string]string) (pages map[string]string) {
	pages = map[string]string{}
	var out []int // acts that sign in on pages with other work
	for i, a := range n.acts {
		at := loginPage(a.urlBefore())
		if !a.secret() || a.value.Kind != capture.KindPassword || a.page == nil || known[at] != "" {
			continue
		}
		from, to, ok := n.signInAround(i)
		switch {
		case !ok:
		case n.onlyIn(at, from, to):
			pages[at] = siteOf(a)
		default:
			for k := from; k < to; k++ {
				out = append(out, k)
			}
			n.toSignIn(siteOf(a))
		}
	}
	n.acts = slices.Clone(n.acts)
	for _, k := range slices.Backward(out) {
		n.acts = slices.Delete(n.acts, k, k+1)
	}
	return pages
}

// signInAround is what belongs to the password entered by act i: who it is for, a box or two, and what sends it. It is no
// signing in when anything else was entered into the same form.
func (n *normalised) signInAround(i int) (from, to int, ok bool) {
	at := loginPage(n.acts[i].urlBefore())
	here := func(k int) bool {
		return k >= 0 && k < len(n.acts) && loginPage(n.acts[k].urlBefore()) == at && n.acts[k].surface == workflow.OnBrowser
	}
	from, to = i, i+1
	for here(from-1) && n.acts[from-1].fills() {
		if from--; n.acts[from].verb != capture.Type || !whoField(n.acts[from].target) || i-from > 2 {
			return 0, 0, false
		}
	}
	for here(to) && n.acts[to].fills() {
		if n.acts[to].verb == capture.Type || n.acts[to].verb == capture.Select {
			return 0, 0, false // a new password twice, or more of a form
		}
		to++
	}
	if here(to) && (n.acts[to].verb == capture.Click || n.acts[to].verb == capture.Submit || n.acts[to].verb == capture.Press) {
		to++
	}
	return from, to, true
}

// onlyIn reports whether nothing else was done on a page than from, until to: its other visits are of no account.
func (n *normalised) onlyIn(at string, from, to int) bool {
	for k, a := range n.acts {
		if (k < from || k >= to) && a.surface == workflow.OnBrowser && !onlyMoves(a) && loginPage(a.urlBefore()) == at {
			return false
		}
	}
	return true
}

// who are words of fields that say who signs in.
var who = set("user username userid login email mail account customer member id identifier phone benutzer benutzername anmeldename konto utilisateur identifiant courriel compte usuario correo cuenta")

func whoField(t *capture.Target) bool {
	if t == nil {
		return false
	}
	return t.InputType == "email" || slices.ContainsFunc(plain.Words(strings.ReplaceAll(cmp.Or(t.Label, t.Name), "-", "")), func(w string) bool { return who[w] })
}

// toSignIn notes that a site wants somebody who is signed in.
func (n *normalised) toSignIn(site string) {
	if !slices.Contains(n.signedIn, site) {
		n.signedIn = append(n.signedIn, site)
		n.leftOut = append(n.leftOut, say("Signing in to "+strings.ReplaceAll(site, "%", "%%")+": being signed in is a condition before the start, and nothing of it was kept."))
	}
}
