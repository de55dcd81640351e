package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// Dial returns a client of the running daemon; DAEMON_UNREACHABLE if none answers.
func (e *Env) Dial(ctx context.Context) (*client.Client, error) {
	c := client.Unix(e.Roots.Socket(), e.options()...)
	if _, err := c.Version(ctx); err != nil {
		return nil, err
	}
	return c.Recording(&e.Body), nil
}

func (e *Env) options() []client.Option {
	o := []client.Option{client.WithConfirm(e.confirm)}
	if t := e.Getenv("SHOWHOW_TOKEN"); t != "" {
		o = append(o, client.WithToken(t))
	}
	if g := e.Getenv(EnvDemoGrant); g != "" {
		o = append(o, client.WithDemoGrant(g))
	}
	return o
}

// Connect returns a client of the daemon, starting the daemon if none runs. The client records each body, so that
// Show prints exactly what the API answered.
func (e *Env) Connect(ctx context.Context) (*client.Client, error) {
	c, err := e.Dial(ctx)
	if fault.Is(err, fault.DaemonUnreachable) {
		if err := e.spawn(ctx); err != nil {
			return nil, err
		}
		c, err = e.Dial(ctx)
	}
	if err != nil {
		return nil, err
	}
	switch skew, err := c.Handshake(ctx); {
	case err != nil:
		return nil, err
	case skew == client.ClientNewer:
		e.Note("showhow: the running daemon is older than this program; `showhow daemon restart` when nothing is captured")
	}
	return c, nil
}

// action is what a command does once it is connected.
type action func(ctx context.Context, c *client.Client, args []string) error

// Call returns a command that connects and acts.
func (e *Env) Call(use, short string, f action) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		c, err := e.Connect(cmd.Context())
		if err != nil {
			return err
		}
		return f(cmd.Context(), c, args)
	}}
}

// With adds examples to a command.
func With(cmd *cobra.Command, examples ...string) *cobra.Command {
	cmd.Example = "  " + strings.Join(examples, "\n  ")
	return cmd
}

// Pages are the flags of a list.
type Pages struct{ Number, Size int }

func (p *Pages) Flags(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().IntVar(&p.Number, "page", 1, "which page")
	cmd.Flags().IntVar(&p.Size, "page-size", 50, "entries per page, at most 100")
	return cmd
}

func (p *Pages) Query() client.PageQuery { return client.PageQuery{Page: p.Number, PageSize: p.Size} }

// None is the message for an empty page: the list's own words, or that the page is past the end.
func (p *Pages) None(total int, text string) string {
	if total > 0 {
		return fmt.Sprintf("there is no page %d: %s in all", p.Number, Plural(total, "entry", "entries"))
	}
	return text
}

// More says that there are further pages.
func (p *Pages) More(e *Env, shown, total int) {
	if last := (p.Number-1)*p.Size + shown; last < total && shown > 0 {
		e.Say("%d of %d; --page %d shows more", last, total, p.Number+1)
	}
}

// ParseFault parses the error envelope that a program of ours wrote before it ended; nil if it wrote none.
func ParseFault(text []byte) error {
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

// EnvDemoGrant is the variable by which a demo confirms in place of the person on the data directory it created
// (decisions D2).
const EnvDemoGrant = "SHOWHOW_DEMO_GRANT"
