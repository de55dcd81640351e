package using

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func projectCommand(e *env) *cobra.Command {
	project := kit.With(&cobra.Command{Use: "project", Short: "Names of projects, and where their documents are",
		Long: `A binding gives a project's names and says where its documents are. The project itself is kept elsewhere. Look-ups
take any of its names, and a text can be asked which project it is about.`},
		`showhow project bind henderson-2026 --alias Henderson --onedrive Clients/Henderson`, "showhow project list")
	project.AddCommand(projectList(e), projectBind(e), projectUnbind(e), projectResolve(e))
	return project
}

func projectList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List bindings", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.ProjectBindings(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("no project is bound; `showhow project bind PROJECT` does so", kit.Columns("PROJECT", "ALSO CALLED", "DOCUMENTS"),
				func(row func(...any)) {
					for _, b := range l.Bindings {
						row(b.ProjectID, strings.Join(b.Aliases, ", "), strings.Join(slices.Concat(b.OnedriveRefs, b.SharepointRefs, b.TeamsRefs), ", "))
					}
				})
		})
	}), "showhow project list")
}

func projectBind(e *env) *cobra.Command {
	var b client.ProjectBinding
	cmd := e.Call("bind PROJECT", "Set a project's names and where its documents are; replaces what was set before",
		func(ctx context.Context, c *client.Client, args []string) error {
			b.ProjectID = args[0]
			_, err := c.BindProject(ctx, b)
			return e.Done(err, "bound")
		})
	fl := cmd.Flags()
	fl.StringArrayVar(&b.Aliases, "alias", nil, "another `name` that it goes by; may be repeated")
	fl.StringArrayVar(&b.BucketIDs, "bucket", nil, "`id` of a bucket of its context; may be repeated")
	fl.StringArrayVar(&b.OnedriveRefs, "onedrive", nil, "`place` in OneDrive; may be repeated")
	fl.StringArrayVar(&b.SharepointRefs, "sharepoint", nil, "`place` in SharePoint; may be repeated")
	fl.StringArrayVar(&b.TeamsRefs, "teams", nil, "`place` in Teams; may be repeated")
	fl.StringArrayVar(&b.PreferredDocTypes, "prefers", nil, "`kind` of document that is preferred; may be repeated")
	fl.StringVar(&b.SourceOfTruth, "truth", "mixed", "where the truth is: doc7_bucket, core_project, sharepoint, onedrive or mixed")
	fl.StringVar(&b.AmbiguityPolicy, "ambiguous", "use_room_context_then_prompt",
		"when a text fits several: return_all, require_disambiguation or use_room_context_then_prompt")
	return kit.With(cmd, "showhow project bind henderson-2026 --alias Henderson --onedrive Clients/Henderson")
}

func projectUnbind(e *env) *cobra.Command {
	return kit.With(e.Call("unbind PROJECT", "Forget a binding; the project is not touched",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.UnbindProject(ctx, args[0])
			if err == nil && !x.Unbound {
				return e.Done(nil, "it was not bound")
			}
			return e.Done(err, "forgotten")
		}), "showhow project unbind henderson-2026")
}

func projectResolve(e *env) *cobra.Command {
	var active string
	cmd := e.Call("resolve TEXT...", "Which project a text is about", func(ctx context.Context, c *client.Client, args []string) error {
		r, err := c.ResolveProject(ctx, client.ProjectResolve{Query: strings.Join(args, " "), ActiveProjectID: active})
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("no project fits", kit.Columns("PROJECT", "SURE", "BECAUSE"), func(row func(...any)) {
				for _, m := range r.Matches {
					row(m.ProjectID, kit.Decimal(m.Confidence), m.Because)
				}
			})
			if r.ResolutionState == "ambiguous" {
				e.Say("several fit alike: ask which is meant")
			}
		})
	})
	cmd.Flags().StringVar(&active, "active", "", "`project` that is worked on")
	return kit.With(cmd, `showhow project resolve "the latest draft for Henderson"`)
}
