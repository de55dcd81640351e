package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// dial returns a client of the running daemon; DAEMON_UNREACHABLE when none answers.
func (e *env) dial(ctx context.Context) (*client.Client, error) {
	c := client.Unix(e.roots.Socket(), e.options()...)
	if _, err := c.Version(ctx); err != nil {
		return nil, err
	}
	return c, nil
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

// connect returns a client of the daemon, starting the daemon when none runs. With --json the client records each body, so
// that show prints exactly what the API answered.
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
	case skew == client.ClientNewer && !e.json:
		fmt.Fprintln(e.errOut, "showhow: the running daemon is older than this program; `showhow daemon restart` when nothing is captured")
	}
	return c.Recording(&e.body), nil
}

// show prints the last answer: as it came with --json, else as human prints it.
func (e *env) show(human func()) error {
	if !e.json {
		human()
		return nil
	}
	_, err := fmt.Fprintln(e.out, strings.TrimSpace(string(e.body)))
	return err
}

// print prints a value that no API call answered.
func (e *env) print(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintln(e.out, string(b))
	}
	return err
}

// table prints aligned columns.
func (e *env) table(rows func(row func(cells ...any))) {
	w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
	rows(func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, c)
		}
		fmt.Fprintln(w)
	})
	w.Flush()
}

// confirm asks the person for the code that the daemon showed on the terminal. The code goes between terminal and person:
// standard input may be a pipe.
func (e *env) confirm(_ context.Context, ask client.Presence, _ client.Confirmation) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", fault.New(fault.PresenceRequired, "this needs a person at a terminal").
			WithHint("run it in a terminal of your own; an agent cannot confirm")
	}
	defer tty.Close()
	fmt.Fprintf(tty, "To confirm %s, type the code shown above: ", strings.ReplaceAll(ask.Action, "-", " "))
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil {
		return "", fault.New(fault.PresenceRejected, "no code was typed")
	}
	return strings.TrimSpace(line), nil
}

// envelopeFault reads the error envelope that a daemon wrote before it ended.
func envelopeFault(text []byte) error {
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
	return fault.New(fault.DaemonUnreachable, "the daemon ended before it answered").WithHint("see `showhow logs`")
}
