package prove

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Candidate is a state that the demonstration reached and that can become a checkpoint.
type Candidate struct {
	workflow.Checkpoint
	Seg     *flow.Segment
	Changes bool
	inputs  []string // inputs it mentions: they tell the right object from a wrong one
	said    []string // the part of the condition that describes each check
	last    bool
}

// mine finds the observable state in which each segment ended. A segment without one yields no candidate.
func mine(s *values.Study, n *flow.Names, segs []*flow.Segment) []*Candidate {
	var out []*Candidate
	var earlier []*flow.Step
	for _, seg := range segs {
		if seg.Outcome != nil {
			m := miner{s: s, n: n, st: seg.Outcome, seg: seg, g: s.Gens[seg.Outcome.Trace], earlier: earlier}
			if c := m.candidate(); c != nil {
				out = append(out, c)
			}
		}
		earlier = append(earlier, seg.Steps...)
		earlier = earlier[max(0, len(earlier)-40):]
	}
	if len(out) > 0 {
		out[len(out)-1].last = true
	}
	return out
}

// miner examines one outcome and collects sentences and their checks. Templates go in, text comes out.
type miner struct {
	s       *values.Study
	n       *flow.Names
	g       *template.Generaliser
	st      *flow.Step
	seg     *flow.Segment
	earlier []*flow.Step
	proves  bool // a page that was only opened shows an earlier change
	parts   []string
	checks  []workflow.Check
	said    []string // the sentence of each check
	inputs  []string
}

func (m *miner) candidate() *Candidate {
	goal := ""
	effect := flow.Effective(m.st)
	a := m.st.Act
	switch {
	case a.MIDI != nil:
		goal = m.played()
	case a.IsCall():
		goal = m.called()
	case a.File != nil && a.Verb != capture.Upload:
		goal = m.download()
	case a.Command != nil:
		goal = m.commandRan()
	case effect:
		goal = m.formSent()
	default:
		goal = m.pageShown()
	}
	if goal == "" || len(m.checks) == 0 {
		return nil
	}
	effect = effect || m.proves
	c := &Candidate{Seg: m.seg, Changes: effect, inputs: m.inputs, said: m.said}
	c.Goal, c.SuccessCondition = page.Cut(goal, 240), page.Cut(plain.UpperFirst(sentences(m.parts))+".", 240)
	c.StepID, c.Evidence, c.Effect = m.st.StepID, a.Events(), effect
	c.Check = &m.checks[0]
	c.MoreChecks = m.checks[1:]
	return c
}

// sentences joins conditions that must all hold. A comma separates parts that contain "and" themselves.
func sentences(parts []string) string {
	if len(parts) < 2 || !slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, " and ") }) {
		return intent.AndList(parts)
	}
	return strings.Join(parts[:len(parts)-1], ", ") + ", and " + parts[len(parts)-1]
}

// add appends a sentence and its check to the checkpoint. tmpls are the templates in the sentence that may contain
// inputs.
func (m *miner) add(sentence string, check workflow.Check, tmpls ...string) {
	for _, t := range tmpls {
		for _, id := range m.n.InputsOf(t) {
			if !slices.Contains(m.inputs, id) {
				m.inputs = append(m.inputs, id)
			}
		}
	}
	if sentence != "" {
		m.parts = append(m.parts, sentence)
	}
	m.checks, m.said = append(m.checks, check), append(m.said, sentence)
}

func (m *miner) formSent() string {
	a := m.st.Act
	m.savedFields()
	m.enteredDetails()
	m.rows(true)
	if len(m.checks) == 0 {
		m.changedDetail()
	}
	if seen := len(m.checks); seen == 0 || len(m.n.InputsOf(m.heading(false))) > 0 {
		m.headingAndURL(false)
	}
	dialogGone(m)
	for _, msg := range page.Fresh(a.StateBefore().Alerts, a.State().Alerts) {
		if page.Failing(msg) {
			continue
		}
		t := m.message(msg)
		m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.Prose(t)), workflow.Check{Kind: "alert", Expect: m.n.Machine(t)}, t)
		break
	}
	m.newFileNote()
	if len(m.parts) == 0 {
		m.pageUnchanged()
	}
	if len(m.parts) == 0 {
		return ""
	}
	if flow.Prepares(m.st) {
		return m.pageGoal(m.heading(true))
	}
	return m.announced()
}

// pageUnchanged handles a form whose page looks the same afterwards, message included: since that proves nothing, the page
// must be opened again. So must that of a link which its site answered with the page that it stood on.
func (m *miner) pageUnchanged() {
	said := firstOf(m.st.Act.State().Alerts)
	if said != "" && page.Failing(said) || said == "" && !flow.Finishes(m.st) && !flow.AnsweredInItsRow(m.st.Act.Act) {
		return
	}
	m.add("the page shows what was done when it is opened again", workflow.Check{Kind: "manual",
		Expect: "the page shows what was done when it is opened again", Extra: map[string]string{workflow.Kept: "1"}})
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimRight(plain.Squeeze(list[0]), ".")
}

// announced returns the page's own short message about what was done, or else the sentence that the button promises.
func (m *miner) announced() string {
	for _, msg := range page.Fresh(m.st.Act.StateBefore().Alerts, m.st.Act.State().Alerts) {
		first, _, _ := strings.Cut(plain.Squeeze(msg), ". ")
		first = strings.TrimRight(first, ".! ")
		if t := m.message(first); !page.Failing(msg) && !strings.Contains(t, page.AnyRef) && len(plain.Words(first)) >= 2 && len(first) <= 80 &&
			strings.IndexFunc(first, unicode.IsLower) > 0 {
			return plain.UpperFirst(m.n.Prose(t))
		}
	}
	return flow.PromisedOutcome(m.st)
}

