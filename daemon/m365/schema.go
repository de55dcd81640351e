package m365

import (
	"encoding/json"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/internal/fault"
)

// Schemas of single fields.
func str(least, most int) map[string]any {
	m := map[string]any{"type": "string", "maxLength": most}
	if least > 0 {
		m["minLength"] = least
	}
	return m
}

func whole(least, most, usual int) map[string]any {
	m := map[string]any{"type": "integer", "minimum": least, "maximum": most}
	if usual > 0 {
		m["default"] = usual
	}
	return m
}

func oneOf(values ...string) map[string]any { return map[string]any{"type": "string", "enum": values} }
func flag() map[string]any                  { return map[string]any{"type": "boolean", "default": false} }
func moment() map[string]any {
	return map[string]any{"type": "string", "format": "date-time", "maxLength": 40}
}

func listOf(items map[string]any, most int) map[string]any {
	return map[string]any{"type": "array", "items": items, "maxItems": most}
}

func emails() map[string]any {
	return listOf(map[string]any{"type": "string", "format": "email", "maxLength": 320}, mostAttendees)
}

// mostAttendees is Showhow's own bound: the specification names none.
const mostAttendees = 100

type fields map[string]map[string]any

// takes is what each operation takes beside the context; those whose names end with * are required.
func takes(family string) fields {
	target := fields{"thread_id": str(1, 240), "message_id": str(1, 240)}
	switch family {
	case Search:
		return fields{"query*": str(1, 1000), "entity_filters": listOf(oneOf("files", "sites", "mail", "people"), 4),
			"max_results": whole(1, 100, 20)}
	case ListDocuments:
		return fields{"site_ref*": str(1, 240), "drive_ref": str(1, 240), "folder_ref": str(1, 240), "max_results": whole(1, 200, 50)}
	case FetchFile:
		return fields{"drive_item_ref*": str(1, 240), "include_content": flag()}
	case LatestDocument:
		return fields{"project_id*": str(1, 160), "document_role": str(0, 120), "title_hint": str(0, 240)}
	case MailSearch:
		return fields{"query*": str(1, 1000), "folder": str(1, 120), "max_results": whole(1, 100, 25)}
	case DraftReply:
		target["body_markdown*"], target["subject_override"] = str(0, 40000), str(0, 240)
		return target
	case GetThread:
		return target
	case Availability:
		return fields{"attendee_emails": emails(), "time_min*": moment(), "time_max*": moment(), "duration_minutes": whole(15, 480, 0)}
	case CreateEvent:
		return fields{"title*": str(0, 240), "start_time*": moment(), "end_time*": moment(), "attendee_emails": emails(), "location": str(0, 240),
			"body_markdown": str(0, 20000)}
	case UpdateEvent:
		return fields{"event_id*": str(1, 240), "title": str(0, 240), "start_time": moment(), "end_time": moment(), "attendee_emails": emails(),
			"location": str(0, 240), "body_markdown": str(0, 20000)}
	case WordContent:
		return fields{"document_ref*": str(1, 240), "include_comments": flag()}
	case WordComments:
		return fields{"document_ref*": str(1, 240), "max_results": whole(1, 500, 100)}
	case PostMessage:
		return fields{"target_kind*": oneOf("channel", "chat"), "target_ref*": str(1, 240), "message_markdown*": str(1, 20000)}
	case ChannelContext:
		return fields{"team_id*": str(1, 240), "channel_id*": str(1, 240), "include_recent_messages": flag()}
	}
	return nil
}

// schemaOf is the schema of an operation's arguments: its own fields, and the context's, which the door fills in.
func schemaOf(family string) map[string]any {
	props, required := map[string]any{"server_id": str(0, 120), "operation_family": map[string]any{"const": family},
		"interaction_mode": oneOf(Interactive, Background), "auth_profile_id": str(0, 120), "dispatch_id": str(0, 200), "project_id": str(0, 160),
		"room_id": str(0, 160), "timeout_ms": whole(1000, 120000, 30000), "schema_version": map[string]any{"const": 1}}, []string{}
	for name, s := range takes(family) {
		bare, must := strings.CutSuffix(name, "*")
		if props[bare] = s; must {
			required = append(required, bare)
		}
	}
	slices.Sort(required)
	out := map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
	if family == GetThread || family == DraftReply {
		out["oneOf"] = []any{map[string]any{"required": []string{"thread_id"}}, map[string]any{"required": []string{"message_id"}}}
	}
	return out
}

// Tools are the operations of a connector as its agents see them.
func Tools(families []string) []*mcp.Tool {
	out := []*mcp.Tool{}
	for _, o := range operations() {
		if !contains(families, o.OperationFamily) {
			continue
		}
		no, yes := false, true
		hints := &mcp.ToolAnnotations{Title: o.title, ReadOnlyHint: o.ActionClass == "read", OpenWorldHint: &yes}
		if !hints.ReadOnlyHint {
			hints.DestructiveHint = &no
		}
		out = append(out, &mcp.Tool{Name: o.OperationFamily, Title: o.title, Description: o.about + " Sends " + o.Sends + ".",
			InputSchema: schemaOf(o.OperationFamily), Annotations: hints})
	}
	return out
}

// resolved are the schemas, ready to validate.
var resolved = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	out := map[string]*jsonschema.Resolved{}
	for _, o := range operations() {
		b, err := json.Marshal(schemaOf(o.OperationFamily))
		s := &jsonschema.Schema{}
		if err == nil {
			err = json.Unmarshal(b, s)
		}
		if err == nil {
			out[o.OperationFamily], err = s.Resolve(nil)
		}
		if err != nil {
			panic(err) // a test reads them all
		}
	}
	return out
})

// parse checks arguments against the operation's schema, and the rules that no schema says.
func parse(family string, args json.RawMessage) (request, error) {
	var q request
	invalid := func(text, hint string) (request, error) {
		return q, fault.New(fault.InvalidRequest, text).WithHint(hint)
	}
	var any map[string]any
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	schema := resolved()[family]
	if schema == nil {
		return invalid("there is no such operation", "`showhow m365 operations` lists them")
	}
	if json.Unmarshal(args, &any) != nil || json.Unmarshal(args, &q) != nil || schema.Validate(any) != nil {
		return invalid("the arguments do not fit the operation "+family, "its input schema says what it takes")
	}
	for _, at := range []string{q.TimeMin, q.TimeMax, q.StartTime, q.EndTime} {
		if _, err := time.Parse(time.RFC3339, at); at != "" && err != nil {
			return invalid("a time is not written as one", "as in 2026-05-04T09:30:00Z")
		}
	}
	if q.AttendeeEmails != nil {
		for _, a := range *q.AttendeeEmails {
			if p, err := mail.ParseAddress(a); err != nil || p.Address != a {
				return invalid("an attendee is not named by an e-mail address", "one address alone, without a name")
			}
			if err := plainAddress(a); err != nil {
				return invalid(err.Error(), "have the person write it, and the domain in ASCII (xn--...)")
			}
		}
	}
	for _, pair := range [][2]string{{q.TimeMin, q.TimeMax}, {q.StartTime, q.EndTime}} {
		a, errA := time.Parse(time.RFC3339, pair[0])
		b, errB := time.Parse(time.RFC3339, pair[1])
		if errA == nil && errB == nil && !a.Before(b) {
			return invalid("the end is not after the beginning", "give both times with their offsets")
		}
	}
	return q, nil
}
