package using

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// registryCommands let skills travel through OCI registries.
func registryCommands(e *env) []*cobra.Command {
	return []*cobra.Command{skillPush(e), skillPull(e), skillSearch(e), skillOutdated(e), skillUpdate(e), skillSync(e.Env),
		skillVerify(e.Env), skillSigner(e.Env)}
}

func skillPush(e *env) *cobra.Command {
	var q client.SkillPush
	var preview bool
	cmd := e.Call("push [SKILL] REF", "Push an approved skill to a registry; you see everything that leaves and confirm it",
		func(ctx context.Context, c *client.Client, args []string) error {
			q.Reference = args[len(args)-1]
			if q.AbilityID = args[0]; len(args) == 1 {
				q.AbilityID = skillOf(q.Reference)
			}
			p, err := c.PreviewSkillPush(ctx, q)
			if err != nil {
				return err
			}
			if preview {
				return e.Show(func() {
					e.sayPush(p, q.Unsigned)
					if !p.Blocked {
						e.Say("next: run it again without --preview; you will be asked to confirm")
					}
				})
			}
			if !e.JSON && !p.AlreadyThere {
				e.sayPush(p, q.Unsigned)
			}
			q.Seal = p.Seal // what is there already is recorded, sends nothing and asks for nothing
			out, err := c.PushSkill(ctx, q)
			if err == nil && out.AlreadyThere {
				return e.Done(nil, "It was there already: %s", pinned(out.Reference, out.Digest))
			}
			if err == nil && out.Signer != "" {
				return e.Done(nil, "Pushed: %s\nSigned by the key %s\nto use it elsewhere: showhow skill pull %s",
					pinned(out.Reference, out.Digest), out.Signer, out.Reference)
			}
			return e.Done(err, "Pushed: %s\nto use it elsewhere: showhow skill pull %s", pinned(out.Reference, out.Digest), out.Reference)
		})
	cmd.Args = cobra.RangeArgs(1, 2)
	cmd.Long = "REF is HOST/PATH:TAG; without SKILL the last part of PATH is the skill's name. Sign in with `docker login HOST` or " +
		"`oras login HOST`:\nShowhow reads the docker credential store and keeps none of it.\n" +
		"Examples, evidence and the story of the demonstration stay here, unless --with-examples says otherwise. A skill that holds a " +
		"secret is\nnot pushed. A push is signed with a key that the keychain holds; the first one makes it (`showhow skill signer`)."
	cmd.Flags().StringVar(&q.Version, "version", "", "the `version` to write into it; the tag otherwise")
	cmd.Flags().BoolVar(&q.WithExamples, "with-examples", false, "also push examples, evidence and the story of the demonstration")
	cmd.Flags().BoolVar(&q.Unsigned, "unsigned", false, "do not sign it")
	cmd.Flags().BoolVar(&preview, "preview", false, "only show what would leave")
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow skill push registry.example.com/team/change-an-order:1.2",
		"showhow skill push change-an-order localhost:5000/orders:latest --preview")
}

// skillOf is the name of the skill that a reference most likely means.
func skillOf(ref string) string {
	name, _, _ := strings.Cut(ref, "@")
	name = path.Base(name)
	name, _, _ = strings.Cut(name, ":")
	return name
}

// pinned is the reference that names exactly one content.
func pinned(ref, digest string) string {
	name := strings.TrimSuffix(ref, "/"+path.Base(ref)) + "/" + skillOf(ref)
	return name + "@" + digest
}

