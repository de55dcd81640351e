package looking

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// dataCommands act on all stored data; each asks for confirmation.
func dataCommands(e *env) []*cobra.Command {
	purge := e.Call("purge", "Remove now what was observed in demonstrations that ended; you confirm it",
		func(ctx context.Context, c *client.Client, _ []string) error {
			r, err := c.PurgeData(ctx)
			return e.Done(err, "Removed the observations of %s, %s of agents, %s of runtime events and %s; %s with observations stay.",
				kit.Plural(r.Sessions, "session", "sessions"), kit.Plural(r.Runs, "kept run", "kept runs"),
				kit.Plural(r.Originals, "sealed original", "sealed originals"), kit.Plural(r.Documents, "kept document", "kept documents"),
				kit.Plural(r.Kept, "session", "sessions"))
		})
	purge.Long = "Observations and sealed values go by themselves seven days after a demonstration ended. This removes them now, to the " +
		"last byte, and\n" +
		"the kept runs of agents, the sealed originals of runtime events and the documents that are kept for a day with them.\n" +
		"Drafts, skills and receipts stay; so do " +
		"observations that you chose to keep or a draft needs."
	export := e.Call("export-data [FOLDER]", "Write everything that is readable into one .zip; you confirm it",
		func(ctx context.Context, c *client.Client, args []string) error {
			folder := ""
			if len(args) == 1 {
				var err error
				if folder, err = filepath.Abs(args[0]); err != nil {
					return fault.Wrap(err, fault.Usage, "the folder cannot be used")
				}
			}
			r, err := c.ExportData(ctx, folder)
			return e.Done(err, "Written to %s: %s.", e.Roots.Tilde(r.File), kit.Plural(r.Files, "file", "files"))
		})
	export.Args = cobra.MaximumNArgs(1)
	export.Long = "Sessions, observations, drafts, skills and records, as JSON and as they are. Sealed values, keys and the browser's " +
		"profile are not in\n" +
		"it. Without FOLDER it goes to your downloads."
	erase := e.Call("erase", "Delete everything that Showhow keeps, and end it; you confirm it",
		func(ctx context.Context, c *client.Client, _ []string) error {
			r, err := c.EraseData(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("Every skill is out of the agents' folders. Everything is deleted as the daemon ends, except what is listed here.")
				for _, p := range r.Left {
					e.Say("  stays  %s", e.Roots.Tilde(p))
				}
			})
		})
	erase.Long = "Ends what is being watched, takes every skill out of the agents' folders, removes hooks from agents' settings, and " +
		"deletes sessions,\n" +
		"observations, drafts, skills, records, keys, logs and the browser's profile. The configuration and the folder with your notes stay.\n" +
		"It cannot be taken back: `showhow export-data` writes a copy first."
	return []*cobra.Command{kit.With(purge, "showhow purge"), kit.With(export, "showhow export-data", "showhow export-data ~/backup"),
		kit.With(erase, "showhow erase")}
}
