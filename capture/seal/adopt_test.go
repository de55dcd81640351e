package seal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"showhow/capture"
)

func TestAdopt(t *testing.T) {
	oldKey, newKey := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	from, err := New(oldKey, "run")
	if err != nil {
		t.Fatal(err)
	}
	to, err := New(newKey, "session")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	row := from.Seal("run", capture.KindText, "late order", now)
	v := capture.Value{Policy: capture.Masked, Kind: capture.KindText, Length: 10, LinkID: row.LinkID}
	first := capture.Record{Seq: 7, TraceID: "t", Event: capture.Event{EventID: "0190a000-0000-7000-8000-000000000001", LearnSessionID: "run",
		TargetRef: "action:0190a000-0000-7000-8000-000000000001"},
		Action: capture.Action{Verb: capture.Run, Command: &capture.Command{
			Line: "echo " + v.Mask(), Words: []capture.Word{{Text: "echo"}, {Value: &v}}, Sealed: []capture.Value{v}}}}
	second := capture.Record{Seq: 8, TraceID: "t",
		Event: capture.Event{EventID: "0190a000-0000-7000-8000-000000000002", LearnSessionID: "run"},
		Action: capture.Action{Verb: capture.Call, CauseEventID: first.Event.EventID,
			Call: &capture.ToolCall{Args: []capture.Arg{{Name: "title", Value: &v}}}}}

	n := 0
	ids := []string{"0190a000-0000-7000-8000-00000000000a", "0190a000-0000-7000-8000-00000000000b"}
	got, err := Adoption{Session: "s", Trace: "t2", Sealer: to, Now: now, NewID: func() string { n++; return ids[n-1] }}.
		Adopt([]capture.Record{first, second}, []capture.SealedRow{row}, map[string]string{row.LinkID: "late order"})
	if err != nil {
		t.Fatal(err)
	}
	link := to.LinkID("late order")
	if got[0].Event.EventID != ids[0] || got[0].Event.TargetRef != "action:"+ids[0] || got[1].Action.CauseEventID != ids[0] ||
		got[0].Event.LearnSessionID != "s" || got[1].TraceID != "t2" || got[0].Seq != 0 {
		t.Errorf("ids: %+v", got)
	}
	b, _ := json.Marshal(got)
	if strings.Contains(string(b), row.LinkID) || strings.Count(string(b), link) != 4 {
		t.Errorf("links: %s", b)
	}
	for _, r := range got {
		open, err := Open(newKey, r.Sealed)
		if err != nil || open[link] != "late order" || len(r.Sealed) != 1 || r.Sealed[0].SessionID != "s" {
			t.Errorf("sealed %+v: %v %v", r.Sealed, open, err)
		}
	}
	if first.Event.EventID == got[0].Event.EventID || first.Action.Command.Sealed[0].LinkID != row.LinkID {
		t.Error("the original was changed")
	}
}
