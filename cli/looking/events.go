package looking

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// mostRead bounds what is read from a file or standard input; the daemon accepts less.
const mostRead = 16 << 20

func eventsCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "events", Short: "See what agents' runtimes report, and what follows from it",
		Long: "A runtime sends events by the runtime event contract (docs/events.md). What it sent is kept exactly, sealed; what you read " +
			"is\nredacted. Feedback on sessions is projected and joined with drafts and abilities into reports. Nothing is done by itself."},
		"showhow events import --file session.json", "showhow events governance")
	cmd.AddCommand(e.eventsImport(), e.eventsSend(), e.eventsSessions(), e.eventsInspect(), e.eventsReport(), e.eventsHandoff(),
		e.eventsGovernance(), e.eventsFeedback(), e.eventsDelete())
	return cmd
}

// payloads is the flag of a command that reads files.
type payloads struct{ files []string }

func (p *payloads) flag(e *env, cmd *cobra.Command, text string) *cobra.Command {
	cmd.Flags().StringArrayVar(&p.files, "file", nil, text)
	return cmd
}

// each calls f with the content of each file.
func (p *payloads) each(e *env, f func(body []byte) error) error {
	for _, name := range p.files {
		b, err := e.payload(name)
		if err == nil {
			err = f(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *env) payload(name string) ([]byte, error) {
	in := e.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fault.Wrap(err, fault.NotFound, "the file cannot be read").WithHint("name a file that exists, or - for standard input")
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, mostRead+1))
	if err != nil {
		return nil, fault.Wrap(err, fault.Usage, "the file cannot be read")
	}
	if len(b) > mostRead {
		return nil, fault.Newf(fault.TooLarge, "the file is larger than %d bytes", mostRead)
	}
	return b, nil
}

func (e *env) eventsImport() *cobra.Command {
	var p payloads
	cmd := e.Call("import", "Bring in events, an operator's session or a handoff bundle",
		func(ctx context.Context, c *client.Client, _ []string) error {
			return p.each(e, func(b []byte) error {
				r, err := c.ImportRuntimeEvents(ctx, b)
				return e.taken(r, err)
			})
		})
	cmd.Long = "What was kept before changes nothing, so a file can be imported again. An operator's session or a bundle also writes\n" +
		"its reports."
	p.flag(e, cmd, "`path` of what to bring in, - for standard input; may be repeated")
	must(cmd.MarkFlagRequired("file"))
	return kit.With(cmd, "showhow events import --file session.json",
		"ssh other showhow events handoff --format json | showhow events import --file -")
}

func must(err error) {
	if err != nil {
		panic(err) // no such flag: a mistake in this package
	}
}

func (e *env) eventsSend() *cobra.Command {
	var p payloads
	cmd := e.Call("send", "Hand in events as an agent's runtime does",
		func(ctx context.Context, c *client.Client, _ []string) error {
			return p.each(e, func(b []byte) error {
				r, err := c.SendRuntimeEvents(ctx, b)
				return e.taken(r, err)
			})
		})
	cmd.Long = "For agents, who may send their own events only: an envelope, a list of them, or a batch."
	p.flag(e, cmd, "`path` of the events, - for standard input; may be repeated")
	must(cmd.MarkFlagRequired("file"))
	return kit.With(cmd, "showhow events send --file -")
}

func (e *env) taken(r client.RuntimeEventsTaken, err error) error {
	if err != nil {
		return err
	}
	return e.Show(func() {
		e.Say("Kept %s of %d; %d known before; %s projected.", kit.Plural(r.Kept, "event", "events"), r.Received, r.Duplicates,
			kit.Plural(r.Projected, "feedback record", "feedback records"))
		for _, id := range r.SessionIDs {
			e.Say("  session  %s", id)
		}
		e.wrote(r.Written)
	})
}

// wrote lists report files, relative to the memory root.
func (e *env) wrote(files []string) {
	for _, f := range files {
		e.Say("  written  %s", f)
	}
}

func (e *env) eventsSessions() *cobra.Command {
	var p kit.Pages
	return kit.With(p.Flags(e.Call("sessions", "List the sessions that runtimes reported, newest first",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.RuntimeSessions(ctx, p.Query())
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table(p.None(l.Total, "no runtime has reported anything"), kit.Columns("SESSION", "LAST SEEN", "BY", "STAGE", "OUTCOME", "TASK"),
					func(row func(...any)) {
						for _, x := range l.Items {
							row(x.SessionID, x.LastSeenAt.Local().Format("2006-01-02 15:04"), x.ReportedBy, kit.Words(x.Stage), outcome(x.Status, x.Score),
								x.Task)
						}
					})
				p.More(e.Env, len(l.Items), l.Total)
			})
		})), "showhow events sessions")
}

func outcome(status string, score *float64) string {
	if score == nil {
		return "-"
	}
	return status + " " + kit.Decimal(*score)
}

