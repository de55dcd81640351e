package keeping

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/outlook"
)

func outlookEvents(e *env) *cobra.Command {
	var a outlook.EventsArgs
	cmd := reads(e, "events", "List the events of the next seven days, or of others", cobra.NoArgs,
		func(ctx context.Context, _ []string) (outlook.Events, error) { return e.office().Events(ctx, a) }, func(l outlook.Events) {
			e.Table("there is no event", kit.Columns("FROM", "TO", "EVENT", "CALENDAR", "ID"), func(row func(...any)) {
				for _, x := range l.Events {
					title := x.Title
					if x.Location != "" {
						title += " (" + x.Location + ")"
					}
					row(x.Start, x.End, title, x.Account+"/"+x.Calendar, x.ID)
				}
			})
			sayBesides(e, l.Note, l.Warnings)
		})
	fl := cmd.Flags()
	fl.StringVar(&a.Account, "account", "", "only of this `account`")
	fl.StringVar(&a.Calendar, "calendar", "", "only of the calendar with this `name`")
	fl.StringVar(&a.DateFrom, "from", "", "the first `day`; today if omitted")
	fl.StringVar(&a.DateTo, "to", "", "the last `day`; seven days from now if omitted")
	return kit.With(cmd, "showhow outlook events", "showhow outlook events --from 2026-03-01 --to 2026-03-31 --calendar Calendar")
}

// said are the fields of an event, as they are shown before it is written.
func said(fields map[string]string) (out []string) {
	for _, name := range []string{"location", "categories", "attendees", "reminder", "notes"} {
		if v := fields[name]; v != "" {
			for i, l := range strings.Split(v, "\n") {
				if i == 0 {
					l = name + ": " + l
				}
				out = append(out, l)
			}
		}
	}
	return out
}

func sayWritten(e *env, what string) func(outlook.Written) {
	return func(w outlook.Written) {
		e.Say("%s: %s, %s (%s)", what, kit.PlainText(w.Title), w.Start, w.ID)
		sayLeft(e, w.Left, nil)
	}
}

func outlookCreate(e *env) *cobra.Command {
	var a outlook.CreateArgs
	var before int
	var r outlook.Recurrence
	cmd := &cobra.Command{}
	cmd = does(e, "create TITLE START", "Make an event; Outlook invites the attendees", cobra.ExactArgs(2),
		func(ctx context.Context, args []string) (outlook.Planned[outlook.Written], []string, error) {
			a.Title, a.Start = args[0], args[1]
			shown := map[string]string{"location": a.Location, "notes": a.Notes, "categories": strings.Join(a.Categories, ", "),
				"attendees": strings.Join(a.Attendees, ", ")}
			if cmd.Flags().Changed("reminder") {
				a.Reminders = []outlook.Reminder{{Minutes: before}}
				shown["reminder"] = fmt.Sprint(before, " minutes before")
			}
			if r.Pattern != "" {
				a.Recurrence = &r
			}
			p, err := e.office().Create(ctx, a)
			return p, said(shown), err
		}, sayWritten(e, "made"))
	fl := cmd.Flags()
	fl.StringVar(&a.Account, "account", "", "the `account`, by its name or address")
	fl.StringVar(&a.Calendar, "calendar", "", "the calendar's `name`; the account's own if omitted")
	fl.StringVar(&a.End, "end", "", "the `time` at which it ends; after an hour if omitted")
	fl.BoolVar(&a.AllDay, "all-day", false, "it is of whole days, as it is anyway when START is a day")
	fl.StringVar(&r.Pattern, "repeat", "", "it repeats: daily, weekly, monthly or yearly")
	fl.IntVar(&r.Interval, "every", 1, "with --repeat: every so many days, weeks, months or years")
	fl.StringSliceVar(&r.Days, "on", nil, "with --repeat weekly: the `days`, such as monday,thursday")
	fl.StringVar(&r.EndDate, "repeat-until", "", "with --repeat: the last `day`")
	addEventFlags(cmd, &a.Location, &a.Notes, &a.Categories, &a.Attendees, &before)
	_ = cmd.MarkFlagRequired("account")
	return kit.With(cmd, `showhow outlook create "Filing deadline" 2026-03-15 --account work --calendar "Court Deadlines"`,
		`showhow outlook create "Team call" 2026-03-02T09:00 --account work --repeat weekly --repeat-until 2026-06-30`)
}

func addEventFlags(cmd *cobra.Command, location, notes *string, categories, attendees *[]string, reminder *int) {
	fl := cmd.Flags()
	fl.StringVar(location, "location", "", "the `place`")
	fl.StringVar(notes, "notes", "", "a `text`")
	fl.StringSliceVar(categories, "category", nil, "`categories` that Outlook has")
	fl.StringSliceVar(attendees, "attendee", nil, "`addresses` of those who are invited")
	fl.IntVar(reminder, "reminder", 0, "how many `minutes` before")
}

func outlookUpdate(e *env) *cobra.Command {
	var title, start, end, location, notes string
	var categories, attendees []string
	var before int
	var allDay bool
	cmd := &cobra.Command{}
	cmd = does(e, "update ID", "Change what the flags name of an event, of one that repeats in all of the series", cobra.ExactArgs(1),
		func(ctx context.Context, args []string) (outlook.Planned[outlook.Written], []string, error) {
			a, shown := outlook.UpdateArgs{ID: args[0]}, map[string]string{}
			given := cmd.Flags().Changed
			for name, x := range map[string]struct {
				to   **string
				from *string
			}{"title": {&a.Title, &title}, "start": {&a.Start, &start}, "end": {&a.End, &end}, "location": {&a.Location, &location},
				"notes": {&a.Notes, &notes}} {
				if given(name) {
					*x.to, shown[name] = x.from, *x.from
				}
			}
			if given("all-day") {
				a.AllDay = &allDay
			}
			if given("category") {
				a.Categories, shown["categories"] = &categories, strings.Join(categories, ", ")
			}
			if given("attendee") {
				a.Attendees, shown["attendees"] = &attendees, strings.Join(attendees, ", ")
			}
			if given("reminder") {
				a.Reminders, shown["reminder"] = &[]outlook.Reminder{{Minutes: before}}, fmt.Sprint(before, " minutes before")
			}
			p, err := e.office().Update(ctx, a)
			text := said(shown)
			for _, name := range []string{"title", "start", "end"} {
				if given(name) {
					text = append(text, name+": "+shown[name])
				}
			}
			return p, text, err
		}, sayWritten(e, "changed"))
	fl := cmd.Flags()
	fl.StringVar(&title, "title", "", "the new `title`")
	fl.StringVar(&start, "start", "", "the new `time`; without --end the event keeps its length")
	fl.StringVar(&end, "end", "", "the `time` at which it ends")
	fl.BoolVar(&allDay, "all-day", false, "whether it is of whole days; with --start")
	addEventFlags(cmd, &location, &notes, &categories, &attendees, &before)
	return kit.With(cmd, "showhow outlook update outlook_evt_12345 --start 2026-03-04T14:00")
}

func outlookDelete(e *env) *cobra.Command {
	return kit.With(does(e, "delete ID", "Delete an event, of one that repeats all of the series", cobra.ExactArgs(1),
		func(ctx context.Context, args []string) (outlook.Planned[outlook.Written], []string, error) {
			p, err := e.office().Delete(ctx, outlook.EventArgs{ID: args[0]})
			return p, nil, err
		}, sayWritten(e, "deleted")), "showhow outlook delete outlook_evt_12345")
}
