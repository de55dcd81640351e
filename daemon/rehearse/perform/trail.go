package perform

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// trail is the history of the work that a second look needs: what was entered, ticked and picked, what lists showed,
// and how the current view was reached.
type trail struct {
	*job
	tab     *tab
	entered []proof.Entry           // values that were entered since the last effect
	set     []setting               // boxes that were set since then
	way     way                     // to the view at hand
	sights  map[string]*proof.Sight // what lists showed, by address
	began   string                  // address of the first page that was worked on
	effects int                     // acts that changed something
	ticked  bool                    // rows are chosen by their boxes
	things  []proof.Thing           // that the work is about
	live    port.Page               // the present page, right after the step that is looked up
	frames  []string                // of that page: opened afresh, it shows what its frames begin with
	loads   map[string]*proof.Loads // of the addresses that are looked up again, since then
	picked  []picked                // in order
	brought []proof.Thing           // those that were not in sight when their address was opened
	stored  port.Stored             // what the browser held before what is to be looked up was done
	wrote   bool                    // the site was told something then
	refused bool                    // and has not taken all of it
}

// Many pages show an object beside its list, in a dialog or behind a tab, without an address for it: opened afresh
// they show none of it. A second look then opens the object as the work did. Only reading steps are repeated, and no
// writing request leaves.

// way is how the current view was reached since its address was opened.
type way struct {
	address string
	acts    []port.Act
	steps   []string // that they are of
}

// leads records an action that only opened something without leaving its address.
func (p *trail) leads(s workflow.Step, a port.Act, sc *check.Scene) {
	if at := sc.Before.URL; p.way.address != at {
		p.way = way{address: at}
	}
	if !opens(s) || !p.guard.OnlyRead(s.StepID) {
		return
	}
	a.Tab, a.Dialog = "", "dismissed"
	p.way.acts = append(p.way.acts, a)
	p.way.steps = append(p.way.steps, s.StepID)
}

// opens reports whether a step only shows something: it searches, follows a tab or a link, or something new appeared
// and no word of its control promises a change.
func opens(s workflow.Step) bool {
	t := s.Target
	if t == nil || s.NewTab || s.Dialog != "" || s.Keys != "" && s.Verb == capture.Click || !policy.Reads(s) {
		return false
	}
	switch s.Verb {
	case capture.Type, capture.Press, capture.Submit:
		return page.Searches(s)
	case capture.Click:
	default:
		return false
	}
	switch t.Role {
	case "tab", "link":
		return true
	case "option", "radio", "checkbox", "switch", "combobox", "textbox", "searchbox", "spinbutton", "slider", "menuitemcheckbox",
		"menuitemradio":
		return false
	}
	if s.Before == nil || s.After == nil {
		return false
	}
	return came(s.Before.Dialogs, s.After.Dialogs) || !intent.PromisesAction(cmp.Or(t.Name, t.Text)) &&
		(came(s.Before.Headings, s.After.Headings) || came(labelsOf(s.Before.Details), labelsOf(s.After.Details)) ||
			came(labelsOf(s.Before.Fields), labelsOf(s.After.Fields)))
}

// came reports whether after contains something that before did not.
func came(before, after []string) bool {
	return slices.ContainsFunc(after, func(s string) bool { return !slices.Contains(before, s) })
}

func labelsOf(fields []capture.Field) (out []string) {
	for _, f := range fields {
		out = append(out, f.Label)
	}
	return out
}

// setting is a box or a radio button that was set.
type setting struct {
	label   string
	to      bool
	address string
}

// sets records a box that an action is about to change.
func (p *trail) sets(s workflow.Step, a port.Act) {
	t := a.Target
	if t == nil || a.Verb != capture.Check && a.Verb != capture.Uncheck ||
		t.Landmark != nil && (t.Landmark.Role == "row" || t.Landmark.Role == "listitem") {
		return // a row's own box says which, or is looked up in its row
	}
	set := setting{cmp.Or(t.Label, t.Name), a.Verb == capture.Check, p.tab.state.URL}
	if was := proof.BoxesCalled(p.tab.state, set.label); len(was) == 1 && proof.On(was[0]) != set.to {
		p.set = append(p.set, set)
	}
}

// kept reports whether all boxes set in a view still have their settings, and what shows that.
func (p *trail) kept(st capture.State, address string) (kept bool, known string) {
	for _, s := range p.set {
		if s.address != address {
			continue
		}
		boxes := proof.BoxesCalled(st, s.label)
		if len(boxes) != 1 || proof.On(boxes[0]) != s.to {
			return false, ""
		}
		known = "what was ticked is as it was set"
	}
	return true, known
}

