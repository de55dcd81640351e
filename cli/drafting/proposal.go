package drafting

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func proposalCommand(e *env) *cobra.Command {
	p := kit.With(&cobra.Command{Use: "proposal", Short: "Review, validate and install what was drafted",
		Long: "Commands act on the proposal of the session under way, or the last one; an id names another."},
		"showhow proposal show", "showhow proposal validate", "showhow proposal install")
	var page kit.Pages
	var state string
	list := kit.With(page.Flags(e.Call("list", "List proposals", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Proposals(ctx, client.ProposalFilter{State: state, PageQuery: page.Query()})
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table(page.None(l.Total, "nothing has been proposed yet"), kit.Columns("PROPOSAL", "STATE", "REV", "VALIDATION", "TITLE"),
				func(row func(...any)) {
					for _, x := range l.Proposals {
						row(x.ProposalID, stateText(x), x.Revision, x.Validation, x.Title)
					}
				})
			page.More(e.Env, len(l.Proposals), l.Total)
		})
	})), "showhow proposal list", "showhow proposal list --state draft")
	kit.Choose(list, &state, "state", "", "only those in this state",
		"draft", "awaiting_questions", "testing", "ready_for_review", "installing_private", "installed_private", "approved", "rejected",
		"cancelled", "quarantined")
	show := kit.With(e.onProposal("show [ID]", "Show a proposal: verdict, inputs, checkpoints, questions, SKILL.md",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.Proposal(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() { e.sayProposal(d) })
		}), "showhow proposal show")
	p.AddCommand(list, show, revisionsCommand(e), fileCommand(e), validateCommand(e), rehearseCommand(e), evidenceCommand(e), reviseCommand(e),
		splitCommand(e), improveTextCommand(e), installCommand(e), approveCommand(e), rejectCommand(e), exportCommand(e))
	return p
}

// onProposal returns a command that takes a proposal's id; the default is the current session's proposal.
func (e *env) onProposal(use, short string, f func(ctx context.Context, c *client.Client, id string) error) *cobra.Command {
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		id, err := proposalID(ctx, c, args)
		if err != nil {
			return err
		}
		return f(ctx, c, id)
	})
	cmd.ValidArgsFunction = e.Offer(kit.ProposalIDs)
	return cmd
}

// proposalID is the proposal that the arguments name, else the current session's.
func proposalID(ctx context.Context, c *client.Client, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	r, err := c.Runtime(ctx)
	if err != nil && !fault.Is(err, fault.LearnSessionNotFound) {
		return "", err
	}
	if r.ProposalID == "" {
		return "", fault.New(fault.ProposalNotFound, "nothing has been proposed yet").
			WithHint("`showhow learn propose` drafts a skill from what was shown; `showhow proposal list` has older ones")
	}
	return r.ProposalID, nil
}

func (e *env) sayProposal(d client.ProposalDetail) {
	p := d.Proposal
	e.Say("%s\n  proposal    %s, revision %d\n  state       %s\n  validation  %s", p.Title, p.ProposalID, p.Revision,
		stateText(p), e.Wrap(14, validationText(d)))
	if p.SplitFrom != "" {
		e.Say("  part of     %s", p.SplitFrom)
	}
	if len(p.SplitInto) > 0 {
		e.Say("  split into  %s", strings.Join(p.SplitInto, "\n              "))
	}
	if v := d.Verdict; v != nil {
		e.Say("  verdict     %s", e.Wrap(14, strings.TrimSuffix(kit.Words(v.Result)+": "+v.Reason, ": ")))
	}
	e.Say("  content     %s", p.ContentHash)
	if i := d.Interpretation; i != nil {
		e.sayInputs(i)
		if d.Graph != nil {
			e.Say("\nSteps")
			for _, s := range d.Graph.Steps {
				e.Say("  %-6s %s", s.StepID, e.Wrap(9, s.Title))
				if s.ByPerson {
					e.Say("         %s", e.Wrap(9, "only you can tell when it is needed ("+s.Condition+"): a rehearsal with it is partial at most"))
				}
			}
		}
		e.Say("\nCheckpoints")
		for _, cp := range i.Checkpoints {
			e.Say("  %s  %s", cp.CheckpointID, e.Wrap(9, cp.SuccessCondition))
		}
	}
	for _, l := range d.LeftOut {
		e.Say("left out: %s", e.Wrap(10, l))
	}
	if l := d.CheckpointLintReport; l != nil {
		for _, f := range l.Findings {
			e.Say("lint %s %s: %s", f.Severity, f.Rule, f.Message)
		}
	}
	if d.SkillMD != "" {
		e.Say("\n----- SKILL.md -----\n%s\n--------------------", strings.TrimSpace(d.SkillMD))
	}
	if len(d.Questions) > 0 {
		e.Say("\nQuestions")
		for _, q := range d.Questions {
			e.sayQuestion(q)
		}
	}
	e.sayAnother(d)
	e.sayNext(d)
}

