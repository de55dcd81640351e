package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

func skillCommand(e *env) *cobra.Command {
	cmd := with(&cobra.Command{Use: "skill", Short: "Skills and the trust in them: what is there, what changed, approve, adopt, export, check",
		Long: "Every skill in the agents' folders: learned, imported, or put there by somebody else. One is used only while a person's approval holds:\n" +
			"for exactly this content, with exactly these permissions."},
		"showhow skill list", "showhow skill diff change-an-order")
	cmd.AddCommand(skillList(e), skillShow(e), skillDiff(e), skillApprove(e), skillReject(e), skillRestore(e), skillPermissions(e),
		skillAdopt(e), skillExport(e), skillValidate(e), skillScan(e), skillRemove(e))
	cmd.AddCommand(importCommands(e)...)
	return cmd
}

// onSkill makes a command that takes a skill.
func (e *env) onSkill(use, short string, f func(ctx context.Context, c *client.Client, name string) error) *cobra.Command {
	cmd := e.call(use+" SKILL", short, func(ctx context.Context, c *client.Client, args []string) error { return f(ctx, c, args[0]) })
	cmd.ValidArgsFunction = e.offer(abilityNames)
	return with(cmd, "showhow skill "+use+" change-an-order")
}

func skillList(e *env) *cobra.Command {
	return with(e.call("list", "List every skill with where it is from and whether it is trusted", func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Catalog(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("there are no skills", columns("SKILL", "SOURCE", "TRUST", "SCAN", "FOUND IN", "USABLE NOW"), func(row func(...any)) {
				for _, s := range r.Items {
					row(name(s.SkillSlug, s.AbilityID), s.Source, trustText(s), scanText(s), strings.Join(s.FoundIn, " "), usableText(s.UsableNow, s.ReasonUnusable))
				}
			})
		})
	}), "showhow skill list")
}

func trustText(s client.CatalogEntry) string {
	if s.ReadOnly {
		return "not ours"
	}
	return words(s.Trust)
}

func scanText(s client.CatalogEntry) string {
	switch {
	case s.Scan == nil:
		return "-"
	case s.Scan.Findings > 0:
		return s.Scan.Verdict + ", " + plural(s.Scan.Findings, "finding", "findings")
	}
	return s.Scan.Verdict
}

func skillShow(e *env) *cobra.Command {
	return e.onSkill("show", "Show a skill: trust, permissions, where it lies, and what the scanner says of one that is not ours", func(ctx context.Context, c *client.Client, id string) error {
		a, err := c.Ability(ctx, id)
		if fault.Is(err, fault.AbilityNotFound) {
			return e.showNative(ctx, c, id, err)
		}
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("%s\n  skill        %s\n  source       %s\n  trust        %s\n  usable now   %s", a.Title, name(a.SkillSlug, a.AbilityID), a.Source, words(a.Trust),
				e.wrap(15, usableText(a.UsableNow, a.ReasonUnusable)))
			e.sayPermissions(a.Permissions)
			e.say("  content      %s", a.ContentHash)
			if a.ApprovedHash != a.ContentHash && a.ApprovedHash != "" {
				e.say("  approved     %s\n\n`showhow skill diff %s` shows what is different.", a.ApprovedHash, name(a.SkillSlug, a.AbilityID))
			}
		})
	})
}

// showNative shows a skill that is in an agent's folder and not ours.
func (e *env) showNative(ctx context.Context, c *client.Client, id string, unknown error) error {
	r, err := c.Catalog(ctx)
	if err != nil {
		return err
	}
	for _, s := range r.Items {
		if !s.ReadOnly || s.SkillSlug != strings.TrimPrefix(id, "native:") {
			continue
		}
		if e.json {
			return e.print(s)
		}
		e.say("%s\n  skill        %s\n  source       not ours: somebody put it into %s\n  scan         %s", s.Title, s.SkillSlug, strings.Join(s.FoundIn, " and "), scanText(s))
		if s.Scan != nil && s.Scan.Worst != "" {
			e.say("  gravest      %s", e.wrap(15, s.Scan.Worst))
		}
		e.say("  says         %s\n\n`showhow skill adopt %s` copies it here for review; until you approve the copy nothing about it changes.", e.wrap(15, s.Description), s.SkillSlug)
		return nil
	}
	return unknown
}

