package using

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func skillCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "skill",
		Short: "Skills and the trust in them: what is there, what changed, approve, adopt, export, check",
		Long: "Every skill in the agents' folders: learned, imported, or put there by somebody else. One is used only while a person's " +
			"approval holds:\n" +
			"for exactly this content, with exactly these permissions."},
		"showhow skill list", "showhow skill diff change-an-order")
	cmd.AddCommand(skillList(e), skillShow(e), skillDiff(e), skillApprove(e), skillReject(e), skillRestore(e), skillPermissions(e),
		skillAdopt(e), skillExport(e), skillValidate(e), skillScan(e), skillRemove(e))
	cmd.AddCommand(importCommands(e)...)
	cmd.AddCommand(registryCommands(e)...)
	return cmd
}

// onSkill returns a command that takes a skill.
func (e *env) onSkill(use, short string, f func(ctx context.Context, c *client.Client, name string) error) *cobra.Command {
	cmd := e.Call(use+" SKILL", short, func(ctx context.Context, c *client.Client, args []string) error { return f(ctx, c, args[0]) })
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow skill "+use+" change-an-order")
}

func skillList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List every skill with where it is from and whether it is trusted",
		func(ctx context.Context, c *client.Client, _ []string) error {
			r, err := c.Catalog(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("there are no skills", kit.Columns("SKILL", "SOURCE", "TRUST", "SCAN", "FOUND IN", "USABLE NOW"), func(row func(...any)) {
					for _, s := range r.Items {
						row(kit.Name(s.SkillSlug, s.AbilityID), kit.Origin(s.Source, s.BuiltIn), trustText(s), scanText(s), strings.Join(s.FoundIn, " "),
							usableText(s.UsableNow, s.ReasonUnusable))
					}
				})
			})
		}), "showhow skill list")
}

func trustText(s client.CatalogEntry) string {
	if s.ReadOnly {
		return "not ours"
	}
	return kit.Trust(s.Trust, s.BuiltIn)
}

func scanText(s client.CatalogEntry) string {
	switch {
	case s.Scan == nil:
		return "-"
	case s.Scan.Findings > 0:
		return s.Scan.Verdict + ", " + kit.Plural(s.Scan.Findings, "finding", "findings")
	}
	return s.Scan.Verdict
}

func skillShow(e *env) *cobra.Command {
	return e.onSkill("show", "Show a skill: trust, permissions, where it lies, and what the scanner says of one that is not ours",
		func(ctx context.Context, c *client.Client, id string) error {
			a, err := c.Ability(ctx, id)
			if fault.Is(err, fault.AbilityNotFound) {
				return e.showNative(ctx, c, id, err)
			}
			if err != nil {
				return err
			}
			if e.JSON { // the answer itself, before anything else is asked for
				return e.Show(nil)
			}
			at, err := c.InstalledFromRegistries(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s\n  skill        %s\n  source       %s\n  trust        %s\n  usable now   %s", a.Title, kit.Name(a.SkillSlug, a.AbilityID),
					kit.Origin(a.Source, a.BuiltIn), kit.Trust(a.Trust, a.BuiltIn),
					e.Wrap(15, usableText(a.UsableNow, a.ReasonUnusable)))
				for _, k := range at {
					if k.AbilityID == a.AbilityID {
						sayRegistry(e.Env, k)
					}
				}
				e.SayPermissions(a.Permissions)
				e.Say("  content      %s", a.ContentHash)
				if a.ApprovedHash != a.ContentHash && a.ApprovedHash != "" {
					e.Say("  approved     %s\n\n`showhow skill diff %s` shows what is different.", a.ApprovedHash, kit.Name(a.SkillSlug, a.AbilityID))
				}
			})
		})
}

// sayRegistry says where a skill was pulled from, or pushed to.
func sayRegistry(e *kit.Env, k client.SkillOutdated) {
	e.Say("  registry     %s", e.Wrap(15, kit.PlainText(k.Reference)))
	e.Say("  digest       %s", k.Digest)
	if k.Version != "" {
		e.Say("  version      %s", kit.PlainText(k.Version))
	}
	e.Say("  signed by    %s", cmp.Or(k.Signer, "nobody"))
	if k.ChangedHere {
		e.Say("  changed here since")
	}
}

// showNative shows a skill in an agent's folder that is not ours.
func (e *env) showNative(ctx context.Context, c *client.Client, id string, unknown error) error {
	r, err := c.Catalog(ctx)
	if err != nil {
		return err
	}
	for _, s := range r.Items {
		if !s.ReadOnly || s.SkillSlug != strings.TrimPrefix(id, "native:") {
			continue
		}
		if e.JSON {
			return e.Print(s)
		}
		e.Say("%s\n  skill        %s\n  source       not ours: somebody put it into %s\n  scan         %s", s.Title, s.SkillSlug,
			strings.Join(s.FoundIn, " and "), scanText(s))
		if s.Scan != nil && s.Scan.Worst != "" {
			e.Say("  gravest      %s", e.Wrap(15, s.Scan.Worst))
		}
		e.Say("  says         %s\n\n`showhow skill adopt %s` copies it here for review; until you approve the copy nothing about it changes.",
			e.Wrap(15, s.Description), s.SkillSlug)
		return nil
	}
	return unknown
}

