package using

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

// RemoteCommand makes the command.
func RemoteCommand(e *kit.Env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "remote", Short: "Let agents on other computers in, each after your yes; off until you turn it on",
		Long: `Agents elsewhere sign in by OAuth 2.1 and reach two addresses: /mcp, the tools that local agents have, and /contract;
and /a2a, for agents that speak A2A, if you turn that on, too.
Nothing that you decide can be done from there. docs/remote.md says how to set it up.`},
		"showhow remote on --address 127.0.0.1:8443", "showhow remote list", "showhow remote approve BCDF-2345")
	cmd.AddCommand(remoteOn(e), remoteOff(e), remoteList(e), remoteDecide(e, true), remoteDecide(e, false), remoteMachine(e),
		remoteRevoke(e),
		remoteRotate(e), remoteA2A(e), remoteTask(e, true), remoteTask(e, false))
	return cmd
}

func remoteOn(e *kit.Env) *cobra.Command {
	var r client.RemoteOn
	cmd := e.Call("on", "Listen at the addresses that you name; you confirm with a code", func(ctx context.Context,
		c *client.Client, _ []string) error {
		for _, f := range []*string{&r.CertFile, &r.KeyFile} {
			if *f != "" {
				abs, err := filepath.Abs(*f)
				if err != nil {
					return err
				}
				*f = abs
			}
		}
		st, err := c.TurnRemoteOn(ctx, r)
		return e.Done(err, "agents may ask to be let in at %s\n  over MCP     %s/mcp\n  contract     %s/contract", st.URL, st.URL, st.URL)
	})
	cmd.Args = cobra.NoArgs
	cmd.Long = "Every address but loopback needs TLS. Behind a proxy on this computer that does TLS, listen on loopback and name the\n" +
		"proxy's address with --url."
	fl := cmd.Flags()
	fl.StringArrayVar(&r.Addresses, "address", nil, "`IP:PORT` to listen at; may be repeated")
	fl.StringVar(&r.URL, "url", "", "the `URL` by which callers know this computer; by default the first address")
	fl.StringVar(&r.CertFile, "cert", "", "certificate chain, a PEM `file`")
	fl.StringVar(&r.KeyFile, "key", "", "its private key, a PEM `file`")
	return kit.With(cmd, "showhow remote on --address 127.0.0.1:8443",
		"showhow remote on --address 192.168.1.5:8443 --url https://desk.example.com:8443 --cert chain.pem --key key.pem")
}

func remoteOff(e *kit.Env) *cobra.Command {
	cmd := e.Call("off", "Let nobody in any more; who was let in is kept for the next time", func(ctx context.Context,
		c *client.Client, _ []string) error {
		_, err := c.TurnRemoteOff(ctx)
		return e.Done(err, "nobody is let in")
	})
	cmd.Args = cobra.NoArgs
	return kit.With(cmd, "showhow remote off")
}

func remoteList(e *kit.Env) *cobra.Command {
	var all bool
	cmd := e.Call("list", "Who is let in, and who asks", func(ctx context.Context, c *client.Client, _ []string) error {
		st, err := c.Remote(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			switch {
			case !st.On:
				e.Say("It is off: nothing listens.")
				for _, x := range st.Callers {
					if x.RevokedAt == nil {
						e.Say("Those below are let in again when you turn it on.")
						break
					}
				}
			case st.Problem != "":
				e.Say("It is on, and does not listen: %s", st.Problem)
			default:
				e.Say("It is on at %s (%s).", st.URL, strings.Join(st.Addresses, ", "))
			}
			for _, w := range st.Waiting {
				e.Say("\n%s  %s asks, from %s, for %s; its browser is sent on to %s", w.RequestID, kit.PlainText(w.ClientName), w.From,
					strings.Join(w.Scopes, ", "), kit.PlainText(w.SendsTo))
			}
			if st.A2A.On {
				e.Say("A2A is on; tasks are performed by: %s", cmp.Or(strings.Join(st.A2A.Command, " "), "nothing, skills are only looked up"))
			}
			for _, x := range st.Tasks {
				e.Say("\n%s  %s asks to have “%s” run: %s", x.TaskID, x.Caller, kit.PlainText(x.Title), kit.PlainText(x.Goal))
			}
			e.Table("nobody was let in", kit.Columns("NAME", "CALLS ITSELF", "SCOPES", "LAST USED", "CALLS", "ID"), func(row func(...any)) {
				for _, x := range st.Callers {
					used := "never"
					if x.LastUsedAt != nil {
						used = x.LastUsedAt.Local().Format("2006-01-02 15:04")
					}
					if x.RevokedAt != nil {
						used = "shut out"
					}
					if x.RevokedAt == nil || all {
						row(x.Name, x.ClientName, strings.Join(x.Scopes, " "), used, x.Calls, x.CallerID)
					}
				}
			})
		})
	})
	cmd.Args = cobra.NoArgs
	cmd.Flags().BoolVar(&all, "all", false, "also those that were shut out")
	return kit.With(cmd, "showhow remote list")
}