func (e *env) sayPush(p client.SkillPushPreview, unsigned bool) {
	e.Say("Pushing %q\n  to           %s\n  version      %s\n  content      %s", p.Title, kit.PlainText(p.Reference), kit.PlainText(p.Version),
		p.ContentHash)
	if p.ContentHash != p.OwnHash {
		e.Say("  here         %s", e.Wrap(15, p.OwnHash+": another content, because something is kept back"))
	}
	list := func(name string, items []string) {
		if len(items) > 0 {
			e.Say("  %-12s %s", name, e.Wrap(15, kit.PlainText(strings.Join(items, ", "))))
		}
	}
	list("sites", p.Sites)
	list("requests", p.Sentences)
	list("not for", p.NotFor)
	asks := []string{}
	for what, all := range map[string][]string{"agent tools": p.Asks.Tools, "domains": p.Asks.Domains, "credentials": p.Asks.Credentials} {
		if len(all) > 0 {
			asks = append(asks, what+" "+strings.Join(all, ", "))
		}
	}
	slices.Sort(asks)
	list("asks for", []string{cmp.Or(strings.Join(asks, "; "), "nothing")})
	e.Say("  scan         %s, %s", p.Verdict, kit.Plural(len(p.Findings), "finding", "findings"))
	for _, f := range p.Findings {
		e.Say("    %s  %s  %s", f.Severity, kit.Place(f.File, f.Line), kit.PlainText(f.Title))
	}
	e.Say("  signed       %s", signedBy(p, unsigned))
	if len(p.OtherKeys) > 0 {
		e.Say("  other key    %s", e.Wrap(15, "what is there was signed by "+strings.Join(p.OtherKeys, ", ")+
			"; whoever accepted that key is refused this push until they accept yours (`showhow skill pull --signer`)"))
	}
	if p.KeysUnread {
		e.Say("  other key    %s", e.Wrap(15, "unknown: the registry does not show what this repository holds; "+
			"whoever accepted another key for it is refused this push"))
	}
	if r := p.Replaces; r != nil {
		said := "the tag leads to " + r.Digest + " now, and will lead to this"
		if p.AlreadyThere {
			said = "the tag leads to this already"
		}
		e.Say("  there        %s", e.Wrap(15, said))
	}
	e.Say("\nFiles that leave, %d bytes", p.Bytes)
	for _, f := range p.Files {
		mark := ""
		if f.Executable {
			mark = "  runs"
		}
		e.Say("  %8d  %s%s", f.Bytes, kit.PlainText(f.Path), mark)
	}
	e.Say("\nWhat the registry shows beside the files, with the time of the push")
	for _, k := range slices.Sorted(maps.Keys(p.Annotations)) {
		e.Say("  %s  %s", k, e.Wrap(len(k)+4, kit.PlainText(p.Annotations[k])))
	}
	if len(p.LeftOut) > 0 {
		e.Say("\nFiles that stay here (--with-examples sends them)")
	}
	for _, l := range p.LeftOut {
		more := ""
		if l.Replaced {
			more = "; one line in its place says that it was not shared"
		}
		e.Say("  %s  (%s%s)", kit.PlainText(l.Path), l.Why, more)
	}
	if len(p.Personal) > 0 {
		e.Say("\nWhat looks personal or secret in it")
	}
	for _, d := range p.Personal {
		text := kit.PlainText(d.Text)
		if d.Secret {
			text = "a secret: it must go before the skill can be pushed"
		}
		e.Say("  %-12s %s  %s", kit.Words(d.Kind), kit.Place(d.Path, d.Line), text)
	}
	if len(p.NotText) > 0 {
		e.Say("\nNo text, so not looked into: see yourself what they show")
	}
	for _, f := range p.NotText {
		e.Say("  %s", kit.PlainText(f))
	}
}

func skillPull(e *env) *cobra.Command {
	var r client.SkillSource
	cmd := e.Call("pull REF", "Pull a skill from a registry: scanned, compared with what is installed, and installed only when you approve it",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.Kind, r.Reference = "registry", args[0]
			return pullSkill(ctx, e, c, r)
		})
	cmd.Args = cobra.ExactArgs(1)
	cmd.Long = "REF is HOST/PATH:TAG, or HOST/PATH@sha256:DIGEST for exactly one content. A pull is an import (`showhow skill imports`): " +
		"nothing in it is\nrun or installed, and an approval elsewhere does not count here."
	cmd.Flags().StringVar(&r.Notes, "note", "", "a `note` for yourself")
	cmd.Flags().BoolVar(&r.Older, "older", false, "also an earlier push than the installed one, by the same tag")
	signedFlags(cmd, &r)
	return kit.With(cmd, "showhow skill pull registry.example.com/team/change-an-order:1.2",
		"showhow skill pull localhost:5000/orders/change-an-order")
}

