package keeping

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func notesCommand(e *env) *cobra.Command {
	notes := kit.With(&cobra.Command{Use: "notes", Short: "Your notes and what was captured, as Markdown files under git",
		Long: `Notes, tasks and captured items are Markdown files in a folder under git, which you may edit with any program. Agents search,
capture and propose; you commit and undo. docs/notes.md says more.`},
		`showhow notes search "delivery dates"`, "showhow notes pending")
	notes.AddCommand(notesAdd(e), notesArchive(e), notesCapture(e), notesCaptured(e), notesCommit(e), notesDiscard(e), notesPending(e),
		notesPropose(e), notesSearch(e), notesShow(e), notesStatus(e), notesUndo(e))
	return notes
}

func notesAdd(e *env) *cobra.Command {
	var q client.NoteAppend
	var from string
	cmd := e.Call("add TITLE [TEXT...]", "Add a note; without TEXT it is read from the standard input",
		func(ctx context.Context, c *client.Client, args []string) error {
			q.Title, q.Body = args[0], strings.Join(args[1:], " ")
			if q.Body == "" {
				b, err := readAll(e, "-", 64000*4)
				if err != nil {
					return err
				}
				q.Body = string(b)
			}
			kind := "text"
			if strings.Contains(from, "://") {
				kind = "url"
			}
			q.Sources = []client.NoteSource{{Type: kind, Value: from}}
			n, err := c.AppendNote(ctx, q)
			return e.Done(err, "%s", n.ID)
		})
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.Flags().StringVar(&from, "source", "command line", "where it comes from: a `text` or an address")
	cmd.Flags().StringArrayVar(&q.Tags, "tag", nil, "a `word` to find it by; may be repeated")
	return kit.With(cmd, `showhow notes add "Paper prices" "3 EUR per ream" --tag office --source https://example.com/prices`)
}

func notesCapture(e *env) *cobra.Command {
	var from string
	cmd := e.Call("capture TEXT...", "Keep something to be sorted later", func(ctx context.Context, c *client.Client, args []string) error {
		n, err := c.Capture(ctx, client.NoteCapture{Text: strings.Join(args, " "), Source: from})
		return e.Done(err, "%s", n.ID)
	})
	cmd.Flags().StringVar(&from, "source", "chat://terminal", "the `chat` that it was said in")
	return kit.With(cmd, `showhow notes capture "ask Ada about the delivery date"`)
}

func notesCaptured(e *env) *cobra.Command {
	return kit.With(e.Call("captured", "What was captured and not archived", func(ctx context.Context, c *client.Client, _ []string) error {
		p, err := c.SearchNotes(ctx, client.NotesSearch{Kind: "captured", Status: "open", PageSize: 100})
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("nothing is captured", kit.Columns("ID", "TEXT", "FROM"), func(row func(...any)) {
				for _, i := range p.Items {
					row(i.ID, kit.PlainText(i.Title), kit.PlainText(i.Source))
				}
			})
			if shown := len(p.Items); shown < p.Total {
				e.Say("%d of %d; archive some to see more", shown, p.Total)
			}
		})
	}), "showhow notes captured")
}

func notesArchive(e *env) *cobra.Command {
	return kit.With(e.Call("archive ID", "A captured item is done with", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.ArchiveCaptured(ctx, args[0])
		return e.Done(err, "archived")
	}), "showhow notes archive inb_k3v7q2m5x4c6na")
}

func notesSearch(e *env) *cobra.Command {
	var q client.NotesSearch
	cmd := e.Call("search [TEXT...]", "Find notes and captured items; without TEXT the newest; `showhow task list` finds tasks",
		func(ctx context.Context, c *client.Client, args []string) error {
			q.Query = strings.Join(args, " ")
			p, err := c.SearchNotes(ctx, q)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no note fits", kit.Columns("ID", "TITLE", "FILE"), func(row func(...any)) {
					for _, i := range p.Items {
						row(i.ID, kit.PlainText(i.Title), kit.PlainText(i.Path))
					}
				})
				if shown := len(p.Items); shown < p.Total {
					e.Say("%d of %d; --page shows more", shown, p.Total)
				}
			})
		})
	fl := cmd.Flags()
	fl.StringVar(&q.Tag, "tag", "", "only with this `word`")
	fl.StringVar(&q.LinkedTaskID, "task", "", "only what is linked with the task `ID`")
	fl.IntVar(&q.Page, "page", 1, "which page")
	fl.IntVar(&q.PageSize, "page-size", 20, "how many a page")
	cmd.Args = cobra.ArbitraryArgs
	return kit.With(cmd, `showhow notes search "delivery dates"`, "showhow notes search --tag office")
}

func notesShow(e *env) *cobra.Command {
	return kit.With(e.Call("show ID", "A note, a task or a captured item", func(ctx context.Context, c *client.Client, args []string) error {
		i, err := c.Note(ctx, args[0])
		if err != nil {
			return err
		}
		return e.Show(func() { sayNote(e, i) })
	}), "showhow notes show nte_k3v7q2m5x4c6na")
}

