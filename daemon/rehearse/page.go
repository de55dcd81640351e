package rehearse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// operates reports whether a verb sets something off, rather than filling in a form or looking.
func operates(v capture.Verb) bool {
	switch v {
	case capture.Click, capture.DoubleClick, capture.RightClick, capture.Submit, capture.Press, capture.Drag, capture.Check, capture.Uncheck:
		return true
	}
	return false
}

func fills(v capture.Verb) bool {
	switch v {
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		return true
	}
	return false
}

// onPage performs a step in the browser.
func (p *play) onPage(ctx context.Context, s workflow.Step, sc *scene) (told string, err error) {
	if p.browser == nil {
		if p.browser, err = p.room.Browser(ctx, BrowserSpec{Headed: p.req.Headed, Managed: p.req.Managed, Hosts: p.sites.hosts, Guard: p.guard.Judge}); err != nil {
			return "", err
		}
	}
	if err := p.come(ctx, s); err != nil {
		return "", err
	}
	if info, err := os.Lstat(p.room.Downloads()); p.shell != nil && (err != nil || !info.IsDir()) {
		return "", &halt{StepFailed, CodeStepFailed, "a command took away the folder for downloads"}
	}
	sc.before = p.state
	if p.begun {
		p.look(ctx, s)
		if err := p.offer(ctx, s); err != nil {
			return "", err
		}
	}
	if aim := p.turnsFor(s); aim != nil {
		return p.turn(ctx, s, *aim, sc)
	}
	if needed, why := p.needed(ctx, s); !needed {
		return why, nil
	}
	if secretStep(s) {
		return "entered by you", p.signIn(ctx)
	}
	if err := p.turnTo(ctx, s, sc); err != nil {
		return "", err
	}
	a, err := p.act(s)
	if err != nil {
		return "", err
	}
	p.guard.using(p.says(s)...)
	p.guard.doing(s.StepID)
	blocked := p.guard.count()
	for _, one := range p.each(s, a) {
		p.sets(s, one)
		if sc.out, err = p.do(ctx, s, one); err != nil {
			break
		}
	}
	if err != nil {
		return "", p.because(err, p.guard.since(blocked), s)
	}
	p.note(s, a, sc)
	p.leads(s, a, sc)
	return p.told(s, sc, p.guard.since(blocked)), nil
}

// do performs an act. Where it is not found because the page asks to sign in, the person may do so and it is tried again.
func (p *play) do(ctx context.Context, s workflow.Step, a Act) (Outcome, error) {
	if s.Verb == capture.Navigate || s.Verb == capture.NewTab && a.URL != "" {
		_, less := p.place(demonstratedIn(s))
		p.begun = true
		err := p.browser.Open(ctx, a.URL)
		if err == nil && less {
			err = p.asItWas(ctx, s.After)
		}
		return Outcome{}, err
	}
	out, err := p.browser.Do(ctx, a)
	var nf *NotFound
	if err == nil || !errors.As(err, &nf) {
		return out, err
	}
	if s.Optional {
		return out, nil
	}
	if wall, serr := p.browser.SignIn(ctx); serr != nil || !wall {
		return out, err
	}
	if err := p.signIn(ctx); err != nil {
		return out, err
	}
	if s.Page != nil {
		if err := p.open(ctx, s.Page.URL, s.Before); err != nil {
			return out, err
		}
	}
	return p.browser.Do(ctx, a)
}

// secretStep reports whether a step enters what is never kept: the person does it, in the run's window.
func secretStep(s workflow.Step) bool {
	return s.Verb == capture.Type && s.Value == "" && s.Target != nil && s.Target.InputType == "password"
}

// signIn lets the person sign in where there is a window to do it in. Nothing of it is recorded.
func (p *play) signIn(ctx context.Context) error {
	if !p.req.Headed || p.wait == nil {
		return &halt{StepSkipped, CodeSignIn, "the page asks to sign in, or for a password: use --headed to do it in the window, or --profile managed"}
	}
	return p.wait(ctx, WaitingSignIn)
}

