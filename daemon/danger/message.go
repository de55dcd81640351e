package danger

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxMessageNames bounds how many names of a message are judged.
const maxMessageNames = 200

// Message judges a message through a socket, which has neither method nor address. What it does is in the names that a program put
// into it: a JSON message's texts without a blank, and its keys; the words of any other. Any of them that destroys or sends
// counts; where none changes anything and one asks, the message only reads. wording is the control's that caused it.
func Message(body []byte, wording string) Finding {
	out, asks, changes := finding(Writes, "the message may change something"), false, false
	for _, n := range messageNames(strings.TrimSpace(string(body))) {
		switch f := byName(n, "the message"); f.Class {
		case Destroys, Sends:
			out = out.and(f)
		case Reads:
			asks = true
		case Writes:
			changes = true
		}
		if ws := nameWords(n); slices.ContainsFunc(ws, verbChanges.Has) {
			changes = true
		}
	}
	if f, ok := phrase(wording); ok && f.Grave() {
		out = out.and(f)
	}
	if asks && !changes && out.Class == Writes {
		return finding(Reads, "the message asks")
	}
	return out
}

// messageNames are the names in a message that may say what it does.
func messageNames(text string) (out []string) {
	var v any
	start := strings.IndexAny(text, "{[")
	if start < 0 || start > 12 || json.Unmarshal([]byte(text[start:]), &v) != nil {
		return strings.Fields(text[:min(len(text), 4096)])
	}
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		if depth > 4 || len(out) >= maxMessageNames {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if s, ok := e.(string); ok && s == "" || e == nil || e == false {
					continue // it is not asked for
				}
				if ws := nameWords(k); len(ws) <= 2 && len(ws) > 0 && (namesDestroying(ws[0]) || ws[0] == "send") {
					out = append(out, k)
				}
				walk(e, depth+1)
			}
		case []any:
			for _, e := range v {
				walk(e, depth+1)
			}
		case string:
			if v != "" && len(v) <= 60 && !strings.ContainsAny(v, " \t\r\n") {
				out = append(out, v)
			}
		}
	}
	walk(v, 0)
	return out
}
