package compile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/internal/clock"
)

// recorded is a recorded workflow of the learning corpus (bench/corpus): two demonstrations with different values.
type recorded struct {
	Workflow       string            `json:"workflow"`
	Goal           string            `json:"goal"`
	Values         map[string]string `json:"values"`
	Demonstrations []struct {
		Records []capture.Record `json:"records"`
	} `json:"demonstrations"`
}

func eachRecorded(t *testing.T, f func(t *testing.T, w recorded)) {
	t.Helper()
	files, err := filepath.Glob("../../bench/corpus/testdata/traces/*.json")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d recorded workflows: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var w recorded
			if err := json.Unmarshal(data, &w); err != nil {
				t.Fatal(err)
			}
			f(t, w)
		})
	}
}

// input returns the input of a compilation of the first n demonstrations.
func (w recorded) input(n int) Input {
	in := Input{Goal: w.Goal, EntryMode: "demonstrating_skill", ExecutionMode: "guided", Values: w.Values, Revision: 1,
		Now: clock.At(fixtureStart), NewID: counter()}
	for i, d := range w.Demonstrations[:n] {
		in.Traces = append(in.Traces, Trace{TraceID: fmt.Sprintf("00000000-0000-7000-8000-0000000000a%d", i),
			SessionID: "00000000-0000-7000-8000-0000000000b0", Records: d.Records})
	}
	return in
}

// The result for every recorded workflow, from one demonstration and from two, and the SKILL.md that a reviewer reads.
func TestCorpus(t *testing.T) {
	eachRecorded(t, func(t *testing.T, w recorded) {
		ar := &txtar.Archive{Comment: []byte(w.Goal + "\n")}
		for n := 1; n <= len(w.Demonstrations); n++ {
			in := w.input(n)
			out := compiled(t, in)
			for _, msg := range unsound(in, out) {
				t.Error(msg)
			}
			add := func(name string, data []byte) {
				ar.Files = append(ar.Files, txtar.File{Name: fmt.Sprintf("%d/%s", n, name), Data: data})
			}
			add("understood.json", summary(t, out))
			if n == len(w.Demonstrations) {
				add("SKILL.md", out.Bundle.File("SKILL.md").Data)
				add("references/demonstration.md", out.Bundle.File("references/demonstration.md").Data)
				add("references/steps.md", out.Bundle.File("references/steps.md").Data)
			}
		}
		name := filepath.Join("testdata/corpus", w.Workflow+".txtar")
		got := txtar.Format(ar)
		if *update {
			if err := os.MkdirAll("testdata/corpus", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	})
}
