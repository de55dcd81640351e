// Package figures defines the format of every measurement: bench/out/NAME.json with name, time, machine, metrics and
// notes.
//
// Guarantees: each figure has its number of samples (KEY_n) and, if it is a median, the interquartile range
// (KEY_iqr); one that could not be measured is absent, never zero. Notes say how each was measured.
//
// The programs under bench import it. To test against it, write below a directory of the test (t.Chdir).
package figures

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Report is the result of one measurement.
type Report struct {
	Name    string             `json:"name"`
	At      string             `json:"at"`
	Machine string             `json:"machine"`
	Metrics map[string]float64 `json:"metrics"`
	Notes   map[string]string  `json:"notes"`

	order []string // keys as they were recorded
}

// New returns an empty report for this machine, now.
func New(name string) Report {
	return Report{Name: name, At: time.Now().UTC().Format(time.RFC3339), Machine: machine(), Metrics: map[string]float64{},
		Notes: map[string]string{}}
}

// Figure records one number from n samples.
func (r *Report) Figure(key string, v float64, n int, how string) {
	r.Metrics[key], r.Metrics[key+"_n"], r.Notes[key] = v, float64(n), how
	r.order = append(r.order, key)
}

// Ratio records hits of n with the 95% Wilson interval; nothing if n is 0.
func (r *Report) Ratio(key string, hits, n int, how string) {
	if n == 0 {
		return
	}
	p, z, m := float64(hits)/float64(n), 1.96, float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m)) / (1 + z*z/m)
	r.Figure(key, p, n, fmt.Sprintf("%s; 95%% interval %.3f to %.3f", how, max(0, mid-half), min(1, mid+half)))
}

// Median records the median of samples and their interquartile range; nothing without samples.
func (r *Report) Median(key string, samples []float64, how string) {
	if len(samples) == 0 {
		return
	}
	v := slices.Sorted(slices.Values(samples))
	at := func(q float64) float64 {
		p := q * float64(len(v)-1)
		i := int(p)
		if i+1 >= len(v) {
			return v[i]
		}
		return v[i] + (p-float64(i))*(v[i+1]-v[i])
	}
	r.Figure(key, at(.5), len(v), how)
	r.Metrics[key+"_iqr"] = at(.75) - at(.25)
}

// Print writes the table for people: the figures in the order in which they were recorded.
func (r *Report) Print() {
	fmt.Printf("\n%-28s %12s %6s %12s  %s\n", "figure", "value", "n", "iqr", "how")
	for _, k := range r.order {
		iqr := ""
		if v, ok := r.Metrics[k+"_iqr"]; ok {
			iqr = number(v)
		}
		fmt.Printf("%-28s %12s %6.0f %12s  %s\n", k, number(r.Metrics[k]), r.Metrics[k+"_n"], iqr, r.Notes[k])
	}
}

// Write writes the file for programs: bench/out/NAME.json below the working directory. v is a Report, or embeds one.
func Write(name string, v any) error {
	out := filepath.Join("bench", "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name+".json"), append(b, '\n'), 0o644)
}

func number(v float64) string {
	switch {
	case v >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
}

func machine() string {
	host := fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		host += ", kernel " + strings.TrimSpace(string(b))
	}
	return host
}
