package write

import (
	"cmp"
	"slices"
	"strings"

	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// description returns the description of the frontmatter: what the skill does and when to use it, in ASCII, at most 1024
// characters.
func description(d *Understanding) string {
	var parts []string
	parts = append(parts, strings.TrimRight(d.Interp.GoalSummary, ".")+".")
	var say []string
	for _, t := range d.Phrases.Triggers {
		if len(say) < 3 && !strings.EqualFold(t, d.Goal.Text) {
			say = append(say, `"`+strings.ReplaceAll(t, `"`, "'")+`"`)
		}
	}
	if len(say) > 0 {
		parts = append(parts, "Use for requests such as "+intent.OrList(say)+".")
	}
	if n := d.Phrases.Negatives; len(n) > 0 && d.Goal.English {
		parts = append(parts, "Not for requests to "+intent.OrList(n[:min(3, len(n))])+".")
	}
	return page.Cut(plain.ASCII(strings.NewReplacer("<", "(", ">", ")", "{", "", "}", "").Replace(strings.Join(parts, " "))), 1024)
}

func compatibility(d *Understanding) string {
	var needs []string
	if len(d.Places.Sites) > 0 {
		var sites []string
		for _, s := range d.Places.Sites {
			sites = append(sites, cmp.Or(d.Places.names[s], plainSite(s)))
		}
		needs = append(needs, "a browser with access to "+intent.AndList(sites))
	}
	if len(d.Places.Commands) > 0 {
		needs = append(needs, "a terminal with "+intent.AndList(d.Places.Commands))
	} else if slices.Contains(d.Places.surfaces, workflow.OnShell) {
		needs = append(needs, "a terminal")
	}
	if len(d.Places.devices) > 0 {
		needs = append(needs, "a way to send MIDI in place of "+intent.AndList(d.Places.devices))
	}
	if tools := d.tools(); len(tools) > 0 {
		needs = append(needs, "the "+toolsWord(len(tools))+" "+intent.AndList(tools))
	}
	if c := d.Places.Connectors; len(c) > 0 {
		needs = append(needs, "Showhow's "+plural("connector", len(c))+" "+intent.AndList(c))
	}
	if len(needs) == 0 {
		return ""
	}
	return page.Cut("Needs "+intent.AndList(needs)+".", 500)
}
