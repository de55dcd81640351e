package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// call is one request of an agent to its model.
type call struct {
	Text    string   // the whole body
	Tools   []string // the names of the tools that it offers
	Results []string // what the tools of this conversation answered so far
}

// offers returns the first offered tool whose name contains part.
func (c call) offers(part string) string {
	for _, name := range c.Tools {
		if strings.Contains(name, part) {
			return name
		}
	}
	return ""
}

// turn is the model's answer: a tool call, or a text, which ends the work.
type turn struct {
	Tool  string
	Input map[string]any
	Text  string
}

// model is the scripted endpoint. It speaks Anthropic's Messages and OpenAI's Responses, streamed and not.
type model struct {
	t      *testing.T
	url    string
	script func(call) turn

	mu    sync.Mutex
	calls []call
}

func newModel(t *testing.T, script func(call) turn) *model {
	m := &model{t: t, script: script}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", m.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"input_tokens":100}`) })
	mux.HandleFunc("POST /v1/responses", m.responses)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Logf("the model's endpoint has no %s %s", r.Method, r.URL.Path)
		http.Error(w, `{"error":{"type":"not_found_error","message":"not here"}}`, http.StatusNotFound)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	m.url = srv.URL
	return m
}

// worked are the calls that offered tools; agents also ask for titles and the like.
func (m *model) worked() (out []call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.calls {
		if len(c.Tools) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (m *model) answer(c call) turn {
	m.mu.Lock()
	m.calls = append(m.calls, c)
	m.mu.Unlock()
	if len(c.Tools) == 0 {
		return turn{Text: "A title"}
	}
	return m.script(c)
}

// flat is the text of content that is a string or a list of blocks.
func flat(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, x := range v {
			if m, ok := x.(map[string]any); ok {
				b.WriteString(flat(m["text"]))
				b.WriteString(flat(m["content"]))
			}
		}
		return b.String()
	}
	return ""
}

func names(tools any) (out []string) {
	list, _ := tools.([]any)
	for _, x := range list {
		m, _ := x.(map[string]any)
		name, _ := m["name"].(string)
		if inner, ok := m["tools"].([]any); ok { // a namespace of Codex
			for _, n := range names(inner) {
				out = append(out, name+"."+n)
			}
			continue
		}
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

type event struct {
	name string
	data map[string]any
}

func stream(w http.ResponseWriter, events []event) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		e.data["type"] = e.name
		b, _ := json.Marshal(e.data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, b)
	}
}

func body(r *http.Request) (text string, in map[string]any) {
	b, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(b, &in)
	return string(b), in
}

// messages is POST /v1/messages of Anthropic.
func (m *model) messages(w http.ResponseWriter, r *http.Request) {
	text, in := body(r)
	c := call{Text: text, Tools: names(in["tools"])}
	list, _ := in["messages"].([]any)
	for _, x := range list {
		message, _ := x.(map[string]any)
		blocks, _ := message["content"].([]any)
		for _, b := range blocks {
			if block, _ := b.(map[string]any); block["type"] == "tool_result" {
				c.Results = append(c.Results, flat(block["content"]))
			}
		}
	}
	say := m.answer(c)
	block, stop := map[string]any{"type": "text", "text": say.Text}, "end_turn"
	if say.Tool != "" {
		block = map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", len(c.Results)+1), "name": say.Tool, "input": say.Input}
		stop = "tool_use"
	}
	message := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": in["model"], "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 10}}
	if in["stream"] != true {
		message["content"], message["stop_reason"] = []any{block}, stop
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	begin, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": say.Text}
	if say.Tool != "" {
		b, _ := json.Marshal(say.Input)
		begin = map[string]any{"type": "tool_use", "id": block["id"], "name": say.Tool, "input": map[string]any{}}
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(b)}
	}
	stream(w, []event{
		{"message_start", map[string]any{"message": message}},
		{"content_block_start", map[string]any{"index": 0, "content_block": begin}},
		{"content_block_delta", map[string]any{"index": 0, "delta": delta}},
		{"content_block_stop", map[string]any{"index": 0}},
		{"message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
			"usage": map[string]any{"output_tokens": 10}}},
		{"message_stop", map[string]any{}},
	})
}

// responses is POST /v1/responses of OpenAI.
func (m *model) responses(w http.ResponseWriter, r *http.Request) {
	text, in := body(r)
	c := call{Text: text, Tools: names(in["tools"])}
	list, _ := in["input"].([]any)
	for _, x := range list {
		item, _ := x.(map[string]any)
		if kind, _ := item["type"].(string); strings.HasSuffix(kind, "_call_output") {
			out := flat(item["output"])
			if out == "" {
				b, _ := json.Marshal(item["output"])
				out = string(b)
			}
			c.Results = append(c.Results, out)
		}
	}
	say := m.answer(c)
	item := map[string]any{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": say.Text, "annotations": []any{}}}}
	if say.Tool != "" {
		b, _ := json.Marshal(say.Input)
		item = map[string]any{"type": "function_call", "id": "fc_1", "status": "completed",
			"call_id": fmt.Sprintf("call_%d", len(c.Results)+1), "name": say.Tool, "arguments": string(b)}
		if space, name, ok := strings.Cut(say.Tool, "."); ok {
			item["namespace"], item["name"] = space, name
		}
	}
	response := map[string]any{"id": "resp_1", "object": "response", "status": "in_progress", "output": []any{}}
	done := map[string]any{"id": "resp_1", "object": "response", "status": "completed", "output": []any{item},
		"usage": map[string]any{"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}}
	stream(w, []event{
		{"response.created", map[string]any{"response": response}},
		{"response.output_item.added", map[string]any{"output_index": 0, "item": item}},
		{"response.output_item.done", map[string]any{"output_index": 0, "item": item}},
		{"response.completed", map[string]any{"response": done}},
	})
}
