package rehearse

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// How a value came about, in words for the report. The value itself is in none.
const (
	fromRequest = "given for this run"
	fromDefault = "the skill's default"
	fromExample = "the skill's example"
	fromOptions = "another of the page's own choices"
	fromVault   = "the demonstrated value, sealed"
	leftOut     = "left out: it is optional"
)

// supply is where the values of a run come from (decisions C12): given, else the skill's own, else another that the page
// offers (an option, a row), else the demonstrated one if the policy allows that. Memory only.
type supply struct {
	bindings
	params  []workflow.Param
	sources map[string]string   // input -> where its value comes from
	missing []string            // required inputs without a value
	lists   map[string][]string // input -> its items, for inputs of a loop
	known   map[string]bool     // every name that a template can hold
	several map[string]bool     // inputs that stand for several words of a command
	offered map[string]string   // inputs whose value the page is to offer -> the demonstrated one
	fish    bool                // the lines are fish's
	now     time.Time
}

// supply finds a value for every input that the steps use. The order is fixed, so two runs use the same.
func (e *exam) supply(ctx context.Context) (*supply, error) {
	sealed, err := e.opened(ctx)
	if err != nil {
		return nil, err
	}
	s := &supply{bindings: bindings{}, params: e.req.Draft.Graph.Params, sources: map[string]string{}, lists: map[string][]string{}, known: map[string]bool{},
		several: map[string]bool{}, offered: map[string]string{}, fish: ofFish(e.req.Draft.Graph.Steps), now: e.r.o.Now().Time}
	for _, p := range s.params {
		s.known[p.Name], s.several[p.Name] = true, p.List
		if !asked(p) {
			continue
		}
		v, src, ok := e.value(p, sealed)
		switch {
		case (!ok || src == fromVault) && sealed[p.LinkID] != "" && e.rowsOffered() && e.pickedFirst(p):
			s.sources[p.Name], s.offered[p.Name] = fromRow, sealed[p.LinkID]
		case ok:
			s.sources[p.Name] = src
			s.set(p, v)
		case e.required(p):
			s.missing = append(s.missing, p.Name)
		default:
			s.sources[p.Name] = leftOut
		}
	}
	s.derive()
	return s, nil
}

// asked reports whether a parameter's value comes from outside rather than from another value or from the run itself.
func asked(p workflow.Param) bool {
	return p.Derived == "" && p.Role != "constant" && p.Role != "dropped"
}

func (e *exam) required(p workflow.Param) bool {
	if i := slices.IndexFunc(e.req.Draft.Interpretation.Inputs, func(in workflow.InputSpec) bool { return in.Name == p.Name }); i >= 0 {
		return e.req.Draft.Interpretation.Inputs[i].Required
	}
	return p.Required || len(p.UsedIn) > 0
}

// opened are the sealed values by link id.
func (e *exam) opened(ctx context.Context) (map[string]string, error) {
	if e.req.Values == nil {
		return nil, nil
	}
	return e.req.Values(ctx)
}

func (e *exam) value(p workflow.Param, sealed map[string]string) (v, source string, ok bool) {
	if v, ok := e.req.Parameters[p.Name]; ok {
		return v, fromRequest, true
	}
	shown := sealed[p.LinkID]
	for _, in := range e.req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && in.Default != "" {
			return in.Default, fromDefault, true
		}
	}
	if p.Default != "" {
		return p.Default, fromDefault, true
	}
	options := p.Options
	for _, in := range e.req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && len(options) == 0 {
			options = in.Options
		}
	}
	if v := another(options, shown); v != "" {
		return v, fromOptions, true
	}
	for _, in := range e.req.Draft.Interpretation.Inputs {
		if in.Name == p.Name && in.Example != "" && in.Kind != "id" {
			return in.Example, fromExample, true
		}
	}
	if shown != "" && sealedAllowed(policyOf(e.req)) {
		return shown, fromVault, true
	}
	return "", "", false
}

// sealedAllowed reports whether a run may use the demonstrated values themselves: not where it would do on live data a second
// time what was done there.
func sealedAllowed(p TestPolicy) bool { return p.Mode != LiveReadSafeWrite }

// another is a choice other than the one that was shown: the next one, and none that only asks to choose.
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

// prompts reports whether an option stands for no choice: "-- please choose --".
func prompts(o string) bool {
	if strings.Trim(o, "-–—._ ") != o || strings.HasSuffix(o, "...") || strings.HasSuffix(o, "…") {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(o), " ")
	return (choosing.Has(first) || first == "please" || first == "bitte") && strings.Contains(o, " ")
}

// set binds a value; of a loop's input it is a list, one item in each line.
func (s *supply) set(p workflow.Param, v string) {
	if p.Loop {
		var items []string
		for _, line := range strings.Split(v, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				items = append(items, line)
			}
		}
		s.lists[p.Name] = items
		if len(items) > 0 {
			v = items[0]
		}
	}
	s.bindings[p.Name] = v
}

// bind gives a parameter its value by id; nothing happens when there is no such parameter.
func (s *supply) bind(id, v string) {
	for _, p := range s.params {
		if p.ParamID == id {
			s.bindings[p.Name] = v
		}
	}
}

// derive computes what follows from other values, as compile found it.
func (s *supply) derive() {
	for name, v := range workflow.Derive(s.params, s.bindings, s.now) {
		s.bindings[name] = v
	}
}

var errUneven = errors.New("the inputs of a loop have different numbers of items")

// rounds are how often a loop is done with which items: one round for each given item. Every input of the loop must have as
// many as the others.
func (s *supply) rounds(l workflow.Loop) ([]map[string]string, error) {
	n := -1
	for _, id := range l.Params {
		name := s.name(id)
		items := len(s.lists[name])
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
			out[i][id] = s.lists[s.name(id)][i]
		}
	}
	return out, nil
}

func (s *supply) name(id string) string {
	for _, p := range s.params {
		if p.ParamID == id {
			return p.Name
		}
	}
	return ""
}

// turn binds the items of one round.
func (s *supply) turn(items map[string]string) {
	for id, v := range items {
		s.bind(id, v)
	}
	s.derive()
}

// hide puts the names back where values stand, so that a text can be shown and kept.
func (s *supply) hide(text string) string {
	names := map[string]string{}
	add := func(v, name string) {
		if v = strings.ToLower(strings.Join(strings.Fields(v), " ")); v != "" && (names[v] == "" || name < names[v]) {
			names[v] = name
		}
	}
	for name, v := range s.offered {
		add(v, name)
	}
	for name, v := range s.bindings {
		add(v, name)
	}
	for name, items := range s.lists {
		for _, v := range items {
			add(v, name)
		}
	}
	return hideValues(text, names)
}