// stateText is a draft's state, with the date until which it is put aside.
func stateText(p client.Proposal) string {
	if p.PutAsideUntil != nil {
		return kit.Words(p.ProposalState) + ", aside until " + p.PutAsideUntil.Local().Format("2006-01-02")
	}
	return kit.Words(p.ProposalState)
}

// sayAnother names the command for another demonstration, if only that shows what varies.
func (e *env) sayAnother(d client.ProposalDetail) {
	if d.Verdict == nil || d.Verdict.Result != "needs_example" || d.Session == nil || d.Proposal.AbilityID != "" {
		return
	}
	e.Say("\nA second example with other values would tell what varies:\n  showhow learn start --example-of %s", d.Session.LearnSessionID)
	e.Say("  (with the same --site, --shell and so on as the first)")
}

// validationText summarises the runs on this revision and what prevents a decision.
func validationText(d client.ProposalDetail) string {
	if d.Hindrance == nil || d.Proposal.AbilityID != "" {
		return d.Proposal.Validation
	}
	return d.Proposal.Validation + ": " + strings.TrimSuffix(d.Hindrance.Message+": "+d.Hindrance.Details, ": ")
}

func (e *env) sayNext(d client.ProposalDetail) {
	if next := NextForProposal(d); next != "" {
		e.Say("next: %s", e.Wrap(6, next))
	}
}

func (e *env) sayInputs(i *client.Interpretation) {
	e.Say("\nInputs")
	for _, in := range i.Inputs {
		e.Say("  %-20s %s", in.Name, in.Kind)
	}
	if len(i.Inputs) == 0 {
		e.Say("  none")
	}
}

// NextForProposal is the next step for a draft.
func NextForProposal(d client.ProposalDetail) string {
	p := d.Proposal
	switch {
	case p.AbilityID != "":
		return "showhow ability show " + installedAs(p)
	case p.ProposalState == "rejected" || p.ProposalState == "cancelled":
		return ""
	case p.PutAsideUntil != nil:
		return "showhow learn take-up " + p.ProposalID
	case p.Validation == "running":
		return "wait for the validation that is running"
	case p.OpenQuestions > 0:
		return "showhow learn answer, then showhow proposal validate"
	case d.Hindrance != nil:
		return d.Hindrance.Next
	case p.Validation == "passed":
		return "showhow proposal install"
	}
	return "showhow proposal validate"
}

func revisionsCommand(e *env) *cobra.Command {
	return kit.With(e.onProposal("revisions [ID]", "List the revisions of a proposal, which are all kept",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.Proposal(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("there is no draft yet", kit.Columns("REV", "WHEN", "CAUSE", "CHANGED", "CONTENT"), func(row func(...any)) {
					for _, r := range d.Revisions {
						row(r.Revision, r.CreatedAt.Local().Format("2006-01-02 15:04:05"), r.Cause, strings.Join(r.EditedFields, " "), r.ContentHash)
					}
				})
			})
		}), "showhow proposal revisions")
}

func fileCommand(e *env) *cobra.Command {
	var revision int
	cmd := e.Call("file PATH [ID]", "Print a file of a draft; --revision prints it as it was",
		func(ctx context.Context, c *client.Client, args []string) error {
			id, err := proposalID(ctx, c, args[1:])
			if err != nil {
				return err
			}
			b, err := c.DraftFile(ctx, id, revision, args[0])
			if err != nil {
				return err
			}
			return e.Show(func() { e.Out.Write(b) })
		})
	cmd.Flags().IntVar(&revision, "revision", 0, "which `number` (default: the last)")
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) ([]cobra.Completion, error) {
		id, err := proposalID(ctx, c, nil)
		if err != nil {
			return nil, err
		}
		d, err := c.Proposal(ctx, id)
		var out []cobra.Completion
		for _, f := range d.Files {
			out = append(out, f.Path)
		}
		return out, err
	})
	return kit.With(cmd, "showhow proposal file SKILL.md", "showhow proposal file references/demonstration.md --revision 1")
}

