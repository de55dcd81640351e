package skill

import (
	"encoding/json"
	"showhow/internal/lazyre"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Finding is one thing that a validator would reject or that a reader should know.
type Finding struct {
	Rule     string `json:"rule"` // SKILL-NAME, SKILL-DESCRIPTION, ...
	Severity string `json:"severity" enum:"error,warn,info"`
	Subject  string `json:"subject,omitempty"` // file, key or checkpoint
	Message  string `json:"message" maxLength:"300"`
	Fix      string `json:"fix,omitempty" maxLength:"240"`
}

// MaxLines is the maximum length of a SKILL.md, in lines: an agent reads all of it each time.
const MaxLines = 500

var nameForm = lazyre.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidName reports whether every known validator accepts a name.
func ValidName(name string) bool { return len(name) <= 64 && nameForm.MatchString(name) }

// Validate checks a bundle against the AgentSkills rules, as strictly as all known validators together. ours also
// requires what Showhow writes: only the six keys, flat string metadata, allowed paths.
func Validate(b Bundle, ours bool) []Finding {
	v := validator{ours: ours}
	doc, err := Parse(b)
	if err != nil {
		v.add("SKILL-FRONTMATTER", "error", Entry, "SKILL.md cannot be read: its head is missing or no valid YAML",
			"begin it with ---, name and description, ---")
		return v.findings
	}
	v.name(doc.Name, b.Name)
	v.description(doc.Description)
	v.keys(doc)
	v.metadata(b.File(Entry).Data)
	v.body(b.File(Entry).Data, doc.Body)
	v.files(b)
	return v.findings
}

type validator struct {
	ours     bool
	findings []Finding
}

func (v *validator) add(rule, severity, subject, message, fix string) {
	v.findings = append(v.findings, Finding{Rule: rule, Severity: severity, Subject: subject, Message: message, Fix: fix})
}

// strict is error for what we write and warn for what we read.
func (v *validator) strict() string {
	if v.ours {
		return "error"
	}
	return "warn"
}

func (v *validator) name(name, folder string) {
	if !ValidName(name) {
		v.add("SKILL-NAME", "error", "name", "the name is not lower-case ASCII words joined by single hyphens, at most 64 characters", "")
	}
	if name != folder {
		v.add("SKILL-FOLDER", "error", "name", "the name differs from the folder's", "give the folder the skill's name")
	}
}

func (v *validator) description(d string) {
	switch {
	case strings.TrimSpace(d) == "":
		v.add("SKILL-DESCRIPTION", "error", "description", "there is no description", "say what the skill does and when to use it")
	case utf8.RuneCountInString(d) > 1024:
		v.add("SKILL-DESCRIPTION", "error", "description", "the description is longer than 1024 characters", "")
	case utf8.RuneCountInString(d) < 20:
		v.add("SKILL-DESCRIPTION", "warn", "description", "the description is too short to say what and when", "")
	}
	if strings.ContainsAny(d, "<>") {
		v.add("SKILL-DESCRIPTION", "error", "description", "the description holds < or >", "use words")
	}
	if !ascii(d) {
		v.add("SKILL-ASCII", v.strict(), "description", "the description is not ASCII", "")
	}
}

func (v *validator) keys(d Document) {
	for _, k := range d.OtherKeys {
		v.add("SKILL-KEYS", v.strict(), k, "the frontmatter has a key outside the standard", "move it under metadata or into a file of its own")
	}
	if utf8.RuneCountInString(d.Compatibility) > 500 {
		v.add("SKILL-COMPATIBILITY", "error", "compatibility", "compatibility is longer than 500 characters", "")
	}
}

// metadata requires block YAML with string values: the reference validator refuses one-line JSON.
func (v *validator) metadata(data []byte) {
	head, _, _ := SplitMarkdown(data)
	if v.ours && !ascii(string(head)) {
		v.add("SKILL-ASCII", "error", Entry, "the frontmatter is not ASCII", "")
	}
	var root yaml.Node
	if yaml.Unmarshal(head, &root) != nil || len(root.Content) == 0 {
		return
	}
	top := root.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		if value := top.Content[i+1]; top.Content[i].Value == "metadata" {
			v.metadataNode(value)
		}
	}
}

func (v *validator) metadataNode(n *yaml.Node) {
	if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle != 0 {
		v.add("SKILL-METADATA", v.strict(), "metadata", "metadata is not a block of key: value lines", "")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if x := n.Content[i+1]; x.Kind != yaml.ScalarNode || v.ours && x.Tag != "!!str" {
			v.add("SKILL-METADATA", v.strict(), "metadata."+n.Content[i].Value, "a metadata value is not a string", "quote it")
		}
	}
}

func (v *validator) body(data []byte, body string) {
	if strings.TrimSpace(body) == "" {
		v.add("SKILL-BODY", "error", Entry, "SKILL.md has no instructions", "")
	}
	if strings.Count(string(data), "\n") > MaxLines {
		v.add("SKILL-LENGTH", v.strict(), Entry, "SKILL.md is longer than 500 lines", "move details to references/")
	}
}

func (v *validator) files(b Bundle) {
	for _, f := range b.Files {
		if f.Path != HostManaged && !Allowed(f.Path) {
			v.add("SKILL-PATH", v.strict(), f.Path, "the file is outside the folders that a skill may have", "")
		}
		if strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
			v.add("SKILL-JSON", "error", f.Path, "the file is no valid JSON", "")
		}
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