// savedFields finds where the page shows a value that was entered in this segment: the effect itself rather than a
// message.
func (m *miner) savedFields() {
	before, after := m.st.Act.StateBefore(), m.st.Act.State()
	if page.PathOf(before.URL) == page.PathOf(after.URL) {
		return // the form is still open: it shows what was typed, not what was saved
	}
	for _, f := range after.Fields {
		if f.Value == nil || f.Value.LinkID == "" && f.Value.Text == "" {
			continue
		}
		t := m.g.Links[f.Value.LinkID]
		if t == "" {
			t = m.g.Text(m.s.Open(f.Value))
		}
		if len(m.n.InputsOf(t)) == 0 && !constantOf(m, t) || !enteredHere(m, t) {
			continue
		}
		label := page.Clean(m.n.Prose(m.g.Text(f.Label)))
		m.add(fmt.Sprintf(`"%s" shows %s`, label, m.n.Prose(t)), workflow.Check{Kind: "field_value", Name: label, Expect: m.n.Machine(t)}, t)
		if len(m.checks) == 4 {
			break
		}
	}
}

func constantOf(m *miner, t string) bool {
	ids := page.RefsOf(t)
	return len(ids) == 1 && m.n.Params[ids[0]] != nil && m.n.Params[ids[0]].Role == workflow.RoleConstant
}

func enteredHere(m *miner, t string) bool {
	for _, st := range m.seg.Steps {
		if st.ValueTemplate == t {
			return true
		}
	}
	return false
}

func dialogGone(m *miner) {
	a := m.st.Act
	for _, d := range page.Fresh(a.State().Dialogs, a.StateBefore().Dialogs) {
		t := m.g.Text(d)
		m.add(fmt.Sprintf(`the dialog "%s" is closed`, m.n.Prose(t)), workflow.Check{Kind: "dialog", Name: m.n.Machine(t), Expect: m.n.Machine(t),
			Gone: true})
		return
	}
}

// pageShown returns the goal of a step that opened a page or a dialog.
func (m *miner) pageShown() string {
	a := m.st.Act
	if ds := page.Fresh(a.StateBefore().Dialogs, a.State().Dialogs); len(ds) > 0 {
		t := m.g.Text(ds[0])
		m.add(fmt.Sprintf(`the dialog "%s" is open`, m.n.Prose(t)), workflow.Check{Kind: "dialog", Name: m.n.Machine(t), Expect: m.n.Machine(t)},
			t)
		return fmt.Sprintf(`The dialog "%s" is open`, m.n.Prose(t))
	}
	if flow.Searches(m.st) && m.st.Verb == capture.Submit {
		m.rows(false)
		m.headingAndURL(false)
		if address := m.address(m.st.Act.URL()); len(m.n.InputsOf(address)) > 0 || len(m.checks) == 0 {
			m.add(reads("the address", "is", m.n.Prose(address)), workflow.Check{Kind: "url", Expect: m.n.Machine(address)}, address)
		}
		return "The results for " + intent.AndList(m.searched()) + " are shown"
	}
	goal := m.headingAndURL(true)
	m.rowsSince()
	if goal == "" {
		m.rows(false)
		if len(m.parts) > 0 {
			goal = plain.UpperFirst(m.parts[0])
		}
	}
	if goal == "" {
		for _, msg := range page.Fresh(a.StateBefore().Alerts, a.State().Alerts) {
			t := m.message(msg)
			m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.Prose(t)), workflow.Check{Kind: "alert", Expect: m.n.Machine(t)}, t)
			return plain.UpperFirst(m.parts[0])
		}
		if m.changedDetail(); len(m.parts) > 0 {
			return plain.UpperFirst(m.parts[0])
		}
	}
	return goal
}

func (m *miner) searched() []string {
	var out []string
	for _, st := range m.seg.Steps {
		if st.Act.Supplies() {
			out = append(out, m.n.Prose(st.ValueTemplate))
		}
	}
	if len(out) == 0 {
		out = append(out, "the search")
	}
	return out
}

// headingAndURL recognises a page by its heading and its address. Without always, it uses only those that changed.
func (m *miner) headingAndURL(always bool) (goal string) {
	a := m.st.Act
	b, after := a.StateBefore(), a.State()
	moved := after.URL != "" && page.PathOf(b.URL) != page.PathOf(after.URL) && (b.URL != "" || a.Moved)
	heading := m.heading(always && (moved || a.Moved))
	if heading != "" {
		goal = m.pageGoal(heading)
	}
	if heading != "" && (m.heading(false) != "" || !moved) {
		m.add(reads("the heading", "reads", `"`+m.n.Prose(heading)+`"`), workflow.Check{Kind: "heading", Expect: m.n.Machine(heading)}, heading)
	}
	if flow.Searches(m.st) && m.st.Verb == capture.Submit {
		return goal // the caller adds the address
	}
	if address := m.address(after.URL); address != "" && (moved || always && a.Moved) {
		m.add(reads("the address", "is", m.n.Prose(address)), workflow.Check{Kind: "url", Expect: m.n.Machine(address)}, address)
		if goal == "" {
			goal = m.titleGoal(after, address)
		}
	}
	return goal
}