func reviseCommand(e *env) *cobra.Command {
	var edits []string
	var text string
	var repairs, whole bool
	cmd := e.onProposal("revise [ID]", "Make another revision; those before are kept",
		func(ctx context.Context, c *client.Client, id string) error {
			if len(edits) == 0 && text == "" && !repairs {
				return kit.Usage("say what to change with --instructions \"SENTENCE\", --edit or --repairs")
			}
			r := client.ReviseRequest{RevisionInstructions: text, EditedFields: map[string]any{}}
			if repairs {
				controls, err := repaired(ctx, c, id)
				if err != nil {
					return err
				}
				r.EditedFields["controls"] = controls
			}
			for _, s := range edits {
				k, v, ok := strings.Cut(s, "=")
				if !ok {
					return kit.Usage("write --edit FIELD=VALUE")
				}
				r.EditedFields[k] = jsonOrText(v)
			}
			d, err := c.Revise(ctx, id, r)
			if err != nil {
				return err
			}
			return e.Show(func() {
				if whole || len(d.Revisions) == 0 || len(d.Proposal.SplitInto) > 0 {
					e.sayProposal(d)
					return
				}
				e.sayRevised(d)
			})
		})
	cmd.Flags().BoolVar(&whole, "show", false, "print the whole draft afterwards, not only what changed")
	cmd.Flags().StringArrayVar(&edits, "edit", nil, "`FIELD=VALUE`, as JSON or text")
	cmd.Flags().StringVar(&text, "instructions", "", "what to change, in `words`; kept with the revision")
	cmd.Flags().BoolVar(&repairs, "repairs", false, "take over the new names that the last rehearsal found")
	return kit.With(cmd, `showhow proposal revise --instructions "drop the second step"`,
		`showhow proposal revise --edit "title=Change the delivery date of an order"`)
}

// sayRevised describes the changes of the latest revision.
func (e *env) sayRevised(d client.ProposalDetail) {
	last := slices.MaxFunc(d.Revisions, func(a, b client.RevisionInfo) int { return a.Revision - b.Revision })
	e.Say("%s, revision %d", d.Proposal.Title, last.Revision)
	for _, c := range last.Changes {
		e.Say("  %s", e.Wrap(4, c))
	}
	if len(last.Changes) == 0 {
		e.Say("  nothing in the skill is otherwise than before")
	}
	if l := d.CheckpointLintReport; l != nil && !l.Passed {
		for _, f := range l.Findings {
			e.Say("lint %s %s: %s", f.Severity, f.Rule, f.Message)
		}
	}
	e.sayNext(d)
}

// repaired is the repair that the last rehearsal proposes, as the edit "controls".
func repaired(ctx context.Context, c *client.Client, id string) (map[string]any, error) {
	runs, err := c.ValidationRuns(ctx, id, client.PageQuery{Page: 1, PageSize: 50})
	if err != nil {
		return nil, err
	}
	for _, r := range runs.Runs {
		if !slices.Contains(r.RunKinds, "rehearsal") && !slices.Contains(r.RunKinds, "canary") {
			continue
		}
		if len(r.Repairs) == 0 {
			break
		}
		controls := map[string]any{}
		for _, x := range r.Repairs {
			now := map[string]string{"role": x.Role, "name": x.Name}
			if x.Place != nil {
				now["place_role"], now["place"] = x.Place.Role, x.Place.Name
			}
			controls[x.StepID] = now
		}
		return controls, nil
	}
	return nil, fault.New(fault.NotFound, "the last rehearsal proposes no repair").WithHint(
		"`showhow proposal rehearse` says when a control had another name than shown")
}

// jsonOrText parses a flag's value as JSON, or keeps it as text.
func jsonOrText(s string) any {
	var v any
	if err := json.Unmarshal([]byte(s), &v); err == nil {
		return v
	}
	return s
}

