package redact

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestVendorRules checks gitleaks' rules, as we evaluate them, on examples of gitleaks' own tests: what each rule
// must find and what it must leave alone. Each text is checked by one rule, after its keywords.
func TestVendorRules(t *testing.T) {
	rules, err := loadVendorRules()
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) < 200 {
		t.Errorf("%d rules", len(rules))
	}
	byID := map[string]*ruleSet{}
	for _, r := range rules {
		byID[r.id] = newRuleSet(nil, []*vendorRule{r})
	}
	shown := map[string]bool{}
	for _, line := range lines(t, "gitleaks.jsonl") {
		var e struct {
			Rule, Text string
			Found      bool
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		set := byID[e.Rule]
		if set == nil {
			continue // bound to files
		}
		shown[e.Rule] = shown[e.Rule] || e.Found
		if found := set.scan(Clean(e.Text)); (len(found) > 0) != e.Found {
			t.Errorf("%s: found %v in %q", e.Rule, found, e.Text)
		}
	}
	for _, r := range rules {
		if !shown[r.id] && !slices.Contains(withoutExample, r.id) {
			t.Errorf("%s: no example that it finds", r.id)
		}
	}
}

// withoutExample are rules for which gitleaks has no example.
var withoutExample = []string{"dropbox-long-lived-api-token", "dropbox-short-lived-api-token"}

// TestPatternsCompile: patterns are compiled when first needed, so an invalid one would show late.
func TestPatternsCompile(t *testing.T) {
	rules, err := loadVendorRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		r.re.get()
		for _, a := range r.allows {
			for _, p := range a.patterns {
				p.get()
			}
		}
	}
	for _, r := range ownRules() {
		r.re.get()
	}
}

// TestAllowlists: how conditions and targets combine, which gitleaks' own examples hardly show.
func TestAllowlists(t *testing.T) {
	for name, c := range map[string]struct {
		list vendorAllowlist
		want bool
	}{
		"a pattern":                 {vendorAllowlist{Regexes: []string{"^val"}}, true},
		"a pattern of the match":    {vendorAllowlist{RegexTarget: "match", Regexes: []string{"^key="}}, true},
		"a pattern of the line":     {vendorAllowlist{RegexTarget: "line", Regexes: []string{"^let"}}, true},
		"not of the secret":         {vendorAllowlist{Regexes: []string{"^let"}}, false},
		"a stop word in any case":   {vendorAllowlist{StopWords: []string{"LUE1"}}, true},
		"either":                    {vendorAllowlist{Regexes: []string{"nothing"}, StopWords: []string{"value"}}, true},
		"both, one missing":         {vendorAllowlist{Condition: "AND", Regexes: []string{"nothing"}, StopWords: []string{"value"}}, false},
		"both":                      {vendorAllowlist{Condition: "AND", Regexes: []string{"val"}, StopWords: []string{"value"}}, true},
		"both, and a path":          {vendorAllowlist{Condition: "AND", Regexes: []string{"val"}, Paths: []string{"x"}}, false},
		"either, and a path":        {vendorAllowlist{Regexes: []string{"val"}, Paths: []string{"x"}}, true},
		"nothing that applies here": {vendorAllowlist{Paths: []string{"x"}}, false},
	} {
		list, err := c.list.list()
		if err != nil {
			t.Fatal(name, err)
		}
		if got := list != nil && list.admits("value1", "key=value1", "let key=value1;"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, bad := range []vendorAllowlist{{Condition: "NEITHER"}, {RegexTarget: "file"}} {
		if _, err := bad.list(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
