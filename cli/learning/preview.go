package learning

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func previewCommand(e *env) *cobra.Command {
	var f startFlags
	cmd := kit.With(&cobra.Command{
		Use:   "preview",
		Short: "Show live what would be kept, and keep nothing",
		Long: `Watches what you name as a session would and prints each observation as it would be kept: inside the scope, redacted, values
masked. Nothing is stored. It ends with Ctrl-C, or when a session starts.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			return e.preview(cmd.Context(), c, f)
		},
	}, "showhow learn preview --site localhost:8080", "showhow learn preview --shell pts/3 --folder ~/reports")
	e.scopeFlags(cmd, &f)
	return cmd
}

func (e *env) preview(ctx context.Context, c *client.Client, f startFlags) error {
	r, err := e.request("", &f)
	if err != nil {
		return err
	}
	if f.newShell {
		return kit.Usage("a preview fills this terminal: name a shell that is open elsewhere, as `showhow targets` lists them")
	}
	var withheld []client.Withheld
	err = c.Preview(ctx, client.PreviewRequest{ObservationMode: r.ObservationMode, Scope: *r.Scope, Adapters: r.Adapters,
		ValuePolicy: r.ValuePolicy, LiteralApps: r.LiteralApps}, func(u client.PreviewUpdate, ev client.Event) error {
		if e.JSON {
			_, err := fmt.Fprintln(e.Out, string(ev.Raw))
			return err
		}
		switch {
		case u.Adapters != nil:
			e.Note("Looking with %s at %s. Nothing is kept. (Ctrl-C ends)", strings.Join(u.Adapters, " and "), kit.ScopeText(*r.Scope))
		case u.Record != nil:
			e.SayRecord(*u.Record)
		case u.Withheld != nil:
			withheld = u.Withheld
		}
		return nil
	})
	if err == nil || ctx.Err() != nil {
		e.Note("Nothing was kept; %d would have been withheld%s", total(withheld), kit.WithheldText(withheld))
		return nil
	}
	return err
}
