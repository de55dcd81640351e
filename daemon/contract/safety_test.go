package contract

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// A secret is found where a reader sees it: at the beginning of a line, after a tab, and between quotation marks.
func TestSecretsAfterAnEscape(t *testing.T) {
	s, h := served(t)
	word := regexp.MustCompile(`\bQK[0-9]{6}\b`)
	s.o.Find = func(text string) (secrets, _ []string) {
		if word.MatchString(text) {
			secrets = []string{"key"}
		}
		return secrets, nil
	}
	for _, text := range []string{"Use QK123456.", "Use this:\nQK123456\n", "Use:\tQK123456", "Use \"QK123456\"."} {
		h.text = text
		if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); r.OK || r.BlockClass != blockContent {
			t.Errorf("%q: %s", text, raw)
		}
	}
	h.text = "Use this:\nXQK123456\n"
	if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); !r.OK {
		t.Errorf("%s", raw)
	}
}

// The telemetry tells no time of an answer without information but that it was rounded to, and an agent no time at all.
func TestTimesInTheTelemetry(t *testing.T) {
	s, _ := served(t)
	s.o.Wait = wait
	asks(t, s, bot, toolMain, `{"from_kind":"file","from_id":"nobody"}`)
	raw, err := s.Call(t.Context(), person, toolTelemetry, nil)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Calls []Counter `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &told); err != nil {
		t.Fatal(err)
	}
	if least := float64(quantum.Milliseconds()); len(told.Calls) != 1 || told.Calls[0].LatencyMS < least || told.Calls[0].SlowestMS < least {
		t.Errorf("%s", raw)
	}
	if raw, err = s.Call(t.Context(), bot, toolTelemetry, nil); err != nil || strings.Contains(string(raw), "latency") {
		t.Errorf("%s %v", raw, err)
	}
}