func remoteDecide(e *kit.Env, allow bool) *cobra.Command {
	d := client.RemoteDecision{Allow: allow}
	use, short, done := "deny ID", "Refuse a caller that waits", "refused"
	if allow {
		use, short, done = "approve CODE", "Let a caller in, by the code that your browser shows; you confirm with a code of your own", "let in"
	}
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		request := args[0]
		if up := strings.ToUpper(request); allow || strings.Contains(up, "-") {
			request, d.Code = "any", up
		}
		st, err := c.DecideRemote(ctx, request, d)
		if err != nil || !allow || len(st.Callers) == 0 {
			return e.Done(err, "%s", done)
		}
		last := st.Callers[0]
		for _, x := range st.Callers {
			if x.ApprovedAt.After(last.ApprovedAt.Time) {
				last = x
			}
		}
		return e.Done(nil, "let in as %s; it finds only skills that you open to it, each by:\n  showhow skill permissions SKILL --agent %s",
			last.Name, last.Name)
	})
	if allow {
		cmd.Flags().StringVar(&d.Name, "name", "", "what to call it in policies, behind remote/; by default what it calls itself")
		cmd.Flags().StringArrayVar(&d.Scopes, "scope", nil, "only this `scope` of those that it asks for; may be repeated")
	}
	return kit.With(cmd, "showhow remote "+strings.NewReplacer("CODE", "BCDF-2345", "ID", "3fa2c1d09b7e4410").Replace(use))
}

func remoteMachine(e *kit.Env) *cobra.Command {
	r := client.RemoteMachineAdd{}
	cmd := e.Call("machine NAME", "Let a program in that has no browser; its secret is shown once", func(ctx context.Context,
		c *client.Client, args []string) error {
		r.Name = args[0]
		if len(r.Scopes) == 0 {
			r.Scopes = []string{"showhow"}
			if r.Resource != "contract" {
				r.Scopes = []string{"showhow." + r.Resource}
			}
		}
		m, err := c.AddRemoteMachine(ctx, r)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Say("%s is let in. The secret is shown this once:\n  client_id      %s\n  client_secret  %s\n  tokens from    %s", m.Name,
				m.ClientID,
				m.ClientSecret, m.TokenURL)
		})
	})
	cmd.Flags().StringArrayVar(&r.Scopes, "scope", nil, "a `scope`; may be repeated; by default the least")
	cmd.Flags().StringVar(&r.Resource, "resource", "contract", "where its tokens are good: contract, mcp or a2a")
	return kit.With(cmd, "showhow remote machine nightly-report")
}

func remoteRevoke(e *kit.Env) *cobra.Command {
	cmd := e.Call("revoke CALLER", "Shut a caller out, by name or id: its tokens and what it is doing end at once",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.RevokeRemote(ctx, args[0])
			if err == nil && !x.Revoked {
				return e.Done(nil, "it was shut out already")
			}
			return e.Done(err, "shut out")
		})
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		st, err := c.Remote(ctx)
		for _, x := range st.Callers {
			if x.RevokedAt == nil {
				out = append(out, cobra.CompletionWithDesc(strings.TrimPrefix(x.Name, "remote/"), x.ClientName))
			}
		}
		return out, err
	})
	return kit.With(cmd, "showhow remote revoke nightly-report")
}

func remoteRotate(e *kit.Env) *cobra.Command {
	cmd := e.Call("rotate", "Sign machines' tokens by a new key; happens every 30 days by itself", func(ctx context.Context,
		c *client.Client, _ []string) error {
		k, err := c.RotateRemoteKeys(ctx)
		return e.Done(err, "signed from now on by the key %s", strings.Join(k.KeyIDs[:min(1, len(k.KeyIDs))], ""))
	})
	cmd.Args = cobra.NoArgs
	return kit.With(cmd, "showhow remote rotate")
}

func remoteA2A(e *kit.Env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "a2a", Short: "Answer agents elsewhere in A2A, too; off until you turn it on"},
		"showhow remote a2a on", "showhow remote a2a on -- claude -p", "showhow remote a2a off")
	on := e.Call("on [-- PROGRAM...]", "Let callers look skills up in A2A and, if you name a program, have them run after your yes",
		func(ctx context.Context, c *client.Client, args []string) error {
			st, err := c.SetRemoteA2A(ctx, client.RemoteA2ASet{RemoteA2A: client.RemoteA2A{On: true, Command: args}})
			return e.Done(err, "callers are answered at %s/a2a", st.URL)
		})
	on.Long = "The program is an agent's, as after `showhow run --`. It works in the sandbox, on one skill that you opened to the caller,\n" +
		"and only after you have allowed that one task. Without a program, skills can only be looked up."
	off := e.Call("off", "Do not answer in A2A any more; the tasks of callers end", func(ctx context.Context, c *client.Client,
		_ []string) error {
		_, err := c.SetRemoteA2A(ctx, client.RemoteA2ASet{})
		return e.Done(err, "nobody is answered in A2A")
	})
	off.Args = cobra.NoArgs
	cmd.AddCommand(kit.With(on, "showhow remote a2a on", "showhow remote a2a on -- claude -p"), kit.With(off, "showhow remote a2a off"))
	return cmd
}

func remoteTask(e *kit.Env, allow bool) *cobra.Command {
	use, short, done := "disallow TASK", "Do not have a skill run that a caller asks for", "it is told no"
	if allow {
		use, short, done = "allow TASK", "Have a skill run that a caller asks for, once; you confirm what the run is given", "it begins"
	}
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.DecideRemoteTask(ctx, args[0], client.RemoteTaskDecision{Allow: allow})
		return e.Done(err, "%s", done)
	})
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		st, err := c.Remote(ctx)
		for _, x := range st.Tasks {
			out = append(out, cobra.CompletionWithDesc(x.TaskID, x.Caller+": "+x.Title))
		}
		return out, err
	})
	return kit.With(cmd, "showhow remote "+strings.Replace(use, "TASK", "6f1c0a5e-7d0b-4a2e-9a58-0a6f5c1d2e3f", 1))
}