// seenSoFar is a copy of the sights so far.
func (p *trail) seenSoFar() map[string]*proof.Sight {
	out := map[string]*proof.Sight{}
	for at, s := range p.sights {
		out[at] = &proof.Sight{Rows: s.Rows, Ever: maps.Clone(s.Ever), Text: s.Text, Came: s.Came}
	}
	return out
}

// note records what later steps and checks need of an action.
func (p *trail) note(s workflow.Step, a port.Act, sc *check.Scene) {
	if s.Verb == capture.Type || s.Verb == capture.Select || s.Verb == capture.Upload {
		label := ""
		if s.Target != nil {
			label = p.supply.Text(cmp.Or(s.Target.Label, s.Target.Name))
		}
		if m := supply.HoleForm.FindStringSubmatch(s.Value); label == "" && m != nil {
			label = strings.ReplaceAll(m[1], "_", " ") // a field that shows no name
		}
		e := proof.Entry{Label: label, Value: a.Value, Address: p.tab.state.URL, Picks: p.picks(s)}
		e.Filled = !s.StartsAnew && p.filledIn(p.tab.state)
		e.Anew = !e.Filled && creates(p.Req.Goal)
		e.InPlace, e.Asks = editsInPlace(s), page.Searches(s)
		if s.Verb == capture.Upload {
			e.Value, e.File = path.Base(a.Value), true
		}
		for _, f := range p.tab.state.Fields {
			if strings.EqualFold(f.Label, label) {
				e.Was = check.ValueOf(f)
			}
		}
		e.Prior = proof.PriorOf(p.sights, e.Value)
		if n := len(p.things); n > 0 && s.Target != nil && strings.HasPrefix(s.Target.Located("structure"), "item > ") {
			e.Replaces = p.things[n-1].Value
		}
		p.entered = append(p.entered, e)
	}
	p.completed(s)
	p.pick(s, sc)
	p.marks(s, a)
	for _, d := range sc.Out.Downloads {
		p.named(s, d.Name)
	}
	p.tab.beside(s, sc.Out.Beside)
	if len(sc.Out.Drift) > 0 {
		p.tab.drifted(s, sc.Out)
	}
}

// completed records a chosen option: if it completed a typed text, it is the entry; otherwise it is an entry of its
// own, if an input names it.
func (p *trail) completed(s workflow.Step) {
	if p.month(s) != "" {
		p.pickedDay(s)
		return
	}
	if s.Target == nil || s.Target.Role != "option" || !policy.Operates(s.Verb) {
		return
	}
	shown := cmp.Or(s.Target.Name, s.Target.Text)
	chosen := p.supply.Text(shown)
	if n := len(p.entered); n > 0 && strings.Contains(strings.ToLower(chosen), strings.ToLower(p.entered[n-1].Value)) {
		p.entered[n-1].Value, p.entered[n-1].Picks, p.entered[n-1].Prior = chosen, false, proof.PriorOf(p.sights, chosen)
		return
	}
	stays := s.Before == nil || s.After == nil || page.PathOf(s.Before.URL) == page.PathOf(s.After.URL) // else it was picked to be opened
	if m := supply.HoleForm.FindStringSubmatch(shown); m != nil && m[0] == strings.TrimSpace(shown) && stays {
		p.entered = append(p.entered, proof.Entry{Label: strings.ReplaceAll(m[1], "_", " "), Value: chosen, Address: p.tab.state.URL,
			Picks: p.picks(s), Prior: proof.PriorOf(p.sights, chosen)})
	}
}

// filledIn reports whether a form holds text that was not entered in this run: what is stored now. Choices always hold
// something, so they do not count; nor does a number, unless a thing was picked that it may belong to.
func (p *trail) filledIn(st capture.State) bool {
	return slices.ContainsFunc(st.Fields, func(f capture.Field) bool {
		v := strings.TrimSpace(check.ValueOf(f))
		return v != "" && (f.Role == "textbox" || f.Role == "spinbutton" && len(p.things) > 0 ||
			f.Role == "combobox" && f.Raw != nil && !f.Raw.Chosen) &&
			!slices.ContainsFunc(p.entered, func(e proof.Entry) bool { return strings.TrimSpace(e.Value) == v })
	})
}

