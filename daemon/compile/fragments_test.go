package compile

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// A folder that is made only if it is missing is the same every time; one that must be new, or whose name identifies a
// run, is not.
func TestFixedFolders(t *testing.T) {
	for lines, want := range map[string]string{
		"mkdir -p packed\ntar czf packed/receipts-2027-01.tar.gz 2027-01\ncd packed && sha256sum receipts-2027-01.tar.gz > " +
			"receipts-2027-01.sha256": "month",
		"mkdir falcon\ncp template.md falcon/README.md\nsed -i s/NAME/falcon/ falcon/README.md":          "name",
		"mkdir -p falcon\ncp template.md falcon/README.md\nsed -i s/NAME/falcon/ falcon/falcon-notes.md": "name",
		"mkdir -pv out\ncp template.md out/README.md\nls out":                                            "",
	} {
		var records []capture.Record
		at := time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)
		for i, line := range strings.Split(lines, "\n") {
			r := capture.Record{Seq: int64(i + 1)}
			r.Event.EventID, r.Event.AdapterKind, r.Event.CreatedAt = "e"+strconv.Itoa(i), capture.TerminalCommand,
				clock.At(at.Add(time.Duration(i)*time.Minute))
			r.Action = capture.Action{Verb: capture.Run, Command: &capture.Command{Line: line, Program: strings.Fields(line)[0], Shell: "bash",
				CwdFrom: "~/work", CwdTo: "~/work"}}
			records = append(records, r)
		}
		out, err := Compile(Input{Goal: "Pack the receipts with its sum", Traces: []Trace{{TraceID: "t", SessionID: "s", Records: records}},
			Now: clock.At(at)})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range out.Graph.Params {
			if p.Role == workflow.RoleUndecided && p.Kind != capture.KindFile {
				names = append(names, p.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s\n%q, want %q", lines, got, want)
		}
	}
}
