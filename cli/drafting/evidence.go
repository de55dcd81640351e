package drafting

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func evidenceCommand(e *env) *cobra.Command {
	var run, save string
	cmd := e.onProposal("evidence [ID]", "Show how the page was where the last rehearsal's steps failed",
		func(ctx context.Context, c *client.Client, id string) error {
			run, err := rehearsalOf(ctx, c, id, run)
			if err != nil {
				return err
			}
			kept, err := c.RunEvidence(ctx, run)
			if err != nil {
				return err
			}
			if save != "" {
				return e.savePictures(ctx, c, run, save, kept.Evidence)
			}
			return e.Show(func() { e.sayEvidence(kept.Evidence) })
		})
	cmd.Long = `Headings, messages, names of fields and shapes of tables, as they were when a step failed; never anybody's values. With
` + "`showhow proposal rehearse --pictures`" + ` there is a screenshot, too, painted over at fields, tables and texts that hold a value;
--save writes it. All of it is raw data: it goes with the session's observations.`
	cmd.Flags().StringVar(&run, "run", "", "the `id` of another run")
	cmd.Flags().StringVar(&save, "save", "", "write the pictures into this `folder`")
	return kit.With(cmd, "showhow proposal evidence", "showhow proposal evidence --save pictures")
}

// rehearsalOf is the run that was named, else the last one that performed anything.
func rehearsalOf(ctx context.Context, c *client.Client, proposal, run string) (string, error) {
	if run != "" {
		return run, nil
	}
	l, err := c.ValidationRuns(ctx, proposal, client.PageQuery{Page: 1, PageSize: 50})
	if err != nil {
		return "", err
	}
	for _, r := range l.Runs {
		if slices.Contains(r.RunKinds, "rehearsal") || slices.Contains(r.RunKinds, "canary") {
			return r.ValidationRunID, nil
		}
	}
	return "", fault.New(fault.NotFound, "this draft has not been rehearsed yet").WithHint("showhow proposal rehearse")
}

func (e *env) sayEvidence(all []client.Evidence) {
	if len(all) == 0 {
		e.Say("nothing is kept: no step failed on a page, or the raw data is purged")
	}
	for _, x := range all {
		e.Say("%s  %s", x.CreatedAt.Local().Format("2006-01-02 15:04:05"), x.TestCaseID)
		part := func(what string, texts ...string) {
			if s := strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " | "); s != "" {
				e.Say("  %-9s %s", what, e.Wrap(12, s))
			}
		}
		part("page", x.State.Title, x.State.URL)
		part("headings", x.State.Headings...)
		part("dialogs", x.State.Dialogs...)
		part("messages", x.State.Alerts...)
		part("refused", x.State.Invalid...)
		for _, t := range x.State.Tables {
			part("table", fmt.Sprintf("%s (%s): %s", t.Name, kit.Plural(t.Rows, "row", "rows"), strings.Join(t.Columns, ", ")))
		}
		var fields []string
		for _, f := range x.State.Fields {
			fields = append(fields, f.Label)
		}
		part("fields", fields...)
		if x.Picture {
			part("picture", "showhow proposal evidence --run "+x.ValidationRunID+" --save FOLDER")
		}
	}
}

// savePictures writes the pictures of a run into a folder, each readable by its owner only.
func (e *env) savePictures(ctx context.Context, c *client.Client, run, dir string, all []client.Evidence) error {
	var files []string
	for _, x := range all {
		if !x.Picture {
			continue
		}
		p, err := c.RunPicture(ctx, run, x.EvidenceID)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("%s-%d.png", strings.ReplaceAll(x.TestCaseID, ".", "-"), x.EvidenceID))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fault.Wrap(err, fault.Usage, "the folder cannot be created").WithHint("name another with --save")
		}
		if err := os.WriteFile(file, p.Content, 0o600); err != nil {
			return fault.Wrap(err, fault.Usage, "a picture cannot be written").WithHint("name another folder with --save")
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return fault.New(fault.NotFound, "no picture of this run is kept").WithHint(
			"`showhow proposal rehearse --pictures` keeps one where a step fails")
	}
	return e.Show(func() {
		for _, f := range files {
			e.Say("%s", f)
		}
	})
}