// decidable refuses a decision that the daemon would refuse, before a person has to type a code for it.
func decidable(d client.ProposalDetail, partial bool) error {
	p := d.Proposal
	switch {
	case p.AbilityID != "" || p.Validation == "passed" || p.Validation == "partial" && partial:
		return nil
	case p.Validation == "running":
		return fault.New(fault.ValidationInProgress, "a validation is running").WithHint("wait for it, then try again")
	case d.Hindrance != nil:
		return fault.New(fault.NotValidated, d.Hindrance.Message).WithHint(d.Hindrance.Next)
	}
	return fault.New(fault.NotValidated, "no validation of this revision has passed").WithHint("`showhow proposal validate`")
}

// sayDecision shows what is about to be decided: the code that the person types is bound to exactly this.
func (e *env) sayDecision(word string, p client.Proposal) {
	e.Say("%s %q, revision %d\n  content %s", word, p.Title, p.Revision, p.ContentHash)
}

// installedAs is the name that commands accept: the skill's folder.
func installedAs(p client.Proposal) string {
	if p.ProposedSkillSlug != "" {
		return p.ProposedSkillSlug
	}
	return p.AbilityID
}

// draftMay shows the permissions of a draft and returns those given on the command line; nil: what the draft asks
// for.
func (e *env) draftMay(d client.ProposalDetail, p *kit.PermissionFlags) *client.Permissions {
	given, changed := p.Over(d.Permissions)
	if !e.JSON {
		e.SayPermissions(given)
	}
	if !changed {
		return nil
	}
	return &given
}

func installCommand(e *env) *cobra.Command {
	var lane string
	var partial bool
	var may kit.PermissionFlags
	cmd := e.onProposal("install [ID]", "Install what you reviewed; you confirm it with a code",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.Proposal(ctx, id)
			if err != nil {
				return err
			}
			p := d.Proposal
			if err := decidable(d, partial); err != nil {
				return err
			}
			e.sayDecision("Installing", p)
			r, err := c.Install(ctx, id, client.InstallRequest{InstallLane: lane, Revision: p.Revision, ContentHash: p.ContentHash,
				ConfirmPartial: partial,
				Permissions:    e.draftMay(d, &may)})
			return e.Done(err, "Installed as %s.\nnext: showhow ability lookup \"SENTENCE\" finds it, as an agent would", installedAs(r.Proposal))
		})
	kit.Choose(cmd, &lane, "lane", "experimental_private", "experimental_private or approved_workspace", "experimental_private",
		"approved_workspace")
	may.Add(cmd)
	cmd.Flags().BoolVar(&partial, "accept-partial", false, "install although the validation was only partial")
	return kit.With(cmd, "showhow proposal install")
}

func approveCommand(e *env) *cobra.Command {
	var scope, note string
	var partial bool
	var may kit.PermissionFlags
	cmd := e.onProposal("approve [ID]", "Approve what you reviewed for workspace or shared use, and install it",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.Proposal(ctx, id)
			if err != nil {
				return err
			}
			p := d.Proposal
			if err := decidable(d, partial); err != nil {
				return err
			}
			e.sayDecision("Approving", p)
			d, err = c.Approve(ctx, id, client.ApproveRequest{ApprovalScope: scope, ApprovalNote: note, Revision: p.Revision,
				ContentHash: p.ContentHash, ConfirmPartial: partial, Permissions: e.draftMay(d, &may), SchemaVersion: 1})
			return e.Done(err, "Approved and installed as %s.", installedAs(d.Proposal))
		})
	kit.Choose(cmd, &scope, "scope", "approved_workspace", "approved_workspace or shared_promoted", "approved_workspace", "shared_promoted")
	cmd.Flags().StringVar(&note, "note", "", "a `note` for the receipt")
	may.Add(cmd)
	cmd.Flags().BoolVar(&partial, "accept-partial", false, "approve although the validation was only partial")
	return kit.With(cmd, "showhow proposal approve --scope approved_workspace")
}

func rejectCommand(e *env) *cobra.Command {
	var reason string
	cmd := e.onProposal("reject [ID]", "Reject a proposal, with the reason; you confirm it with a code",
		func(ctx context.Context, c *client.Client, id string) error {
			if reason == "" {
				return kit.Usage("say why with --reason")
			}
			_, err := c.Reject(ctx, id, reason)
			return e.Done(err, "rejected")
		})
	cmd.Flags().StringVar(&reason, "reason", "", "why, in `words`")
	return kit.With(cmd, `showhow proposal reject --reason "the export is missing"`)
}
