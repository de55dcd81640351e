package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// A profile says which frontmatter one kind of agent reads. Other keys are moved where they are harmless, never
// dropped: under metadata, as text.
type profile struct {
	keys     []string // top-level keys that it knows
	jsonMeta bool     // reads a skill's requirements from one-line JSON metadata
	reserved []string // words that a name must not hold
}

var profiles = map[string]profile{
	"agentskills": {keys: standardKeys},
	"codex":       {keys: standardKeys},
	"openclaw": {keys: append(slices.Clone(standardKeys), "homepage", "user-invocable", "disable-model-invocation", "command-dispatch",
		"command-tool",
		"command-arg-mode"), jsonMeta: true},
	"claude": {keys: append(slices.Clone(standardKeys), "argument-hint", "disable-model-invocation", "user-invocable", "model", "context",
		"agent", "hooks",
		"when_to_use", "effort", "paths", "shell"), reserved: []string{"anthropic", "claude"}},
}

// Targets lists the kinds of agents that a skill can be emitted for, the portable one first.
func Targets() []string { return []string{"agentskills", "openclaw", "claude", "codex"} }

// TargetOf is the profile for an agent's folder name: the portable one for unknown agents.
func TargetOf(name string) string {
	if _, ok := profiles[name]; ok {
		return name
	}
	return "agentskills"
}

// TargetVerdict is how a skill suits one kind of agent.
type TargetVerdict struct {
	Target   string    `json:"target"`
	Verdict  string    `json:"verdict" enum:"as_is,adapted,refused" doc:"as_is: taken unchanged; adapted: export changes the head of SKILL.md; refused: the author has to change it"`
	Findings []Finding `json:"findings"`
}

// Verdicts says for every target whether it accepts the skill.
func Verdicts(b Bundle) []TargetVerdict {
	out := []TargetVerdict{}
	for _, t := range Targets() {
		v := TargetVerdict{Target: t, Verdict: "as_is", Findings: obstacles(b, t)}
		for _, f := range v.Findings {
			switch {
			case f.Severity == "error":
				v.Verdict = "refused"
			case f.Severity == "warn" && v.Verdict == "as_is":
				v.Verdict = "adapted"
			}
		}
		out = append(out, v)
	}
	return out
}

// Emit is the skill in a target's format: unchanged if possible, otherwise with another frontmatter. The body is never
// touched.
func Emit(b Bundle, target string) (Bundle, []Finding, error) {
	p, ok := profiles[target]
	if !ok {
		return b, nil, fault.New(fault.InvalidRequest, "there is no such target").WithHint("one of " + strings.Join(Targets(), ", "))
	}
	found := obstacles(b, target)
	adapt := false
	for _, f := range found {
		if f.Severity == "error" {
			return b, found, fault.New(fault.InvalidRequest, f.Message).WithDetail("rule", f.Rule).WithHint(f.Fix)
		}
		adapt = adapt || f.Severity == "warn"
	}
	out := Bundle{Name: b.Name}
	for _, f := range b.Files {
		if f.Path == HostManaged {
			continue
		}
		if adapt && f.Path == Entry {
			_, body, _ := SplitMarkdown(f.Data)
			head, err := headFor(f.Data, p)
			if err != nil {
				return b, found, err
			}
			f.Data = append([]byte("---\n"+head+"---\n"), ensureBlank(body)...)
		}
		out.Files = append(out.Files, f)
	}
	return out, found, nil
}

func ensureBlank(body []byte) []byte {
	if bytes.HasPrefix(body, []byte("\n")) || len(body) == 0 {
		return body
	}
	return append([]byte("\n"), body...)
}

// obstacles lists a target's objections: errors that only the author can fix, warnings that Emit fixes.
func obstacles(b Bundle, target string) []Finding {
	v := validator{findings: []Finding{}}
	p := profiles[target]
	doc, err := Parse(b)
	if err != nil {
		v.add("SKILL-FRONTMATTER", "error", Entry, fault.From(err).Message, "begin it with ---, name and description, ---")
		return v.findings
	}
	v.name(doc.Name, b.Name)
	for _, w := range p.reserved {
		if strings.Contains(doc.Name, w) {
			v.add("SKILL-RESERVED", "error", "name", "the name holds a word that this agent keeps for itself: "+w, "choose another name")
		}
	}
	if strings.TrimSpace(doc.Description) == "" {
		v.add("SKILL-DESCRIPTION", "error", "description", "there is no description", "say what the skill does and when to use it")
	}
	if strings.TrimSpace(doc.Body) == "" {
		v.add("SKILL-BODY", "info", Entry, "SKILL.md has no instructions", "")
	}
	v.shape(b.File(Entry).Data, doc, p)
	return v.findings
}

