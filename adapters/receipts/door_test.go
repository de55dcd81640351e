package receipts

import (
	"encoding/json"
	"testing"
	"time"

	"showhow/adapters/receipts/report"
	"showhow/capture"
)

// Arguments keep their names, order and JSON types; what a name and a value cannot express is marked as cut.
func TestFromDoor(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":7,"a":"x","c":{"d":[true,null]},"e":[],"f":{}}`: "a=x b=7/number c.d.0=true/truth c.d.1=/nothing e=/list f=/object",
		``: "", `{"a.b":1}`: "a.b=1/number CUT", `{"o":{"0":1}}`: "o.0=1/number CUT", `[1]`: "CUT",
		`{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}`: "CUT",
	} {
		o := FromDoor(Called{Agent: "codex", Connector: "tracker", Tool: "tracker__create", Class: "write", Args: json.RawMessage(text),
			Began: time.Now()})
		got := ""
		for _, a := range o.Call.Args {
			got += " " + a.Name + "=" + a.Value.Text
			if a.Form != "" {
				got += "/" + a.Form
			}
		}
		if o.Call.ArgsCut {
			got += " CUT"
		}
		if len(got) > 0 {
			got = got[1:]
		}
		if got != want || o.Surface != capture.SurfaceConnector || !o.Changed {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A hook's report of a call at the door is recognised, also if it went through call_tool.
func TestAtDoor(t *testing.T) {
	plain := Receipt{Kind: report.ToolCall, Agent: "codex", Tool: "mcp__showhow__tracker__create",
		Args: []report.Arg{{Name: "title", Value: "x"}}}
	through := Receipt{Kind: report.ToolCall, Agent: "codex", Tool: "mcp__showhow__call_tool", Args: []report.Arg{
		{Name: "name", Value: "tracker__create"}, {Name: "arguments.title", Value: "x"}}}
	for _, r := range []Receipt{plain, through} {
		c := Observation(r, time.Now()).Call
		if !AtDoor(r) || c.Connector != "tracker" || c.Tool != "tracker__create" || len(c.Args) != 1 || c.Args[0].Name != "title" {
			t.Errorf("%+v", c)
		}
	}
	if r := (Receipt{Kind: report.ToolCall, Tool: "mcp__tracker__create"}); AtDoor(r) || Observation(r, time.Now()).Call.Connector != "" {
		t.Error("another server's tool was taken for the door's")
	}
}
