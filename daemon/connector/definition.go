package connector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/danger"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Class is what a tool is assumed to do.
type Class string

// The classes, mildest first. Other is a tool of which nothing can be said.
const (
	Read   Class = "read"
	Write  Class = "write"
	Send   Class = "send"
	Delete Class = "delete"
	Other  Class = "other"
)

// Classify classifies a tool by the words of its name. The server's own hint only ever adds caution (decisions H7): a
// tool that declares itself a writer is never a reader, and one that declares itself read-only is still judged by its
// name.
func Classify(name string, saysReadOnly, hasHint bool) (Class, string) {
	f := danger.Tool(name)
	class := Other
	switch {
	case f.Has(danger.Destroys), f.Has(danger.Escalates):
		class = Delete
	case f.Has(danger.Sends), f.Has(danger.Installs):
		class = Send
	case f.Has(danger.Writes):
		class = Write
	case f.Has(danger.Reads):
		class = Read
	}
	if class == Read && hasHint && !saysReadOnly {
		return Other, "its name says that it looks, and its server says that it may change something"
	}
	return class, f.Why
}

// Contradicts reports whether the server itself says that the tool does more than a class: that one which is said to
// only read changes something, or that one of any class but Delete destroys something.
func (d *Definition) Contradicts(class Class) bool {
	var t struct {
		Annotations map[string]any `json:"annotations"` // a hint of another type hides no other
	}
	if json.Unmarshal(d.Tool, &t) != nil {
		return false
	}
	return class == Read && t.Annotations["readOnlyHint"] == false || class != Delete && t.Annotations["destructiveHint"] == true
}

// StricterThan reports whether a class is one of tools that can do more harm than those of another.
func (c Class) StricterThan(other Class) bool {
	order := []Class{Read, Write, Send, Other, Delete}
	return slices.Index(order, c) > slices.Index(order, other)
}

// Bounds of what a server may describe. Tools beyond them are refused and shown as such.
const (
	MaxTools       = 2000
	MaxDefinition  = 256 << 10
	maxDescription = 32 << 10
	maxToolName    = 120
)

var toolName = lazyre.New(`^[A-Za-z0-9_.:/-]{1,120}$`)

// Define makes the definition of a tool as a server listed it. The hash covers all of it except the order of keys, also of one that is
// larger than is kept.
func Define(tool json.RawMessage) (Definition, error) {
	var all map[string]any
	dec := json.NewDecoder(bytes.NewReader(tool))
	dec.UseNumber()
	if err := dec.Decode(&all); err != nil {
		return Definition{}, fault.Wrap(err, fault.MalformedJSON, "the definition of a tool is no JSON object")
	}
	sorted, err := json.Marshal(all) // keys of maps are in order
	if err != nil {
		return Definition{}, fault.Wrap(err, fault.MalformedJSON, "the definition of a tool is no JSON object")
	}
	sum := sha256.Sum256(sorted)
	d := Definition{Tool: sorted, Hash: hex.EncodeToString(sum[:])}
	told := d.Told()
	if len(tool) > MaxDefinition {
		kept := refusedDefinition(told.Name, fmt.Sprintf("its definition is larger than the %d KB that Showhow keeps", MaxDefinition>>10))
		kept.Hash = d.Hash
		return kept, nil
	}
	hints, _ := all["annotations"].(map[string]any)
	hint, hasHint := hints["readOnlyHint"].(bool)
	d.Name = told.Name
	if d.Class, d.Why = Classify(told.Name, hint, hasHint); d.Class == Read && d.Contradicts(Read) {
		d.Class, d.Why = Other, "its name says that it looks, and its server says that it may destroy something"
	}
	d.Refused = refused(told)
	return d, nil
}

// Beyond stands for the tools that a server lists beyond MaxTools, for the person: no agent sees it.
func Beyond() Definition {
	return refusedDefinition("(more tools)", fmt.Sprintf("the service lists more than the %d tools that Showhow takes; the rest is left out",
		MaxTools))
}

// refusedDefinition is what is kept of a tool that is refused without its definition.
func refusedDefinition(name, why string) Definition {
	if r := []rune(name); len(r) > maxToolName {
		name = string(r[:maxToolName])
	}
	tool, _ := json.Marshal(map[string]any{"name": name, "inputSchema": map[string]any{"type": "object"}}) // strings can always be written
	sum := sha256.Sum256([]byte(why))
	return Definition{Name: name, Tool: tool, Hash: hex.EncodeToString(sum[:]), Class: Other, Why: "nothing is known of it", Refused: why}
}

// refused returns why a tool cannot be offered at all; usually "".
func refused(t Told) string {
	var schema struct {
		Type string `json:"type"`
	}
	switch {
	case len(t.Name) > maxToolName || !toolName.MatchString(t.Name):
		return "its name is not one that a tool can have"
	case strings.Contains(t.Name, Separator):
		return "its name looks like that of another server's tool"
	case claimsOurs(t.Name):
		return "it takes the name of a tool of Showhow's own"
	case len(t.Description) > maxDescription:
		return "its description is longer than anybody would read"
	case json.Unmarshal(t.InputSchema, &schema) != nil || schema.Type != "object":
		return "it does not say which arguments it takes"
	}
	return ""
}

// Own are the names of the door's own tools, reserved for it.
var Own = []string{FindTools, CallTool}

// The door's own tools, which replace all others when there are many.
const (
	FindTools = "find_tools"
	CallTool  = "call_tool"
)

func claimsOurs(name string) bool {
	return slices.Contains(Own, name) || strings.HasPrefix(strings.ToLower(name), "showhow")
}

// HashOf is the hash over all definitions that agents could be shown.
func HashOf(tools []Definition) string {
	h := sha256.New()
	for _, d := range slices.SortedFunc(slices.Values(tools), func(a, b Definition) int { return strings.Compare(a.Name, b.Name) }) {
		fmt.Fprintf(h, "%s %s\n", d.Name, d.Hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Differences lists, line by line, how one definition differs from another.
func Differences(before, after Definition) []string {
	var a, b map[string]any
	if json.Unmarshal(before.Tool, &a) != nil || json.Unmarshal(after.Tool, &b) != nil {
		return []string{"it cannot be compared"}
	}
	var out []string
	walk("", a, b, &out)
	return out
}

const mostLines = 40

func walk(at string, a, b any, out *[]string) {
	ma, aObj := a.(map[string]any)
	mb, bObj := b.(map[string]any)
	if aObj && bObj {
		keys := map[string]bool{}
		for k := range ma {
			keys[k] = true
		}
		for k := range mb {
			keys[k] = true
		}
		for _, k := range sortedKeys(keys) {
			walk(strings.TrimPrefix(at+"."+k, "."), ma[k], mb[k], out)
		}
		return
	}
	x, y := text(a), text(b)
	if x == y || len(*out) >= mostLines {
		return
	}
	switch {
	case a == nil:
		*out = append(*out, clip(at+" is new: "+y))
	case b == nil:
		*out = append(*out, clip(at+" is gone: "+x))
	default:
		*out = append(*out, clip(fmt.Sprintf("%s was %s, is %s", at, shorten(x), shorten(y))))
	}
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return s
}

func clip(s string) string {
	if r := []rune(s); len(r) > 480 {
		return string(r[:479]) + "…"
	}
	return s
}
