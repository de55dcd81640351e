package agents

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func runCommand(e *env) *cobra.Command {
	var r client.SandboxRunRequest
	var domains, credentials, read []string
	var limit time.Duration
	var dry, background bool
	cmd := e.Call("run -- COMMAND...", "Let an agent work, or repair a skill, in a sandbox",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.Command = located(args)
			r.Domains, r.ReadOnly, r.Limits.Seconds = domains, absolute(read), int(limit.Seconds())
			switch {
			case len(credentials) == 1 && credentials[0] == "none":
				r.Credentials = []string{}
			case len(credentials) > 0:
				r.Credentials = credentials
			}
			return e.startRun(ctx, c, r, dry, background)
		})
	cmd.DisableFlagsInUseLine = true
	cmd.Args = kit.Arity
	cmd.Long = `The command gets a fresh workspace with a copy of the skill, and nothing of yours: no home, no other process, no socket, no
network but the hosts that are shown before it starts. What it changed in the skill's files is checked when it has ended well
and waits for your review; nothing is installed for agents before. Ctrl-C ends it. Without bubblewrap there is
no run; on macOS it is sandbox-exec, which was never tried there.

In the workspace .showhow/brief.md says what to do. The agent asks with showhow-ask; the run is paused until you answer.
Credentials come from the keychain, by the names that the approved skill declares, and you confirm them with a code. docs/runs.md`
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&r.Skill, "skill", "", "the `ability` whose files it works with")
	f.BoolVar(&r.Unapproved, "unapproved", false, "work with a skill that nobody approved: only the hosts named here, no credentials")
	f.StringSliceVar(&domains, "domains", nil, "`hosts` that it may reach besides the skill's: host, host:port, *.host")
	f.StringVar(&r.Goal, "goal", "", "what it is to do, in a sentence")
	f.StringArrayVar(&r.Hints, "hint", nil, "a `hint` for it, as often as you like")
	f.StringVar(&r.Agent, "agent", "", "whose `profile` it has, when the program's name does not say it: claude-code, codex, ...")
	f.StringSliceVar(&credentials, "credentials", nil, "only these `names` of the skill's credentials; none for none")
	f.StringArrayVar(&read, "read", nil, "a further `path` that it may read")
	f.DurationVar(&limit, "time", 0, "how long it may take (default 30m)")
	f.BoolVar(&r.WithoutDependencies, "without-dependencies", false,
		"begin although programs or packages that the skill declares are not there")
	f.BoolVar(&r.Retry, "retry", false, "begin once more, in a fresh workspace, after a failure that may pass")
	f.BoolVar(&dry, "dry-run", false, "show what it would be given, and start nothing")
	f.BoolVar(&background, "background", false, "do not wait for its end: showhow run show follows it")
	_ = cmd.RegisterFlagCompletionFunc("skill", e.Offer(kit.AbilityNames))
	kit.With(cmd, `showhow run --skill send-a-report --goal "send last month's" -- claude -p "read .showhow/brief.md and do it"`,
		`showhow run --goal "learn how to use the tracker" --domains docs.tracker.example -- ./my-agent`)
	cmd.AddCommand(runList(e), runShow(e), runAnswer(e), runCancel(e), runEvidence(e), runPrepare(e))
	return cmd
}

// located resolves the program's path as the person's shell would; the daemon has another working directory and PATH.
func located(args []string) []string {
	if p, err := exec.LookPath(args[0]); err == nil {
		if abs, err := filepath.Abs(p); err == nil {
			return append([]string{abs}, args[1:]...)
		}
	}
	return args
}

func absolute(paths []string) []string {
	out := []string{}
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		out = append(out, p)
	}
	return out
}

func (e *env) startRun(ctx context.Context, c *client.Client, r client.SandboxRunRequest, dry, background bool) error {
	p, err := c.PlanSandboxRun(ctx, r)
	if err != nil {
		return err
	}
	if dry {
		return e.Show(func() { e.planned(p, e.Say) })
	}
	e.planned(p, e.Note)
	run, err := c.StartSandboxRun(ctx, r)
	if err != nil {
		return err
	}
	if background {
		return e.Show(func() { e.Say("it runs: showhow run show %s", run.RunID) })
	}
	return e.followRun(ctx, c, run.RunID)
}

func orNone(s []string) string {
	if len(s) == 0 {
		return "none"
	}
	return strings.Join(s, " ")
}

// planned shows what a run may use, before it begins.
func (e *env) planned(p client.SandboxRunPlan, say func(string, ...any)) {
	if p.SkillSlug != "" {
		say("skill        %s (%s)", p.SkillSlug, kit.Words(p.SkillTrust))
	}
	say("agent        %s", p.Agent)
	say("hosts        %s", orNone(p.Hosts))
	say("credentials  %s", orNone(p.Credentials))
	say("may read     %s", orNone(p.ReadOnly))
	for _, d := range p.Dependencies {
		say("packages     %s (%s, prepared)", d.Manifest, kit.Plural(d.Packages, "package", "packages"))
	}
}