// noneOf reports whether rows name none of the objects that the work acted on: a list that refills from a longer one
// has as many rows as before although one was removed.
func (p *trail) noneOf(rows []port.Row) bool {
	return len(p.things) > 0 && !slices.ContainsFunc(p.things, func(t proof.Thing) bool { return len(proof.Having(rows, t.Value)) > 0 })
}

// look records what the current page shows, before a step is done there.
func (p *trail) look(ctx context.Context, s workflow.Step) {
	at, looked := p.tab.state.URL, false
	defer func() { p.followed(at, looked) }()
	if at == "" || p.sights[at] != nil && !policy.Operates(s.Verb) {
		return
	}
	if p.sights[at] == nil {
		if seen, err := p.firstRead(ctx, s); err == nil {
			p.saw(at, seen)
		}
		return // after an error the comparison shows less
	}
	if rows, err := p.tab.browser.Rows(ctx); err == nil {
		p.remember(at, proof.Unopened(p.sights[at].Rows, rows))
		if looked = true; p.uncovers(s, at) {
			p.lookBehind(ctx)
		}
	}
}

// firstRead reads a page on which nothing was done yet, once it shows the step's object: many a page rests before its rows have come, and
// what comes by itself was not brought into sight by the work. An object that is not in sight is looked for later.
func (p *trail) firstRead(ctx context.Context, s workflow.Step) (port.Page, error) {
	var values []supply.Pattern
	if t := s.Target; t != nil {
		where := t.Name + " " + t.Text
		if t.Landmark != nil {
			where += " " + t.Landmark.Name
		}
		for _, m := range supply.HoleForm.FindAllStringSubmatch(where, -1) {
			if !p.isFromItem(m[1]) {
				values = append(values, supply.Bindings{"v": strings.TrimSpace(p.supply.Bindings[m[1]])}.Pattern("{v}"))
			}
		}
	}
	seen, err := p.tab.browser.Read(ctx)
	return p.tab.filled(ctx, seen, err, func(seen port.Page) bool {
		return slices.ContainsFunc(values, func(v supply.Pattern) bool { return !v.In(seen.Text) })
	})
}

// uncovers reports whether a step is about to pick something that came into sight during the work: what the page says of it before it is
// picked must be known.
func (p *trail) uncovers(s workflow.Step, at string) bool {
	return s.Target != nil && slices.ContainsFunc(supply.HoleForm.FindAllStringSubmatch(s.Target.Name+" "+s.Target.Text, -1),
		func(m []string) bool { return p.sights[at].Uncovered(strings.TrimSpace(p.supply.Bindings[m[1]])) })
}

// lookBehind records what the current page shows since the step's object was brought into sight.
func (p *trail) lookBehind(ctx context.Context) {
	if seen, err := p.tab.browser.Read(ctx); err == nil {
		p.saw(p.tab.state.URL, seen)
	}
}

// saw records what a page shows at an address before a step is done there.
func (p *trail) saw(at string, page port.Page) {
	p.remember(at, page.Rows)
	p.sights[at].Text = page.Text
}

func (p *trail) remember(address string, rows []port.Row) {
	if p.began == "" {
		p.began = address
	}
	if p.sights == nil {
		p.sights = map[string]*proof.Sight{}
	}
	s := p.sights[address]
	if s == nil {
		s = &proof.Sight{Ever: map[string]port.Row{}, Came: p.unticked(rows)}
		p.sights[address] = s
	}
	rows = p.unticked(rows)
	s.Rows = rows
	for _, r := range rows {
		s.Ever[r.Key()] = r
	}
}

// unticked are rows without the selection boxes' marks, which are not stored.
func (p *trail) unticked(rows []port.Row) []port.Row {
	if !p.ticked {
		return rows
	}
	out := slices.Clone(rows)
	for i := range out {
		out[i].Text = strings.ReplaceAll(out[i].Text, "[x]", "[ ]")
	}
	return out
}

