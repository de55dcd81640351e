package find

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
)

// Control is a control as a person names it.
type Control struct {
	Role, Name string
	There      bool // it is in the place of the target
	Other      bool // its words say that it is something else: "Delete" is never "Save"
}

// crowd is how many controls are told apart: in a larger number nobody can say what is new.
const crowd = 60

// scene is what a finder saw when it looked for a target.
type scene struct {
	want Want
	all  []*candidate
	best *candidate // nil: it was missed
}

// Beside lists the other controls that could be taken for what was found by their role and by what is done to them: of a target in a
// row those of the row, else those of the page that are in no row. When the target is missed another time, those that are not among
// them are new.
func (f *Found) Beside() []Control { return f.scene.beside() }

// Beside lists the controls that could be the missing target by their role and by what is done to them, likewise.
func (n *NotFound) Beside() []Control { return n.scene.beside() }

func (s scene) beside() (out []Control) {
	t := s.want.Target
	if t.Role == "" || t.Role == AnyField {
		return nil
	}
	gone := !slices.ContainsFunc(s.all, func(c *candidate) bool { return c.standsWhere(s.want) }) // the place is, or is called otherwise
	_, row := dataRow(t)
	for _, c := range s.all {
		if c == s.best || c.Blocked || c.Role == "generic" && t.Role != "generic" || roleFit(t.Role, c.Role) == 0 ||
			!c.fit(s.want) || !says(c.called()) {
			continue
		}
		there := c.standsWhere(s.want)
		if row && !there || !there && c.inRow() {
			continue
		}
		name := strings.TrimSpace(cmp.Or(c.Name, c.Label, c.Text, c.Placeholder, c.Title, c.Alt))
		x := Control{c.Role, name, there || gone, c.wording(t) == conflict}
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	if len(out) > crowd {
		out = slices.DeleteFunc(out, func(x Control) bool { return !x.There })
	}
	if len(out) > crowd {
		return nil
	}
	return out
}

// standsWhere reports whether c is in the place of the target: its row, or the place of its name and in no row of a list.
func (c *candidate) standsWhere(w Want) bool {
	if _, row := dataRow(w.Target); row {
		_, in := c.rowPoints(w)
		return in
	}
	switch c.fitPlace(w.Target) {
	case elsewhere, under, unheaded:
		return false
	}
	return !c.inRow()
}

// inRow reports whether c stands in a row of a list, with other rows' controls beside it.
func (c *candidate) inRow() bool {
	return c.Item != "" && (c.Near == nil || capture.IsRow(c.Near.Role) || c.Near.Role == "heading")
}

// dataRow is rowKey for a row that holds data: one that is called like the control in it is named by it.
func dataRow(t capture.Target) (string, bool) {
	key, ok := rowKey(t)
	return key, ok && says(key) && compare(key, called(t)) < same
}
