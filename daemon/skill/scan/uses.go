package scan

import (
	"maps"
	"slices"
	"strings"
)

// uses is what a file makes use of.
type uses struct {
	tools, domains, credentials, programs map[string]bool
}

func newUses() uses {
	return uses{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// permissions is what text and scripts use, together with what SKILL.md declares.
func (b *bundle) permissions() Permissions {
	all := newUses()
	for _, f := range b.files {
		maps.Copy(all.tools, f.uses.tools)
		maps.Copy(all.domains, f.uses.domains)
		maps.Copy(all.credentials, f.uses.credentials)
	}
	for _, t := range b.doc.AllowedTools {
		if len(t) < 100 {
			all.tools[visible(t)] = true
		}
	}
	return Permissions{Tools: sorted(all.tools), Domains: sorted(all.domains), Credentials: sorted(all.credentials)}
}

func sorted(m map[string]bool) []string {
	s := slices.Sorted(maps.Keys(m))
	if s == nil {
		return []string{}
	}
	return s[:min(len(s), 200)]
}

// address notes an address that appears in the text, and says what is odd about its host.
func (f *file) address(u string, line int, p place) {
	h := hostOf(u)
	here := local(h)
	if h == "" || len(h) > 253 || !strings.Contains(h, ".") && !here || strings.ContainsAny(h, "{}$<>%*|,;()") {
		return
	}
	if here { // on this computer and beside it a port is another program
		if site := authority(u); !strings.ContainsAny(site, "{}$<>%*|,;()") {
			f.uses.domains[visible(latin(site))] = true
		}
	} else {
		f.uses.domains[visible(latin(h))] = true
	}
	if f.hosts[h] {
		return
	}
	f.hosts[h] = !chatHook(u) // one finding for a host and file is enough
	if t := imitation(h); t != "" {
		f.add("deceptive-host", line, u, with{meaning: short(h, 80) + " looks like " + short(t, 80) + " and is not.",
			severity: f.milder(High, p)})
	}
	if what := catcher(h); what != "" {
		sev := Medium
		if what == "shortener" {
			sev = Low
		}
		f.add("catcher-host", line, u, with{meaning: "The address is a " + what + ".", severity: f.milder(sev, p)})
	} else if chatHook(u) {
		f.add("catcher-host", line, u, with{meaning: "The address is a chat service's webhook.", severity: Low})
	}
}

// milder: a skill about attacks may show one.
func (f *file) milder(s Severity, p place) Severity {
	if f.teaches && p.cue() {
		return atMost(s, Medium)
	}
	return s
}

// addresses notes all addresses of a text.
func (f *file) addresses(text string, line int, p place) {
	at := 0
	for range 20000 {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return
		}
		i += at
		line += strings.Count(text[at:i], "\n")
		at = i + 3
		m := urlRE.FindStringIndex(text[max(0, i-6):min(len(text), i+300)])
		if m == nil {
			continue
		}
		from := max(0, i-6)
		f.address(strings.TrimRight(text[from+m[0]:from+m[1]], ".,;:"), line, p)
	}
}