// reportFlags are the flags of a command that shows or writes a report.
type reportFlags struct {
	format string
	write  bool
}

func (r *reportFlags) on(cmd *cobra.Command) {
	kit.Choose(cmd, &r.format, "format", "markdown", "`markdown` for people, or json", "markdown", "json")
	r.onWrite(cmd)
}

func (r *reportFlags) onWrite(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.write, "write-report", false, "also write it to system/events/reports below the memory root")
}

// show prints a report: data as JSON, or text.
func (e *env) show(r reportFlags, data any, text string) error {
	if !e.JSON && r.format == "json" {
		return e.Print(data)
	}
	return e.Show(func() { e.Say("%s", strings.TrimRight(text, "\n")) })
}

// writeReports writes report files on request and names them on standard error: standard output is the report.
func (e *env) writeReports(ctx context.Context, c *client.Client, r reportFlags, kind, session string) error {
	if !r.write {
		return nil
	}
	w, err := c.WriteRuntimeReports(ctx, kind, session)
	if err != nil {
		return err
	}
	for _, f := range w.Files {
		e.Note("written  %s", f)
	}
	return nil
}

// newest is the default session.
func newest(ctx context.Context, c *client.Client, session string) (string, error) {
	if session != "" {
		return session, nil
	}
	l, err := c.RuntimeSessions(ctx, client.PageQuery{Page: 1, PageSize: 1})
	if err != nil {
		return "", err
	}
	if len(l.Items) == 0 {
		return "", fault.New(fault.NotFound, "no event of a runtime is kept yet").WithHint("`showhow events import --file FILE` brings some in")
	}
	return l.Items[0].SessionID, nil
}

func (e *env) sessionFlag(cmd *cobra.Command, session *string, text string) {
	cmd.Flags().StringVar(session, "session", "", text)
	e.CompleteWith(cmd, "session", runtimeSessions)
}

func runtimeSessions(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.RuntimeSessions(ctx, client.PageQuery{Page: 1, PageSize: 100})
	for _, x := range l.Items {
		out = append(out, cobra.CompletionWithDesc(x.SessionID, x.Task))
	}
	return out, err
}

func (e *env) eventsInspect() *cobra.Command {
	var p kit.Pages
	var r reportFlags
	var session string
	cmd := p.Flags(e.Call("inspect", "Show each envelope beside what was projected of it",
		func(ctx context.Context, c *client.Client, _ []string) error {
			if err := e.writeReports(ctx, c, r, "inspect", session); err != nil {
				return err
			}
			l, err := c.RuntimeEvents(ctx, session, p.Query())
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table(p.None(l.Total, "no runtime has reported anything"), kit.Columns("OCCURRED", "SESSION", "BY", "KIND", "ORIGINAL", "PROJECTED"),
					func(row func(...any)) {
						for _, x := range l.Items {
							projected := "-"
							if f := x.Feedback; f != nil {
								projected = outcome(f.Status, &f.Score)
							}
							ev := x.Envelope.Event
							row(ev.OccurredAt.Local().Format("2006-01-02 15:04:05"), ev.SessionID, x.ReportedBy, kit.Words(ev.EventKind), x.Evidence, projected)
						}
					})
				p.More(e.Env, len(l.Items), l.Total)
			})
		}))
	cmd.Long = "ORIGINAL says whether the sealed original, opened again just now, still says what is shown; purged: it is gone."
	e.sessionFlag(cmd, &session, "only of this session `id`")
	r.onWrite(cmd)
	return kit.With(cmd, "showhow events inspect --session demo-001", "showhow events inspect --write-report")
}

func (e *env) eventsReport() *cobra.Command {
	var p payloads
	var r reportFlags
	var session string
	cmd := e.Call("report", "Report on a session, the newest if none is named, or on files without keeping them",
		func(ctx context.Context, c *client.Client, _ []string) error {
			if len(p.files) > 0 {
				return p.each(e, func(b []byte) error { return e.preview(ctx, c, r, b) })
			}
			id, err := newest(ctx, c, session)
			if err != nil {
				return err
			}
			if err := e.writeReports(ctx, c, r, "session", id); err != nil {
				return err
			}
			x, err := c.RuntimeReport(ctx, id)
			if err != nil {
				return err
			}
			return e.show(r, x.Report, x.Markdown)
		})
	p.flag(e, cmd, "`path` of a payload to report on, - for standard input; may be repeated")
	e.sessionFlag(cmd, &session, "of this session `id`")
	cmd.MarkFlagsMutuallyExclusive("file", "session")
	r.on(cmd)
	return kit.With(cmd, "showhow events report --session demo-001", "showhow events report --file batch.json --format json --write-report")
}

