// Package supply holds the values of one run: where each input's value comes from, what is derived from it, and the
// templates of pages, addresses and command lines that it fills. A value in a command line stays one word, whatever it
// contains. Values live in memory only; Hide puts the inputs' names back before a text is shown or stored. The
// packages of daemon/rehearse above it may import it. It can be tested with Bindings alone.
package supply

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/lang"
)

// The sources of a value, in words for the report, which never holds the value itself.
const (
	FromRequest = "given for this run"
	fromDefault = "the skill's default"
	fromExample = "the skill's example"
	fromOptions = "another of the page's own choices"
	fromRow     = "another row that the page shows"
	FromVault   = "the demonstrated value, sealed"
	fromShown   = "the demonstrated value, sealed; a rehearsal under this policy needs another one"
	leftOut     = "left out: it is optional"
)

// Supply finds the values of a run (decisions C12): given, or else the skill's own, or else another that the page
// offers (an option, a row), or else the demonstrated one if the policy allows that. Memory only.
type Supply struct {
	Bindings
	Params  []workflow.Param
	Sources map[string]string   // input -> source of its value
	Missing []string            // required inputs without a value
	Lists   map[string][]string // input -> its items, for inputs of a loop
	Known   map[string]bool     // every name that a template can hold
	several map[string]bool     // inputs that stand for several words of a command
	Offered map[string]string   // inputs whose value the page is to offer -> the demonstrated one
	Fish    bool                // the lines are fish's
	now     time.Time
}

// Finder finds the values of one run.
type Finder struct {
	Req    record.Request
	Policy record.TestPolicy // that the run obeys
	Now    clock.Time
	// Explains means that nothing is performed, so the demonstrated values may be used under any policy.
	Explains bool
}

// Find finds a value for every input that the steps use. The order is fixed, so two runs use the same values.
func (f Finder) Find(ctx context.Context) (*Supply, error) {
	sealed, err := f.opened(ctx)
	if err != nil {
		return nil, err
	}
	s := &Supply{Bindings: Bindings{}, Params: f.Req.Draft.Graph.Params, Sources: map[string]string{}, Lists: map[string][]string{},
		Known:   map[string]bool{},
		several: map[string]bool{}, Offered: map[string]string{}, Fish: ofFish(f.Req.Draft.Graph.Steps), now: f.Now.Time}
	for _, p := range s.Params {
		s.Known[p.Name], s.several[p.Name] = true, p.List
		if !Asked(p) {
			continue
		}
		v, src, ok := f.value(p, sealed)
		switch {
		case (!ok || src == FromVault || src == fromShown) && sealed[p.LinkID] != "" && f.rowsOffered() && f.pickedFirst(p):
			s.Sources[p.Name], s.Offered[p.Name] = fromRow, sealed[p.LinkID]
		case ok:
			s.Sources[p.Name] = src
			s.set(p, v)
		case f.required(p):
			s.Missing = append(s.Missing, p.Name)
		default:
			s.Sources[p.Name] = leftOut
		}
	}
	s.Derive()
	return s, nil
}

// Asked reports whether a parameter's value is an input, neither derived nor made by the run itself.
func Asked(p workflow.Param) bool {
	return p.Derived == "" && p.Role != "constant" && p.Role != "dropped"
}

func (f Finder) required(p workflow.Param) bool {
	if i := slices.IndexFunc(f.Req.Draft.Interpretation.Inputs, func(in workflow.InputSpec) bool { return in.Name == p.Name }); i >= 0 {
		return f.Req.Draft.Interpretation.Inputs[i].Required
	}
	return p.Required || len(p.UsedIn) > 0
}

// opened returns the sealed values by link id.
func (f Finder) opened(ctx context.Context) (map[string]string, error) {
	if f.Req.Values == nil {
		return nil, nil
	}
	return f.Req.Values(ctx)
}

func (f Finder) value(p workflow.Param, sealed map[string]string) (v, source string, ok bool) {
	if v, ok := f.Req.Parameters[p.Name]; ok {
		return v, FromRequest, true
	}
	shown := sealed[p.LinkID]
	for _, in := range f.Req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && in.Default != "" {
			return in.Default, fromDefault, true
		}
	}
	if p.Default != "" {
		return p.Default, fromDefault, true
	}
	if p.Read != nil {
		return "", "", false // the page will say
	}
	options := p.Options
	for _, in := range f.Req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && len(options) == 0 {
			options = in.Options
		}
	}
	if v := another(options, shown); v != "" {
		return v, fromOptions, true
	}
	for _, in := range f.Req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && in.Example != "" && in.Kind != "id" {
			return in.Example, fromExample, true
		}
	}
	switch {
	case shown == "":
	case SealedAllowed(policy.Of(f.Req)):
		return shown, FromVault, true
	case f.Explains:
		return shown, fromShown, true
	}
	return "", "", false
}