func skillDiff(e *env) *cobra.Command {
	return e.onSkill("diff", "Show how a skill differs from what you approved, and why it is not used",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.Difference(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() { e.sayDifference(d) })
		})
}

func (e *env) sayDifference(d client.Difference) {
	e.Say("%s: %s%s", d.SkillSlug, kit.Words(d.Trust), strings.TrimSuffix(", "+d.Reason, ", "))
	if d.Where != "bundle" {
		e.Say("compared is the copy for %s", d.Where)
	}
	if d.Note != "" {
		e.Say("%s", d.Note)
	}
	if len(d.Files) == 0 && d.Note == "" {
		e.Say("no file differs from what was approved")
	}
	for _, f := range d.Files {
		e.Say("\n%-8s %s", f.Change, f.Path)
		switch {
		case f.Binary:
			e.Say("  (no text)")
		case f.Unified != "":
			e.Say("%s", strings.TrimRight(f.Unified, "\n"))
		}
		if f.Truncated {
			e.Say("  ... longer than is shown")
		}
	}
	if g := d.Granted; g != nil && !samePermissions(*g, d.Permissions) {
		e.Say("\npermissions that were approved")
		e.SayPermissions(*g)
		e.Say("permissions it asks for now")
		e.SayPermissions(d.Permissions)
	}
	e.sayWarnings(d)
	sayNewFindings(e, d)
	if d.Trust != "approved" {
		e.Say("")
		sayApproving(e, d)
		if d.CanRestore {
			e.Say("`showhow skill restore %s` puts back what you approved", d.SkillSlug)
		}
	}
}

// sayApproving says what an approval takes: the skill's own folder, and nothing of a copy that was changed.
func sayApproving(e *env, d client.Difference) {
	if d.Where == "bundle" {
		e.Say("`showhow skill approve %s` trusts it as it is now", d.SkillSlug)
		return
	}
	sayCopy(e, d)
	e.Say("`showhow skill approve %s` trusts what you approved before, without this change", d.SkillSlug)
}

// sayCopy says where the change of an agent's copy is, and how to take it over.
func sayCopy(e *env, d client.Difference) {
	e.Say("The change is in the copy for %s, not in the skill. The copy is no longer in the agent's folder.", d.Where)
	if d.SetAside != "" {
		e.Say("  put aside    %s", e.Wrap(15, d.SetAside))
	}
	e.Say("  to take over %s", e.Wrap(15, "make the same change in "+d.Folder+", then approve"))
}

func (e *env) sayWarnings(d client.Difference) {
	for _, w := range d.Warnings {
		e.Say("  ! %s", e.Wrap(4, kit.PlainText(w)))
	}
}

func sayNewFindings(e *env, d client.Difference) {
	if len(d.Findings) > 0 {
		e.Say("\nThe scan finds in it what you have not approved before:")
		e.SayFindings(d.Findings, d.FindingsToRead)
	}
}

func samePermissions(a, b client.Permissions) bool {
	same := func(x, y []string) bool { return strings.Join(x, "\n") == strings.Join(y, "\n") }
	return same(a.Tools, b.Tools) && same(a.Domains, b.Domains) && same(a.Credentials, b.Credentials) && same(a.Agents, b.Agents)
}

// sayGiven shows what an approval grants, and what it asks for but does not get.
func (e *env) sayGiven(asked, given client.Permissions) {
	e.SayPermissions(given)
	var flags []string
	left := func(flag string, x, y []string) {
		for _, s := range x {
			if !slices.Contains(y, s) {
				flags = append(flags, flag+" "+kit.PlainText(s))
			}
		}
	}
	left("--tool", asked.Tools, given.Tools)
	left("--domain", asked.Domains, given.Domains)
	left("--credential", asked.Credentials, given.Credentials)
	if len(flags) > 0 {
		e.Say("  not granted  %s", e.Wrap(15, strings.Join(flags, " ")))
		e.Say("               %s", e.Wrap(15, "it asks for these, and gets them only if you name them so; --as-asked grants all of them"))
	}
}

func skillApprove(e *env) *cobra.Command {
	var f approveFlags
	cmd := e.onSkill("approve", "Approve a skill's content and permissions as they are now; you confirm it",
		func(ctx context.Context, c *client.Client, id string) error {
			return e.approveSkill(ctx, c, id, &f)
		})
	f.Add(cmd)
	f.AddAsAsked()
	findingFlags(cmd, &f.read, &f.accept)
	cmd.Long = "Prints what differs from what you approved before, what the scan finds in it and did not find then, and what the skill may " +
		"use; then asks\nyou to approve it. Hosts and credentials that it asks for and never had are granted only if you name them, or all " +
		"of them with --as-asked.\n" +
		"The approval is for exactly what is shown: a changed byte or another permission ends it."
	return kit.With(cmd, "showhow skill approve change-an-order", "showhow skill approve change-an-order --domain api.example.com",
		"showhow skill approve change-an-order --as-asked")
}

