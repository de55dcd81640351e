package align

import (
	"slices"

	"showhow/daemon/compile/trace"
)

// sameTabs renames the tabs of a further demonstration to those of the first one, in order of use: the number that a
// browser gives to a tab is arbitrary.
func sameTabs(first, other []*trace.Act) {
	names, own := tabsOf(first), tabsOf(other)
	for _, a := range other {
		i := slices.Index(own, a.Tab())
		if i < 0 || i >= len(names) || names[i] == a.Tab() {
			continue
		}
		here := *a.Page
		here.Tab = names[i]
		a.Page = &here
	}
}

func tabsOf(acts []*trace.Act) []string {
	var out []string
	for _, a := range acts {
		if tab := a.Tab(); tab != "" && !slices.Contains(out, tab) {
			out = append(out, tab)
		}
	}
	return out
}
