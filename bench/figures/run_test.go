package figures

import (
	"maps"
	"reflect"
	"testing"
)

// A figure is added under its unit, however often a benchmark runs; nothing else that go test prints is a figure.
func TestReported(t *testing.T) {
	values := map[string][]float64{"wait_ms": {1}}
	for line, want := range map[string]bool{
		"BenchmarkWait-2   \t       1\t       914 ns/op\t         2.50 wait_ms": true,
		"BenchmarkWait-2":           false, // its line goes on after what it printed
		"ok  \tshowhow/store\t1.2s": false,
		"--- FAIL: BenchmarkWait":   false,
	} {
		if got := reported(line, values); got != want {
			t.Errorf("%q: %v and not %v", line, got, want)
		}
	}
	if want := map[string][]float64{"ns/op": {914}, "wait_ms": {1, 2.5}}; !maps.EqualFunc(values, want, func(a, b []float64) bool {
		return reflect.DeepEqual(a, b)
	}) {
		t.Errorf("%v and not %v", values, want)
	}
}
