package rehearse_test

import (
	"context"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

func TestLint(t *testing.T) {
	l := newLab(t)
	for name, c := range map[string]struct {
		change func(*compile.Output)
		id     string
	}{
		"R11.2-22 selector": {func(o *compile.Output) { o.Interpretation.Checkpoints[0].SuccessCondition = "div-8472" }, "lint.ckp-001"},
		"R11.2-23 coordinates": {func(o *compile.Output) {
			o.Interpretation.Checkpoints[0].SuccessCondition = "the button at (340, 220)"
		}, "lint.ckp-002"},
		"found at compile time": {func(o *compile.Output) {
			o.Lint = compile.LintReport{Findings: []compile.Finding{
				{Rule: "CKP-006", Severity: "error", Subject: "cp-01", Message: "it holds a captured value"}}}
		}, "lint.ckp-006"},
		"invalid bundle": {func(o *compile.Output) { *o = bundled(*o, map[string]string{"SKILL.md": "no head"}) }, "lint.bundle"},
		"cannot": {func(o *compile.Output) {
			o.Verdict = workflow.Verdict{Result: "cannot", Reason: "no state change was observed"}
		}, "lint.verdict"},
	} {
		req := request(rehearse.RunLint)
		c.change(&req.Draft)
		run, steps := l.run(req)
		if run.OverallResult != rehearse.Failed || step(steps, c.id).Result != rehearse.StepFailed || run.Reason == "" ||
			len(run.ResultRefs) == 0 {
			t.Errorf("%s: %+v\n%+v", name, run, steps)
		}
	}
}

func TestTriggers(t *testing.T) {
	l := newLab(t)
	rival := ability.AvailabilityEntry{AbilityID: "r", SkillSlug: "rival", Title: "Something",
		TriggerPhrases: []string{"export the open orders"},
		InstallLane:    ability.LaneShared, UsableNow: true, CheckpointHealth: "strong"}
	for name, c := range map[string]struct {
		rival  *ability.AvailabilityEntry
		change func(*rehearse.Request)
		want   rehearse.Overall
		id     string
		code   string
	}{
		"alone": {want: rehearse.Passed},
		"a rival on a better lane, with weaker words": {rival: func() *ability.AvailabilityEntry {
			r := rival
			r.TriggerPhrases = []string{"export the customers"}
			return &r
		}(), want: rehearse.Passed},
		"a rival with the same phrase": {rival: &rival, want: rehearse.Partial, id: "trigger.positive.1", code: rehearse.CodeCollision},
		"a rival as good": {rival: func() *ability.AvailabilityEntry { r := rival; r.Title = "Export open orders"; return &r }(),
			want: rehearse.Partial, id: "trigger.positive.1", code: rehearse.CodeCollision},
		"a rival that is better": {rival: func() *ability.AvailabilityEntry { r := rival; r.Title = "Export open orders"; return &r }(),
			change: func(r *rehearse.Request) { r.Draft.Title, r.Draft.TriggerPhrases = "Unlike", []string{"export orders"} },
			want:   rehearse.Failed, id: "trigger.positive.1", code: rehearse.CodeCollision},
		"the ability that it replaces": {rival: &rival, change: func(r *rehearse.Request) {
			r.Draft.Title, r.Run.AbilityID = "Unlike", "r"
		}, want: rehearse.Passed},
		"a negative that matches": {change: func(r *rehearse.Request) {
			r.Draft.NegativeTriggers = nil
			r.Draft.TriggerPhrases = append(r.Draft.TriggerPhrases, "delete orders")
		}, want: rehearse.Failed,
			id: "trigger.negative.1", code: "matched"},
		"a positive that does not match": {change: func(r *rehearse.Request) {
			r.Draft.TriggerPhrases, r.Draft.Title = nil, "Unlike"
		}, want: rehearse.Failed,
			id: "trigger.positive.1", code: "no_match"},
		"no tests": {change: func(r *rehearse.Request) {
			r.Draft = bundled(r.Draft, map[string]string{"tests/triggers.json": ""})
		}, want: rehearse.Failed,
			id: "trigger.file", code: "no_tests"},
	} {
		l.installed = nil
		if c.rival != nil {
			l.installed = []ability.AvailabilityEntry{*c.rival}
		}
		req := request(rehearse.RunTrigger)
		if c.change != nil {
			c.change(&req)
		}
		run, steps := l.run(req)
		if run.OverallResult != c.want {
			t.Errorf("%s: %s, want %s\n%+v", name, run.OverallResult, c.want, steps)
		}
		if c.id != "" && step(steps, c.id).Code != c.code {
			t.Errorf("%s: %+v", name, steps)
		}
	}
}

func TestDependenciesAndAdapters(t *testing.T) {
	l := newLab(t)
	for name, c := range map[string]struct {
		missing string
		kind    rehearse.RunKind
		change  func(*rehearse.Request)
		want    rehearse.Overall
		id      string
	}{
		"command": {missing: "jq", kind: rehearse.RunDependencyCheck, want: rehearse.Failed, id: "dependency_check.command.jq"},
		"site not told": {kind: rehearse.RunDependencyCheck, change: func(r *rehearse.Request) {
			r.Draft.RequiredSites = []string{"other.example"}
		}, want: rehearse.Failed, id: "dependency_check.site.other.example"},
		"support pack": {kind: rehearse.RunDependencyCheck, change: func(r *rehearse.Request) {
			r.Draft = bundled(r.Draft, map[string]string{"support-packs.json": `{"support_packs":["csv-tools"]}`})
		}, want: rehearse.Partial, id: "dependency_check.pack.csv-tools"},
		"smoke file": {kind: rehearse.RunDependencyCheck, change: func(r *rehearse.Request) {
			r.Draft = bundled(r.Draft, map[string]string{"tests/smoke.json": `{"tests":[{"kind":"bundle_file","target":"gone.md"}]}`})
		}, want: rehearse.Failed, id: "dependency_check.file.gone.md"},
		"observation": {missing: "browser_dom", kind: rehearse.RunAdapterCheck, want: rehearse.Failed, id: "adapter_check.observe.browser_dom"},
		"browser":     {missing: "browser", kind: rehearse.RunAdapterCheck, want: rehearse.Failed, id: "adapter_check.surface.browser"},
		"shell":       {missing: "sh", kind: rehearse.RunAdapterCheck, want: rehearse.Failed, id: "adapter_check.surface.shell"},
	} {
		clear(l.missing)
		l.missing[c.missing] = true
		req := request(c.kind)
		if c.change != nil {
			c.change(&req)
		}
		run, steps := l.run(req)
		if s := step(steps, c.id); run.OverallResult != c.want || s.Result == rehearse.StepPassed || s.Code == "" {
			t.Errorf("%s: %s %+v", name, run.OverallResult, steps)
		}
	}
}

func TestDryRunExplains(t *testing.T) {
	l := newLab(t)
	req := request(rehearse.RunDryRun)
	req.Parameters = map[string]string{"customer": "Contoso-secret"}
	_, steps := l.run(req)
	for id, want := range map[string]string{
		"dry_run.s1": "with customer: given for this run", "dry_run.s2": `the button "Export" on desk.example`,
		"dry_run.s3": "run `jq length orders.json`",
	} {
		if s := step(steps, id); !strings.Contains(s.Details, want) || !strings.Contains(s.Details, "is not performed") {
			t.Errorf("%s: %+v", id, s)
		}
	}
	for _, s := range steps {
		if strings.Contains(s.Label+s.Details, "Contoso") {
			t.Errorf("a value is kept: %+v", s)
		}
	}
}

func TestDryRunNeedsValues(t *testing.T) {
	l := newLab(t)
	for name, c := range map[string]struct {
		change func(*rehearse.Request)
		want   rehearse.Overall
		source string
	}{
		"none":   {func(*rehearse.Request) {}, rehearse.Partial, ""},
		"sealed": {func(r *rehearse.Request) { r.Values = values("v1") }, rehearse.Passed, "sealed"},
		"never twice on live data": {func(r *rehearse.Request) {
			r.Values, r.Policy = values("v1"), &rehearse.TestPolicy{Mode: rehearse.LiveReadSafeWrite,
				SafeTargets: []rehearse.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}}
		}, rehearse.Passed, "needs another one"},
		"purged":   {func(r *rehearse.Request) { r.Values = values() }, rehearse.Partial, ""},
		"default":  {func(r *rehearse.Request) { r.Draft.Interpretation.Inputs[0].Default = "x" }, rehearse.Passed, "default"},
		"example":  {func(r *rehearse.Request) { r.Draft.Interpretation.Inputs[0].Example = "x" }, rehearse.Passed, "example"},
		"choices":  {func(r *rehearse.Request) { r.Draft.Interpretation.Inputs[0].Options = []string{"a", "b"} }, rehearse.Passed, "choices"},
		"optional": {func(r *rehearse.Request) { r.Draft.Interpretation.Inputs[0].Required = false }, rehearse.Passed, "optional"},
	} {
		req := request(rehearse.RunDryRun)
		req.Parameters = nil
		c.change(&req)
		run, steps := l.run(req)
		s := step(steps, "dry_run.input.customer")
		if run.OverallResult != c.want || !strings.Contains(s.Details, c.source) ||
			(c.want == rehearse.Partial) != (s.Code == rehearse.CodeNeedsValue) {
			t.Errorf("%s: %s %+v", name, run.OverallResult, s)
		}
	}
}

