package receipts

import (
	"fmt"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/receipts/report"
	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/capture/scope"
)

func TestConformance(t *testing.T) {
	t.Run("mcp_receipt", func(t *testing.T) {
		conform(t, (*Desk).Tools, func(agent, text string) Receipt {
			return Receipt{Kind: report.ToolCall, Agent: agent, RunID: "run-" + text, Tool: "tool-" + text,
				Args: []report.Arg{{Name: "arg-" + text, Value: text}}, Outcome: report.OK}
		})
	})
	t.Run("wrapper_receipt", func(t *testing.T) {
		conform(t, (*Desk).Wrapped, func(agent, text string) Receipt {
			return Receipt{Kind: report.Wrapped, Agent: agent, Command: "make " + text, Cwd: "/work/" + text, Outcome: report.OK,
				Files: []report.File{{Path: "/work/" + text + "/out", Change: "created", Size: 3}}}
		})
	})
}

func conform(t *testing.T, adapter func(*Desk) adapters.Adapter, receipt func(agent, text string) Receipt) {
	adaptertest.Run(t, adaptertest.Harness{Quiet: 20 * time.Millisecond, Start: func(t *testing.T) adaptertest.World {
		desk := NewDesk(Options{})
		hand := func(r Receipt) { desk.Hand(Observation(r, time.Now())) }
		return adaptertest.World{
			Adapter:  adapter(desk),
			Scope:    capture.Scope{Apps: []string{"claude-code"}},
			OffScope: capture.Scope{Apps: []string{"codex"}},
			In:       func(t testing.TB, i int) { hand(receipt("claude-code", fmt.Sprint("act-", i))) },
			Off:      func(t testing.TB, canary string) { hand(receipt("codex", canary)) },
			Is: func(o capture.Observation, i int) bool {
				want := Observation(receipt("claude-code", fmt.Sprint("act-", i)), time.Now())
				if want.Command != nil {
					return o.Command != nil && o.Command.Line == want.Command.Line
				}
				return o.Call != nil && o.Call.Tool == want.Call.Tool
			},
		}
	}})
}

func TestWrappedCommandsByProgramAndByFolder(t *testing.T) {
	o := Observation(Receipt{Kind: report.Wrapped, Command: "make all", Cwd: "/work/site"}, time.Now())
	for name, s := range map[string]capture.Scope{"program": {Apps: []string{"make"}}, "folder": {Folders: []string{"/work"}}} {
		if ok, why := scope.Allows(s, o.Origin); !ok {
			t.Errorf("%s: %s", name, why)
		}
	}
	call := Observation(Receipt{Kind: report.ToolCall, Agent: "codex", Command: "make", Cwd: "/work/site"}, time.Now())
	if ok, _ := scope.Allows(capture.Scope{Folders: []string{"/work"}}, call.Origin); ok {
		t.Error("a folder admits an agent that nobody named")
	}
	mine := Observation(Receipt{Kind: report.ToolCall, Agent: "codex", Command: "showhow status"}, time.Now())
	if ok, why := scope.Allows(capture.Scope{Apps: []string{"codex"}}, mine.Origin); ok || why != capture.OwnWindow {
		t.Error("Showhow's own command line was kept")
	}
}

func TestOwn(t *testing.T) {
	for line, want := range map[string]bool{
		"showhow wrap -- make": true, "sudo /usr/bin/showhow status": true, "cd x && showhow ability lookup y": true,
		"echo showhow": false, "make": false, "grep showhow *.go": false,
	} {
		if cmdline.OwnCommand(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
	if p := program("FOO=1 env BAR=2 Make -j"); p != "make" {
		t.Errorf("%q", p)
	}
}

func TestKindsAreTheMissions(t *testing.T) {
	if capture.Kind(report.ToolCall) != capture.MCPReceipt || capture.Kind(report.Wrapped) != capture.WrapperReceipt {
		t.Error("a receipt's kind is an adapter kind")
	}
}
