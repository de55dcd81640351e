package using

import (
	"context"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

// registryCommands let skills travel through OCI registries.
func registryCommands(e *env) []*cobra.Command {
	return []*cobra.Command{skillPush(e), skillPull(e)}
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
				return e.Show(func() { e.sayPush(p) })
			}
			if !e.JSON {
				e.sayPush(p)
			}
			q.Seal = p.Seal
			out, err := c.PushSkill(ctx, q)
			if err == nil && out.AlreadyThere {
				return e.Done(nil, "It was there already: %s", pinned(out.Reference, out.Digest))
			}
			return e.Done(err, "Pushed: %s", pinned(out.Reference, out.Digest))
		})
	cmd.Args = cobra.RangeArgs(1, 2)
	cmd.Long = "REF is HOST/PATH:TAG; without SKILL the last part of PATH is the skill's name. Sign in with `docker login HOST` or " +
		"`oras login HOST`:\nShowhow reads the docker credential store and keeps nothing of it.\n" +
		"Examples, evidence and the story of the demonstration stay here, unless --with-examples says otherwise. A skill that holds a " +
		"secret is\nnot pushed."
	cmd.Flags().StringVar(&q.Version, "version", "", "the `version` to write into it; the tag otherwise")
	cmd.Flags().BoolVar(&q.WithExamples, "with-examples", false, "also push examples, evidence and the story of the demonstration")
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

func (e *env) sayPush(p client.SkillPushPreview) {
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
	e.Say("  scan         %s, %s", p.Verdict, kit.Plural(len(p.Findings), "finding", "findings"))
	for _, f := range p.Findings {
		e.Say("    %s  %s  %s", f.Severity, kit.Place(f.File, f.Line), kit.PlainText(f.Title))
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
}

func skillPull(e *env) *cobra.Command {
	var r client.SkillSource
	cmd := e.Call("pull REF", "Pull a skill from a registry: scanned, compared with what is installed, and installed only when you approve it",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.Kind, r.Reference = "registry", args[0]
			id, err := e.pull(ctx, c, r)
			if err != nil {
				return err
			}
			return e.showImport(ctx, c, id)
		})
	cmd.Args = cobra.ExactArgs(1)
	cmd.Long = "REF is HOST/PATH:TAG, or HOST/PATH@sha256:DIGEST for exactly one content. A pull is an import (`showhow skill imports`): " +
		"nothing of it is\nrun or installed, and that somebody approved it elsewhere counts for nothing here."
	cmd.Flags().StringVar(&r.Notes, "note", "", "a `note` for yourself")
	return kit.With(cmd, "showhow skill pull registry.example.com/team/change-an-order:1.2",
		"showhow skill pull localhost:5000/orders/change-an-order")
}

// pull brings a skill in from where r says and stages it for review.
func (e *env) pull(ctx context.Context, c *client.Client, r client.SkillSource) (importID string, err error) {
	up, err := c.ImportSource(ctx, r)
	if err != nil {
		return "", err
	}
	s, err := c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef)
	if err != nil {
		return "", err
	}
	_, err = c.StageSkillImport(ctx, s.ImportRecord.ImportID, client.IfMatch(s.ImportRecord.Revision))
	return s.ImportRecord.ImportID, err
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
			e.Say("  asks for more %s: %s", name, kit.PlainText(strings.Join(items, ", ")))
		}
	}
	wider("tools", c.Wider.Tools)
	wider("domains", c.Wider.Domains)
	wider("secrets", c.Wider.Credentials)
}

// fromRegistry reports whether an argument of `skill import` names a registry.
func fromRegistry(arg string) bool { return strings.HasPrefix(arg, "oci://") }
