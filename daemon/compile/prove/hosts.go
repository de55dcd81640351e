package prove

import (
	"regexp"
	"slices"
	"strings"

	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// withoutHosts removes a page's own host from the texts of its checkpoints: a title such as "shop.local: orders" names
// the server of the demonstration, and the work may be done elsewhere (CKP-007).
func withoutHosts(cps []*Candidate, steps []*flow.Step) {
	for _, c := range cps {
		i := slices.IndexFunc(steps, func(st *flow.Step) bool { return st.StepID == c.StepID })
		if i < 0 {
			continue
		}
		for _, host := range hostsOf(steps[i]) {
			c.removeHost(host)
		}
	}
}

// hostsOf returns the hosts of the pages before and after a step, those with a port first.
func hostsOf(st *flow.Step) []string {
	var out []string
	for _, address := range []string{st.Act.URLBefore(), st.Act.URL()} {
		host := page.HostOf(address)
		name, _, _ := strings.Cut(host, ":")
		for _, h := range []string{host, name} {
			if h != "" && !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

func (c *Candidate) removeHost(host string) {
	form := regexp.MustCompile(`(?i)(^|[^\w.-])` + regexp.QuoteMeta(host) + `(\.?(?:$|[^\w.-]))`)
	take := func(s *string, any string) {
		if len(*s) >= len(host) {
			*s = form.ReplaceAllString(*s, "${1}"+any+"${2}")
		}
	}
	take(&c.Goal, "...")
	take(&c.SuccessCondition, "...")
	for i := range c.said {
		take(&c.said[i], "...")
	}
	one := func(ch *workflow.Check) {
		if ch.Kind != "url" {
			take(&ch.Expect, "{*}")
			take(&ch.Name, "{*}")
		}
	}
	if c.Check != nil {
		one(c.Check)
	}
	for i := range c.MoreChecks {
		one(&c.MoreChecks[i])
	}
}
