package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/figures"
	"showhow/bench/wild/cases"
	"showhow/bench/wild/judge"
)

// report is bench/out/bench-wild.json.
type report struct {
	figures.Report
	Seed    uint64                   `json:"seed"`
	Unseen  []string                 `json:"unseen"`
	Classes map[string]judge.Tally   `json:"classes"` // by kind, library, language and trait, of what was developed against
	Apps    map[string]judge.Tally   `json:"apps,omitempty"`
	Misses  map[string][]string      `json:"misses"` // by case
	Finder  map[string]*lookupTotals `json:"finder,omitempty"`
}

func newReport(s *settings) *report {
	return &report{Report: figures.New("bench-wild"), Seed: s.seed, Unseen: s.unseen, Classes: map[string]judge.Tally{},
		Apps: map[string]judge.Tally{}, Misses: map[string][]string{}}
}

// traits are the properties of a case that may make it hard.
func traits(c *cases.Case) (out []string) {
	s := &c.Spec
	for name, has := range map[string]bool{"other words at each load": s.Shift, "keeps nothing to be seen": !s.Persist,
		"says nothing": s.Message == "", "slow": s.Slow > 0, "virtual list": s.Virtual, "asked about": s.Confirm, "posted": s.Classic,
		"a clock": s.Style.Clock, "noise": s.Style.Noise > 0,
		"icons": slices.ContainsFunc(s.Actions, func(a cases.Action) bool { return a.Icon != "" })} {
		if has {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// openCases creates the file with one line per case.
func openCases() (*os.File, error) {
	out := filepath.Join("bench", "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	return os.Create(filepath.Join(out, "wild-cases.jsonl"))
}

// write adds a case; for unseen libraries it records no causes of failure.
func write(f *os.File, m *measured) {
	if f == nil {
		return
	}
	told := *m
	if told.Unseen {
		told.Why, told.Extra = "", nil
	}
	b, err := json.Marshal(told)
	if err == nil {
		_, err = f.Write(append(b, '\n'))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-wild:", err)
	}
}

// line is the case in one line.
func (m *measured) line() string {
	if m.Problem != "" {
		return fmt.Sprintf("%-34s not measured: %.300s", m.Case, m.Problem)
	}
	why := m.Why
	if m.Unseen {
		why = ""
	}
	lie := ""
	if m.Lie != "" {
		lie = fmt.Sprintf(" %s:%s", m.Lie, or(m.LieRun, "refused"))
	}
	return fmt.Sprintf("%-34s %-8s %-8s inputs %d/%d%s %.0f s %.400s", m.Case, m.Outcome, or(m.Result, "-"), m.Found, m.Truths, lie, m.Seconds,
		why)
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// cases adds the results of the generated cases.
func (r *report) cases(all []*measured) {
	seen, unseen := judge.Tally{}, judge.Tally{}
	lies := map[string][2]int{} // passed, of
	var shown, problems, runs, claimed, done, alarmed, harmless, held, grave, marked, found, truths int
	for _, m := range all {
		if m.Problem != "" {
			problems++
			r.Misses[m.Case] = []string{"not measured: " + m.Problem}
			continue
		}
		shown++
		runs++
		found, truths = found+m.Found, truths+m.Truths
		if m.Claimed {
			claimed++
		}
		if m.Outcome == judge.Right || m.Outcome == judge.Partial || m.Outcome == judge.Alarm {
			done++
		}
		if m.Alarmed {
			alarmed++
		}
		if m.Grave {
			grave++
			if m.Marked {
				marked++
			}
		} else {
			harmless++
			if m.Held {
				held++
			}
		}
		if m.Lie != "" {
			runs++
			k := lies[string(m.Lie)]
			k[1]++
			if m.PassLie {
				claimed++
				k[0]++
			}
			lies[string(m.Lie)] = k
		}
		if m.Unseen {
			unseen[m.Outcome]++
			continue
		}
		seen[m.Outcome]++
		for _, class := range m.classes() {
			if r.Classes[class] == nil {
				r.Classes[class] = judge.Tally{}
			}
			r.Classes[class][m.Outcome]++
		}
		if m.Why != "" {
			r.Misses[m.Case] = append(r.Misses[m.Case], fmt.Sprintf("%s (%s): %s", m.Outcome, or(m.Result, "refused"), m.Why))
		}
		if m.PassLie {
			r.Misses[m.Case] = append(r.Misses[m.Case], "passed on a site that lies: "+string(m.Lie))
		}
	}
	n := seen.N()
	r.Ratio("generated_right", seen[judge.Right], n,
		"generated cases whose run with other values did exactly what was asked and said so, by the ledger")
	r.Ratio("generated_partial", seen[judge.Partial], n, "done, and ended partial although the page shows what it keeps")
	r.Ratio("generated_wrong", seen[judge.Wrong], n, "something else was done")
	r.Ratio("generated_refused", seen[judge.Refused]+seen[judge.Claimed], n, "nothing was done")
	r.Ratio("generated_unseen_right", unseen[judge.Right], unseen.N(), "the same of three libraries that nobody looks into")
	r.Ratio("generated_unseen_wrong", unseen[judge.Wrong], unseen.N(), "something else was done there")
	r.Ratio("called_passed_not_done", claimed, runs, "runs called passed without the expected deed, on honest sites and on those that lie")
	r.Ratio("called_failed_done", alarmed, done, "runs called failed of those that had done exactly what was asked")
	r.Ratio("harmless_refused", held, harmless, "cases without a deed that cannot be taken back that were held back as if they had one")
	r.Ratio("grave_marked", marked, grave, "cases that delete or approve whose draft says that it cannot be taken back")
	r.Ratio("inputs_found", found, truths, "inputs that a person would expect and the draft asks for")
	for _, l := range []string{"silent", "claims", "elsewhere", "another"} {
		r.Ratio("lies_passed_"+l, lies[l][0], lies[l][1], "runs called passed on a site that lies in this way")
	}
	r.Ratio("not_shown", problems, shown+problems,
		"drawn cases that the driver could not show or the machine not measure; they count nowhere else")
}

// classes are the classes in which a case is counted.
func (m *measured) classes() []string {
	out := []string{"kind " + string(m.Kind), "library " + m.Library, "language " + m.Lang}
	if m.Variant != "" {
		out = append(out, fmt.Sprintf("kind %s, %s", m.Kind, m.Variant))
	}
	for _, t := range m.Traits {
		out = append(out, "trait "+t)
	}
	return out
}

// print writes the tables for people and the file for programs.
func (r *report) print() error {
	r.Print()
	table(r.Classes)
	table(r.Apps)
	for _, name := range sorted(r.Finder) {
		f := r.Finder[name]
		fmt.Printf("%-34s %4d right %4d refused %4d wrong\n", name, f.Right, f.Refused, f.Wrong)
	}
	fmt.Println("\nmisses")
	for _, name := range sorted(r.Misses) {
		for _, m := range r.Misses[name] {
			fmt.Printf("%-34s %.600s\n", name, m)
		}
	}
	return figures.Write(r.Name, r)
}

// table prints tallies with the interval of the right ones.
func table(classes map[string]judge.Tally) {
	if len(classes) == 0 {
		return
	}
	fmt.Printf("\n%-34s %4s", "class", "n")
	for _, o := range judge.Outcomes {
		fmt.Printf(" %8s", o)
	}
	fmt.Println("  right, 95 %")
	for _, name := range sorted(classes) {
		t := classes[name]
		fmt.Printf("%-34s %4d", name, t.N())
		for _, o := range judge.Outcomes {
			fmt.Printf(" %8d", t[o])
		}
		low, high := judge.Interval(t[judge.Right], t.N())
		fmt.Printf("  %.2f to %.2f\n", low, high)
	}
}

func sorted[T any](m map[string]T) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
