package skills

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"showhow/daemon/skill"
)

// stated is what an entry needs of a frontmatter.
type stated struct{ name, description string }

const (
	maxNodes = 20000     // of a frontmatter with its aliases resolved
	maxText  = 256 << 10 // of its keys and scalars, likewise
)

// frontmatter renders the frontmatter of a SKILL.md as the JSON object that an entry carries: every field, unchanged. A
// date stays the text that it is, because another YAML parser reads it as one.
func frontmatter(md []byte) (json.RawMessage, stated, error) {
	head, _, ok := skill.SplitMarkdown(md)
	if !ok || len(head) > skill.MaxHead || !utf8.Valid(md) {
		return nil, stated{}, unserved("SKILL.md does not begin with a frontmatter of at most 64 KB", "")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(head, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, stated{}, unserved("the frontmatter of SKILL.md is not a YAML mapping", "")
	}
	r := renderer{nodes: maxNodes, text: maxText}
	v, err := r.value(doc.Content[0], 0)
	if err != nil {
		return nil, stated{}, err
	}
	fields, _ := v.(map[string]any)
	said := stated{}
	said.name, _ = fields["name"].(string)
	said.description, _ = fields["description"].(string)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(fields); err != nil {
		return nil, said, unserved("the frontmatter of SKILL.md has a value that JSON cannot express", "")
	}
	return bytes.TrimSpace(b.Bytes()), said, nil
}

// renderer turns YAML into values that encoding/json writes. It counts down the nodes and the bytes of text that it may
// still write: an alias repeats what it stands for.
type renderer struct{ nodes, text int }

func (r *renderer) value(n *yaml.Node, depth int) (any, error) {
	r.nodes--
	if n.Kind == yaml.ScalarNode {
		r.text -= len(n.Value)
	}
	if r.nodes < 0 || r.text < 0 || depth > 50 {
		return nil, unserved("the frontmatter of SKILL.md is too deep or repeats itself too often", "")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			if key.Kind != yaml.ScalarNode {
				return nil, unserved("the frontmatter of SKILL.md has a key that is no text", "")
			}
			if _, twice := out[key.Value]; twice {
				return nil, unserved("the frontmatter of SKILL.md has a key twice", "")
			}
			r.text -= len(key.Value)
			v, err := r.value(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			out[key.Value] = v
		}
		return out, nil
	}
	return scalar(n)
}

// scalar is the value of a plain YAML scalar: null, bool or number where JSON has one that means the same, else its
// text.
func scalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var v bool
		err := n.Decode(&v)
		return v, err
	case "!!int":
		if json.Valid([]byte(n.Value)) { // also one that no Go integer holds
			return json.Number(n.Value), nil
		}
		var v int64
		if err := n.Decode(&v); err != nil {
			return n.Value, nil
		}
		return json.Number(strconv.FormatInt(v, 10)), nil
	case "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
		var v float64
		if err := n.Decode(&v); err != nil || v != v || v > 1e308 || v < -1e308 {
			return n.Value, nil
		}
		return v, nil
	}
	return n.Value, nil
}
