package contract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Tiers of safety.
const (
	standard   = "STANDARD"
	sensitive  = "SENSITIVE"
	restricted = "RESTRICTED"
)

// Kind is one row of the catalogue.
type Kind struct {
	Name       string   `json:"from_kind"`
	Tier       string   `json:"tier"`
	Verbs      []string `json:"verbs"`
	Held       bool     `json:"held"`
	About      string   `json:"about,omitempty"`
	AliasOf    string   `json:"alias_of,omitempty"`
	Depth      bool     `json:"sensitive_at_depth,omitempty"`
	Own        bool     `json:"own,omitempty"`
	Gated      bool     `json:"gated,omitempty"`
	Deprecated string   `json:"deprecated,omitempty"` // where to instead
}

//go:embed kinds.tsv
var kindsTSV string

// catalog is the one place that knows kinds and their tiers.
var catalog = sync.OnceValue(func() []Kind {
	var out []Kind
	for line := range strings.Lines(kindsTSV) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 || strings.HasPrefix(line, "#") {
			continue
		}
		k := Kind{Name: f[0], Tier: f[1], Verbs: strings.Split(f[2], ","), Held: f[3] != "-"}
		if k.Held {
			k.About = f[3]
		}
		if rest, ok := strings.CutPrefix(f[4], "deprecated: "); ok {
			k.Deprecated = rest
		} else {
			for _, flag := range strings.Fields(f[4]) {
				switch {
				case flag == "depth":
					k.Depth = true
				case flag == "own":
					k.Own = true
				case flag == "gated":
					k.Gated = true
				case flag[0] == '=':
					k.AliasOf = flag[1:]
				}
			}
		}
		out = append(out, k)
	}
	return out
})

// kindOf finds a kind; another kind's name leads to that one, with its own tier and verbs.
func kindOf(name string) (Kind, bool) {
	all := catalog()
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	k := all[i]
	if k.AliasOf == "" {
		return k, true
	}
	to, ok := kindOf(k.AliasOf)
	to.Verbs = k.Verbs
	return to, ok
}

// tierAt is the kind's tier for a request.
func (k Kind) tierAt(depth string) string {
	if k.Depth && k.Tier == standard && (depth == "deep" || depth == "exhaustive") {
		return sensitive
	}
	return k.Tier
}

func kindNames() []string {
	out := []string{}
	for _, k := range catalog() {
		out = append(out, k.Name)
	}
	return out
}