func sayNote(e *env, i client.NoteItem) {
	e.Say("%s", kit.PlainText(i.Title))
	for _, f := range [][2]string{{"id", i.ID}, {"file", i.Path}, {"status", i.Status}, {"priority", i.Priority}, {"due", i.Due},
		{"project", i.Project}, {"blocked by", i.BlockedByTaskID}, {"tags", strings.Join(i.Tags, ", ")}, {"links", strings.Join(i.Links, ", ")},
		{"written by", i.CreatedBy}, {"problem", problemWord(i.Problem)}} {
		if f[1] != "" {
			e.Say("  %s: %s", f[0], kit.PlainText(f[1]))
		}
	}
	if i.Body != "" {
		e.Say("")
		for line := range strings.SplitSeq(strings.TrimRight(i.Body, "\n"), "\n") {
			e.Say("%s", kit.PlainText(line))
		}
	}
}

func notesPending(e *env) *cobra.Command {
	return kit.With(e.Call("pending", "Changes that wait for you, with all that they write",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.NoteChanges(ctx, "proposed")
			if err != nil {
				return err
			}
			return e.Show(func() {
				if len(l.ChangeSets) == 0 {
					e.Say("no change waits")
				}
				for _, s := range l.ChangeSets {
					sayChange(e, s)
				}
			})
		}), "showhow notes pending")
}

func sayChange(e *env, s client.ChangeSet) {
	e.Say("%s by %s: %d new, %d changed", s.ChangeSetID, kit.PlainText(s.Actor.ID), s.Summary.Creates, s.Summary.Updates)
	for _, l := range s.Diff {
		e.Say("  %s", kit.PlainText(l))
	}
}

func notesPropose(e *env) *cobra.Command {
	return kit.With(e.Call("propose FILE", "Propose the changes in a JSON file (- is the standard input): a list of {type, payload}",
		func(ctx context.Context, c *client.Client, args []string) error {
			b, err := readAll(e, args[0], 4<<20)
			if err != nil {
				return err
			}
			var actions []client.NoteAction
			if err := json.Unmarshal(b, &actions); err != nil {
				return kit.Usage("FILE is no list of actions").
					WithHint(`for example [{"type":"update_task","payload":{"task_id":"tsk_...","status":"done"}}]`)
			}
			p, err := c.ProposeChanges(ctx, actions)
			if err != nil {
				return err
			}
			return e.Show(func() {
				sayChange(e, client.ChangeSet{ChangeSetID: p.ChangeSetID, Actor: client.NotePerson(), Summary: p.Summary, Diff: p.Diff})
				e.Say("commit it with: showhow notes commit %s", p.ChangeSetID)
			})
		}), "showhow notes propose changes.json")
}

func notesCommit(e *env) *cobra.Command {
	return kit.With(e.Call("commit CHANGE", "Commit a proposed change exactly as it is shown; one of an agent is confirmed with a code",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.CommitChanges(ctx, args[0])
			return e.Done(err, "committed as %s", x.CommitID)
		}), "showhow notes commit chg_k3v7q2m5x4c6na")
}

func notesDiscard(e *env) *cobra.Command {
	return kit.With(e.Call("discard CHANGE", "Refuse a proposed change", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.DiscardChanges(ctx, args[0])
		return e.Done(err, "discarded")
	}), "showhow notes discard chg_k3v7q2m5x4c6na")
}

func notesUndo(e *env) *cobra.Command {
	var reason string
	cmd := e.Call("undo [COMMIT]", "Take back your last change, or the one with this id; edits since then are never overwritten",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.UndoNotes(ctx, strings.Join(args, ""), reason)
			return e.Done(err, "undone: %s (%s)", kit.PlainText(x.Undone), x.UndoneCommitID)
		})
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.Flags().StringVar(&reason, "reason", "by hand", "why, for the history")
	return kit.With(cmd, "showhow notes undo", "showhow notes undo cmt_8cb1e9b9c3f9f2b1f7c3a44e1f0a9a8d5f6b7c01")
}

func notesStatus(e *env) *cobra.Command {
	return kit.With(e.Call("status", "Where the notes are, and how many", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.NotesStatus(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Say("%s: %s, %s, %d captured; waiting for you: %s", s.Folder, kit.Plural(s.Notes, "note", "notes"),
				kit.Plural(s.Tasks, "task", "tasks"), s.Captured, kit.Plural(s.Waiting, "change", "changes"))
			for _, p := range s.Skipped {
				e.Say("  not taken in: %s", kit.PlainText(p))
			}
			for _, p := range s.Problems {
				e.Say("  %s: %s", problemWord(p.Problem), kit.PlainText(p.Path))
			}
		})
	}), "showhow notes status")
}

// problemWord says what is wrong with a file.
func problemWord(what string) string {
	switch what {
	case "":
		return ""
	case "id":
		return "another file has the same id"
	}
	return "its " + what + " cannot be read"
}

// readAll reads a file, or the standard input (-), that is not longer than most.
func readAll(e *env, name string, most int64) ([]byte, error) {
	in := e.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, kit.Usage("FILE cannot be read").WithHint("name a file that exists, or - for the standard input")
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(b)) > most {
		err = kit.Usage("the text is too long").WithHint("shorten it or split it")
	}
	return b, err
}
