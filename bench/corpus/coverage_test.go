package corpus

import (
	"path/filepath"
	"testing"

	"showhow/daemon/compile"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/workflow"
)

// BenchmarkGrowthCoverage is how much of its skills a look can see: the steps of the reading part, and those whose
// targets must be on the page where it ends. Values are as if the skill had them all.
func BenchmarkGrowthCoverage(b *testing.B) {
	for b.Loop() {
		reached, all := 0, 0
		for _, f := range All() {
			if f.Held {
				continue
			}
			tr, err := ReadTrace(filepath.Join(TraceDir, f.Name+".json"))
			if err != nil {
				b.Fatal(err)
			}
			out := compiled(b, tr)
			if len(policy.CanaryPrefix(out)) == 0 && !policy.OpensFirst(out) {
				continue // nobody can allow looks at it
			}
			n, seen := seenBy(out)
			all, reached = all+len(out.Graph.Steps), reached+n+seen
		}
		b.ReportMetric(float64(reached)/float64(all), "look_reach_ratio")
	}
}

// seenBy is how many steps a look performs, and how many more it sees ahead.
func seenBy(out compile.Output) (performed, ahead int) {
	steps := policy.ReadingPart(out, func(workflow.Step) bool { return true })
	rest := policy.After(out.Graph, steps)
	if len(rest) > 0 && (rest[0].Optional || rest[0].When != nil) {
		return len(steps), 0
	}
	return len(steps), len(policy.InSight(rest))
}
