package figures

import (
	"encoding/json"
	"os"
	"testing"
)

// Every bench/out/NAME.json has the same format, whichever program wrote it.
func TestForm(t *testing.T) {
	t.Chdir(t.TempDir())
	r := New("bench-x")
	r.Median("wait_ms", []float64{3, 1, 2, 10}, "how long it waits")
	r.Median("never", nil, "nothing was measured")
	r.Ratio("right_ratio", 9, 10, "right of all")
	r.Ratio("none_ratio", 0, 0, "of nothing")
	if err := Write(r.Name, struct {
		Report
		Misses []string `json:"misses"`
	}{r, []string{"one"}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("bench/out/bench-x.json")
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"name", "at", "machine", "metrics", "notes", "misses"} {
		if got[key] == nil {
			t.Errorf("%s is missing in %s", key, b)
		}
	}
	want := map[string]float64{"wait_ms": 2.5, "wait_ms_n": 4, "wait_ms_iqr": 3, "right_ratio": .9, "right_ratio_n": 10}
	metrics := got["metrics"].(map[string]any)
	for key, v := range want {
		if metrics[key] != v {
			t.Errorf("%s is %v and not %v", key, metrics[key], v)
		}
	}
	if len(metrics) != len(want) {
		t.Errorf("what was not measured is there: %v", metrics)
	}
}
