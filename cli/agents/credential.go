package agents

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func credentialCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "credential", Short: "Credentials that agents' runs may be given, in the system's keychain",
		Long: "A value is typed unseen, or read from standard input, and goes into the keychain and nowhere else; only names are ever shown.\n" +
			"A run gets the credentials that its approved skill names, as environment variables in capitals."},
		"showhow credential set agentmail_api_key", "showhow credential list")
	cmd.AddCommand(credentialList(e), credentialSet(e), credentialRemove(e))
	return cmd
}

func credentialList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List names: what is stored, and what installed skills ask for",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Credentials(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				if !l.Keychain {
					e.Note("there is no keychain here: nothing can be stored, and no run can be given a credential")
				}
				e.Table("no credential is stored, and no skill asks for one", kit.Columns("NAME", "STATE", "SINCE", "USED BY"), func(row func(...any)) {
					for _, x := range l.Credentials {
						since := "-"
						if x.StoredAt != nil {
							since = x.StoredAt.Local().Format("2006-01-02")
						}
						state := x.State
						if len(x.Pending) > 0 {
							state += ", one waits for an approval"
						}
						row(x.Name, state, since, orNone(x.UsedBy))
					}
				})
			})
		}), "showhow credential list")
}

func credentialSet(e *env) *cobra.Command {
	var stdin bool
	cmd := &cobra.Command{Use: "set NAME", Short: "Store a value, or replace it; you type it unseen and confirm with a code",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			value, err := e.secret(cmd.Context(), args[0], stdin)
			if err != nil {
				return err
			}
			x, err := c.SetCredential(cmd.Context(), args[0], value)
			return e.Done(err, "stored in the keychain; a run finds it as %s", x.Variable)
		}}
	cmd.Flags().BoolVar(&stdin, "stdin", false, "read the value from standard input: the whole of it, without the last line's end")
	return kit.With(cmd, "showhow credential set agentmail_api_key", "pass show agentmail | showhow credential set agentmail_api_key --stdin")
}

func credentialRemove(e *env) *cobra.Command {
	cmd := e.Call("remove NAME", "Take it out of the keychain; you confirm with a code",
		func(ctx context.Context, c *client.Client, args []string) error {
			_, err := c.RemoveCredential(ctx, args[0])
			return e.Done(err, "removed")
		})
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		l, err := c.Credentials(ctx)
		for _, x := range l.Credentials {
			out = append(out, cobra.CompletionWithDesc(x.Name, x.State))
		}
		return out, err
	})
	return kit.With(cmd, "showhow credential remove agentmail_api_key")
}

// maxSecret is more than any keychain accepts.
const maxSecret = 16 << 10

// secret reads a value without echo. It is never an argument: arguments are in the shell's history and in every
// process list.
func (e *env) secret(ctx context.Context, name string, stdin bool) (string, error) {
	if stdin {
		b, err := io.ReadAll(io.LimitReader(e.In, maxSecret))
		if err != nil {
			return "", fault.Wrap(err, fault.Usage, "standard input cannot be read")
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
	}
	return kit.Hidden(ctx, e.Env, "Value of "+name)
}
