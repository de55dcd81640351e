package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

func draftCommands(e *env) []*cobra.Command {
	propose := &cobra.Command{Use: "propose", Short: "Understand what was shown and draft the skill", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			g, err := c.GenerateProposal(ctx, id)
			if err != nil || e.json {
				return e.done(err, "")
			}
			if g.Session.State == "awaiting_questions" {
				e.say("Some questions come first: showhow learn answer")
			}
			return e.showProposal(ctx, c, g.ProposalID)
		})}
	questions := &cobra.Command{Use: "questions", Short: "List the questions about what was shown", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			qs, err := c.Questions(ctx, id)
			if err != nil {
				return err
			}
			return e.show(func() {
				for i, q := range qs {
					e.sayQuestion(i+1, q)
				}
			})
		})}
	answer := &cobra.Command{Use: "answer [NUMBER=TEXT]...", Short: "Answer the questions; without arguments, one after the other",
		Long: `A question about a value takes: input (ask for it each time), constant (always this), example (as an example in the text),
drop, or a text. An empty line keeps the suggestion.`,
		Example: "  showhow learn answer\n  showhow learn answer 1=input \"2=when the order has been shipped already\"",
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, args []string) error {
			return e.answer(ctx, c, id, args)
		})}
	values := &cobra.Command{Use: "values", Short: "Show each sealed value once, to decide what becomes of it", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			v, err := c.Values(ctx, id)
			if err != nil {
				return err
			}
			return e.show(func() {
				e.table(func(row func(...any)) {
					row("LABEL", "KIND", "ROLE", "VALUE")
					for _, x := range v.Values {
						row(x.Label, x.Kind, x.Role, strconv.Quote(x.Value))
					}
				})
			})
		})}
	return []*cobra.Command{propose, questions, answer, values}
}

func (e *env) sayQuestion(n int, q client.QuestionView) {
	need := ""
	if q.Required {
		need = " (needed)"
	}
	e.say("%d. %s%s", n, q.QuestionText, need)
	if len(q.Choices) > 0 {
		e.say("   choices: %s", strings.Join(q.Choices, " | "))
	}
	switch {
	case q.Answered:
		e.say("   answer: %s", q.AnswerText)
	case q.Suggested != "":
		e.say("   suggested: %s", q.Suggested)
	}
}

// answer sends NUMBER=TEXT answers, or asks one question after the other.
func (e *env) answer(ctx context.Context, c *client.Client, id string, args []string) error {
	qs, err := c.Questions(ctx, id)
	if err != nil {
		return err
	}
	var items []client.AnswerItem
	if len(args) > 0 {
		if items, err = givenAnswers(qs, args); err != nil {
			return err
		}
	} else {
		items = e.askAnswers(qs)
	}
	if len(items) == 0 {
		e.say("nothing to answer")
		return nil
	}
	r, err := c.AnswerQuestions(ctx, id, client.AnswerQuestionsRequest{Answers: items})
	if err != nil {
		return err
	}
	return e.show(func() {
		e.say("%d open; next: %s", r.RemainingQuestions, strings.ReplaceAll(r.NextAction, "_", " "))
		if r.Session.ProposalID != "" {
			e.say("see it: showhow proposal show %s", r.Session.ProposalID)
		}
	})
}

func givenAnswers(qs []client.QuestionView, args []string) ([]client.AnswerItem, error) {
	var items []client.AnswerItem
	for _, a := range args {
		key, text, ok := strings.Cut(a, "=")
		if !ok {
			return nil, usage("write NUMBER=TEXT")
		}
		if n, err := strconv.Atoi(key); err == nil {
			if n < 1 || n > len(qs) {
				return nil, usage("there are questions 1 to %d", len(qs))
			}
			key = qs[n-1].QuestionID
		}
		items = append(items, client.AnswerItem{QuestionID: key, AnswerText: text})
	}
	return items, nil
}

func (e *env) askAnswers(qs []client.QuestionView) []client.AnswerItem {
	var items []client.AnswerItem
	in := bufio.NewScanner(e.in)
	for i, q := range qs {
		if q.Answered {
			continue
		}
		e.sayQuestion(i+1, q)
		fmt.Fprint(e.errOut, "   > ")
		if !in.Scan() {
			break
		}
		text := strings.TrimSpace(in.Text())
		if text == "" {
			text = q.Suggested
		}
		if text != "" {
			items = append(items, client.AnswerItem{QuestionID: q.QuestionID, AnswerText: text})
		}
	}
	return items
}