// pick records what a step picked on the current page.
func (p *trail) pick(s workflow.Step, sc *check.Scene) {
	fills := policy.Fills(s.Verb) && !policy.Operates(s.Verb)
	if s.Target == nil || !policy.Operates(s.Verb) && (!fills || !rowKeyed(s.Target)) {
		return
	}
	switch l := s.Target.Landmark; s.Target.Role {
	case "option", "radio", "combobox", "switch":
		if l == nil || l.Role != "row" && l.Role != "listitem" {
			return // a choice of a form
		}
	}
	where := s.Target.Name + " " + s.Target.Text
	if fills {
		where = "" // the row in which a field is filled in
	} else if choice, ofMenu := p.choice(s); choice != nil {
		p.entered = append(p.entered, *choice)
		if ofMenu {
			where = "" // an action on the row's object, not an object itself
		}
	}
	if s.Target.Landmark != nil {
		where += " " + s.Target.Landmark.Name
	}
	for _, m := range supply.HoleForm.FindAllStringSubmatch(where, -1) {
		if p.isFromItem(m[1]) {
			continue // it is a text of a thing that another value picks
		}
		v := strings.TrimSpace(p.supply.Bindings[m[1]])
		t := proof.Thing{Name: m[1], Value: v, Address: p.tab.state.URL, Popup: inPopup(s.Target, m[0])}
		p.ticked = p.ticked || (s.Verb == capture.Check || s.Verb == capture.Uncheck) && s.Value == "" // else the box is what is set
		p.opened(s, t)
		if len(v) > 1 && !slices.Contains(p.things, t) {
			p.things = append(p.things, t)
		}
		if sc.Behind != "" && !p.sights[t.Address].Shown(t.Value) || p.sights[t.Address].Uncovered(t.Value) {
			p.brought = append(p.brought, t)
		}
	}
}

// inPopup reports whether what a target is called stands in a popup, and not the row that the popup was opened for.
func inPopup(t *capture.Target, called string) bool {
	return strings.Contains(t.Name+" "+t.Text, called) && (t.Located("over") != "" || t.Landmark != nil && t.Landmark.Role == "menu")
}

// picked is a pick with what its page showed before and after it.
type picked struct {
	thing   proof.Thing
	role    string
	expands bool // it can be opened where it stands
	rows    []port.Row
	after   []port.Row // when the next step began; nil until then, and where nobody looked
	over    bool       // that step has begun
}

// opened records a pick, and that the one of its kind which uncovered it only opened the way to it, as folders do: it was not there right
// before that one was picked, and was right after. Such a one was not chosen, and what becomes of it proves nothing. What came into sight
// by anything else, as in a longer list, leaves what was picked before as it was, and so does ticking.
func (p *trail) opened(s workflow.Step, t proof.Thing) {
	seen := p.sights[t.Address]
	if seen == nil || p.ticked || s.Verb == capture.Check || s.Verb == capture.Uncheck {
		return
	}
	for _, o := range p.picked {
		if !o.expands || o.role != s.Target.Role || o.thing.Address != t.Address || o.thing.Value == t.Value ||
			len(proof.Having(o.rows, t.Value)) > 0 || len(proof.Having(o.after, t.Value)) == 0 {
			continue
		}
		for i := range p.things {
			p.things[i].Way = p.things[i].Way || p.things[i] == o.thing
		}
		p.entered = slices.DeleteFunc(p.entered, func(e proof.Entry) bool {
			return e.Chosen && e.Address == t.Address && e.Value == o.thing.Value
		})
	}
	expands := s.Target.Role == "treeitem" || s.Target.Shows == capture.ShowsSection
	p.picked = append(p.picked, picked{thing: t, role: s.Target.Role, expands: expands, rows: seen.Rows})
}

// followed records what an address shows after the latest picks, when the next step begins.
func (p *trail) followed(at string, looked bool) {
	for i := range p.picked {
		o := &p.picked[i]
		if !o.over && looked && o.thing.Address == at {
			o.after = p.sights[at].Rows
		}
		o.over = true
	}
}

// choice is the picked one of several objects on the page, for a form that is sent afterwards, or of an entry of a
// row's menu; nil for any other step. A page that shows it proves that it was stored. One that does not proves
// nothing, unless it came from a row's menu.
func (p *trail) choice(s workflow.Step) (e *proof.Entry, ofMenu bool) {
	shown := strings.TrimSpace(cmp.Or(s.Target.Name, s.Target.Text))
	m := supply.HoleForm.FindStringSubmatch(shown)
	if m == nil || m[0] != shown || s.Target.Role == "option" || p.isFromItem(m[1]) ||
		s.Before != nil && s.After != nil && page.PathOf(s.Before.URL) != page.PathOf(s.After.URL) {
		return nil, false
	}
	ofMenu = strings.HasPrefix(s.Target.Role, "menuitem")
	if !ofMenu && (s.Effect || rowKeyed(s.Target)) {
		return nil, false
	}
	value := p.supply.Text(shown)
	return &proof.Entry{Label: strings.ReplaceAll(m[1], "_", " "), Value: value, Address: p.tab.state.URL,
		Chosen: !ofMenu || !rowKeyed(s.Target), Object: !ofMenu && isObject(s.Target), Prior: proof.PriorOf(p.sights, value)}, ofMenu
}