// SealedAllowed reports whether a run may use the demonstrated values: not where it would repeat on live data what was
// done there.
func SealedAllowed(p record.TestPolicy) bool { return p.Mode != policy.LiveReadSafeWrite }

// another is an option other than the demonstrated one: the next one, and never a prompt.
func another(options []string, shown string) string {
	var real []string
	for _, o := range options {
		if o = strings.TrimSpace(o); o != "" && !prompts(o) {
			real = append(real, o)
		}
	}
	at := slices.IndexFunc(real, func(o string) bool { return strings.EqualFold(o, strings.TrimSpace(shown)) })
	if len(real) == 0 || len(real) == 1 && at == 0 {
		return ""
	}
	return real[(at+1)%len(real)]
}

var choosing = lang.Exactly("deed.select")

// prompts reports whether an option is a prompt: "-- please choose --".
func prompts(o string) bool {
	if strings.Trim(o, "-–—._ ") != o || strings.HasSuffix(o, "...") || strings.HasSuffix(o, "…") {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(o), " ")
	return (choosing.Has(first) || first == "please" || first == "bitte") && strings.Contains(o, " ")
}

// set binds a value; for a loop's input it is a list, one item in each line. What is marked one after the other may stand in one line.
func (s *Supply) set(p workflow.Param, v string) {
	if p.Loop {
		var items []string
		for _, line := range strings.Split(v, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				items = append(items, line)
			}
		}
		if p.List && len(items) == 1 {
			items = workflow.SplitChoices(items[0], p.Options)
		}
		s.Lists[p.Name] = items
		if len(items) > 0 {
			v = items[0]
		}
	}
	s.Bindings[p.Name] = v
}

// bind sets a parameter by id; without such a parameter it does nothing.
func (s *Supply) bind(id, v string) {
	for _, p := range s.Params {
		if p.ParamID == id {
			s.Bindings[p.Name] = v
		}
	}
}

// Derive computes the derived parameters.
func (s *Supply) Derive() {
	for name, v := range workflow.Derive(s.Params, s.Bindings, s.now) {
		s.Bindings[name] = v
	}
}

var errUneven = errors.New("the inputs of a loop have different numbers of items")

// Rounds returns the items of each round of a loop, one round for each given item. Every input of the loop must have
// equally many.
func (s *Supply) Rounds(l workflow.Loop) ([]map[string]string, error) {
	n := -1
	for _, id := range l.Params {
		name := s.Name(id)
		items := len(s.Lists[name])
		if n >= 0 && items != n {
			return nil, errUneven
		}
		n = items
	}
	if n < 0 {
		return []map[string]string{{}}, nil
	}
	out := make([]map[string]string, n)
	for i := range out {
		out[i] = map[string]string{}
		for _, id := range l.Params {
			out[i][id] = s.Lists[s.Name(id)][i]
		}
	}
	return out, nil
}

// Name is the name of a parameter, "" for an unknown id.
func (s *Supply) Name(id string) string {
	for _, p := range s.Params {
		if p.ParamID == id {
			return p.Name
		}
	}
	return ""
}

// BindRound binds the items of one round.
func (s *Supply) BindRound(items map[string]string) {
	for id, v := range items {
		s.bind(id, v)
	}
	s.Derive()
}

// Hide replaces values with their names, so that a text can be shown and stored.
func (s *Supply) Hide(text string) string {
	names := map[string]string{}
	add := func(v, name string) {
		if v = strings.ToLower(strings.Join(strings.Fields(v), " ")); v != "" && (names[v] == "" || name < names[v]) {
			names[v] = name
		}
	}
	for name, v := range s.Offered {
		add(v, name)
	}
	for name, v := range s.Bindings {
		add(v, name)
	}
	for name, items := range s.Lists {
		for _, v := range items {
			add(v, name)
		}
	}
	return hideValues(text, names)
}