func proposalCommands(e *env) []*cobra.Command {
	p := &cobra.Command{Use: "proposal", Short: "Review, validate and install what was drafted",
		Long:    "Commands act on the proposal of the session under way; an argument names another.",
		Example: "  showhow proposal show\n  showhow proposal validate\n  showhow proposal install"}
	p.AddCommand(
		&cobra.Command{Use: "list", Short: "List proposals", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := e.connect(cmd.Context())
			if err != nil {
				return err
			}
			l, err := c.Proposals(cmd.Context(), client.ProposalFilter{})
			if err != nil {
				return err
			}
			return e.show(func() {
				e.table(func(row func(...any)) {
					row("PROPOSAL", "STATE", "REV", "VALIDATION", "TITLE")
					for _, x := range l.Proposals {
						row(x.ProposalID, x.ProposalState, x.Revision, x.Validation, x.Title)
					}
				})
			})
		}},
		e.onProposal("show [ID]", "Show a proposal: verdict, inputs, checkpoints, questions, SKILL.md", func(ctx context.Context, c *client.Client, id string) error {
			return e.showProposal(ctx, c, id)
		}),
		validateCommand(e), reviseCommand(e), installCommand(e), approveCommand(e), rejectCommand(e),
	)
	return []*cobra.Command{p}
}

// onProposal makes a command that takes a proposal's id or acts on the present session's.
func (e *env) onProposal(use, short string, f func(ctx context.Context, c *client.Client, id string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := e.connect(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return f(cmd.Context(), c, args[0])
			}
			r, err := c.Runtime(cmd.Context())
			if err != nil {
				return err
			}
			if r.ProposalID == "" {
				return fault.New(fault.ProposalNotFound, "nothing has been proposed yet").WithHint("`showhow learn propose`")
			}
			return f(cmd.Context(), c, r.ProposalID)
		}}
}

func (e *env) showProposal(ctx context.Context, c *client.Client, id string) error {
	d, err := c.Proposal(ctx, id)
	if err != nil {
		return err
	}
	return e.show(func() { e.sayProposal(d) })
}

func (e *env) sayProposal(d client.ProposalDetail) {
	p := d.Proposal
	e.say("%s  (%s, revision %d, %s)", p.Title, p.ProposalState, p.Revision, p.ProposalID)
	if d.Verdict != nil {
		e.say("verdict: %s %s", strings.ReplaceAll(d.Verdict.Result, "_", " "), d.Verdict.Reason)
	}
	if i := d.Interpretation; i != nil {
		e.say("\nInputs")
		for _, in := range i.Inputs {
			e.say("  %-16s %s", in.Name, in.Kind)
		}
		e.say("\nCheckpoints")
		for _, cp := range i.Checkpoints {
			e.say("  %s  %s", cp.CheckpointID, cp.SuccessCondition)
		}
	}
	for _, l := range d.LeftOut {
		e.say("left out: %s", l)
	}
	if l := d.CheckpointLintReport; l != nil {
		for _, f := range l.Findings {
			e.say("lint %s %s: %s", f.Severity, f.Rule, f.Message)
		}
	}
	if len(d.Questions) > 0 {
		e.say("\nQuestions")
		for i, q := range d.Questions {
			e.sayQuestion(i+1, q)
		}
	}
	if d.SkillMD != "" {
		e.say("\n%s", d.SkillMD)
	}
	e.say("content %s", p.ContentHash)
}

func validateCommand(e *env) *cobra.Command {
	var kinds, set []string
	cmd := e.onProposal("validate [ID]", "Lint, try the triggers, check what is needed, and explain the run step by step", func(ctx context.Context, c *client.Client, id string) error {
		params := map[string]string{}
		for _, s := range set {
			k, v, ok := strings.Cut(s, "=")
			if !ok {
				return usage("write --set NAME=VALUE")
			}
			params[k] = v
		}
		req := client.ValidateRequest{Parameters: params, SchemaVersion: 1}
		for _, k := range kinds {
			req.RunKinds = append(req.RunKinds, client.RunKind(k))
		}
		run, err := c.Validate(ctx, id, req)
		if err != nil {
			return err
		}
		return e.waitRun(ctx, c, id, run.ValidationRunID)
	})
	cmd.Flags().StringArrayVar(&kinds, "kind", nil, "only these: lint, trigger, dependency_check, adapter_check, dry_run")
	cmd.Flags().StringArrayVar(&set, "set", nil, "NAME=VALUE of an input, for this run only")
	return cmd
}