// come brings the browser to the page on which the step begins: the first one, or one that the demonstration came to by a way
// that is not part of the work.
func (p *play) come(ctx context.Context, s workflow.Step) error {
	if s.Verb == capture.Navigate || s.Page == nil || s.Page.URL == "" {
		return nil
	}
	if !p.begun {
		return p.open(ctx, s.Page.URL, s.Before)
	}
	if p.prev == nil || p.prev.After == nil || p.prev.Page == nil || s.Page.Tab != p.prev.Page.Tab || p.prev.Surface != onBrowser {
		return nil
	}
	here, wanted := routeOf(p.prev.After.URL), routeOf(s.Page.URL)
	if here == "" || here == wanted || p.atAddress(wanted, p.state.URL) {
		return nil
	}
	soon, cancel := context.WithTimeout(ctx, arrivalTime) // a page may take its time to lead on by itself
	defer cancel()
	st, there, err := p.browser.Settle(soon, func(st capture.State) bool { return p.atAddress(wanted, st.URL) })
	if err != nil || there {
		p.saw(st)
		return err
	}
	return p.open(ctx, s.Page.URL, s.Before)
}

func (p *play) atAddress(route, address string) bool { return p.supply.atAddress(route, address) }

// saw remembers a state of the page.
func (p *play) saw(st capture.State) {
	if p.state.URL != "" {
		p.past = append(p.past, p.state)
		p.past = p.past[max(0, len(p.past)-maxPast):]
	}
	p.state = st
}

// needed reports whether a step is called for: its condition holds, else what it is about is there.
func (p *play) needed(ctx context.Context, s workflow.Step) (bool, string) {
	if s.ManyBoxes() && s.Optional && len(p.supply.lacks(s.Value, p.supply.known)) > 0 {
		return false, "none was asked for"
	}
	if s.ManyBoxes() {
		return true, ""
	}
	if s.When != nil {
		if s.When.Kind == "input" && fillsBox(s) {
			return true, "" // the box is set as the input says
		}
		if !p.holds(ctx, *s.When) {
			return false, "not needed this time"
		}
		return true, ""
	}
	if s.Optional && !p.there(ctx, s) {
		return false, "not needed this time"
	}
	return true, ""
}

// fillsBox reports whether a step sets a box to what its input says.
func fillsBox(s workflow.Step) bool {
	return (s.Verb == capture.Check || s.Verb == capture.Uncheck) && strings.HasPrefix(s.Value, "{") && !s.ManyBoxes()
}

// holds judges a step's condition as things are now.
func (p *play) holds(ctx context.Context, c workflow.Check) bool {
	if c.Kind == "input" {
		return gone(c, p.supply.pattern(c.Expect).is(p.supply.bindings[c.Name])) == holds
	}
	st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
	if err != nil {
		return false
	}
	p.state = st
	sc := &scene{before: st, room: p.room}
	if c.Kind == "text" {
		page, err := p.browser.Read(ctx)
		if err != nil {
			return false
		}
		sc.text = page.Text
	}
	return p.judge(ctx, c, sc) == holds
}

// there reports whether an optional step can be done: its dialog is there, else its target is.
func (p *play) there(ctx context.Context, s workflow.Step) bool {
	if s.Before != nil && len(s.Before.Dialogs) > 0 {
		want := p.supply.pattern(s.Before.Dialogs[0])
		st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
		return err == nil && want.any(st.Dialogs, pattern.is)
	}
	if s.Target == nil {
		return true
	}
	has, err := p.browser.Has(ctx, p.supply.target(s.Target))
	return err == nil && has
}

// act is a step as the browser performs it.
func (p *play) act(s workflow.Step) (Act, error) {
	a := Act{Verb: s.Verb, Target: p.aim(s.Target), Drop: p.aim(s.Drop), Keys: s.Keys, Dialog: s.Dialog, NewTab: s.NewTab}
	if s.Page != nil {
		a.Tab = s.Page.Tab
	}
	switch s.Verb {
	case capture.Navigate, capture.NewTab:
		shown := demonstratedIn(s)
		if a.URL, _ = p.place(shown); a.URL == "" && shown != "" {
			return a, unplaced
		}
	case capture.Type, capture.Select:
		a.Value = p.supply.text(s.Value)
		if one := workflow.OneOf(s.Verb, a.Target, a.Value); one != nil {
			a.Verb, a.Target = capture.Check, one
		}
		a.Leave = p.leaves(s)
		if p.policy.Mode == RedirectSend && recipient(s, a.Value) {
			a.Value = p.guard.mail
		}
	case capture.Check, capture.Uncheck:
		if s.ManyBoxes() {
			a.Value = p.supply.text(s.Value)
		}
		if fillsBox(s) {
			a.Verb = capture.Uncheck
			if ticked(p.supply.text(s.Value)) {
				a.Verb = capture.Check
			}
		}
	case capture.Upload:
		a.Value = p.supply.text(s.Value)
		f, err := p.fileFor(a.Value)
		if err != nil {
			return a, err
		}
		a.Files = []string{f}
	}
	if strings.Contains(a.Value, unknown) || len(p.supply.lacks(a.Value, p.supply.known)) > 0 {
		return a, &halt{StepSkipped, CodeNeedsValue, "what is entered here is not known"}
	}
	return a, nil
}

