package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"

	"showhow/capture"
)

// Trace is a recorded workflow: two demonstrations of one learning target. Addresses of the applications use fixed
// ports; nothing else was changed.
type Trace struct {
	Workflow       string            `json:"workflow"`
	Goal           string            `json:"goal"`
	Values         map[string]string `json:"values"` // link id -> value, opened; everything in here was invented for the corpus
	Demonstrations []Demonstration   `json:"demonstrations"`
}

// Demonstration is what was kept of one of them.
type Demonstration struct {
	Entered Values           `json:"entered"` // what it was done with
	Records []capture.Record `json:"records"`
}

// TraceDir is where the traces are, from this package's folder.
const TraceDir = "testdata/traces"

// ReadTrace reads one.
func ReadTrace(path string) (Trace, error) {
	var t Trace
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	return t, err
}

// WriteTrace writes it into a folder, one record on each line.
func WriteTrace(dir string, t Trace) error {
	head, err := json.MarshalIndent(struct {
		Workflow string            `json:"workflow"`
		Goal     string            `json:"goal"`
		Values   map[string]string `json:"values"`
	}{t.Workflow, t.Goal, t.Values}, "", " ")
	if err != nil {
		return err
	}
	out := append(head[:len(head)-2], ",\n \"demonstrations\": [\n"...)
	for i, d := range t.Demonstrations {
		entered, err := json.Marshal(d.Entered)
		if err != nil {
			return err
		}
		out = append(append(append(out, "  {\"entered\": "...), entered...), ", \"records\": [\n"...)
		for j, r := range d.Records {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			out = append(append(out, "   "...), b...)
			if j < len(d.Records)-1 {
				out = append(out, ',')
			}
			out = append(out, '\n')
		}
		out = append(out, "  ]}"...)
		if i < len(t.Demonstrations)-1 {
			out = append(out, ',')
		}
		out = append(out, '\n')
	}
	out = append(out, " ]\n}\n"...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, t.Workflow+".json"), out, 0o644)
}
