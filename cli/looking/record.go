package looking

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/logs"
	"showhow/internal/version"
)

func historyCommand(e *env) *cobra.Command {
	var p kit.Pages
	var filter client.HistoryFilter
	cmd := kit.With(p.Flags(e.Call("history", "List everything that was shown, newest first",
		func(ctx context.Context, c *client.Client, _ []string) error {
			filter.PageQuery = p.Query()
			h, err := c.History(ctx, filter)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table(p.None(h.Total, "nothing has been shown yet"), kit.Columns("SESSION", "WHEN", "KIND", "STATE", "OUTCOME", "TITLE"),
					func(row func(...any)) {
						for _, x := range h.Items {
							row(x.LearnSessionID, x.CreatedAt.Local().Format("2006-01-02 15:04"), kit.Words(x.EntryMode), kit.Words(x.State),
								kit.Words(x.Outcome), x.Title)
						}
					})
				p.More(e.Env, len(h.Items), h.Total)
			})
		})), "showhow history --outcome in_progress", "showhow history --search order")
	kit.Choose(cmd, &filter.Outcome, "outcome", "", "only what came to this", "approved", "rejected", "cancelled", "in_progress",
		"quarantined")
	cmd.Flags().StringVar(&filter.Search, "search", "", "only titles with these `words`, in any case")
	return cmd
}

func receiptsCommand(e *env) *cobra.Command {
	var p kit.Pages
	var filter client.ReceiptFilter
	cmd := kit.With(p.Flags(e.Call("receipts", "List the durable record of every change, newest first",
		func(ctx context.Context, c *client.Client, _ []string) error {
			filter.PageQuery = p.Query()
			r, err := c.Receipts(ctx, filter)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table(p.None(r.Total, "nothing has happened yet"), kit.Columns("WHEN", "SKILL", "KIND", "SUMMARY"), func(row func(...any)) {
					for _, x := range r.Receipts {
						row(x.CreatedAt.Local().Format("2006-01-02 15:04:05"), cmp.Or(x.SkillSlug, x.AbilityID, "-"), x.Kind, x.Summary)
					}
				})
				p.More(e.Env, len(r.Receipts), r.Total)
			})
		})), "showhow receipts", "showhow receipts --ability change-an-order")
	cmd.Long = "Receipts hold names of skills, ids, codes and counts; never what was captured or typed."
	cmd.Flags().StringVar(&filter.SessionID, "session", "", "only of this session `id`")
	cmd.Flags().StringVar(&filter.ProposalID, "proposal", "", "only of this proposal `id`")
	cmd.Flags().StringVar(&filter.AbilityID, "ability", "", "only of this `ability`")
	cmd.Flags().StringVar(&filter.Kind, "kind", "", "only of this `kind`, such as learn.session.stopped")
	e.CompleteWith(cmd, "session", kit.SessionIDs)
	e.CompleteWith(cmd, "proposal", kit.ProposalIDs)
	e.CompleteWith(cmd, "ability", kit.AbilityNames)
	return cmd
}

func configCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "config", Short: "Say where the settings are kept",
		Long: "docs/config.md lists the settings. The daemon reads them when it starts."}, "${EDITOR:-vi} \"$(showhow config path)\"")
	cmd.AddCommand(kit.With(&cobra.Command{Use: "path", Short: "Print the path of config.toml",
		RunE: func(*cobra.Command, []string) error {
			if e.JSON {
				return e.Print(map[string]string{"path": e.Roots.Config})
			}
			e.Say("%s", e.Roots.Config)
			return nil
		}}, "showhow config path"))
	return cmd
}

func versionCommand(e *env) *cobra.Command {
	return kit.With(&cobra.Command{Use: "version", Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			v := version.Get()
			if e.JSON {
				return e.Print(v)
			}
			e.Say("showhow %s", strings.TrimSpace(fmt.Sprintf("%s %.12s (%s)", v.Version, v.Commit, v.Go)))
			return nil
		}}, "showhow version")
}

func logsCommand(e *env) *cobra.Command {
	var n int
	cmd := kit.With(&cobra.Command{Use: "logs", Short: "Print the daemon's log",
		Long: "The log holds messages, ids, codes and counts; never what you did or typed. With --json it prints the lines as they are.",
		RunE: func(*cobra.Command, []string) error {
			lines, err := e.logLines(n)
			if err != nil {
				return err
			}
			for _, l := range lines {
				if !e.JSON {
					l = logText(l)
				}
				fmt.Fprintln(e.Out, l)
			}
			return nil
		}}, "showhow logs", "showhow logs --lines 0 | grep ERROR")
	cmd.Flags().IntVarP(&n, "lines", "n", 100, "how many of the last `lines`; 0 prints all")
	return cmd
}

// logLines are the last n lines of the current log, all for 0.
func (e *env) logLines(n int) ([]string, error) {
	f, err := os.Open(logs.File(e.Roots.LogDir()))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "there is no log yet").WithHint("the daemon writes it from its first start on")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	in := bufio.NewReader(f) // no line is too long
	for {
		l, err := in.ReadString('\n')
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
		if n > 0 && len(lines) > n {
			lines = lines[1:]
		}
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// logText formats a log line for people: time, level, message, then attributes.
func logText(line string) string {
	var m map[string]any
	if json.Unmarshal([]byte(line), &m) != nil {
		return line
	}
	at, _ := m["time"].(string)
	if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
		at = t.Local().Format("2006-01-02 15:04:05")
	}
	text := fmt.Sprintf("%s %-5v %v", at, m["level"], m["msg"])
	var keys []string
	for k := range m {
		if k != "time" && k != "level" && k != "msg" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		text += fmt.Sprintf(" %s=%v", k, m[k])
	}
	return text
}
