package compile

import (
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/daemon/compile/decision"
	"showhow/internal/clock"
)

// drafted compiles one demonstration of records, one on each line.
func drafted(t *testing.T, goal, records string, edit func(*Input)) Output {
	t.Helper()
	in := Input{Goal: goal, EntryMode: "demonstrating_skill", ExecutionMode: "guided", Revision: 1, Now: clock.At(fixtureStart),
		NewID:  counter(),
		Traces: []Trace{loadTrace(t, txtar.File{Name: "trace", Data: []byte(records)}, 0)}}
	if edit != nil {
		edit(&in)
	}
	return compiled(t, in)
}

func ran(line, program string, exit string) string {
	return `{"action":{"verb":"run","command":{"line":"` + line + `","program":"` + program +
		`","shell":"bash","cwd_from":"~/w","cwd_to":"~/w","exit":` + exit + `,"duration_ms":4}},"before":{"cwd":"~/w"},"after":{"cwd":"~/w"}}` +
		"\n"
}

// A failed command without an effect is left out with a note; one that later commands may need is asked about. No
// checkpoint treats a failure as success.
func TestFailedCommand(t *testing.T) {
	out := drafted(t, "Count the orders", ran("cat nosuch.txt", "cat", "1")+ran("wc -l orders.csv > count.txt", "wc", "0"), nil)
	if md := string(out.Bundle.File("SKILL.md").Data); strings.Contains(md, "nosuch") || strings.Contains(md, "`cat`") ||
		len(out.LeftOut) != 1 || len(out.Graph.Steps) != 1 {
		t.Errorf("%v %d steps\n%s", out.LeftOut, len(out.Graph.Steps), md)
	}
	records := ran("make report > report.txt", "make", "2") + ran("wc -l report.txt > count.txt", "wc", "0")
	out = drafted(t, "Count the report", records, nil)
	asked := ""
	for _, q := range out.Questions {
		if q.Field == decision.FieldBranch {
			asked = q.SubjectRef
		}
	}
	if asked == "" || strings.Contains(string(out.Bundle.File("SKILL.md").Data), "without an error (exit code 2)") {
		t.Errorf("%+v\n%s", out.Questions, out.Bundle.File("SKILL.md").Data)
	}
	out = drafted(t, "Count the report", records,
		func(in *Input) { in.Answers = map[string]string{asked + "/" + decision.FieldBranch: "never"} })
	if len(out.Graph.Steps) != 1 {
		t.Errorf("%d steps after the answer", len(out.Graph.Steps))
	}
	out = drafted(t, "Look for errors", ran("grep -c ERROR app.log", "grep", "1")+ran("wc -l app.log > n.txt", "wc", "0"), nil)
	if len(out.Graph.Steps) != 2 {
		t.Errorf("an answer was taken for a slip: %v", out.LeftOut)
	}
}

// A mark of the kind verification joins the checkpoint of the act before it, or becomes one of its own.
func TestMarkedVerification(t *testing.T) {
	records := ran("sort orders.csv > sorted.csv", "sort", "0") + ran("head -3 sorted.csv", "head", "0")
	for after, want := range map[time.Duration]int{time.Second: 1, time.Hour: 2} {
		out := drafted(t, "Sort the orders", records, func(in *Input) {
			in.Traces[0].Steps = []Mark{{Label: "check that the newest order comes first", Kind: "verification",
				At: clock.At(fixtureStart.Add(after))}}
		})
		cps := out.Interpretation.Checkpoints
		last := cps[len(cps)-1]
		if len(cps) != want || !strings.Contains(last.SuccessCondition, "the newest order comes first") || !out.Lint.Passed {
			t.Errorf("%s: %+v %+v", after, cps, out.Lint)
		}
		for _, f := range []string{"SKILL.md", "references/demonstration.md", "references/steps.md"} {
			if !strings.Contains(string(out.Bundle.File(f).Data), "the newest order comes first") {
				t.Errorf("%s does not tell it:\n%s", f, out.Bundle.File(f).Data)
			}
		}
	}
}
