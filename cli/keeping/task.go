package keeping

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func taskCommand(e *env) *cobra.Command {
	task := kit.With(&cobra.Command{Use: "task", Short: "Your tasks, kept with the notes",
		Long: `Tasks are files in the notes folder, as notes are. A change of one is committed at once and can be taken back with
` + "`showhow notes undo`."}, `showhow task add "Order paper" --due 2026-12-01`, "showhow task list --view today")
	task.AddCommand(taskAdd(e), taskList(e), taskSet(e), taskDone(e))
	return task
}

func taskAdd(e *env) *cobra.Command {
	var q client.TaskCreate
	cmd := e.Call("add TITLE...", "Make a task", func(ctx context.Context, c *client.Client, args []string) error {
		q.Title = strings.Join(args, " ")
		t, err := c.CreateTask(ctx, q)
		return e.Done(err, "%s", t.ID)
	})
	fl := cmd.Flags()
	fl.StringVar(&q.Status, "status", "todo", "todo, in_progress, done or cancelled")
	fl.StringVar(&q.Priority, "priority", "", "P0, P1, P2 or P3")
	fl.Var(date{&q.Due}, "due", "`date` as 2026-12-31")
	fl.StringVar(&q.Project, "project", "", "the `project` that it is for")
	fl.StringVar(&q.Source, "source", "command line", "where it comes from")
	fl.StringVar(&q.BlockedByTaskID, "blocked-by", "", "`ID` of a task that has to be done before")
	return kit.With(cmd, `showhow task add "Order paper" --due 2026-12-01 --priority P1`)
}

func taskList(e *env) *cobra.Command {
	var q client.TasksList
	cmd := e.Call("list [TEXT...]", "List tasks, the most urgent first", func(ctx context.Context, c *client.Client, args []string) error {
		q.Query = strings.Join(args, " ")
		if q.View == "all" || q.View == "open" && q.Status != "" {
			q.View = ""
		}
		p, err := c.ListTasks(ctx, q)
		if err != nil {
			return err
		}
		return e.Show(func() {
			none := "no task fits"
			if q == (client.TasksList{View: "open", Page: q.Page, PageSize: q.PageSize}) {
				none = "no task is open"
			}
			e.Table(none, kit.Columns("ID", "TASK", "STATUS", "DUE", "PRIORITY", ""), func(row func(...any)) {
				for _, i := range p.Items {
					mark := ""
					if i.Blocked {
						mark = "blocked"
					}
					row(i.ID, kit.PlainText(i.Title), i.Status, i.Due, i.Priority, mark)
				}
			})
			if shown := len(p.Items); shown < p.Total {
				e.Say("%d of %d; --page shows more", shown, p.Total)
			}
		})
	})
	fl := cmd.Flags()
	fl.StringVar(&q.View, "view", "open", "open, all, today, overdue, this_week, backlog, blocked or done")
	fl.StringVar(&q.Status, "status", "", "todo, in_progress, done or cancelled")
	fl.StringVar(&q.Priority, "priority", "", "P0, P1, P2 or P3")
	fl.StringVar(&q.Project, "project", "", "only of this `project`")
	fl.Var(date{&q.DueBefore}, "due-before", "`date` as 2026-12-31")
	fl.IntVar(&q.StaleDays, "stale", 0, "only open ones that nobody changed for so many `days`")
	fl.IntVar(&q.Page, "page", 1, "which page")
	fl.IntVar(&q.PageSize, "page-size", 20, "how many a page")
	cmd.Args = cobra.ArbitraryArgs
	return kit.With(cmd, "showhow task list --view today")
}

// update changes a task: a proposal that is committed at once.
func update(ctx context.Context, c *client.Client, payload map[string]any) error {
	p, err := c.ProposeChanges(ctx, []client.NoteAction{{Type: "update_task", Payload: payload}})
	if err != nil {
		return err
	}
	if _, err = c.CommitChanges(ctx, p.ChangeSetID); err != nil { // nobody is asked about it again
		_, _ = c.DiscardChanges(context.WithoutCancel(ctx), p.ChangeSetID)
	}
	return err
}

func taskSet(e *env) *cobra.Command {
	cmd := e.Call("set ID FIELD=VALUE...", "Change fields of a task; FIELD= clears one",
		func(ctx context.Context, c *client.Client, args []string) error {
			payload := map[string]any{"task_id": args[0]}
			for _, a := range args[1:] {
				k, v, ok := strings.Cut(a, "=")
				if !ok {
					return kit.Usage("a field has the form FIELD=VALUE").WithHint("such as due=2026-12-31")
				}
				if payload[k] = v; v == "" {
					payload[k] = nil
				}
			}
			return e.Done(update(ctx, c, payload), "changed")
		})
	cmd.Args = cobra.MinimumNArgs(2)
	cmd.Long = `Change fields of a task; FIELD= clears one. The fields:

  title               text, at most 200 characters; cannot be cleared
  status              todo, in_progress, done or cancelled; cannot be cleared
  source              where it comes from, at most 2000 characters; cannot be cleared
  priority            P0, P1, P2 or P3
  due                 a date such as 2026-12-31
  project             text, at most 120 characters
  cycle_id            the id of a cycle, cyc_...
  next_review_at      a time such as 2026-12-31T09:00:00Z
  blocked_by_task_id  the id of a task that has to be done before, tsk_...`
	return kit.With(cmd, "showhow task set tsk_k3v7q2m5x4c6na due=2026-12-31 priority=P0 project=")
}

func taskDone(e *env) *cobra.Command {
	return kit.With(e.Call("done ID", "A task is done", func(ctx context.Context, c *client.Client, args []string) error {
		return e.Done(update(ctx, c, map[string]any{"task_id": args[0], "status": "done"}), "done")
	}), "showhow task done tsk_k3v7q2m5x4c6na")
}

// date is the value of a flag that is a day of the calendar.
type date struct{ value *string }

func (d date) String() string {
	if d.value == nil {
		return ""
	}
	return *d.value
}

func (date) Type() string { return "date" }

func (d date) Set(s string) error {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return errors.New("it must be a day that there is, written like 2026-12-31")
	}
	*d.value = s
	return nil
}