// each are the acts that a step amounts to: as often as it was done, or one for every box of a group.
func (p *play) each(s workflow.Step, a Act) []Act {
	if !s.ManyBoxes() {
		return slices.Repeat([]Act{a}, max(1, s.Times))
	}
	var out []Act
	for _, label := range workflow.SplitChoices(p.supply.text(s.Value), s.Target.Options) {
		one := a
		one.Target = workflow.Box(a.Target, label)
		out = append(out, one)
	}
	return out
}

// ticked reports whether the value of a yes-or-no input is yes.
func ticked(v string) bool {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "yes", "true", "on", "1", "y", "checked", "ja", "oui", "si", "sí":
		return true
	}
	return false
}

// aim is a target with values and the run's site in it.
func (p *play) aim(t *capture.Target) *capture.Target {
	t = p.supply.target(t)
	if t == nil {
		return nil
	}
	t.Href, t.Frame = p.sites.address(t.Href), p.sites.address(t.Frame)
	return t
}

// recipients are words of fields that say who gets something.
var recipients = lang.Exactly(lang.Recipient, "thing.email")

func recipient(s workflow.Step, value string) bool {
	if address.MatchString(value) {
		return true
	}
	if s.Target == nil || s.Verb != capture.Type {
		return false
	}
	label := strings.ToLower(orThe(s.Target.Label, s.Target.Name))
	ws := strings.FieldsFunc(label, func(r rune) bool { return r == ' ' || r == ':' || r == '*' || r == '-' })
	if len(ws) == 0 || len(ws) > 3 {
		return s.Target.InputType == "email"
	}
	last := strings.ReplaceAll(ws[len(ws)-1], "-", "")
	if last == "to" || last == "cc" || last == "an" || last == "invite" {
		return true
	}
	short := utf8.RuneCountInString(last) < 3 && len(ws) > 1 // "do" is Polish for "to", and the end of "To do"
	return s.Target.InputType == "email" || !short && recipients.Has(last)
}

// because turns an error of an act into the policy's word when the policy is why.
func (p *play) because(err error, blocked []Blocked, s workflow.Step) error {
	i := slices.IndexFunc(blocked, func(b Blocked) bool { return b.Navigation })
	var nf *NotFound
	if i < 0 || errors.As(err, &nf) {
		return err
	}
	return &halt{StepSkipped, CodePolicyViolation, fmt.Sprintf("its %s request to %s was blocked: %s", blocked[i].Method, blocked[i].Host, blocked[i].Why)}
}

// note keeps what later steps and checks need of an act.
func (p *play) note(s workflow.Step, a Act, sc *scene) {
	if s.Verb == capture.Type || s.Verb == capture.Select || s.Verb == capture.Upload {
		label := ""
		if s.Target != nil {
			label = p.supply.text(orThe(s.Target.Label, s.Target.Name))
		}
		if m := holeForm.FindStringSubmatch(s.Value); label == "" && m != nil {
			label = strings.ReplaceAll(m[1], "_", " ") // a field that shows no name
		}
		e := entry{label: label, value: a.Value, address: p.state.URL, picks: p.picks(s), filled: p.filledIn(p.state)}
		e.inPlace, e.asks = editsInPlace(s), page.Searches(s)
		if s.Verb == capture.Upload {
			e.value, e.file = path.Base(a.Value), true
		}
		for _, f := range p.state.Fields {
			if strings.EqualFold(f.Label, label) {
				e.was = valueOf(f)
			}
		}
		p.entered = append(p.entered, e)
	}
	p.completed(s)
	p.pick(s)
	p.marks(s, a)
	for _, d := range sc.out.Downloads {
		p.named(s, d.Name)
	}
	if len(sc.out.Drift) > 0 {
		p.drifted(s, sc.out)
	}
}

