package scan

import (
	"maps"
	"slices"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// permissions is what text and scripts use, together with what SKILL.md declares.
func (b *bundle) permissions() report.Permissions {
	all := source.NewUses()
	for _, f := range b.files {
		maps.Copy(all.Tools, f.Uses.Tools)
		maps.Copy(all.Domains, f.Uses.Domains)
		maps.Copy(all.Credentials, f.Uses.Credentials)
	}
	for _, t := range b.doc.AllowedTools {
		if len(t) < 100 {
			all.Tools[source.Visible(t)] = true
		}
	}
	return report.Permissions{Tools: sorted(all.Tools), Domains: sorted(all.Domains), Credentials: sorted(all.Credentials)}
}

func sorted(m map[string]bool) []string {
	s := slices.Sorted(maps.Keys(m))
	if s == nil {
		return []string{}
	}
	return s[:min(len(s), 200)]
}