// waitRun waits for a run, prints its steps and fails unless it passed.
func (e *env) waitRun(ctx context.Context, c *client.Client, proposal, run string) error {
	r, steps, err := waitForRun(ctx, c, proposal, run)
	if err != nil {
		return err
	}
	if err := e.show(func() {
		for _, s := range steps {
			e.say("%-8s %s %s", s.Result, s.Label, s.Details)
		}
		e.say("%s", r.OverallResult)
	}); err != nil {
		return err
	}
	if r.OverallResult != "passed" {
		return fault.Newf(fault.NotValidated, "the validation ended %s", r.OverallResult).
			WithHint("the steps above say why; `showhow proposal revise`, then validate again")
	}
	return nil
}

// waitForRun follows the runs of a proposal until one has ended.
func waitForRun(ctx context.Context, c *client.Client, proposal, run string) (client.ValidationRun, []client.ValidationStepResult, error) {
	for {
		l, err := c.ValidationRuns(ctx, proposal, client.PageQuery{Page: 1, PageSize: 20})
		if err != nil {
			return client.ValidationRun{}, nil, err
		}
		for _, r := range l.Runs {
			if r.ValidationRunID != run || r.Status == "running" {
				continue
			}
			var steps []client.ValidationStepResult
			for _, s := range l.Steps {
				if s.ValidationRunID == run {
					steps = append(steps, s)
				}
			}
			return r, steps, nil
		}
		if err := pause(ctx); err != nil {
			return client.ValidationRun{}, nil, err
		}
	}
}

func reviseCommand(e *env) *cobra.Command {
	var edits []string
	var text string
	cmd := e.onProposal("revise [ID]", "Ask for another revision; the one before is kept", func(ctx context.Context, c *client.Client, id string) error {
		r := client.ReviseRequest{RevisionInstructions: text, EditedFields: map[string]any{}}
		for _, s := range edits {
			k, v, ok := strings.Cut(s, "=")
			if !ok {
				return usage("write --edit FIELD=VALUE")
			}
			r.EditedFields[k] = jsonOrText(v)
		}
		d, err := c.Revise(ctx, id, r)
		if err != nil {
			return err
		}
		return e.show(func() { e.sayProposal(d) })
	})
	cmd.Flags().StringArrayVar(&edits, "edit", nil, "FIELD=VALUE (JSON or text); docs/how-it-works.md lists the fields")
	cmd.Flags().StringVar(&text, "instructions", "", "what to change, in words")
	return cmd
}

func installCommand(e *env) *cobra.Command {
	var lane string
	var partial bool
	cmd := e.onProposal("install [ID]", "Install what you reviewed; you confirm it with a code", func(ctx context.Context, c *client.Client, id string) error {
		d, err := c.Proposal(ctx, id)
		if err != nil {
			return err
		}
		p := d.Proposal
		e.say("Installing %q, revision %d\n  content %s", p.Title, p.Revision, p.ContentHash)
		r, err := c.Install(ctx, id, client.InstallRequest{InstallLane: lane, Revision: p.Revision, ContentHash: p.ContentHash, ConfirmPartial: partial})
		if err != nil {
			return err
		}
		return e.show(func() { e.say("installed: %s", r.AbilityID) })
	})
	cmd.Flags().StringVar(&lane, "lane", "experimental_private", "experimental_private or approved_workspace")
	cmd.Flags().BoolVar(&partial, "accept-partial", false, "install although the validation was only partial")
	return cmd
}

func approveCommand(e *env) *cobra.Command {
	var scope, note string
	var partial bool
	cmd := e.onProposal("approve [ID]", "Approve what you reviewed for workspace or shared use, and install it", func(ctx context.Context, c *client.Client, id string) error {
		d, err := c.Proposal(ctx, id)
		if err != nil {
			return err
		}
		p := d.Proposal
		d, err = c.Approve(ctx, id, client.ApproveRequest{ApprovalScope: scope, ApprovalNote: note, Revision: p.Revision,
			ContentHash: p.ContentHash, ConfirmPartial: partial, SchemaVersion: 1})
		if err != nil {
			return err
		}
		return e.show(func() { e.say("approved: %s", d.Proposal.AbilityID) })
	})
	cmd.Flags().StringVar(&scope, "scope", "approved_workspace", "approved_workspace or shared_promoted")
	cmd.Flags().StringVar(&note, "note", "", "a note for the receipt")
	cmd.Flags().BoolVar(&partial, "accept-partial", false, "approve although the validation was only partial")
	return cmd
}

func rejectCommand(e *env) *cobra.Command {
	var reason string
	cmd := e.onProposal("reject [ID]", "Reject a proposal", func(ctx context.Context, c *client.Client, id string) error {
		if reason == "" {
			return usage("say why with --reason")
		}
		_, err := c.Reject(ctx, id, reason)
		return e.done(err, "rejected")
	})
	cmd.Flags().StringVar(&reason, "reason", "", "why")
	return cmd
}
