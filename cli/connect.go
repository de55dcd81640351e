package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// dial returns a client of the running daemon; DAEMON_UNREACHABLE when none answers.
func (e *env) dial(ctx context.Context) (*client.Client, error) {
	c := client.Unix(e.roots.Socket(), e.options()...)
	if _, err := c.Version(ctx); err != nil {
		return nil, err
	}
	return c.Recording(&e.body), nil
}

func (e *env) options() []client.Option {
	o := []client.Option{client.WithConfirm(e.confirm)}
	if t := e.getenv("SHOWHOW_TOKEN"); t != "" {
		o = append(o, client.WithToken(t))
	}
	if g := e.getenv(envDemoGrant); g != "" {
		o = append(o, client.WithDemoGrant(g))
	}
	return o
}

// connect returns a client of the daemon, starting the daemon when none runs. The client records each body, so that show
// prints exactly what the API answered.
func (e *env) connect(ctx context.Context) (*client.Client, error) {
	c, err := e.dial(ctx)
	if fault.Is(err, fault.DaemonUnreachable) {
		if err := e.spawn(ctx); err != nil {
			return nil, err
		}
		c, err = e.dial(ctx)
	}
	if err != nil {
		return nil, err
	}
	switch skew, err := c.Handshake(ctx); {
	case err != nil:
		return nil, err
	case skew == client.ClientNewer:
		e.note("showhow: the running daemon is older than this program; `showhow daemon restart` when nothing is captured")
	}
	return c, nil
}

// action is what a command does once it is connected.
type action func(ctx context.Context, c *client.Client, args []string) error

// call makes a command that connects and acts.
func (e *env) call(use, short string, f action) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		c, err := e.connect(cmd.Context())
		if err != nil {
			return err
		}
		return f(cmd.Context(), c, args)
	}}
}

// with adds examples to a command.
func with(cmd *cobra.Command, examples ...string) *cobra.Command {
	cmd.Example = "  " + strings.Join(examples, "\n  ")
	return cmd
}

// pages are the flags of a list.
type pages struct{ number, size int }

func (p *pages) flags(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().IntVar(&p.number, "page", 1, "which page")
	cmd.Flags().IntVar(&p.size, "page-size", 50, "entries per page, at most 100")
	return cmd
}

func (p *pages) query() client.PageQuery { return client.PageQuery{Page: p.number, PageSize: p.size} }

// none is what to say of an empty page: the list's own words, or that the page is behind the end.
func (p *pages) none(total int, text string) string {
	if total > 0 {
		return fmt.Sprintf("there is no page %d: %s in all", p.number, plural(total, "entry", "entries"))
	}
	return text
}

// more says that there are further pages.
func (p *pages) more(e *env, shown, total int) {
	if last := (p.number-1)*p.size + shown; last < total && shown > 0 {
		e.say("%d of %d; --page %d shows more", last, total, p.number+1)
	}
}

// lastWords reads the error envelope that a program of ours wrote before it ended; nil when it wrote none.
func lastWords(text []byte) error {
	var env struct {
		Error struct {
			Code    fault.Code     `json:"code"`
			Message string         `json:"message"`
			Hint    string         `json:"hint"`
			Details map[string]any `json:"details"`
		} `json:"error"`
	}
	for _, line := range strings.Split(string(text), "\n") {
		if json.Unmarshal([]byte(line), &env) == nil && env.Error.Code != "" {
			return &fault.Error{Code: env.Error.Code, Message: env.Error.Message, Hint: env.Error.Hint, Details: env.Error.Details}
		}
	}
	return nil
}