// shape finds frontmatter whose form differs from what the target reads.
func (v *validator) shape(data []byte, doc Document, p profile) {
	if utf8.RuneCountInString(doc.Description) > 1024 {
		v.add("SKILL-DESCRIPTION", "warn", "description", "the description is longer than 1024 characters: it is cut", "")
	}
	if strings.ContainsAny(doc.Description, "<>") {
		v.add("SKILL-DESCRIPTION", "warn", "description", "the description holds < or >, which some agents refuse: they become brackets", "")
	}
	if utf8.RuneCountInString(doc.Compatibility) > 500 {
		v.add("SKILL-COMPATIBILITY", "warn", "compatibility", "compatibility is longer than 500 characters: it is cut", "")
	}
	head, _, _ := SplitMarkdown(data)
	var root yaml.Node
	if yaml.Unmarshal(head, &root) != nil || len(root.Content) == 0 {
		return
	}
	top := root.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, n := top.Content[i].Value, top.Content[i+1]
		switch {
		case !slices.Contains(p.keys, key):
			v.add("SKILL-KEYS", "warn", key, "a key that this agent does not know: it moves under metadata", "")
		case key == "metadata":
			v.metadataShape(n, doc, p)
		case slices.Contains([]string{"name", "description", "license", "compatibility", "allowed-tools"}, key) &&
			(n.Kind != yaml.ScalarNode || n.Tag != "!!str"):
			v.add("SKILL-TYPE", "warn", key, "its value is not plain text", "")
		}
	}
}

func (v *validator) metadataShape(n *yaml.Node, doc Document, p profile) {
	if p.jsonMeta && requirements(doc) {
		if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 {
			v.add("SKILL-METADATA", "warn", "metadata", "this agent reads requirements from metadata on one line, as JSON", "")
		}
		return
	}
	if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle != 0 {
		v.add("SKILL-METADATA", "warn", "metadata", "metadata is not a block of key: value lines", "")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if x := n.Content[i+1]; x.Kind != yaml.ScalarNode || x.Tag != "!!str" {
			v.add("SKILL-METADATA", "warn", "metadata."+n.Content[i].Value, "a metadata value is not text", "")
		}
	}
}

// requirementKeys are the keys under which OpenClaw and its registry keep a skill's requirements.
var requirementKeys = []string{"openclaw", "clawdbot", "clawdis"}

func requirements(doc Document) bool {
	for k := range doc.Metadata {
		first, _, _ := strings.Cut(k, ".")
		if slices.Contains(requirementKeys, first) {
			return true
		}
	}
	return false
}

// headFor rewrites the frontmatter.
func headFor(data []byte, p profile) (string, error) {
	doc, err := ParseMarkdown(data)
	if err != nil {
		return "", err
	}
	head, _, _ := SplitMarkdown(data)
	raw := map[string]any{}
	if err := yaml.Unmarshal(head, &raw); err != nil {
		return "", fault.Wrap(err, fault.InvalidRequest, "the frontmatter of SKILL.md is not valid YAML")
	}
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + quoted(value) + "\n")
		}
	}
	b.WriteString("name: " + plainName(doc.Name) + "\n")
	line("description", plain.Cut(brackets.Replace(strings.Join(strings.Fields(doc.Description), " ")), 1024))
	line("license", doc.License)
	line("compatibility", plain.Cut(doc.Compatibility, 500))
	moved := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(raw)) {
		switch {
		case slices.Contains(standardKeys, k):
		case slices.Contains(p.keys, k):
			text, err := json.Marshal(raw[k]) // JSON is YAML
			if err != nil {
				return "", fault.Wrap(err, fault.InvalidRequest, "the frontmatter of SKILL.md cannot be written")
			}
			b.WriteString(k + ": " + string(text) + "\n")
		default:
			flatten(k, raw[k], moved)
		}
	}
	if err := writeMetadata(&b, raw["metadata"], doc, moved, p); err != nil {
		return "", err
	}
	line("allowed-tools", strings.Join(doc.AllowedTools, " "))
	return b.String(), nil
}

// writeMetadata writes the flat block that everybody reads, or the line of JSON from which an agent reads
// requirements.
func writeMetadata(b *strings.Builder, raw any, doc Document, moved map[string]string, p profile) error {
	if p.jsonMeta && requirements(doc) {
		all, ok := raw.(map[string]any)
		if !ok {
			all = map[string]any{}
		}
		all = maps.Clone(all)
		for k, v := range moved {
			if _, taken := all[k]; !taken {
				all[k] = v
			}
		}
		text, err := json.Marshal(all)
		if err != nil {
			return fault.Wrap(err, fault.InvalidRequest, "the metadata of SKILL.md cannot be written")
		}
		fmt.Fprintf(b, "metadata: %s\n", text)
		return nil
	}
	all := maps.Clone(doc.Metadata)
	if all == nil {
		all = map[string]string{}
	}
	for k, v := range moved {
		if _, taken := all[k]; !taken {
			all[k] = v
		}
	}
	if len(all) == 0 {
		return nil
	}
	b.WriteString("metadata:\n")
	for _, k := range slices.Sorted(maps.Keys(all)) {
		key := k
		if !plainKey.MatchString(k) {
			key = quoted(k)
		}
		fmt.Fprintf(b, "  %s: %s\n", key, quoted(all[k]))
	}
	return nil
}

var plainKey = lazyre.New(`^[A-Za-z][A-Za-z0-9_.-]*$`)

var brackets = strings.NewReplacer("<", "[", ">", "]")

// quoted is a one-line double-quoted YAML scalar; non-ASCII text stays as it is.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