// chosenFor is what was chosen for a thing that was picked before: by the step under review itself, if an input names its whole target, or
// else the last of the entries that it keeps. The thing is the last one picked before the choice: what was picked earlier, as a filter is,
// may stand as it stood.
func (p *trail) chosenFor(s workflow.Step, kept []proof.Found) *proof.Choice {
	value, itself := p.namesItsTarget(s), true
	entry := slices.IndexFunc(kept, func(e proof.Found) bool { return e.Chosen && strings.EqualFold(e.Value, value) }) >= 0
	if value == "" {
		for _, e := range slices.Backward(kept) {
			if e.Chosen {
				value, itself, entry = e.Value, false, true
				break
			}
		}
	}
	before := p.things
	if i := slices.IndexFunc(before, func(t proof.Thing) bool { return strings.EqualFold(t.Value, value) }); i >= 0 && !itself {
		before = before[:i]
	}
	for _, t := range slices.Backward(before) {
		if value != "" && !t.Way && !strings.EqualFold(t.Value, value) {
			return &proof.Choice{Value: value, For: t, Alone: !entry}
		}
	}
	return nil
}

// namesItsTarget is the value that is all of a step's target; "" where it only sets a box, or leads to another page.
func (p *trail) namesItsTarget(s workflow.Step) string {
	if s.Target == nil || !policy.Operates(s.Verb) || policy.Fills(s.Verb) || s.Target.Role == "option" ||
		s.Before != nil && s.After != nil && page.PathOf(s.Before.URL) != page.PathOf(s.After.URL) {
		return ""
	}
	shown := strings.TrimSpace(cmp.Or(s.Target.Name, s.Target.Text))
	if m := supply.HoleForm.FindStringSubmatch(shown); m == nil || m[0] != shown {
		return ""
	}
	return p.supply.Text(shown)
}

// isObject reports whether a target is an entry of a list.
func isObject(t *capture.Target) bool {
	return capture.IsRow(t.Role) || t.Landmark != nil && capture.IsRow(t.Landmark.Role)
}

// rowKeyed reports whether a target stands in a row or an entry that it is not itself.
func rowKeyed(t *capture.Target) bool {
	return t.Landmark != nil && capture.IsRow(t.Landmark.Role) && t.Landmark.Name != cmp.Or(t.Name, t.Text)
}

// loaded adds a load to those of an address, or of what was opened there, and returns what all of them show.
func (p *trail) loaded(load string, now port.Page) port.Page {
	if p.loads == nil {
		p.loads = map[string]*proof.Loads{}
	}
	if p.loads[load] == nil {
		p.loads[load] = &proof.Loads{}
	}
	now.Rows = p.unticked(now.Rows)
	p.loads[load].Add(now)
	return p.loads[load].Page()
}

// vary reports whether anything that was looked up differs from load to load.
func (p *trail) vary() bool {
	for _, l := range p.loads {
		if l.Vary() {
			return true
		}
	}
	return false
}

// since compares what an address shows at its loads with what it showed before.
func (p *trail) since(address string, now []port.Row, l *proof.Loads) proof.Changes {
	s, now := p.sights[address], p.unticked(now)
	if s == nil {
		return l.Settle(proof.Changes{Now: now})
	}
	c := proof.Changes{Known: true, Was: s.Rows, Now: now, Ever: slices.Collect(maps.Values(s.Ever)), Came: s.Came}
	left := map[string]int{}
	for _, r := range now {
		left[r.Key()]++
		if _, old := s.Ever[r.Key()]; !old {
			c.New = append(c.New, r)
		}
	}
	for _, r := range s.Rows {
		if left[r.Key()]--; left[r.Key()] < 0 {
			c.Gone = append(c.Gone, r)
		}
	}
	return c.Settled(p.entered, p.things, l)
}

// pickedDay records the date of a day picked from a calendar, as if it had been entered.
func (p *trail) pickedDay(s workflow.Step) {
	for _, q := range p.supply.Params {
		if base, part, _ := strings.Cut(q.ParamID, "."); part == "day" && s.Value == "{"+q.Name+"}" {
			name := p.supply.Name(base)
			p.entered = append(p.entered, proof.Entry{Label: strings.ReplaceAll(name, "_", " "), Value: p.supply.Bindings[name],
				Address: p.tab.state.URL, Prior: proof.PriorOf(p.sights, p.supply.Bindings[name])})
		}
	}
}