func (e *env) preview(ctx context.Context, c *client.Client, r reportFlags, body []byte) error {
	x, err := c.PreviewRuntimeReport(ctx, body, r.write)
	if err != nil {
		return err
	}
	if e.JSON {
		return e.Show(nil)
	}
	for _, one := range x.Reports {
		if err := e.show(r, one.Report, one.Markdown); err != nil {
			return err
		}
	}
	for _, f := range x.Written {
		e.Note("written  %s", f)
	}
	return nil
}

func (e *env) eventsHandoff() *cobra.Command {
	var r reportFlags
	cmd := e.Call("handoff [SESSION]", "Say where a session stands and how to go on, or print it as a bundle",
		func(ctx context.Context, c *client.Client, args []string) error {
			session := ""
			if len(args) == 1 {
				session = args[0]
			}
			id, err := newest(ctx, c, session)
			if err != nil {
				return err
			}
			if err := e.writeReports(ctx, c, r, "handoff", id); err != nil {
				return err
			}
			b, err := c.RuntimeHandoff(ctx, id)
			if err != nil {
				return err
			}
			return e.show(r, b, e.handoffText(b))
		})
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.Long = "The bundle (--format json) holds everything of the session, redacted. `showhow events import` replays it elsewhere,\n" +
		"as often as you like."
	r.on(cmd)
	return kit.With(cmd, "showhow events handoff", "showhow events handoff demo-001 --format json | ssh other showhow events import --file -")
}

func (e *env) handoffText(b client.RuntimeHandoffBundle) string {
	h := b.Handoff
	var t strings.Builder
	line := func(name, text string) {
		if text != "" {
			t.WriteString(name + e.Wrap(len(name), text) + "\n")
		}
	}
	line("session    ", b.SessionID)
	line("task       ", h.Task)
	line("handoff    ", h.Handoff.State)
	line("summary    ", h.Handoff.Summary)
	line("next       ", h.Handoff.NextAction)
	if o := h.Outcome; o != nil {
		line("outcome    ", outcome(o.Status, &o.Score))
	}
	if k := h.LastCheckpoint; k != nil {
		line("checkpoint ", strings.TrimSpace(k.CheckpointID+" "+k.Step+" "+k.Status))
	}
	line("missing    ", strings.Join(h.MissingCapabilities, ", "))
	for _, cmd := range h.ResumeCommands {
		line("           ", cmd)
	}
	return t.String()
}

func (e *env) eventsGovernance() *cobra.Command {
	var r reportFlags
	cmd := e.Call("governance", "Say what could be made better, what stands in the way, and how each is taken back",
		func(ctx context.Context, c *client.Client, _ []string) error {
			if err := e.writeReports(ctx, c, r, "governance", ""); err != nil {
				return err
			}
			g, err := c.Governance(ctx)
			if err != nil {
				return err
			}
			return e.show(r, g.Report, g.Markdown)
		})
	cmd.Long = "Drafts, skills that sessions failed with, and capabilities that they missed, each with its gate, readiness and risk.\n" +
		"Only you promote."
	r.on(cmd)
	return kit.With(cmd, "showhow events governance", "showhow events governance --format json --write-report")
}

func (e *env) eventsFeedback() *cobra.Command {
	var r client.RuntimeFeedbackRequest
	cmd := e.Call("feedback SESSION", "Say how an agent's session went; your word counts before the agent's",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.SessionID = args[0]
			f, err := c.GiveRuntimeFeedback(ctx, r)
			return e.Done(err, "Noted: %s.", outcome(f.Status, &f.Score))
		})
	cmd.Args = cobra.ExactArgs(1)
	kit.Choose(cmd, &r.Status, "status", "", "how it went", "success", "failure", "partial", "cancelled", "unknown")
	cmd.Flags().Float64Var(&r.Score, "score", 0, "how well, from 0 to 1")
	cmd.Flags().StringVar(&r.Comment, "comment", "", "why, in your `words`")
	cmd.Flags().StringArrayVar(&r.SelectedSkillIDs, "skill", nil,
		"the `skill` that this is about; may be repeated; those of the session if left out")
	cmd.Flags().StringArrayVar(&r.MissingCapabilities, "missing", nil, "a `capability` that was missing; may be repeated")
	must(cmd.MarkFlagRequired("status"))
	must(cmd.MarkFlagRequired("score"))
	return kit.With(cmd, "showhow events feedback demo-001 --status failure --score 0.2 --comment 'missed the rollback'")
}

func (e *env) eventsDelete() *cobra.Command {
	cmd := e.Call("delete SESSION", "Delete everything of a session, to the last byte",
		func(ctx context.Context, c *client.Client, args []string) error {
			r, err := c.DeleteRuntimeSession(ctx, args[0])
			return e.Done(err, "Deleted: %s and all that was made of them.", kit.Plural(r.Envelopes, "envelope", "envelopes"))
		})
	cmd.Args = cobra.ExactArgs(1)
	return kit.With(cmd, "showhow events delete demo-001")
}