// pullSkill brings a skill in from where r says, stages it for review and shows it. What waits already is shown, and what is
// installed already is said to be.
func pullSkill(ctx context.Context, e *env, c *client.Client, r client.SkillSource) error {
	up, err := c.ImportSource(ctx, r)
	f := fault.From(err)
	switch {
	case fault.Is(err, fault.SkillImportWaiting):
		id, _ := f.Details["import_id"].(string)
		if !e.JSON {
			e.Say("Exactly this was pulled before, and waits for your decision.\n")
		}
		return e.showImport(ctx, c, id)
	case fault.Is(err, fault.SkillImportInstalled):
		slug, _ := f.Details["skill_slug"].(string)
		if e.JSON {
			return e.Print(map[string]any{"state": "installed", "skill_slug": slug})
		}
		e.Say("Exactly this is installed already, as %s.", slug)
		return nil
	case err != nil:
		return err
	}
	id, err := stageUpload(ctx, c, up)
	if err != nil {
		return err
	}
	return e.showImport(ctx, c, id)
}

// sayComparison says how an import differs from what is installed.
func (e *env) sayComparison(d client.SkillImportDetail) {
	c := d.Comparison
	if c == nil {
		return
	}
	how := "is installed too, from elsewhere; this one gets another name"
	if c.Replaces {
		how = "is installed, and an approval replaces it"
	}
	e.Say("\nCompared with %s, which %s", kit.PlainText(c.SkillSlug), how)
	if c.ChangedHere {
		e.Say("  %s", e.Wrap(2, givesUp(c)))
	}
	if c.Older {
		e.Say("  it was pushed before the installed one: approving it goes back")
	}
	switch c.Signer {
	case "other":
		e.Say("  another key signed it than the one that you accepted: ask whoever pushed it whether the key is theirs;")
		e.Say("  approving it accepts the key %s from then on", kit.PlainText(d.ImportRecord.Provenance.Signer))
	case "gone":
		e.Say("  you accepted a key for it; nobody signed this one")
	case "new":
		e.Say("  it is signed; approving it accepts the key %s from then on", kit.PlainText(d.ImportRecord.Provenance.Signer))
	}
	switch {
	case c.Forgets:
		e.Say("  approving it forgets the key: what comes from there later may be signed by anybody, or by nobody")
	case c.Signer == "gone":
		e.Say("  what comes from there later must be signed by the key again")
	}
	switch {
	case c.Same:
		e.Say("  the content is the one that you approved")
	case len(c.Files) == 0:
		e.Say("  no file differs")
	}
	for _, f := range c.Files {
		e.Say("  %-8s %s", f.Change, kit.PlainText(f.Path))
		if f.Unified != "" && c.Replaces {
			e.Say("%s", strings.TrimRight(f.Unified, "\n"))
		}
	}
	wider := func(name string, items []string) {
		if len(items) > 0 {
			e.Say("  asks for %s that the installed one may not use: %s", name, kit.PlainText(strings.Join(items, ", ")))
		}
	}
	wider("agent tools", c.Wider.Tools)
	wider("domains", c.Wider.Domains)
	wider("credentials", c.Wider.Credentials)
}

// inFiles adds the files of a conflict to what is said of it.
func inFiles(err error) error {
	f := fault.From(err)
	if !fault.Is(err, fault.UpdateConflict) {
		return err
	}
	var names []string
	all, _ := f.Details["files"].([]any)
	for _, x := range all {
		if s, ok := x.(string); ok {
			names = append(names, kit.PlainText(s))
		}
	}
	if len(names) == 0 {
		return err
	}
	out := *f
	return out.WithHint("in " + strings.Join(names, ", ") + ". " + f.Hint)
}

