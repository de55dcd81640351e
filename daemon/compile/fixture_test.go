package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/internal/clock"
)

// A fixture is a txtar archive: input.json (fixtureInput) and one trace*.jsonl per demonstration, a capture.Record on each
// line. What a hand-written record leaves out is filled in: ids e1, e2, ...; two seconds between records; the adapter by
// what the record holds.
type fixtureInput struct {
	Goal          string            `json:"goal"`
	ExecutionMode string            `json:"execution_mode"`
	Values        map[string]string `json:"values"`
	Answers       map[string]string `json:"answers"`
	Edits         map[string]any    `json:"edits"`
	TakenSlugs    []string          `json:"taken_slugs"`
	Steps         []Mark            `json:"steps"`
}

var fixtureStart = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func loadFixture(t testing.TB, ar *txtar.Archive) Input {
	t.Helper()
	var f fixtureInput
	in := Input{EntryMode: "demonstrating_skill", Revision: 1, Now: clock.At(fixtureStart.Add(time.Hour)), NewID: counter()}
	for _, file := range ar.Files {
		switch {
		case file.Name == "input.json":
			if err := json.Unmarshal(file.Data, &f); err != nil {
				t.Fatalf("%s: %v", file.Name, err)
			}
		case strings.HasPrefix(file.Name, "trace"):
			in.Traces = append(in.Traces, loadTrace(t, file, len(in.Traces)))
		}
	}
	in.Goal, in.ExecutionMode, in.Values, in.Answers, in.Edits, in.TakenSlugs = f.Goal, f.ExecutionMode, f.Values, f.Answers, f.Edits,
		f.TakenSlugs
	if in.ExecutionMode == "" {
		in.ExecutionMode = "guided"
	}
	if len(in.Traces) > 0 {
		in.Traces[0].Steps = f.Steps
	}
	return in
}

func loadTrace(t testing.TB, file txtar.File, n int) Trace {
	t.Helper()
	tr := Trace{TraceID: fmt.Sprintf("00000000-0000-7000-8000-0000000000a%d", n),
		SessionID: fmt.Sprintf("00000000-0000-7000-8000-0000000000b%d", n)}
	for i, line := range strings.Split(strings.TrimSpace(string(file.Data)), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		var r capture.Record
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&r); err != nil {
			t.Fatalf("%s:%d: %v", file.Name, i+1, err)
		}
		tr.Records = append(tr.Records, fillRecord(r, tr, len(tr.Records), n))
	}
	return tr
}

func fillRecord(r capture.Record, tr Trace, i, n int) capture.Record {
	r.Seq, r.TraceID, r.Event.LearnSessionID = int64(i+1), tr.TraceID, tr.SessionID
	if r.Event.EventID == "" {
		r.Event.EventID = fmt.Sprintf("t%d-e%d", n, i+1)
	}
	if r.Action.OccurredAt == "" {
		r.Action.OccurredAt = fixtureStart.Add(time.Duration(i) * 2 * time.Second).Format("2006-01-02T15:04:05.000000Z")
	}
	if r.Event.AdapterKind == "" {
		r.Event.AdapterKind = capture.BrowserDOM
		if r.Action.Command != nil {
			r.Event.AdapterKind = capture.TerminalCommand
		}
		if r.Action.MIDI != nil {
			r.Event.AdapterKind = capture.MIDI
		}
	}
	if !r.Event.CausedStateChange {
		r.Event.CausedStateChange = r.After != nil
	}
	return r
}

// counter makes ids that are valid and the same each time.
func counter() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("00000000-0000-7000-8000-%012d", n)
	}
}
