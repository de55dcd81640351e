package door

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"showhow/daemon/connector"
)

// tool is a definition as agents read it. One whose texts give orders, by the rules of flags, keeps its name and which arguments it
// takes; what it says of itself and of them is left out. The definition that a person saw, and its hash, stay as they are.
func (j reader) tool(server string, def *connector.Definition, flags []string) json.RawMessage {
	if len(flags) == 0 {
		return unmarked(def.Tool)
	}
	var all struct {
		InputSchema any            `json:"inputSchema"`
		Annotations map[string]any `json:"annotations"`
	}
	_ = json.Unmarshal(def.Tool, &all) // it was valid when it was stored
	hints := map[string]bool{}
	for k, v := range all.Annotations {
		if b, ok := v.(bool); ok && strings.HasSuffix(k, "Hint") && len(j.instructs(k)) == 0 {
			hints[k] = b
		}
	}
	schema, err := json.Marshal(bare(all.InputSchema))
	if err != nil || len(j.instructs(connector.TextsIn(schema))) > 0 { // in the names of arguments, or among choices
		schema = []byte(`{"type":"object"}`)
	}
	out, err := json.Marshal(map[string]any{"name": def.Name, "description": leftOut(server, flags), "inputSchema": json.RawMessage(schema),
		"annotations": hints, "_meta": map[string]any{flagKey: flags}})
	if err != nil { // none of it can fail
		return json.RawMessage(`{}`)
	}
	return out
}

// unmarked is a definition without a mark that its service set itself.
func unmarked(tool json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	var meta map[string]json.RawMessage
	if !bytes.Contains(tool, []byte(`"_meta"`)) || json.Unmarshal(tool, &all) != nil || json.Unmarshal(all["_meta"], &meta) != nil {
		return tool
	}
	if _, marked := meta[flagKey]; !marked {
		return tool
	}
	delete(meta, flagKey)
	rest, err := json.Marshal(meta)
	if err != nil {
		return tool
	}
	all["_meta"] = rest
	if rest, err = json.Marshal(all); err != nil {
		return tool
	}
	return rest
}

// Where a JSON schema holds other schemas: one, a list of them, or one for each name.
var (
	subschema  = []string{"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"}
	subschemas = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	byNames    = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// bare is a JSON schema without texts for a reader: what an argument must be is left.
func bare(schema any) any {
	in, ok := schema.(map[string]any)
	if !ok {
		return schema == true // a schema may be true or false
	}
	out := map[string]any{}
	for k, v := range in {
		switch v := v.(type) {
		case bool:
			out[k] = v
		case float64:
			out[k] = v
		case map[string]any:
			switch {
			case slices.Contains(subschema, k):
				out[k] = bare(v)
			case slices.Contains(byNames, k):
				named := map[string]any{}
				for name, x := range v {
					named[name] = bare(x)
				}
				out[k] = named
			}
		case []any:
			switch {
			case slices.Contains(subschemas, k):
				var all []any
				for _, x := range v {
					all = append(all, bare(x))
				}
				out[k] = all
			case k == "enum" || k == "required" || k == "type":
				out[k] = v
			}
		case string:
			if k == "type" || k == "const" || k == "format" || k == "$ref" {
				out[k] = v
			}
		}
	}
	return out
}
