package rehearse_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/canonical"
	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a runner over a real database, on a machine that has jq and a browser.
type lab struct {
	t         *testing.T
	db        *store.Store
	memory    string
	opt       rehearse.Options
	r         *rehearse.Runner
	installed []ability.AvailabilityEntry
	missing   map[string]bool // commands and adapters that are not here
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t: t, missing: map[string]bool{}}
	dir := t.TempDir()
	l.memory = filepath.Join(dir, "memory")
	t.Cleanup(func() { canonical.Must(t, l.memory) })
	var err error
	l.db, err = store.Open(context.Background(), store.Options{Dir: dir})
	l.ok(err)
	t.Cleanup(func() { l.db.Close() })
	l.opt = rehearse.Options{Store: l.db.Runs(), Installed: func(context.Context) ([]ability.AvailabilityEntry, error) {
		return l.installed, nil
	},
		Env: ability.Environment{
			LookPath: func(c string) (string, error) {
				if l.missing[c] {
					return "", os.ErrNotExist
				}
				return "/bin/" + c, nil
			},
			Adapter: func(k string) (bool, string) { return !l.missing[k], "not here" },
		}}
	l.r = rehearse.New(l.opt)
	t.Cleanup(func() { l.r.Close() })
	return l
}

func (l *lab) ok(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) ctx() context.Context { return l.t.Context() }

const (
	site    = "desk.example"
	skillMD = "---\nname: export-orders\ndescription: Exports the open orders of the order desk as a file.\n---\n\n# Export orders\n\nOn " +
		"desk.example: export the open orders.\n"
)

// draft is a small skill: open the orders of a customer, export them, count them in the shell.
func draft() compile.Output {
	page := &capture.Page{URL: "https://" + site + "/orders"}
	o := compile.Output{
		Title: "Export open orders", Slug: "export-orders", CapabilityID: "desk.export_orders", RequiredSites: []string{
			site}, RequiredCommands: []string{"jq"},
		TriggerPhrases: []string{"export the open orders"}, NegativeTriggers: []string{"delete orders"},
		Graph: workflow.Graph{
			Steps: []workflow.Step{
				{StepID: "s1", Title: "Entered {customer} as Customer", Surface: "browser", Verb: capture.Type,
					Target: &capture.Target{Role: "textbox", Name: "Customer"}, Page: page, ParamID: "p1"},
				{StepID: "s2", Title: "Exported the list", Surface: "browser", Verb: capture.Click,
					Target: &capture.Target{Role: "button", Name: "Export"}, Page: page, Effect: true, Changed: true, Checkpoint: "cp-01"},
				{StepID: "s3", Title: "Counted the lines", Surface: "shell", Verb: capture.Run, Command: "jq length orders.json", Checkpoint: "cp-02"},
			},
			Params: []workflow.Param{{ParamID: "p1", Name: "customer", Role: "input", Required: true, LinkID: "v1", UsedIn: []string{"s1"}}},
		},
		Interpretation: workflow.Interpretation{
			Inputs: []workflow.InputSpec{{Name: "customer", Label: "Customer", Required: true}},
			Checkpoints: []workflow.Checkpoint{
				{CheckpointID: "cp-01", Goal: "The list is exported", SuccessCondition: "The message \"Exported\" is shown.", StepID: "s2",
					Check: &workflow.Check{Kind: "alert", Expect: "Exported"}, Effect: true},
				{CheckpointID: "cp-02", Goal: "The lines are counted", SuccessCondition: "`jq` ended without an error (exit code 0).", StepID: "s3",
					Check: &workflow.Check{Kind: "exit_code", Name: "jq", Expect: "0"}},
			},
		},
		Verdict: workflow.Verdict{Result: "generalises"},
	}
	return bundled(o, nil)
}

// bundled writes the draft's bundle, with other files where given.
func bundled(o compile.Output, other map[string]string) compile.Output {
	triggers, _ := json.Marshal(skill.TriggerTests{SchemaVersion: 1, Skill: o.Slug, Positives: o.TriggerPhrases,
		Paraphrases: []string{"please export the open orders"}, Negatives: []string{"delete orders", "the weather tomorrow"}})
	files := map[string]string{
		"SKILL.md": skillMD, "tests/triggers.json": string(triggers), "tests/checks.json": "{}",
		"tests/smoke.json": `{"schema_version":1,"skill":"export-orders","tests":[{"kind":"bundle_file","target":"SKILL.md"},{"kind":"site",` +
			`"target":"desk.example"}]}`,
	}
	for p, text := range other {
		files[p] = text
	}
	var list []skill.File
	for p, text := range files {
		if text != "" {
			list = append(list, skill.File{Path: p, Data: []byte(text)})
		}
	}
	var err error
	if o.Bundle, err = skill.New(o.Slug, list); err != nil {
		panic(err)
	}
	return o
}

func request(kinds ...rehearse.RunKind) rehearse.Request {
	return rehearse.Request{Draft: draft(), Adapters: []string{"browser_dom"}, Parameters: map[string]string{"customer": "Contoso"},
		Run: rehearse.ValidationRun{ProposalID: clock.NewID(), LearnSessionID: clock.NewID(), Revision: 1, RunKinds: kinds}}
}

// run starts a run and waits for its end.
func (l *lab) run(req rehearse.Request) (rehearse.ValidationRun, []rehearse.ValidationStepResult) {
	l.t.Helper()
	run, err := l.r.Start(l.ctx(), req)
	l.ok(err)
	if run.Status != rehearse.StatusRunning || run.OverallResult != "" || run.CompletedAt != nil {
		l.t.Errorf("a run that begins: %+v", run)
	}
	if b, _ := json.Marshal(run); strings.Contains(string(b), "overall_result") {
		l.t.Errorf("a running run has a result: %s", b)
	}
	run, err = l.r.Wait(l.ctx(), run.ValidationRunID)
	l.ok(err)
	_, steps, err := l.r.Get(l.ctx(), run.ValidationRunID)
	l.ok(err)
	return run, steps
}

func step(steps []rehearse.ValidationStepResult, id string) rehearse.ValidationStepResult {
	i := slices.IndexFunc(steps, func(s rehearse.ValidationStepResult) bool { return s.TestCaseID == id })
	if i < 0 {
		return rehearse.ValidationStepResult{}
	}
	return steps[i]
}

func lines[T any](l *lab, path string) []T {
	l.t.Helper()
	b, err := os.ReadFile(filepath.Join(l.memory, filepath.FromSlash(path)))
	l.ok(err)
	var out []T
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var v T
		l.ok(json.Unmarshal([]byte(line), &v))
		out = append(out, v)
	}
	return out
}

func (l *lab) events() map[journal.EventKind]int {
	l.t.Helper()
	es, err := l.db.Events(l.ctx(), 0, "", 1000)
	l.ok(err)
	out := map[journal.EventKind]int{}
	for _, e := range es {
		out[e.Kind]++
	}
	return out
}

func (l *lab) wantCode(err error, code fault.Code) {
	l.t.Helper()
	if !fault.Is(err, code) {
		l.t.Fatalf("got %v, want %s", err, code)
	}
}
