package keeping

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/outlook"
	"showhow/daemon/skill/scan"
	"showhow/internal/fault"
)

func outlookCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "outlook", Short: "Outlook on this Mac: mail and calendars",
		Long: `Reads and writes mail and calendars of Microsoft Outlook for macOS, by AppleScript. Outlook has to be open. Whatever writes or
sends something shows it and asks first; an agent uses the tools at the door instead, where you are asked, too. No daemon is needed.
The scripts were never run on a Mac: they were tested against a program that plays Outlook (docs/outlook.md).`},
		"showhow outlook search invoice --unread", "showhow outlook events", "showhow outlook accounts")
	cmd.AddCommand(outlookAccounts(e), outlookCalendars(e), outlookSearch(e), outlookRead(e), outlookAttachments(e),
		outlookLetter(e, "draft", "Make a draft, which nobody gets before you send it"), outlookLetter(e, "send", "Send a mail"),
		outlookEvents(e), outlookCreate(e), outlookUpdate(e), outlookDelete(e))
	return cmd
}

// office is the person's Outlook.
func (e *env) office() *outlook.Service { return outlook.Here(e.Roots, scan.Instructs) }

// reads makes a command that asks Outlook something.
func reads[T any](e *env, use, short string, arguments cobra.PositionalArgs, ask func(ctx context.Context, args []string) (T, error),
	human func(T)) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: arguments, RunE: func(cmd *cobra.Command, args []string) error {
		v, err := ask(cmd.Context(), args)
		if err != nil {
			return err
		}
		return show(e, v, func() { human(v) })
	}}
}

// does makes a command that writes: what was planned is shown, and done if the person says so.
func does[T any](e *env, use, short string, arguments cobra.PositionalArgs,
	plan func(ctx context.Context, args []string) (outlook.Planned[T], []string, error), human func(T)) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: arguments, RunE: func(cmd *cobra.Command, args []string) error {
		if e.ByAgent() || !e.AsksPerson() {
			return fault.New(fault.PresenceRequired, "this is done only when a person says so, and nobody can be asked").
				WithHint("run it in a terminal of your own; an agent uses the outlook_ tools at the door (`showhow mcp`), where the person is asked")
		}
		p, text, err := plan(cmd.Context(), args)
		if err != nil {
			return err
		}
		for _, l := range append(p.About, text...) {
			e.Say("%s", kit.PlainText(l))
		}
		e.Say("Do it? [y/N]")
		line, err := kit.ReadLine(cmd.Context(), bufio.NewReader(e.In))
		if err != nil || !strings.EqualFold(line, "y") && !strings.EqualFold(line, "yes") {
			e.Say("nothing was done")
			return nil
		}
		v, err := p.Do(cmd.Context())
		if err != nil {
			return err
		}
		human(v)
		return nil
	}}
}

func outlookAccounts(e *env) *cobra.Command {
	return kit.With(reads(e, "accounts", "List the accounts, and what you switched off for each", cobra.NoArgs,
		func(ctx context.Context, _ []string) (outlook.Accounts, error) { return e.office().Accounts(ctx) }, func(l outlook.Accounts) {
			e.Table("Outlook has no account", kit.Columns("NAME", "ADDRESS", "TYPE", "SENDS", "CHANGES CALENDARS"), func(row func(...any)) {
				for _, a := range l.Accounts {
					row(a.Name, a.Address, a.Type, yes(a.EmailSend), yes(a.CalendarWrite))
				}
			})
			e.Say("showhow settings set outlook.email_send.ACCOUNT false switches it off; so does outlook.calendar_write.ACCOUNT.")
		}), "showhow outlook accounts", "showhow settings set outlook.email_send.work false")
}

func yes(may bool) string {
	if may {
		return "after asking"
	}
	return "no"
}

func outlookCalendars(e *env) *cobra.Command {
	return kit.With(reads(e, "calendars", "List the calendars of all accounts", cobra.NoArgs,
		func(ctx context.Context, _ []string) (outlook.Calendars, error) { return e.office().Calendars(ctx) }, func(l outlook.Calendars) {
			e.Table("Outlook has no calendar", kit.Columns("NAME", "ACCOUNT", ""), func(row func(...any)) {
				for _, c := range l.Calendars {
					row(c.Name, c.Account, map[bool]string{true: "default"}[c.Default])
				}
			})
		}), "showhow outlook calendars")
}

func outlookSearch(e *env) *cobra.Command {
	var a outlook.SearchArgs
	cmd := reads(e, "search [TEXT...]", "Find mails by sender or subject: of 14 days, else of 30, else of 90", cobra.ArbitraryArgs,
		func(ctx context.Context, args []string) (outlook.Found, error) {
			a.Query = strings.Join(args, " ")
			return e.office().Search(ctx, a)
		}, func(f outlook.Found) {
			e.Table("no mail fits", kit.Columns("RECEIVED", "FROM", "SUBJECT", "ID"), func(row func(...any)) {
				for _, m := range f.Results {
					from := m.FromName
					if from == "" {
						from = m.From
					}
					row(m.ReceivedAt, from, m.Subject, m.ID)
				}
			})
			if n := f.Total - len(f.Results); n > 0 {
				e.Say("%d more; --most shows them", n)
			}
			sayBesides(e, f.Note, f.Warnings)
		})
	fl := cmd.Flags()
	fl.StringVar(&a.Account, "account", "", "only of this `account`")
	fl.StringVar(&a.From, "from", "", "only from this `address`")
	fl.StringVar(&a.Subject, "subject", "", "only with this `text` in the subject")
	fl.StringVar(&a.DateFrom, "since", "", "the first `day`, such as 2026-02-20")
	fl.StringVar(&a.DateTo, "until", "", "the last `day`; today if omitted")
	fl.StringVar(&a.Folder, "folder", "", "the `folder`: Inbox if omitted, Sent Items, or its name")
	fl.BoolVar(&a.UnreadOnly, "unread", false, "only what you have not read")
	fl.IntVar(&a.MaxResults, "most", 20, "how many, at most 100")
	return kit.With(cmd, "showhow outlook search invoice --account work", `showhow outlook search --from tom@example.com --since 2026-01-01`)
}

