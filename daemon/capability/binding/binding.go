// Package binding stores the names of projects and where their documents are (baseline 0.7), and finds which project a
// text is about. It stores nothing else: what a project is, its state and its deadlines belong to other programs.
//
// Guarantees: of two projects that a text fits equally, none is chosen silently; the binding's own policy decides what
// happens. The canonical file follows every change.
//
// Package daemon wires it; lookups resolve aliases with Named. To test the resolver, call Resolve.
package binding

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Path is the canonical file.
const Path = "system/projects/source_bindings.json"

// The policies for a text that fits several projects.
const (
	ReturnAll    = "return_all"
	Disambiguate = "require_disambiguation"
	RoomContext  = "use_room_context_then_prompt"
)

// Store stores bindings.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer
	PutBinding(wire.ProjectBinding) error
	DeleteBinding(projectID string) error
	Bindings() ([]wire.ProjectBinding, error) // by project id
}

// Service manages bindings. Changed is called after each change; it may be nil.
type Service struct {
	Store   Store
	Changed func(ctx context.Context)
}

// List returns every binding.
func (s *Service) List(ctx context.Context) (wire.ProjectBindings, error) {
	out := wire.ProjectBindings{Bindings: []wire.ProjectBinding{}, SchemaVersion: 1}
	err := s.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Bindings()
		out.Bindings = append(out.Bindings, all...)
		return err
	})
	return out, err
}

// Bind stores a binding, replacing the project's earlier one. An alias that belongs to another project is refused.
func (s *Service) Bind(ctx context.Context, b wire.ProjectBinding) (wire.ProjectBinding, error) {
	b.ProjectID, b.SchemaVersion = strings.TrimSpace(b.ProjectID), 1
	b.AmbiguityPolicy = cmp.Or(b.AmbiguityPolicy, RoomContext)
	for _, l := range []*[]string{&b.Aliases, &b.BucketIDs, &b.PreferredDocTypes, &b.SharepointRefs, &b.OnedriveRefs, &b.TeamsRefs} {
		*l = tidy(*l)
	}
	if b.ProjectID == "" {
		return b, fault.New(fault.InvalidRequest, "a binding names its project")
	}
	err := s.Store.Update(ctx, func(tx Tx) error {
		all, err := tx.Bindings()
		if err != nil {
			return err
		}
		for _, o := range all {
			for _, a := range append(slices.Clone(b.Aliases), b.ProjectID) {
				if o.ProjectID != b.ProjectID && called(o, a) {
					return fault.Newf(fault.InvalidRequest, "the name %q belongs to another project", a).
						WithHint("take it out there first: `showhow project list` shows both").WithDetail("project_id", o.ProjectID)
				}
			}
		}
		if err := tx.PutBinding(b); err != nil {
			return err
		}
		return write(tx, journal.ProjectBound, "Where a project's documents are was set.", b.ProjectID)
	})
	s.tell(ctx, err)
	return b, err
}

// Unbind deletes a binding; false when there was none.
func (s *Service) Unbind(ctx context.Context, projectID string) (there bool, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		all, err := tx.Bindings()
		if err != nil {
			return err
		}
		there = slices.ContainsFunc(all, func(b wire.ProjectBinding) bool { return b.ProjectID == projectID })
		if !there {
			return nil
		}
		if err := tx.DeleteBinding(projectID); err != nil {
			return err
		}
		return write(tx, journal.ProjectUnbound, "Where a project's documents are was forgotten.", projectID)
	})
	if there {
		s.tell(ctx, err)
	}
	return there, err
}

func (s *Service) tell(ctx context.Context, err error) {
	if err == nil && s.Changed != nil {
		s.Changed(ctx)
	}
}

func write(tx Tx, kind journal.EventKind, summary, projectID string) error {
	all, err := tx.Bindings()
	if err != nil {
		return err
	}
	if all == nil {
		all = []wire.ProjectBinding{}
	}
	if err := tx.PutFile(Path, wire.ProjectBindings{Bindings: all, SchemaVersion: 1}); err != nil {
		return err
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"project_id": projectID}})
}

// Resolve finds the projects that a text is about.
func (s *Service) Resolve(ctx context.Context, q wire.ProjectResolve) (wire.ProjectResolved, error) {
	all, err := s.List(ctx)
	if err != nil {
		return wire.ProjectResolved{}, err
	}
	return Resolve(all.Bindings, q), nil
}

