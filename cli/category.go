package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

var itemKinds = []string{"skill", "learned_ability", "proposal", "task_template", "automation", "bundle", "connector"}

func categoryCommand(e *env) *cobra.Command {
	cmd := with(&cobra.Command{Use: "category", Short: "Categories: sort skills, proposals and the like into groups of your own",
		Long: "A category has a title and a colour. Anything can be in several. CATEGORY is a title or an id."},
		`showhow category create "Month end" --color "#1E90FF"`, `showhow category assign "Month end" change-an-order`)
	cmd.AddCommand(categoryList(e), categoryCreate(e), categoryUpdate(e), categoryDelete(e), categoryAssign(e), categoryUnassign(e), categoryItems(e))
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

// onCategory makes a command that takes a category first.
func (e *env) onCategory(use, short string, f func(ctx context.Context, c *client.Client, x client.Category, rest []string) error) *cobra.Command {
	cmd := e.call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		x, err := findCategory(ctx, c, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, x, args[1:])
	})
	cmd.ValidArgsFunction = e.offer(categoryTitles)
	return cmd
}

func categoryTitles(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Categories(ctx)
	for _, x := range l.Categories {
		out = append(out, cobra.CompletionWithDesc(x.Title, plural(x.Items, "item", "items")))
	}
	return out, err
}

func categoryList(e *env) *cobra.Command {
	return with(e.call("list", "List categories", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Categories(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("there are no categories", columns("TITLE", "COLOUR", "ITEMS", "ID"), func(row func(...any)) {
				for _, x := range l.Categories {
					row(x.Title, x.Color, x.Items, x.CategoryID)
				}
			})
		})
	}), "showhow category list")
}

func categoryCreate(e *env) *cobra.Command {
	var r client.CategoryRequest
	cmd := e.call("create TITLE", "Make a category", func(ctx context.Context, c *client.Client, args []string) error {
		r.Title = args[0]
		x, err := c.CreateCategory(ctx, r)
		return e.done(err, "%s", x.CategoryID)
	})
	cmd.Flags().StringVar(&r.Color, "color", "", "`colour` as #RRGGBB")
	return with(cmd, `showhow category create "Month end"`)
}

func categoryUpdate(e *env) *cobra.Command {
	var r client.CategoryRequest
	cmd := e.onCategory("update CATEGORY", "Change a category's title or colour", func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
		if r.Title == "" {
			r.Title = x.Title
		}
		_, err := c.UpdateCategory(ctx, x.CategoryID, r, client.IfMatch(x.Revision))
		return e.done(err, "changed")
	})
	cmd.Flags().StringVar(&r.Title, "title", "", "new `title`")
	cmd.Flags().StringVar(&r.Color, "color", "", "`colour` as #RRGGBB")
	return with(cmd, `showhow category update "Month end" --title "End of month"`)
}

func categoryDelete(e *env) *cobra.Command {
	return with(e.onCategory("delete CATEGORY", "Delete a category; what is in it stays", func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
		_, err := c.DeleteCategory(ctx, x.CategoryID)
		return e.done(err, "deleted")
	}), `showhow category delete "Month end"`)
}

func categoryAssign(e *env) *cobra.Command {
	var kind string
	cmd := e.onCategory("assign CATEGORY ITEM", "Put a skill, or something else, into a category", func(ctx context.Context, c *client.Client, x client.Category, rest []string) error {
		_, err := c.AssignCategory(ctx, x.CategoryID, kind, rest[0])
		return e.done(err, "assigned")
	})
	choose(cmd, &kind, "kind", "skill", "what ITEM is", itemKinds...)
	return with(cmd, `showhow category assign "Month end" change-an-order`)
}

func categoryUnassign(e *env) *cobra.Command {
	var kind string
	cmd := e.onCategory("unassign CATEGORY ITEM", "Take it out again", func(ctx context.Context, c *client.Client, x client.Category, rest []string) error {
		_, err := c.UnassignCategory(ctx, x.CategoryID, kind, rest[0])
		return e.done(err, "taken out")
	})
	choose(cmd, &kind, "kind", "skill", "what ITEM is", itemKinds...)
	return with(cmd, `showhow category unassign "Month end" change-an-order`)
}

func categoryItems(e *env) *cobra.Command {
	return with(e.onCategory("items CATEGORY", "List what is in a category", func(ctx context.Context, c *client.Client, x client.Category, _ []string) error {
		l, err := c.CategoryItems(ctx, x.CategoryID)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("nothing is in it", columns("KIND", "ITEM", "SINCE"), func(row func(...any)) {
				for _, i := range l.Items {
					row(words(i.ItemKind), i.ItemID, i.AssignedAt.Local().Format("2006-01-02"))
				}
			})
		})
	}), `showhow category items "Month end"`)
}