func (e *env) sayPermissions(p client.Permissions) {
	or := func(s []string) string {
		if len(s) == 0 {
			return "none"
		}
		return e.wrap(15, strings.Join(s, ", "))
	}
	e.say("  agent tools  %s\n  domains      %s\n  credentials  %s", or(p.Tools), or(p.Domains), or(p.Credentials))
}

func skillDiff(e *env) *cobra.Command {
	return e.onSkill("diff", "Show how a skill differs from what you approved, and why it is not used", func(ctx context.Context, c *client.Client, id string) error {
		d, err := c.Difference(ctx, id)
		if err != nil {
			return err
		}
		return e.show(func() { e.sayDifference(d) })
	})
}

func (e *env) sayDifference(d client.Difference) {
	e.say("%s: %s%s", d.SkillSlug, words(d.Trust), strings.TrimSuffix(", "+d.Reason, ", "))
	if d.Where != "bundle" {
		e.say("compared is the copy for %s", d.Where)
	}
	if d.Note != "" {
		e.say("%s", d.Note)
	}
	if len(d.Files) == 0 && d.Note == "" {
		e.say("no file differs from what was approved")
	}
	for _, f := range d.Files {
		e.say("\n%-8s %s", f.Change, f.Path)
		switch {
		case f.Binary:
			e.say("  (no text)")
		case f.Unified != "":
			e.say("%s", strings.TrimRight(f.Unified, "\n"))
		}
		if f.Truncated {
			e.say("  ... longer than is shown")
		}
	}
	if g := d.Granted; g != nil && !samePermissions(*g, d.Permissions) {
		e.say("\npermissions that were approved")
		e.sayPermissions(*g)
		e.say("permissions it asks for now")
		e.sayPermissions(d.Permissions)
	}
	if d.Trust != "approved" {
		e.say("")
		e.say("`showhow skill approve %s` trusts it as it is now", d.SkillSlug)
		if d.CanRestore {
			e.say("`showhow skill restore %s` puts back what you approved", d.SkillSlug)
		}
	}
}

func samePermissions(a, b client.Permissions) bool {
	same := func(x, y []string) bool { return strings.Join(x, "\n") == strings.Join(y, "\n") }
	return same(a.Tools, b.Tools) && same(a.Domains, b.Domains) && same(a.Credentials, b.Credentials)
}

// permissionFlags let a command say what a skill may use.
type permissionFlags struct {
	client.Permissions
	cmd     *cobra.Command
	asAsked bool
}

func (p *permissionFlags) add(cmd *cobra.Command) {
	p.cmd = cmd
	f := cmd.Flags()
	f.StringSliceVar(&p.Tools, "tool", nil, "`tools` that it may use, instead of those it has")
	f.StringSliceVar(&p.Domains, "domain", nil, "`hosts` that it may reach, *. for subdomains, instead of those it has")
	f.StringSliceVar(&p.Credentials, "credential", nil, "`names` of credentials that it may get, instead of those it has")
}

func (p *permissionFlags) addAsAsked() {
	p.cmd.Flags().BoolVar(&p.asAsked, "as-asked", false, "let it use everything that it asks for")
}

// given is what an approval grants: what the command line says, and where it says nothing no host and no credential that was
// not granted before.
func (p *permissionFlags) given(asked client.Permissions, granted *client.Permissions) client.Permissions {
	now := client.Given(asked, granted)
	if p == nil {
		return now
	}
	if p.asAsked {
		now = asked
	}
	now, _ = p.over(now)
	return now
}

// sayGiven shows what an approval grants, and what it asks for and does not get.
func (e *env) sayGiven(asked, given client.Permissions) {
	e.sayPermissions(given)
	var flags []string
	left := func(flag string, x, y []string) {
		for _, s := range x {
			if !slices.Contains(y, s) {
				flags = append(flags, flag+" "+plainText(s))
			}
		}
	}
	left("--tool", asked.Tools, given.Tools)
	left("--domain", asked.Domains, given.Domains)
	left("--credential", asked.Credentials, given.Credentials)
	if len(flags) > 0 {
		e.say("  not granted  %s", e.wrap(15, strings.Join(flags, " ")))
		e.say("               %s", e.wrap(15, "it asks for these, and gets them only if you name them so; --as-asked grants all of them"))
	}
}

// over is what was there with what was said on the command line; changed is false when nothing was.
func (p *permissionFlags) over(was client.Permissions) (now client.Permissions, changed bool) {
	set := func(flag string, to *[]string, from []string) {
		if p.cmd.Flags().Changed(flag) {
			*to, changed = clean(from), true
		}
	}
	now = was
	set("tool", &now.Tools, p.Tools)
	set("domain", &now.Domains, p.Domains)
	set("credential", &now.Credentials, p.Credentials)
	return now, changed
}

