package api

import (
	"reflect"
	"testing"

	"showhow/adapters"
	"showhow/adapters/receipts/report"
	"showhow/capture"
	"showhow/daemon/agentrun"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/tell"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/twin"
)

// A field that a noun gains and its record on the wire does not would silently never reach a client.
func TestTwinsOnTheWire(t *testing.T) {
	for noun, record := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[capture.Record]():          reflect.TypeFor[wire.Observation](),
		reflect.TypeFor[capture.State]():           reflect.TypeFor[wire.CaptureState](),
		reflect.TypeFor[adapters.Info]():           reflect.TypeFor[wire.AdapterInfo](),
		reflect.TypeFor[report.Receipt]():          reflect.TypeFor[wire.AgentReceipt](),
		reflect.TypeFor[workflow.Graph]():          reflect.TypeFor[wire.WorkflowGraph](),
		reflect.TypeFor[workflow.Interpretation](): reflect.TypeFor[wire.SemanticWorkflowInterpretation](),
		reflect.TypeFor[workflow.Verdict]():        reflect.TypeFor[wire.WorkflowVerdict](),
		reflect.TypeFor[decision.Question]():       reflect.TypeFor[wire.WorkflowQuestion](),
		reflect.TypeFor[draft.LintReport]():        reflect.TypeFor[wire.LintReport](),
		reflect.TypeFor[tell.Told]():               reflect.TypeFor[wire.Told](),
		reflect.TypeFor[rehearse.Evidence]():       reflect.TypeFor[wire.RehearsalEvidence](),
		reflect.TypeFor[agentrun.Plan]():           reflect.TypeFor[wire.SandboxPlan](),
		reflect.TypeFor[agentrun.Dependency]():     reflect.TypeFor[wire.SandboxDependency](),
		reflect.TypeFor[scan.Report]():             reflect.TypeFor[wire.ScanReport](),
		reflect.TypeFor[scan.Compatibility]():      reflect.TypeFor[wire.SkillCompatibilityReport](),
		reflect.TypeFor[skill.Finding]():           reflect.TypeFor[wire.SkillFinding](),
	} {
		if why := twin.Same(noun, record); why != "" {
			t.Errorf("%v and %v: %s", noun, record, why)
		}
	}
}
