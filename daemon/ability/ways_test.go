package ability_test

import (
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
)

// R9 1.1E: the use of a fallback is recorded in the traces.
func TestAFallbackIsRecorded_1_1E(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	h.verify(verify("reached")) // says nothing of its way
	r := verify("reached")
	r.DispatchID, r.Surface = "dispatch-2", "raw_ui"
	h.verify(r)
	h.verify(r) // the same again
	all := lines[health.Trace](h, ability.TracesPath)
	if len(all) != 1 {
		t.Fatalf("%d traces", len(all))
	}
	x := all[0]
	if !x.FallbackUsed || !x.Success || len(x.SurfacesAttempted) != 2 || x.SurfacesAttempted[1] != "raw_ui" || x.SessionKey != "dispatch-2" {
		t.Errorf("%+v", x)
	}
	r = verify("failed")
	r.DispatchID, r.Surface = "dispatch-3", x.SurfacesAttempted[0]
	h.verify(r)
	if x = lines[health.Trace](h, ability.TracesPath)[1]; x.FallbackUsed || x.Success || x.FailureFingerprint == "" {
		t.Errorf("the preferred way is no fallback: %+v", x)
	}
}