// fromRegistry reports whether an argument of `skill import` names a registry.
func fromRegistry(arg string) bool { return strings.HasPrefix(arg, "oci://") }

func skillSearch(e *env) *cobra.Command {
	var q client.SkillSearch
	cmd := e.Call("search HOST/PREFIX [WORD...]", "List the skills of a registry whose names begin with PREFIX",
		func(ctx context.Context, c *client.Client, args []string) error {
			q.In, q.Words = args[0], strings.Join(args[1:], " ")
			l, err := c.SearchSkillRegistry(ctx, q)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("the registry has no such skill", kit.Columns("REFERENCE", "VERSION", "INSTALLED AS", "WHAT IT IS"),
					func(row func(...any)) {
						for _, x := range l.Items {
							row(kit.PlainText(x.Reference), kit.PlainText(x.Version), x.InstalledAs, kit.PlainText(x.Description))
						}
					})
				if l.Total > l.LookedAt {
					e.Say("%d names fit, and the first %d were looked at; --limit looks at more, and a word narrows it", l.Total, l.LookedAt)
				}
				if l.Unread > 0 {
					e.Say("%d of %d did not answer; try again later", l.Unread, l.LookedAt)
				}
			})
		})
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.Flags().IntVar(&q.Limit, "limit", 50, "at most so many, up to 500")
	return kit.With(cmd, "showhow skill search registry.example.com/team/", "showhow skill search localhost:5000/ order")
}

func skillOutdated(e *env) *cobra.Command {
	return kit.With(e.Call("outdated", "Compare installed skills with the registries that they came from, or were pushed to",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.OutdatedSkills(ctx, "")
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no installed skill came from a registry or was pushed to one", kit.Columns("SKILL", "STATE", "INSTALLED", "AVAILABLE", ""),
					func(row func(...any)) {
						for _, x := range l.Items {
							available, note := "", x.Code
							if x.Available != nil {
								available = x.Available.Reference
							}
							if x.ChangedHere {
								note = strings.TrimSpace(note + " changed here")
							}
							if x.Unapproved {
								note = strings.TrimSpace(note + " edited, not approved")
							}
							row(x.SkillSlug, x.State, kit.PlainText(x.Reference), kit.PlainText(available), note)
						}
					})
			})
		}), "showhow skill outdated")
}

func skillUpdate(e *env) *cobra.Command {
	r := client.SkillSource{Kind: "registry"}
	cmd := e.onSkill("update", "Bring in the newer version of a skill from its registry, with your changes; you approve it",
		func(ctx context.Context, c *client.Client, name string) error {
			l, err := c.OutdatedSkills(ctx, name)
			if err != nil {
				return err
			}
			k := l.Items[0]
			if r.Reference == "" && (k.State == "current" || k.State == "pinned") {
				return e.Done(nil, "%s is up to date.", k.SkillSlug)
			}
			r.Updates = name
			return inFiles(pullSkill(ctx, e, c, r))
		})
	cmd.Long = "What you configured stays. If you changed and approved the skill's files, your changes are merged with the new ones, line " +
		"by line; where both\nchanged the same place it says so and changes nothing. An older push than the installed one is refused: a tag " +
		"that was moved back, or a\nregistry that replays it."
	cmd.Flags().StringVar(&r.Reference, "to", "", "this `reference` of it instead of the newest")
	cmd.Flags().BoolVar(&r.Theirs, "theirs", false, "give up what was changed here")
	cmd.Flags().BoolVar(&r.Older, "older", false, "also take an older push than the installed one")
	signedFlags(cmd, &r)
	return kit.With(cmd, "showhow skill update change-an-order", "showhow skill update change-an-order --theirs")
}
