package receipts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/capture"
)

// Called is a tool call that Showhow itself made for an agent (at the door). No report is needed: its result is
// known.
type Called struct {
	Agent     string
	Session   string // of the agent at the door
	Connector string
	Tool      string // its name at the door
	Class     string
	Args      json.RawMessage
	Failed    bool
	Began     time.Time
	Took      time.Duration
}

// FromDoor is the observation of a call through the door.
func FromDoor(c Called) capture.Observation {
	call := &capture.RawCall{Agent: c.Agent, RunID: c.Session, Tool: c.Tool, Connector: c.Connector, Class: c.Class, Failed: c.Failed,
		Duration: c.Took}
	call.Args, call.ArgsCut = arguments(c.Args)
	return capture.Observation{Kind: capture.MCPReceipt, OccurredAt: c.Began, Verb: capture.Call, Surface: capture.SurfaceConnector,
		Origin: capture.Origin{App: c.Agent}, Call: call, Changed: c.Class != "read" && !c.Failed}
}

// Bounds of what is kept of a call's arguments.
const (
	mostArgs  = 40
	deepest   = 6
	longest   = 32 << 10
	doorTools = "mcp__showhow__" // before a tool of the door, as agents name it
	callTool  = "call_tool"
)

// arguments lists the leaves of an object, nested ones by their path, ordered by name. cut means that some are
// missing, or that a path would not lead back to its value.
func arguments(raw json.RawMessage) (out []capture.RawArg, cut bool) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var all map[string]any
	if dec.Decode(&all) != nil {
		return nil, true
	}
	var walk func(path string, v any, depth int)
	put := func(path, form, text string, kind capture.ValueKind) {
		if len(out) == mostArgs || len(text) > longest {
			cut = true
			return
		}
		out = append(out, capture.RawArg{Name: path, Form: form, Value: capture.RawValue{Text: text, Kind: kind}})
	}
	walk = func(path string, v any, depth int) {
		if depth > deepest {
			cut = true
			return
		}
		switch v := v.(type) {
		case map[string]any:
			if len(v) == 0 && path != "" {
				put(path, "object", "", "")
			}
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				cut = cut || name == "" || strings.Contains(name, ".") || strings.Trim(name, "0123456789") == ""
				walk(joined(path, name), v[name], depth+1)
			}
		case []any:
			if len(v) == 0 {
				put(path, "list", "", "")
			}
			for i, item := range v {
				walk(joined(path, strconv.Itoa(i)), item, depth+1)
			}
		case string:
			put(path, "", v, "")
		case json.Number:
			put(path, "number", v.String(), capture.KindNumber)
		case bool:
			put(path, "truth", strconv.FormatBool(v), capture.KindBoolean)
		case nil:
			put(path, "nothing", "", "")
		}
	}
	walk("", all, 0)
	return out, cut
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// AtDoor reports whether a call that an agent reports went through the door and is therefore known already.
func AtDoor(r Receipt) bool { return r.Kind == report.ToolCall && strings.HasPrefix(r.Tool, doorTools) }

// behindDoor is the tool that a reported call at the door was for, with its arguments: call_tool calls another tool.
func behindDoor(r Receipt) (tool string, args []report.Arg) {
	tool, args = strings.TrimPrefix(r.Tool, doorTools), r.Args
	if tool != callTool {
		return tool, args
	}
	var inner []report.Arg
	for _, a := range args {
		if a.Name == "name" {
			tool = a.Value
		} else if name, ok := strings.CutPrefix(a.Name, "arguments."); ok {
			inner = append(inner, report.Arg{Name: name, Value: a.Value})
		}
	}
	return tool, inner
}