// sayBesides says what an answer tells beside what was found, and that it holds orders.
func sayBesides(e *env, note string, warnings []string) {
	if note != "" {
		e.Say("%s", note)
	}
	if len(warnings) > 0 {
		e.Note("a text in it gives orders to agents: %s", strings.Join(warnings, ", "))
	}
}

func outlookRead(e *env) *cobra.Command {
	return kit.With(reads(e, "read ID", "Read a mail", cobra.ExactArgs(1), func(ctx context.Context, args []string) (outlook.Letter, error) {
		return e.office().Read(ctx, outlook.MessageArgs{ID: args[0]})
	}, func(l outlook.Letter) {
		e.Say("From: %s\nSubject: %s", kit.PlainText(l.From), kit.PlainText(l.Subject))
		for _, a := range l.Attachments {
			e.Say("Attached: %s (%d bytes)", kit.PlainText(a.Name), a.Size)
		}
		e.Say("")
		for line := range strings.SplitSeq(l.Body, "\n") {
			e.Say("%s", kit.PlainText(line))
		}
		sayBesides(e, "", l.Warnings)
	}), "showhow outlook read 'work:Inbox:<a1b2@example.com>'")
}

func outlookAttachments(e *env) *cobra.Command {
	var dir string
	cmd := does(e, "attachments ID [PATTERN...]", "Save attachments of a mail into a folder; no file is replaced", cobra.MinimumNArgs(1),
		func(ctx context.Context, args []string) (outlook.Planned[outlook.Saved], []string, error) {
			p, err := e.office().SaveAttachments(ctx, outlook.SaveArgs{ID: args[0], Destination: dir, Filter: args[1:]})
			return p, nil, err
		}, func(s outlook.Saved) {
			for _, f := range s.Files {
				e.Say("%s (%d bytes)", kit.PlainText(f.Path), f.Size)
			}
			for _, f := range s.Skipped {
				e.Say("not saved: %s (%s)", kit.PlainText(f.OriginalName), kit.Words(f.Reason))
			}
		})
	cmd.Flags().StringVar(&dir, "to", "", "the `folder`; ~/Downloads if omitted")
	return kit.With(cmd, `showhow outlook attachments 'work:Inbox:<a1b2@example.com>' '*.pdf' --to ~/Cases/Henderson`)
}

// outlookLetter is `draft` or `send`.
func outlookLetter(e *env, name, short string) *cobra.Command {
	var a outlook.MailArgs
	var file string
	text := func() error {
		if file == "" {
			return nil
		}
		f, err := os.Open(file)
		if err != nil {
			return kit.Usage("the text cannot be read").WithHint("name a file that exists")
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, 2<<20))
		a.Body = string(b)
		return err
	}
	said := func() []string {
		return append([]string{"", "To: " + strings.Join(a.To, ", "), "Cc: " + strings.Join(a.CC, ", "), "Subject: " + a.Subject, ""},
			strings.Split(a.Body, "\n")...)
	}
	cmd := does(e, "draft", short, cobra.NoArgs, func(ctx context.Context, _ []string) (outlook.Planned[outlook.Drafted], []string, error) {
		if err := text(); err != nil {
			return outlook.Planned[outlook.Drafted]{}, nil, err
		}
		p, err := e.office().Draft(ctx, a)
		return p, said(), err
	}, func(d outlook.Drafted) { e.Say("drafted: %s", d.DraftID) })
	if name == "send" {
		cmd = does(e, "send", short, cobra.NoArgs, func(ctx context.Context, _ []string) (outlook.Planned[outlook.Sent], []string, error) {
			if err := text(); err != nil {
				return outlook.Planned[outlook.Sent]{}, nil, err
			}
			p, err := e.office().Send(ctx, a)
			return p, said(), err
		}, func(s outlook.Sent) { e.Say("sent from %s", kit.PlainText(s.Account)) })
	}
	fl := cmd.Flags()
	fl.StringVar(&a.Account, "account", "", "the `account` to send from, by its name or address")
	fl.StringSliceVar(&a.To, "to", nil, "the recipients' `addresses`")
	fl.StringSliceVar(&a.CC, "cc", nil, "`addresses` of those who get a copy")
	fl.StringVar(&a.Subject, "subject", "", "the `subject`")
	fl.StringVar(&a.Body, "body", "", "the `text`")
	fl.StringVar(&file, "body-file", "", "a `file` with the text")
	fl.StringVar(&a.ReplyTo, "reply-to", "", "the `ID` of the mail that this answers")
	for _, must := range []string{"account", "to", "subject"} {
		_ = cmd.MarkFlagRequired(must)
	}
	cmd.MarkFlagsMutuallyExclusive("body", "body-file")
	return kit.With(cmd, "showhow outlook "+name+` --account work --to tom@example.com --subject "Friday" --body "At ten?"`)
}