// clean leaves out empty words: --domain "" means none.
func clean(in []string) []string {
	out := []string{}
	for _, s := range in {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func skillApprove(e *env) *cobra.Command {
	var p permissionFlags
	cmd := e.onSkill("approve", "Approve a skill's content and permissions as they are now; you confirm it", func(ctx context.Context, c *client.Client, id string) error {
		return e.approveSkill(ctx, c, id, &p)
	})
	p.add(cmd)
	p.addAsAsked()
	cmd.Long = "Prints what differs from what you approved before and what the skill may use, then asks for your word. Hosts and credentials that it\n" +
		"asks for and never had are granted only if you name them, or all of them with --as-asked.\n" +
		"The approval is for exactly what is shown: a changed byte or another permission ends it."
	return with(cmd, "showhow skill approve change-an-order", "showhow skill approve change-an-order --domain api.example.com", "showhow skill approve change-an-order --as-asked")
}

// approveSkill shows what is approved and approves exactly that.
func (e *env) approveSkill(ctx context.Context, c *client.Client, id string, p *permissionFlags) error {
	a, err := c.Ability(ctx, id)
	if err != nil {
		return err
	}
	d, err := c.Difference(ctx, a.AbilityID)
	if err != nil {
		return err
	}
	given := p.given(a.Permissions, d.Granted)
	for _, f := range d.Files {
		e.say("  %-8s %s", f.Change, f.Path)
	}
	e.say("Approving %q\n  content      %s", a.Title, a.ContentHash)
	e.sayGiven(a.Permissions, given)
	_, err = c.ApproveAbility(ctx, a.AbilityID, a.ContentHash, &given, client.IfMatch(a.Revision))
	return e.done(err, "approved")
}

func skillReject(e *env) *cobra.Command {
	var reason string
	cmd := e.onSkill("reject", "Say no to a skill that nobody approved; it stays here, unused; you confirm it", func(ctx context.Context, c *client.Client, id string) error {
		_, err := c.RejectAbility(ctx, id, reason)
		return e.done(err, "rejected; `showhow skill remove` takes it away")
	})
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the record")
	return cmd
}

func skillRestore(e *env) *cobra.Command {
	return e.onSkill("restore", "Put back what you approved; what stands there now is set aside", func(ctx context.Context, c *client.Client, id string) error {
		_, err := c.RestoreAbility(ctx, id)
		return e.done(err, "restored")
	})
}

func skillPermissions(e *env) *cobra.Command {
	var p permissionFlags
	cmd := e.onSkill("permissions", "Show or change what a skill may use; you confirm what is more", func(ctx context.Context, c *client.Client, id string) error {
		a, err := c.Ability(ctx, id)
		if err != nil {
			return err
		}
		if now, changed := p.over(a.Permissions); changed {
			if a, err = c.SetPermissions(ctx, a.AbilityID, now, client.IfMatch(a.Revision)); err != nil {
				return err
			}
		}
		return e.show(func() { e.sayPermissions(a.Permissions) })
	})
	p.add(cmd)
	return with(cmd, "showhow skill permissions change-an-order", "showhow skill permissions change-an-order --domain api.example.com")
}

func skillAdopt(e *env) *cobra.Command {
	var target string
	cmd := e.call("adopt SKILL", "Copy a skill from an agent's folder here, for review", func(ctx context.Context, c *client.Client, args []string) error {
		a, err := c.Adopt(ctx, args[0], target)
		return e.done(err, "copied; `showhow skill diff %[1]s` shows it, `showhow skill approve %[1]s` trusts it", name(a.SkillSlug, a.AbilityID))
	})
	cmd.ValidArgsFunction = e.offer(nativeNames)
	cmd.Flags().StringVar(&target, "target", "", "`name` of the agent's folder, when several hold different skills of the name")
	cmd.Long = "The original stays as it is until you approve the copy. Then it is set aside and replaced by a copy that Showhow looks after."
	return with(cmd, "showhow skill adopt their-skill")
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
	return e.onSkill("remove", "Remove a skill and everything that was installed for it; you confirm it", func(ctx context.Context, c *client.Client, id string) error {
		_, err := c.DeleteAbility(ctx, id)
		return e.done(err, "removed")
	})
}