func values(links ...string) func(context.Context) (map[string]string, error) {
	return func(context.Context) (map[string]string, error) {
		m := map[string]string{}
		for _, l := range links {
			m[l] = "value"
		}
		return m, nil
	}
}

func policy(mode rehearse.PolicyMode, targets ...string) *rehearse.TestPolicy {
	p := rehearse.DefaultPolicy("00000000-0000-7000-8000-000000000001")
	p.Mode = mode
	for _, k := range targets {
		p.SafeTargets = append(p.SafeTargets, rehearse.SafeTarget{TargetKind: k, Ref: "x"})
	}
	return &p
}

// The table of decisions C12, and what a policy forbids a step.
func TestPolicies(t *testing.T) {
	l := newLab(t)
	browserOnly := func(r *rehearse.Request) { r.Draft.Graph.Steps = r.Draft.Graph.Steps[:2] }
	no := false
	for name, c := range map[string]struct {
		policy  *rehearse.TestPolicy
		change  func(*rehearse.Request)
		refused bool             // by Start
		failed  string           // or a step by this id
		code    string           // of that step
		start   fault.Code       // of Start's refusal, TEST_POLICY_VIOLATION when empty
		want    rehearse.Overall // otherwise
	}{
		"default":                       {want: rehearse.Passed},
		"dry run only":                  {policy: policy(rehearse.DryRunOnly), want: rehearse.Passed},
		"read only cannot hold a shell": {policy: policy(rehearse.ReadOnly), refused: true},
		"read only, an effect":          {policy: policy(rehearse.ReadOnly), change: browserOnly, failed: "dry_run.s2"},
		"safe targets are missing":      {policy: policy(rehearse.SafeTargetOnly), refused: true},
		"safe targets are there": {policy: policy(rehearse.SafeTargetOnly, "temp_folder", "managed_browser_profile"),
			want: rehearse.Passed},
		"live write needs a folder":   {policy: policy(rehearse.LiveReadSafeWrite), refused: true},
		"live write":                  {policy: policy(rehearse.LiveReadSafeWrite, "temp_folder"), want: rehearse.Passed},
		"blank artifact in a browser": {policy: policy(rehearse.BlankArtifact, "blank_document"), refused: true},
		"unknown mode":                {policy: policy("anything"), refused: true, start: fault.InvalidRequest},
		"destructive": {policy: policy(rehearse.ControlledLiveTest, "temp_folder"), change: func(r *rehearse.Request) {
			r.Draft.Graph.Steps[2].Grave = true
		},
			failed: "dry_run.s3"},
		"destructive, allowed": {policy: func() *rehearse.TestPolicy {
			p := policy(rehearse.ControlledLiveTest, "temp_folder")
			p.ForbidDestructiveWrites = &no
			return p
		}(), change: func(r *rehearse.Request) { r.Draft.Graph.Steps[2].Grave = true }, want: rehearse.Passed},
		"sending": {policy: policy(rehearse.ControlledLiveTest, "temp_folder"), change: func(r *rehearse.Request) {
			r.Draft.Graph.Steps[1].Grave, r.Draft.Graph.Steps[1].Title = true, "Sent the mail: Send"
		}, failed: "dry_run.s2"},
		"another site": {policy: func() *rehearse.TestPolicy {
			p := policy(rehearse.DryRunOnly)
			p.AllowedDomains = []string{"*.other.example"}
			return p
		}(), failed: "dry_run.s1"},
		"subdomains": {policy: func() *rehearse.TestPolicy {
			p := policy(rehearse.DryRunOnly)
			p.AllowedDomains = []string{"*.example"}
			return p
		}(), want: rehearse.Passed},
		"too many actions": {policy: func() *rehearse.TestPolicy {
			p := policy(rehearse.DryRunOnly)
			p.MaxActions = 2
			return p
		}(), failed: "dry_run.max_actions"},
		"loops count": {policy: func() *rehearse.TestPolicy { p := policy(rehearse.DryRunOnly); p.MaxActions = 4; return p }(),
			change: func(r *rehearse.Request) {
				r.Draft.Graph.Loops = []workflow.Loop{{Over: "each order", Steps: []string{"s1"}, Rounds: 3}}
			}, failed: "dry_run.max_actions"},
		"start elsewhere":  {change: func(r *rehearse.Request) { r.StartURL = "https://evil.example/" }, refused: true},
		"start here":       {change: func(r *rehearse.Request) { r.StartURL = "https://desk.example/orders" }, want: rehearse.Passed},
		"start is no page": {change: func(r *rehearse.Request) { r.StartURL = "file:///etc/passwd" }, refused: true, start: fault.InvalidRequest},
		"upload, a write like others": {policy: policy(rehearse.ControlledLiveTest, "temp_folder"), change: func(r *rehearse.Request) {
			r.Draft.Graph.Steps[1].Verb = capture.Upload
		},
			want: rehearse.Passed},
		"safe writes are never destructive": {policy: func() *rehearse.TestPolicy {
			p := policy(rehearse.LiveReadSafeWrite, "temp_folder")
			p.ForbidDestructiveWrites = &no
			return p
		}(), change: func(r *rehearse.Request) { r.Draft.Graph.Steps[2].Grave = true }, failed: "dry_run.s3"},
	} {
		req := request(rehearse.RunDryRun)
		req.Policy = c.policy
		if c.change != nil {
			c.change(&req)
		}
		if c.refused {
			code := c.start
			if code == "" {
				code = fault.TestPolicyViolation
			}
			if _, err := l.r.Start(l.ctx(), req); !fault.Is(err, code) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		run, steps := l.run(req)
		if c.failed == "" {
			if run.OverallResult != c.want {
				t.Errorf("%s: %+v", name, run)
			}
			continue
		}
		if s := step(steps, c.failed); run.OverallResult != rehearse.Failed || s.Code != rehearse.CodePolicyViolation {
			t.Errorf("%s: %s %+v", name, run.OverallResult, s)
		}
	}
}
