package flow

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// startsAnew reports whether the field of a step held the same in every demonstration, whatever had been entered in it in an earlier one:
// then it is no place where what was entered is kept, but one where something new begins. The demonstrations must have come to it the same
// way: another thing's field may hold the same by chance.
func startsAnew(cols []*align.Column, at *align.Column) bool {
	first, _ := at.Base()
	was := heldBefore(first)
	if was == "" || len(at.Acts) < 2 || at.Missing() > 0 || at.Rounds != nil {
		return false
	}
	for _, a := range at.Acts {
		if heldBefore(a) != was || valueKey(a.Value) == was || a.URLBefore() != first.URLBefore() {
			return false
		}
	}
	differs := false
	for _, c := range cols {
		if c == at {
			return true
		}
		if b, _ := c.Base(); differs && !b.Fills() {
			return false // what was entered before may have been sent, and brought another thing
		}
		switch {
		case alike(c):
		case !fillsAll(c):
			return false
		default:
			differs = true
		}
	}
	return false
}

// alike reports whether all demonstrations did a step to the same thing and with the same value.
func alike(c *align.Column) bool {
	first, _ := c.Base()
	key := func(a *align.Cell) string {
		where := ""
		if a.Target != nil && a.Target.Landmark != nil {
			where = a.Target.Landmark.Name
		}
		return strings.Join([]string{a.Name(), where, valueKey(a.Value)}, "\n")
	}
	for _, a := range c.Acts {
		if a == nil || key(a) != key(first) {
			return false
		}
	}
	return true
}

func fillsAll(c *align.Column) bool {
	for _, a := range c.Acts {
		if a != nil && !a.Fills() {
			return false
		}
	}
	return true
}

// heldBefore is what the field of an act held before, as its key; "" if that is not known, or nothing.
func heldBefore(a *align.Cell) string {
	if a.Before == nil || a.Target == nil || !a.Fills() || !a.Supplies() {
		return ""
	}
	for _, f := range a.Before.Fields {
		if f.Value != nil && page.Clean(f.Label) != "" && strings.EqualFold(plain.Squeeze(f.Label), plain.Squeeze(a.Name())) {
			return valueKey(f.Value)
		}
	}
	return ""
}

// valueKey tells values apart without their texts; "" for none.
func valueKey(v *capture.Value) string {
	switch {
	case v == nil:
		return ""
	case v.LinkID != "":
		return v.LinkID
	case v.Text != "":
		return "=" + v.Text
	}
	return ""
}
