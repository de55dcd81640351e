// Package message checks what arrives at every MCP entrance before the SDK reads it. The SDK keeps ids as floating-point numbers,
// ends a conversation at what is no message, has another answer for it on each transport, and names its Go types.
package message

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// LastBatched is the last revision of the protocol that has several messages at once.
	LastBatched = "2025-03-26"
	// SelfContained is the first revision of the protocol with self-contained requests: the server sends none of its own.
	SelfContained = "2026-07-28"
)

// Conversation is what is known of the conversation that a message belongs to.
type Conversation struct {
	Began   bool // it was initialized, or needs not to be; Check notes that it is
	Batches bool // its revision has several messages at once
	// Params returns where the params of a method belong that is not MCP's own, nil for none. It may be nil.
	Params func(method string) any
}

// Refusal is why a message is left out.
type Refusal struct {
	ID      json.RawMessage // of the request, null if it has none that can be sent back
	Code    int64
	Message string
	// Silent means that it was sent as a notification, which JSON-RPC never answers.
	Silent bool
}

// Invalid refuses what is no request.
func Invalid(why string) *Refusal {
	return &Refusal{ID: none, Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: " + why}
}

// Bytes is the refusal as an answer.
func (r *Refusal) Bytes() []byte {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.ID, "error": map[string]any{"code": r.Code, "message": r.Message}})
	return b
}

var none = json.RawMessage("null")

// Check returns why a message, or several at once, is left out; nil: the SDK may read it.
func (c *Conversation) Check(raw []byte) *Refusal {
	raw = bytes.TrimSpace(raw)
	switch {
	case !json.Valid(raw):
		return &Refusal{ID: none, Code: jsonrpc.CodeParseError, Message: "Parse error: the message is no JSON"}
	case raw[0] != '[':
		_, r := c.one(raw)
		return r
	case !c.Batches:
		return Invalid("this protocol version has one message at a time")
	}
	var all []json.RawMessage
	_ = json.Unmarshal(raw, &all) // it is valid, and a list
	seen := map[jsonrpc.ID]bool{}
	for _, raw := range all {
		id, r := c.one(raw)
		if r != nil {
			return Invalid("in the list, " + r.Message)
		}
		if seen[id] {
			return Invalid("two requests of the list have the same id")
		}
		if id.IsValid() {
			seen[id] = true
		}
	}
	if len(all) == 0 {
		return Invalid("the list is empty")
	}
	return nil
}

// one checks a single message, and returns the id if it is a request.
func (c *Conversation) one(raw []byte) (id jsonrpc.ID, _ *Refusal) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return id, Invalid("this is no JSON-RPC message")
	}
	said, has := members["id"]
	if has && !echoed(said) {
		return id, Invalid("an id is a string, or an integer that comes back as it was sent")
	}
	refuse := func(code int64, message string) *Refusal {
		r := &Refusal{ID: none, Code: code, Message: message}
		if has {
			r.ID = said
		}
		return r
	}
	noMessage := refuse(jsonrpc.CodeInvalidRequest, "Invalid Request: this is no JSON-RPC message")
	m, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return id, noMessage
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		if m.Error == nil && len(m.Result) == 0 { // the SDK drops one that has an id and nothing else
			return id, noMessage
		}
	case *jsonrpc.Request:
		if m.Method == "" {
			return id, noMessage
		}
		code, why := c.asked(m, has)
		if why == "" {
			return m.ID, nil
		}
		r := refuse(code, why)
		r.Silent = !has
		return m.ID, r
	}
	return id, nil
}

// echoed reports whether the SDK sends an id back as it came. It makes a 64-bit integer of the floating-point number.
func echoed(id json.RawMessage) bool {
	switch id[0] {
	case '"':
		var s string
		err := json.Unmarshal(id, &s)
		return err == nil && strings.Count(s, "\uFFFD") == bytes.Count(id, []byte("\uFFFD")) // half of a surrogate pair is lost
	case 'n', 't', 'f', '{', '[':
		return false
	}
	f, err := strconv.ParseFloat(string(id), 64)
	return err == nil && strconv.FormatInt(int64(f), 10) == string(id)
}

// asked returns why a request, or a notification, is not taken; "" if it is.
func (c *Conversation) asked(m *jsonrpc.Request, id bool) (code int64, why string) {
	if strings.HasPrefix(m.Method, "notifications/") {
		if id {
			return jsonrpc.CodeInvalidRequest, "Invalid Request: a notification has no id"
		}
		return 0, ""
	}
	if !id {
		return jsonrpc.CodeInvalidRequest, "Invalid Request: a request has an id"
	}
	var about struct {
		Meta map[string]any `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &about) // what is wrong with them is told below
	_, alone := about.Meta[mcp.MetaKeyProtocolVersion]
	switch m.Method {
	case "initialize", "ping", "server/discover":
	default:
		if !c.Began && !alone {
			return jsonrpc.CodeInvalidRequest, "Invalid Request: the conversation begins with initialize"
		}
	}
	into, needed := params(m.Method)
	if into == nil && c.Params != nil {
		into = c.Params(m.Method)
	}
	if into == nil {
		return jsonrpc.CodeMethodNotFound, "Method not found: there is no such method"
	}
	if len(m.Params) == 0 || string(m.Params) == "null" {
		if needed {
			return jsonrpc.CodeInvalidParams, "Invalid params: " + m.Method + " needs params"
		}
		return 0, ""
	}
	if m.Params[0] != '{' {
		return jsonrpc.CodeInvalidParams, "Invalid params: params is an object"
	}
	if err := json.Unmarshal(m.Params, into); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return jsonrpc.CodeInvalidParams, "Invalid params: " + strconv.Quote(kind.Field) + " cannot be of the kind " + kind.Value
		}
		return jsonrpc.CodeInvalidParams, "Invalid params: " + m.Method + " does not take these params"
	}
	c.Began = c.Began || m.Method == "initialize" && !alone
	return 0, ""
}

// params is where the params of a method belong that the SDK's server has. needed means that they may not be left out.
func params(method string) (into any, needed bool) {
	switch method {
	case "initialize":
		return &mcp.InitializeParams{}, true
	case "ping":
		return &mcp.PingParams{}, false
	case "server/discover":
		return &mcp.DiscoverParams{}, false
	case "subscriptions/listen":
		return &mcp.SubscriptionsListenParams{}, true
	case "tools/list":
		return &mcp.ListToolsParams{}, false
	case "tools/call":
		return &mcp.CallToolParamsRaw{}, true
	case "prompts/list":
		return &mcp.ListPromptsParams{}, false
	case "prompts/get":
		return &mcp.GetPromptParams{}, true
	case "resources/list":
		return &mcp.ListResourcesParams{}, false
	case "resources/templates/list":
		return &mcp.ListResourceTemplatesParams{}, false
	case "resources/read":
		return &mcp.ReadResourceParams{}, true
	case "resources/subscribe":
		return &mcp.SubscribeParams{}, true
	case "resources/unsubscribe":
		return &mcp.UnsubscribeParams{}, true
	case "completion/complete":
		return &mcp.CompleteParams{}, true
	case "logging/setLevel":
		//lint:ignore SA1019 clients of revision 2025-11-25 still log by it
		return &mcp.SetLoggingLevelParams{}, true
	}
	return nil, false
}
