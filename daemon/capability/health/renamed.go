package health

import (
	"slices"

	"showhow/internal/clock"
)

// Renamed is a control that was found under another name than the ability has for it: what a repair would change.
type Renamed struct {
	Step      string     `json:"step"`
	Role      string     `json:"role,omitempty"`
	Name      string     `json:"name"`
	PlaceRole string     `json:"place_role,omitempty"` // where it is now, when it was somewhere else
	Place     string     `json:"place,omitempty"`
	Changes   []string   `json:"changes,omitempty"` // in words
	Guess     bool       `json:"guess,omitempty"`   // the control is missing, and this is new in its place: a person decides
	Source    Source     `json:"source,omitempty"`
	Agent     string     `json:"agent,omitempty"` // who says so; "" means that Showhow saw it
	RunID     string     `json:"run_id,omitempty"`
	At        clock.Time `json:"at"` // when it was first found, or reported last, so
}

// like reports whether a control is called so, and stands there, as another look found it.
func (r Renamed) like(o Renamed) bool {
	return r.Step == o.Step && r.Role == o.Role && r.Name == o.Name && r.PlaceRole == o.PlaceRole && r.Place == o.Place && r.Guess == o.Guess
}

// explains reports whether a look may have come to where agents failed by a control that they do not find: it reached that step only by one
// that is called otherwise, or stands elsewhere, and was not seen so before they failed.
func (s State) explains(f Failing, o Outcome) bool {
	if f.Seen || len(f.At) == 0 {
		return false
	}
	for _, step := range o.Covered {
		if slices.ContainsFunc(s.Renamed, func(r Renamed) bool {
			return r.Step == step && r.Source.Seen() && !r.At.Before(f.At[0].Time)
		}) {
			return true
		}
		if step == f.Step {
			return false
		}
	}
	return false
}

// rename takes over the controls that an outcome found under other names. What Showhow saw of a step replaces whatever
// was said of it before: a control that it found as the ability has it is called so again. An agent's word stands until
// then, and never in the place of what Showhow saw.
func (s *State) rename(o Outcome) {
	if len(o.Renamed) == 0 && (len(s.Renamed) == 0 || !o.Source.Seen()) {
		return
	}
	was := s.Renamed
	s.Renamed = slices.Clone(s.Renamed)
	if o.Source.Seen() {
		s.Renamed = slices.DeleteFunc(s.Renamed, func(r Renamed) bool {
			return slices.Contains(o.Covered, r.Step) || r.Guess && o.Result == Failed && r.Step == o.Step
		})
	}
	for _, r := range o.Renamed {
		r.Source, r.At = o.Source, o.At
		if i := slices.IndexFunc(was, r.like); i >= 0 && was[i].Source.Seen() && o.Source.Seen() {
			r.At = was[i].At // it has been so since then
		}
		i := slices.IndexFunc(s.Renamed, func(x Renamed) bool { return x.Step == r.Step })
		switch {
		case i < 0:
			s.Renamed = append(s.Renamed[max(0, len(s.Renamed)-stepsKept+1):], r)
		case r.Guess && !s.Renamed[i].Guess: // what was seen, or is reported, is more than a guess
		case o.Source.Seen() || !s.Renamed[i].Source.Seen():
			s.Renamed[i] = r
		}
	}
	if len(s.Renamed) == 0 {
		s.Renamed = nil
	}
}
