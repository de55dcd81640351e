package redact

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"showhow/capture/secret"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// loadVendorRules reads gitleaks' rules, to be run by our own loop: it works on offsets, skips every rule whose keywords are
// absent without touching it, and leaves out gitleaks' allow comments and global allow-list, which let real values pass
// ("false" anywhere in a value, for one).
func loadVendorRules() ([]*config.Rule, error) {
	cfg, err := parseVendorConfig()
	if err != nil {
		return nil, fmt.Errorf("gitleaks rules: %w", err)
	}
	var out []*config.Rule
	for _, id := range cfg.OrderedRules {
		rule, ok := cfg.Rules[id]
		if !ok || rule.Regex == nil || rule.Path != nil || len(rule.RequiredRules) > 0 {
			continue // bound to files, which have other ways in
		}
		out = append(out, &rule)
	}
	return out, nil
}

// parseMu: gitleaks keeps a package-level counter while it translates.
var parseMu sync.Mutex

func parseVendorConfig() (config.Config, error) {
	parseMu.Lock()
	defer parseMu.Unlock()
	vp := viper.New()
	vp.SetConfigType("toml")
	if err := vp.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		return config.Config{}, err
	}
	var vc config.ViperConfig
	if err := vp.Unmarshal(&vc); err != nil {
		return config.Config{}, err
	}
	return vc.Translate()
}

func runVendorRule(rule *config.Rule, text string, found []Span) []Span {
	for _, m := range rule.Regex.FindAllStringSubmatchIndex(text, -1) {
		start, end := secretGroup(m, rule.SecretGroup)
		secret := text[start:end]
		if secret == "" || strings.Trim(secret, "\x00 ") == "" {
			continue
		}
		if rule.Entropy != 0 && shannon(secret) <= rule.Entropy {
			continue
		}
		if allowed(rule, secret, text[m[0]:m[1]], text) {
			continue
		}
		found = append(found, Span{Start: start, End: end, Kind: vendorKind(rule.RuleID)})
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

// allowed applies a rule's own allow-lists; those bound to files or commits never apply to text.
func allowed(rule *config.Rule, secret, match, text string) bool {
	for _, a := range rule.Allowlists {
		if len(a.Paths)+len(a.Commits) > 0 && a.MatchCondition == config.AllowlistMatchAnd {
			continue
		}
		target := secret
		switch a.RegexTarget {
		case "match":
			target = match
		case "line":
			target = text
		}
		byRegex := len(a.Regexes) > 0 && a.RegexAllowed(target)
		byWord := false
		if len(a.StopWords) > 0 {
			byWord, _ = a.ContainsStopWord(secret)
		}
		if a.MatchCondition == config.AllowlistMatchAnd {
			if (len(a.Regexes) == 0 || byRegex) && (len(a.StopWords) == 0 || byWord) {
				return true
			}
		} else if byRegex || byWord {
			return true
		}
	}
	return false
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