// approveFlags are what a person grants and has judged.
type approveFlags struct {
	kit.PermissionFlags
	read   []int
	accept bool
}

// approveSkill shows what is approved and approves exactly that.
func (e *env) approveSkill(ctx context.Context, c *client.Client, id string, p *approveFlags) error {
	a, err := c.Ability(ctx, id)
	if err != nil {
		return err
	}
	if a.BuiltIn { // there is nothing to show: the daemon says why
		_, err = c.ApproveAbility(ctx, a.AbilityID, client.AbilityApproval{ContentHash: a.ContentHash}, client.IfMatch(a.Revision))
		return err
	}
	d, err := c.Difference(ctx, a.AbilityID)
	if err != nil {
		return err
	}
	given := p.Given(a.Permissions, d.Granted)
	if d.Where == "bundle" {
		for _, f := range d.Files {
			e.Say("  %-8s %s", f.Change, kit.PlainText(f.Path))
			if d.ApprovedHash != "" && f.Unified != "" {
				e.Say("%s", strings.TrimRight(f.Unified, "\n"))
			}
		}
	} else {
		sayCopy(e, d)
		e.Say("What you approve is the skill without this change.")
	}
	e.Say("Approving %q\n  content      %s", a.Title, a.ContentHash)
	e.sayGiven(a.Permissions, given)
	e.sayWarnings(d)
	sayNewFindings(e, d)
	if err := ticked(fault.SkillScanBlocked, d.FindingsToRead, p.read); err != nil {
		return err
	}
	_, err = c.ApproveAbility(ctx, a.AbilityID, client.AbilityApproval{ContentHash: a.ContentHash, Permissions: &given,
		AcceptFindings: p.accept, FindingsRead: d.FindingsToRead}, client.IfMatch(a.Revision))
	return e.Done(err, "Approved %s.", a.SkillSlug)
}

func skillReject(e *env) *cobra.Command {
	var reason string
	cmd := e.onSkill("reject", "Say no to a skill that nobody approved; it stays here, unused; you confirm it",
		func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.RejectAbility(ctx, id, reason)
			return e.Done(err, "rejected; `showhow skill remove` takes it away")
		})
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the record")
	return cmd
}

func skillRestore(e *env) *cobra.Command {
	return e.onSkill("restore", "Put back what you approved; what stands there now is set aside",
		func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.RestoreAbility(ctx, id)
			return e.Done(err, "restored")
		})
}

func skillPermissions(e *env) *cobra.Command {
	var p kit.PermissionFlags
	cmd := e.onSkill("permissions", "Show or change what a skill may use; you confirm what is more",
		func(ctx context.Context, c *client.Client, id string) error {
			a, err := c.Ability(ctx, id)
			if err != nil {
				return err
			}
			if now, changed := p.Over(a.Permissions); changed {
				if a, err = c.SetPermissions(ctx, a.AbilityID, now, client.IfMatch(a.Revision)); err != nil {
					return err
				}
			}
			return e.Show(func() { e.SayPermissions(a.Permissions) })
		})
	p.Add(cmd)
	return kit.With(cmd, "showhow skill permissions change-an-order", "showhow skill permissions change-an-order --domain api.example.com")
}

func skillAdopt(e *env) *cobra.Command {
	var target string
	cmd := e.Call("adopt SKILL", "Copy a skill from an agent's folder here, for review",
		func(ctx context.Context, c *client.Client, args []string) error {
			a, err := c.Adopt(ctx, args[0], target)
			return e.Done(err, "copied; `showhow skill diff %[1]s` shows it, `showhow skill approve %[1]s` trusts it",
				kit.Name(a.SkillSlug, a.AbilityID))
		})
	cmd.ValidArgsFunction = e.Offer(nativeNames)
	cmd.Flags().StringVar(&target, "target", "", "`name` of the agent's folder, when several hold different skills of the name")
	cmd.Long = "The original stays as it is until you approve the copy. Then it is set aside and replaced by a copy that Showhow looks after."
	return kit.With(cmd, "showhow skill adopt their-skill")
}

func nativeNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	r, err := c.Catalog(ctx)
	for _, s := range r.Items {
		if s.ReadOnly {
			out = append(out, cobra.CompletionWithDesc(s.SkillSlug, s.Title))
		}
	}
	return out, err
}

func skillRemove(e *env) *cobra.Command {
	return e.onSkill("remove", "Remove a skill and everything that was installed for it; you confirm it",
		func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.DeleteAbility(ctx, id)
			return e.Done(err, "removed")
		})
}