// followRun prints the agent's output, asks the person its questions, and fails unless the run succeeded.
func (e *env) followRun(ctx context.Context, c *client.Client, id string) error {
	var at int64
	asked := ""
	for {
		o, err := c.SandboxRunOutput(ctx, id, at)
		if ctx.Err() != nil {
			if _, err := c.CancelSandboxRun(context.WithoutCancel(ctx), id); err == nil {
				e.Note("the run was cancelled, and its workspace is removed")
			}
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		at = o.Next
		if !e.JSON {
			fmt.Fprint(e.Out, o.Text)
		}
		r, err := c.SandboxRun(ctx, id)
		if err != nil {
			continue // the next look says why
		}
		if r.Question != nil && r.Question.QuestionID != asked {
			asked = r.Question.QuestionID
			e.question(r)
		}
		if r.State.Ended() {
			return e.runEnded(r)
		}
		if o.Ended {
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}
}

func (e *env) question(r client.SandboxRun) {
	q := r.Question
	if r.For != "" {
		e.Note("\nWhat you answer can reach %s, on another computer.", r.For)
	}
	if q.Kind == "domain" {
		e.Note("\nThe agent asks to reach %s. It says: %s\n  showhow run answer %s --allow     or --refuse", q.Host, q.Text, r.RunID)
		return
	}
	e.Note("\nThe agent asks: %s\n  showhow run answer %s TEXT     or --refuse", q.Text, r.RunID)
}

func (e *env) runEnded(r client.SandboxRun) error {
	err := e.Show(func() { e.outcome(r) })
	if err == nil && r.State != "succeeded" {
		f := fault.New(fault.AgentRunFailed, "the run did not succeed: "+r.Reason).WithDetail("run_id", r.RunID).WithDetail("reason_code",
			r.ReasonCode)
		if r.Retryable {
			f = f.WithHint("it can be repeated: run the same again")
		}
		return f
	}
	return err
}

func (e *env) outcome(r client.SandboxRun) {
	e.Say("%s", kit.Words(string(r.State)))
	for _, s := range r.Skills {
		e.Say("skill %s: %s%s", s.SkillSlug, s.Outcome, changedFiles(s.Added, s.Changed, s.Deleted))
		for _, p := range s.Problems {
			e.Say("  ! %s", p)
		}
		if s.Verdict != "" {
			e.Say("  scan: %s", s.Verdict)
			e.SayFindings(s.Findings, nil)
		}
		if s.Outcome == "created" || s.Outcome == "updated" {
			e.Say("  it waits for your review: showhow skill show %s, then showhow skill approve %s", s.SkillSlug, s.SkillSlug)
		}
	}
}

func changedFiles(added, changed, deleted []string) string {
	var b strings.Builder
	for _, p := range added {
		b.WriteString(" +" + p)
	}
	for _, p := range changed {
		b.WriteString(" ~" + p)
	}
	for _, p := range deleted {
		b.WriteString(" -" + p)
	}
	return b.String()
}

func runList(e *env) *cobra.Command {
	var p kit.Pages
	cmd := e.Call("list", "List runs, newest first", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.SandboxRuns(ctx, p.Query())
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("there was no run yet", kit.Columns("RUN", "STARTED", "AGENT", "SKILL", "STATE"), func(row func(...any)) {
				for _, r := range l.Runs {
					state := kit.Words(string(r.State))
					if r.ReasonCode != "" {
						state += ": " + kit.Words(r.ReasonCode)
					}
					if r.For != "" {
						state += ", for " + r.For
					}
					row(r.RunID, r.StartedAt.Local().Format("2006-01-02 15:04"), r.Agent, r.SkillSlug, state)
				}
			})
		})
	})
	return kit.With(p.Flags(cmd), "showhow run list")
}

// onRun returns a command that takes a run's id; the default is the newest run.
func (e *env) onRun(use, short string, f func(ctx context.Context, c *client.Client, id string, args []string) error) *cobra.Command {
	return e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		if len(args) > 0 {
			return f(ctx, c, args[0], args[1:])
		}
		l, err := c.SandboxRuns(ctx, client.PageQuery{Page: 1, PageSize: 1})
		if err != nil {
			return err
		}
		if len(l.Runs) == 0 {
			return fault.New(fault.NotFound, "there was no run yet").WithHint("showhow run -- COMMAND starts one")
		}
		return f(ctx, c, l.Runs[0].RunID, nil)
	})
}

func runShow(e *env) *cobra.Command {
	return kit.With(e.onRun("show [RUN]", "Show a run: its state, what it asks, what became of the skill",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			r, err := c.SandboxRun(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("run          %s\ncommand      %s\nhosts        %s\ncredentials  %s", r.RunID, strings.Join(r.Command, " "),
					orNone(append(r.AllowedHosts, r.GrantedHosts...)), orNone(r.Credentials))
				if r.For != "" {
					e.Say("for          %s, on another computer, which gets what it prints", r.For)
				}
				if r.Reason != "" {
					e.Say("reason       %s", r.Reason)
				}
				e.outcome(r)
				if r.Question != nil {
					e.question(r)
				}
			})
		}), "showhow run show")
}

