package contract

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"showhow/capture/redact"
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

// The redactor knows a content hash by its name, an id by where it begins, and a secret by its name.
func TestTheSafetyReviewWithTheRedactor(t *testing.T) {
	s, h := served(t)
	r, err := redact.Load()
	if err != nil {
		t.Fatal(err)
	}
	s.o.Find = func(text string) (secrets, _ []string) {
		for _, sp := range r.Find(redact.Clean(text)) {
			if !sp.Kind.Personal() {
				secrets = append(secrets, string(sp.Kind))
			}
		}
		return secrets, nil
	}
	h.entries[0].ApprovedHash = strings.Repeat("9f86d081884c7d65", 4)
	for text, ok := range map[string]bool{
		"Sort.\n3f2b8c1e-7a44-4f0e-9d1b-2c3d4e5f6a7b\n":     true,
		"Sort.\n9f86d081884c7d659a2feaa0c55ad015\n":         false,
		"Sort with password: correct-horse-battery-9Q\n":    false,
		"Sort.\nZx8Qm2Lr7TpVw4KdNs9Y\n":                     false,
		"content_hash: sha256:" + strings.Repeat("ab1", 20): true,
	} {
		h.text = text
		if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); r.OK != ok {
			t.Errorf("%q: %s", text, raw)
		}
	}
	e := s.of(Request{}, "abilities", map[string]any{"token": "correct-horse-battery-9Q"}, "")
	if s.review(Request{}, e).OK {
		t.Error("a token beside its name passed")
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
