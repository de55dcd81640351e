package flow

import (
	"cmp"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
)

// Story describes steps in one sentence without a full stop. A form is described as a whole, not field by field.
func Story(steps []*Step, n *Names) string {
	var parts []string
	searched, dir := "", n.Folder
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j].Act.Fills() {
			j++
		}
		if j > i {
			sends := j < len(steps) && steps[j].Verb == capture.Submit
			if sends && j-i == 1 && Searches(steps[j]) {
				parts = append(parts, "searched for "+n.Prose(steps[i].ValueTemplate))
				searched = steps[i].ValueTemplate
				i = j + 1
				continue
			}
			parts = append(parts, filled(steps[i:j], n)...)
			i = j
			continue
		}
		if steps[i].Act.IsPick() && steps[i].Act.NamedByData() && steps[i].ValueTemplate == searched && searched != "" {
			parts = append(parts, "opened it from the list")
		} else {
			where := ""
			if st := steps[i]; st.Act.Command != nil && st.Dir != "" && st.Dir != dir {
				where = " in `" + strings.ReplaceAll(st.Dir, "{*}", "...") + "`"
			}
			parts = append(parts, Told(steps[i], n)+where+notAlways(steps[i]))
		}
		i++
	}
	return andThen(shorten(parts))
}

// filled describes the filling in of a form: up to four fields by name and value, more by name alone.
func filled(steps []*Step, n *Names) []string {
	if len(steps) == 1 {
		return []string{Told(steps[0], n) + notAlways(steps[0])}
	}
	var sets, names, other []string
	for _, st := range steps {
		if !st.Act.Supplies() || st.Act.Secret() || st.ManyBoxes() {
			other = append(other, Told(st, n)+notAlways(st))
			continue
		}
		label := cmp.Or(st.Label(), "a field")
		names = append(names, `"`+label+`"`)
		sets = append(sets, `"`+label+`" to `+n.Prose(st.ValueTemplate)+notAlways(st))
	}
	var out []string
	switch {
	case len(sets) > 4:
		out = append(out, "filled in "+intent.AndList(names))
	case len(sets) > 0:
		out = append(out, "set "+intent.AndList(sets))
	}
	return append(out, other...)
}

// notAlways marks a step that only some demonstrations took.
func notAlways(st *Step) string {
	if st.Optional && st.Condition == "" {
		return " (not every time)"
	}
	return ""
}

// shorten keeps the beginning and the end of a long story.
func shorten(parts []string) []string {
	if len(parts) <= 9 {
		return parts
	}
	out := append([]string{}, parts[:6]...)
	out = append(out, "took "+strconv.Itoa(len(parts)-8)+" more steps")
	return append(out, parts[len(parts)-2:]...)
}

// andThen joins what was done: a, b, then c.
func andThen(parts []string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + ", then " + parts[len(parts)-1]
}