// Bound is the project that a name stands for; "" when no binding has it.
func (s *Service) Bound(ctx context.Context, name string) (string, error) {
	all, err := s.List(ctx)
	for _, b := range all.Bindings {
		if called(b, name) {
			return b.ProjectID, err
		}
	}
	return "", err
}

// Named is the project that a name stands for, or the name itself.
func (s *Service) Named(ctx context.Context, name string) string {
	if name == "" {
		return ""
	}
	all, err := s.List(ctx)
	if err != nil {
		return name
	}
	for _, b := range all.Bindings {
		if called(b, name) {
			return b.ProjectID
		}
	}
	return name
}

// The confidence of a match.
const (
	byName   = 1.0
	inText   = .8 // the text holds the whole name
	byWords  = .6 // most words of a name, at most
	byBucket = .5
	atLeast  = .3
	alike    = .1 // closer than this, two are alike
)

// Resolve is the resolver as a pure function of the bindings.
func Resolve(all []wire.ProjectBinding, q wire.ProjectResolve) wire.ProjectResolved {
	out := wire.ProjectResolved{Matches: []wire.ProjectMatch{}, ResolutionState: "none", SchemaVersion: 1}
	for _, b := range all {
		m := wire.ProjectMatch{ProjectBinding: b}
		m.Confidence, m.Because = fits(b, q)
		if m.Confidence < atLeast {
			continue
		}
		out.Matches = append(out.Matches, m)
	}
	slices.SortStableFunc(out.Matches, func(a, b wire.ProjectMatch) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ProjectID, b.ProjectID))
	})
	if len(out.Matches) == 0 {
		return out
	}
	first := out.Matches[0]
	several := len(out.Matches) > 1 && first.Confidence-out.Matches[1].Confidence < alike
	switch {
	case !several:
		out.ResolutionState = "resolved"
	case first.AmbiguityPolicy == ReturnAll:
		out.ResolutionState = "resolved"
	case first.AmbiguityPolicy == Disambiguate:
		out.ResolutionState = "ambiguous"
	case q.ActiveProjectID != "" && slices.ContainsFunc(out.Matches, func(m wire.ProjectMatch) bool {
		return m.ProjectID == q.ActiveProjectID && first.Confidence-m.Confidence < alike
	}):
		i := slices.IndexFunc(out.Matches, func(m wire.ProjectMatch) bool { return m.ProjectID == q.ActiveProjectID })
		m := out.Matches[i]
		out.Matches = slices.Insert(slices.Delete(out.Matches, i, i+1), 0, m)
		out.ResolutionState = "resolved"
	default:
		out.ResolutionState = "ambiguous"
	}
	return out
}

// fits returns how well a text fits a project, and the reasons.
func fits(b wire.ProjectBinding, q wire.ProjectResolve) (sure float64, because string) {
	text := words(q.Query)
	better := func(s float64, why string) {
		if s > sure {
			sure, because = s, why
		}
	}
	for _, name := range append([]string{b.ProjectID}, b.Aliases...) {
		w := words(name)
		if len(w) == 0 {
			continue
		}
		switch {
		case slices.Equal(w, text):
			better(byName, "it is called “"+name+"”")
		case holds(text, w):
			better(inText, "the text names “"+name+"”")
		default:
			n := 0
			for _, x := range w {
				if slices.Contains(text, x) {
					n++
				}
			}
			better(byWords*float64(n)/float64(len(w)), "the text has words of “"+name+"”")
		}
	}
	for _, id := range q.CandidateBucketIDs {
		if slices.Contains(b.BucketIDs, id) {
			better(byBucket, "its bucket "+id+" is at hand")
		}
	}
	return sure, because
}

func called(b wire.ProjectBinding, name string) bool {
	w := words(name)
	return len(w) > 0 && slices.ContainsFunc(append([]string{b.ProjectID}, b.Aliases...),
		func(a string) bool { return slices.Equal(words(a), w) })
}

// holds reports whether text contains the words in a row.
func holds(text, w []string) bool {
	for i := 0; i+len(w) <= len(text); i++ {
		if slices.Equal(text[i:i+len(w)], w) {
			return true
		}
	}
	return false
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

func tidy(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
