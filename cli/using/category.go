package using

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

var itemKinds = []string{"skill", "learned_ability", "proposal", "task_template", "automation", "bundle", "connector"}

func categoryCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "category", Short: "Categories: sort skills, proposals and the like into groups of your own",
		Long: "A category has a title and a colour. Anything can be in several. CATEGORY is a title or an id."},
		`showhow category create "Month end" --color "#1E90FF"`, `showhow category assign "Month end" change-an-order`)
	cmd.AddCommand(categoryList(e), categoryCreate(e), categoryUpdate(e), categoryDelete(e), categoryAssign(e), categoryUnassign(e),
		categoryItems(e))
	return cmd
}

// findCategory finds one by id or title.
func findCategory(ctx context.Context, c *client.Client, named string) (client.Category, error) {
	l, err := c.Categories(ctx)
	if err != nil {
		return client.Category{}, err
	}
	for _, x := range l.Categories {
		if x.CategoryID == named || strings.EqualFold(x.Title, named) {
			return x, nil
		}
	}
	return client.Category{}, fault.New(fault.NotFound, "there is no such category").WithHint("`showhow category list` names them")
}

// onCategory returns a command whose first argument is a category.
func (e *env) onCategory(use, short string,
	f func(ctx context.Context, c *client.Client, x client.Category, rest []string) error) *cobra.Command {
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		x, err := findCategory(ctx, c, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, x, args[1:])
	})
	cmd.ValidArgsFunction = e.Offer(categoryTitles)
	return cmd
}

func categoryTitles(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Categories(ctx)
	for _, x := range l.Categories {
		out = append(out, cobra.CompletionWithDesc(x.Title, kit.Plural(x.Items, "item", "items")))
	}
	return out, err
}

func categoryList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List categories", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Categories(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("there are no categories", kit.Columns("TITLE", "COLOUR", "ITEMS", "ID"), func(row func(...any)) {
				for _, x := range l.Categories {
					row(x.Title, x.Color, x.Items, x.CategoryID)
				}
			})
		})
	}), "showhow category list")
}

func categoryCreate(e *env) *cobra.Command {
	var r client.CategoryRequest
	cmd := e.Call("create TITLE", "Make a category", func(ctx context.Context, c *client.Client, args []string) error {
		r.Title = args[0]
		x, err := c.CreateCategory(ctx, r)
		return e.Done(err, "%s", x.CategoryID)
	})
	cmd.Flags().StringVar(&r.Color, "color", "", "`colour` as #RRGGBB")
	return kit.With(cmd, `showhow category create "Month end"`)
}

func categoryUpdate(e *env) *cobra.Command {
	var r client.CategoryRequest
	cmd := e.onCategory("update CATEGORY", "Change a category's title or colour",
		func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
			if r.Title == "" {
				r.Title = x.Title
			}
			_, err := c.UpdateCategory(ctx, x.CategoryID, r, client.IfMatch(x.Revision))
			return e.Done(err, "changed")
		})
	cmd.Flags().StringVar(&r.Title, "title", "", "new `title`")
	cmd.Flags().StringVar(&r.Color, "color", "", "`colour` as #RRGGBB")
	return kit.With(cmd, `showhow category update "Month end" --title "End of month"`)
}

func categoryDelete(e *env) *cobra.Command {
	return kit.With(e.onCategory("delete CATEGORY", "Delete a category; what is in it stays",
		func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
			_, err := c.DeleteCategory(ctx, x.CategoryID)
			return e.Done(err, "deleted")
		}), `showhow category delete "Month end"`)
}

func categoryAssign(e *env) *cobra.Command {
	var kind string
	cmd := e.onCategory("assign CATEGORY ITEM", "Put a skill, or something else, into a category",
		func(ctx context.Context, c *client.Client, x client.Category, rest []string) error {
			_, err := c.AssignCategory(ctx, x.CategoryID, kind, rest[0])
			return e.Done(err, "assigned")
		})
	kit.Choose(cmd, &kind, "kind", "skill", "what ITEM is", itemKinds...)
	return kit.With(cmd, `showhow category assign "Month end" change-an-order`)
}

func categoryUnassign(e *env) *cobra.Command {
	var kind string
	cmd := e.onCategory("unassign CATEGORY ITEM", "Take it out again",
		func(ctx context.Context, c *client.Client, x client.Category, rest []string) error {
			_, err := c.UnassignCategory(ctx, x.CategoryID, kind, rest[0])
			return e.Done(err, "taken out")
		})
	kit.Choose(cmd, &kind, "kind", "skill", "what ITEM is", itemKinds...)
	return kit.With(cmd, `showhow category unassign "Month end" change-an-order`)
}

func categoryItems(e *env) *cobra.Command {
	return kit.With(e.onCategory("items CATEGORY", "List what is in a category",
		func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
			l, err := c.CategoryItems(ctx, x.CategoryID)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("nothing is in it", kit.Columns("KIND", "ITEM", "SINCE"), func(row func(...any)) {
					for _, i := range l.Items {
						row(kit.Words(i.ItemKind), i.ItemID, i.AssignedAt.Local().Format("2006-01-02"))
					}
				})
			})
		}), `showhow category items "Month end"`)
}