// completed notes an option that was chosen: where it completed what was typed into a field, that is what was entered; else it is
// an entry of its own, if an input says which.
func (p *play) completed(s workflow.Step) {
	if p.month(s) != "" {
		p.pickedDay(s)
		return
	}
	if s.Target == nil || s.Target.Role != "option" || !operates(s.Verb) {
		return
	}
	shown := orThe(s.Target.Name, s.Target.Text)
	chosen := p.supply.text(shown)
	if n := len(p.entered); n > 0 && strings.Contains(strings.ToLower(chosen), strings.ToLower(p.entered[n-1].value)) {
		p.entered[n-1].value, p.entered[n-1].picks = chosen, false
		return
	}
	stays := s.Before == nil || s.After == nil || routeOf(s.Before.URL) == routeOf(s.After.URL) // else it was picked to be opened
	if m := holeForm.FindStringSubmatch(shown); m != nil && m[0] == strings.TrimSpace(shown) && stays {
		p.entered = append(p.entered, entry{label: strings.ReplaceAll(m[1], "_", " "), value: chosen, address: p.state.URL, picks: p.picks(s)})
	}
}

// filledIn reports whether a form holds text that was not entered in this run: what is kept now. Choices always hold something.
func (p *play) filledIn(st capture.State) bool {
	return slices.ContainsFunc(st.Fields, func(f capture.Field) bool {
		v := strings.TrimSpace(valueOf(f))
		return v != "" && (f.Role == "textbox" || f.Role == "spinbutton" || f.Role == "combobox" && f.Raw != nil && !f.Raw.Chosen) &&
			!slices.ContainsFunc(p.entered, func(e entry) bool { return strings.TrimSpace(e.value) == v })
	})
}

// picks reports whether what a step enters is also what another step chooses on a page: it names the thing that the work is
// about, which was there before anything was done.
func (p *play) picks(s workflow.Step) bool {
	for _, m := range holeForm.FindAllStringSubmatch(s.Value, -1) {
		for _, o := range p.req.Draft.Graph.Steps {
			if o.StepID == s.StepID || o.Target == nil || !operates(o.Verb) || o.Target.Role == "option" {
				continue
			}
			where := o.Target.Name + o.Target.Text
			if o.Target.Landmark != nil {
				where += o.Target.Landmark.Name
			}
			if m[1] != "*" && strings.Contains(where, m[0]) {
				return true
			}
		}
	}
	return false
}

// named gives the name of a file that arrived to the parameter that stands for it.
func (p *play) named(s workflow.Step, name string) {
	if s.File == nil {
		return
	}
	for _, q := range p.supply.params {
		if q.Derived != "" && !strings.Contains(q.ParamID, ".") && s.File.Name == "{"+q.Name+"}" {
			p.supply.bindings[q.Name] = path.Base(name)
			p.supply.derive()
		}
	}
}

// told is what to say of a step that was done.
func (p *play) told(s workflow.Step, sc *scene, blocked []Blocked) string {
	var parts []string
	for _, d := range sc.out.Drift {
		parts = append(parts, "changed since it was shown: "+p.clean(d))
	}
	if len(blocked) > 0 {
		parts = append(parts, fmt.Sprintf("%d of its requests did not leave: %s", len(blocked), blocked[0].Why))
	}
	return strings.Join(parts, "; ")
}

// drifted proposes what a later revision could say instead. It is never applied by itself.
func (p *play) drifted(s workflow.Step, out Outcome) {
	r := Repair{StepID: s.StepID, Role: out.Role, Name: plain.Clip(p.clean(out.Name), 240)}
	for _, d := range out.Drift {
		r.Changes = append(r.Changes, p.clean(d))
	}
	if out.Moved != nil {
		r.Place = &wire.ObservedLandmark{Role: out.Moved.Role, Name: plain.Clip(p.clean(out.Moved.Name), 240)}
	}
	p.repairs = append(p.repairs, r)
}