func runAnswer(e *env) *cobra.Command {
	var allow, refuse bool
	cmd := e.Call("answer RUN [TEXT...]", "Answer what a run asks; a yes is confirmed with a code",
		func(ctx context.Context, c *client.Client, args []string) error {
			r, err := c.SandboxRun(ctx, args[0])
			if err != nil {
				return err
			}
			text := strings.Join(args[1:], " ")
			switch {
			case r.Question == nil:
				return fault.New(fault.InvalidLearnStateTransition, "the run asks nothing")
			case allow && refuse:
				return kit.Usage("--allow and --refuse exclude each other")
			case r.Question.Kind == "domain" && !allow && !refuse:
				return kit.Usage("say --allow or --refuse").WithHint("the agent asks to reach " + r.Question.Host)
			case r.Question.Kind == "input" && !refuse && text == "":
				return kit.Usage("TEXT is missing").WithHint("or --refuse")
			}
			a := client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: !refuse, Text: text}
			_, err = c.AnswerSandboxRun(ctx, args[0], a, client.IfMatch(r.Revision))
			return e.Done(err, "answered")
		})
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.Flags().BoolVar(&allow, "allow", false, "let it reach the host that it asks for, in this run")
	cmd.Flags().BoolVar(&refuse, "refuse", false, "say no")
	return kit.With(cmd, "showhow run answer 0199a1b2-... --allow", `showhow run answer 0199a1b2-... "the calendar of the team"`)
}

func runCancel(e *env) *cobra.Command {
	return kit.With(e.onRun("cancel [RUN]", "End a run and everything in its sandbox",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			_, err := c.CancelSandboxRun(ctx, id)
			return e.Done(err, "cancelled")
		}), "showhow run cancel")
}

func runEvidence(e *env) *cobra.Command {
	return kit.With(e.onRun("evidence [RUN]", "Show what was observed of a run: hosts, tools, files",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			v, err := c.SandboxRunEvidence(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("reached      %s\nrefused      %s\nallowed      %s (by you, while it ran)\ncredentials  %s", orNone(v.HostsReached),
					orNone(v.HostsRefused), orNone(v.HostsGranted), orNone(v.Credentials))
				if v.Provenance != nil {
					e.Say("source       %s (%s)", v.Provenance.Source,
						map[bool]string{true: "the run reached it", false: "the agent says so; the run did not reach it"}[v.Provenance.Verified])
				}
				if v.BashUsed {
					e.Say("shell        used: what its commands did besides network and files is not listed")
				}
				for _, t := range v.Tools {
					e.Say("tool         %s: %d calls, %d failed", t.Tool, t.Calls, t.Failed)
				}
				for _, f := range v.Files {
					e.Say("%-12s %s", f.Change, f.Path)
				}
				for _, l := range v.Limits {
					e.Say("limit        %s", l)
				}
			})
		}), "showhow run evidence")
}

func runPrepare(e *env) *cobra.Command {
	var r client.PrepareRequest
	cmd := e.Call("prepare SKILL", "Fetch the packages that a skill declares, for its runs; you confirm with a code",
		func(ctx context.Context, c *client.Client, args []string) error {
			if len(r.Registries) == 0 {
				return kit.Usage("no registry is named").WithHint(
					"npm packages: --registry registry.npmjs.org; Python packages: --registry pypi.org,files.pythonhosted.org")
			}
			r.Skill = args[0]
			p, err := c.PrepareSandboxRun(ctx, r)
			if err != nil {
				return err
			}
			return e.Show(func() {
				for _, d := range p.Dependencies {
					e.Say("%s: %s prepared", d.Manifest, kit.Plural(max(d.Packages, len(d.Installed)), "package", "packages"))
					for _, x := range d.Installed {
						e.Say("  %s %s  sha256:%s%s", x.Name, x.Version, x.SHA256, map[bool]string{true: "  (not pinned by the skill)"}[x.Indirect])
					}
				}
				if len(p.Dependencies) == 0 {
					e.Say("the skill declares no packages")
				}
			})
		})
	cmd.Long = `Fetches what package.json with its lock file, or requirements.txt with exact versions, names. It happens in the sandbox, which
reaches only the hosts that you name, the index first; no package's own program is run. Runs then have the packages read-only.
requirements.txt says nothing of what its packages need in turn: the first time such a list is refused and shown, with its name,
which --lock takes. Exactly that list is installed then, every file by its hash.
What is there already is not fetched again; what no run used for a month goes.`
	cmd.Flags().StringSliceVar(&r.Registries, "registry", nil, "`hosts` that may be reached: host, host:port, http://host")
	cmd.Flags().StringVar(&r.Lock, "lock", "", "the `list` of packages that you were shown and agree to")
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow run prepare fill-in-forms --registry registry.npmjs.org",
		"showhow run prepare read-tables --registry pypi.org,files.pythonhosted.org")
}
