package redact

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/capture/secret"
)

// vendorSource is gitleaks' rule file as its release has it, copied by gen (make gen). Its licence lies beside it.
//
//go:embed gitleaks/gitleaks.toml
var vendorSource []byte

// vendorRule is a rule of gitleaks. Our own loop runs it; it works on offsets and skips every rule whose keywords are
// absent. Omitted are gitleaks' allow comments and its global allow-list, which let real values pass ("false"
// anywhere in a value, for one), and what depends on files and commits: texts have none.
type vendorRule struct {
	id      string
	kind    secret.Kind
	re      *pattern
	group   int     // of the secret; 0: the first that matched
	entropy float64 // bits per byte that a secret must exceed; 0: any
	hints   []string
	allows  []allowlist
}

// allowlist describes what a rule lets pass.
type allowlist struct {
	both      bool   // a pattern and a word must match, rather than either
	target    string // what the patterns are tried on: "match", "line", else the secret
	patterns  []*pattern
	stopWords []string // lower case; in the secret
}

// vendorFile is the part of the rule file that we read.
type vendorFile struct {
	Rules []struct {
		ID          string
		Regex       string
		Path        string
		SecretGroup int
		Entropy     float64
		Keywords    []string
		Allowlists  []vendorAllowlist
		Required    []struct{ ID string }
		SkipReport  bool
	}
}

type vendorAllowlist struct {
	Condition   string
	RegexTarget string
	Regexes     []string
	StopWords   []string
	Paths       []string
	Commits     []string
}

// loadVendorRules reads gitleaks' rules. Patterns are compiled when first needed.
func loadVendorRules() ([]*vendorRule, error) {
	var file vendorFile
	if err := toml.Unmarshal(vendorSource, &file); err != nil {
		return nil, fmt.Errorf("gitleaks rules: %w", err)
	}
	var out []*vendorRule
	for _, r := range file.Rules {
		if r.Regex == "" || r.Path != "" || len(r.Required) > 0 || r.SkipReport {
			continue // bound to files, which have other ways in, or to other rules
		}
		rule := &vendorRule{id: r.ID, kind: vendorKind(r.ID), re: newPattern(r.Regex), group: r.SecretGroup, entropy: r.Entropy}
		for _, k := range r.Keywords {
			rule.hints = append(rule.hints, strings.ToLower(k))
		}
		for _, a := range r.Allowlists {
			list, err := a.list()
			if err != nil {
				return nil, fmt.Errorf("gitleaks rule %s: %w", r.ID, err)
			}
			if list != nil {
				rule.allows = append(rule.allows, *list)
			}
		}
		out = append(out, rule)
	}
	return out, nil
}

// list is nil for an allow-list that never applies to a text.
func (a vendorAllowlist) list() (*allowlist, error) {
	out := &allowlist{target: a.RegexTarget}
	switch strings.ToUpper(a.Condition) {
	case "AND", "&&":
		out.both = true
	case "", "OR", "||":
	default:
		return nil, fmt.Errorf("unknown condition %q", a.Condition)
	}
	if !slices.Contains([]string{"", "secret", "match", "line"}, a.RegexTarget) {
		return nil, fmt.Errorf("unknown target %q", a.RegexTarget)
	}
	if out.both && len(a.Paths)+len(a.Commits) > 0 {
		return nil, nil
	}
	for _, re := range a.Regexes {
		out.patterns = append(out.patterns, newPattern(re))
	}
	for _, w := range a.StopWords {
		out.stopWords = append(out.stopWords, strings.ToLower(w))
	}
	return out, nil
}

func (r *vendorRule) scan(text string, found []Span) []Span {
	for _, m := range r.re.get().FindAllStringSubmatchIndex(text, -1) {
		start, end := secretGroup(m, r.group)
		value := text[start:end]
		if value == "" || strings.Trim(value, "\x00 ") == "" {
			continue
		}
		if r.entropy != 0 && shannon(value) <= r.entropy {
			continue
		}
		if r.allowed(value, text[m[0]:m[1]], text) {
			continue
		}
		found = append(found, Span{Start: start, End: end, Kind: r.kind})
	}
	return found
}

// secretGroup is the named group, else the first that matched, else the whole match.
func secretGroup(m []int, group int) (start, end int) {
	if group > 0 && 2*group+1 < len(m) && m[2*group] >= 0 {
		return m[2*group], m[2*group+1]
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 && m[i+1] > m[i] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// allowed applies the rule's own allow-lists.
func (r *vendorRule) allowed(value, match, text string) bool {
	return slices.ContainsFunc(r.allows, func(a allowlist) bool { return a.admits(value, match, text) })
}

func (a *allowlist) admits(value, match, text string) bool {
	target := value
	switch a.target {
	case "match":
		target = match
	case "line":
		target = text
	}
	byPattern := target != "" && slices.ContainsFunc(a.patterns, func(p *pattern) bool { return p.get().MatchString(target) })
	if a.both && len(a.patterns) > 0 && !byPattern {
		return false
	}
	if !a.both && byPattern {
		return true
	}
	lower := strings.ToLower(value)
	byWord := slices.ContainsFunc(a.stopWords, func(w string) bool { return strings.Contains(lower, w) })
	return byWord || a.both && len(a.stopWords) == 0
}

func vendorKind(id string) secret.Kind {
	if id == "private-key" {
		return secret.PrivateKey
	}
	return secret.AccessKey
}

// shannon is the entropy of s in bits per byte.
func shannon(s string) float64 {
	if s == "" {
		return 0
	}
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	n, h := float64(len(s)), 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			h -= p * math.Log2(p)
		}
	}
	return h
}
