package using

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// M365Command makes the command.
func M365Command(from *kit.Env) *cobra.Command {
	e := &env{from}
	cmd := kit.With(&cobra.Command{Use: "m365", Short: "Microsoft 365 as a connector: mail, calendar, files, Teams",
		Long: `Microsoft 365 is a connector like any other: agents reach it with ` + "`showhow mcp`" + `, reading is allowed, and what changes or
sends something waits for your word. You bring the application that you registered at Microsoft (docs/m365.md says how).
It was tested against a local Microsoft Graph only, never against the real Microsoft 365.`},
		"showhow m365 operations", "showhow m365 connect mail calendar --client-id ID", "showhow connector login m365")
	cmd.AddCommand(m365Connect(e), m365Operations(e))
	return cmd
}

// redirectUsual is the address that the documentation tells people to register at Microsoft.
const redirectUsual = "http://localhost:47365/callback"

func m365Connect(e *env) *cobra.Command {
	var name, clientID, tenant, redirect, secret, graph string
	var scopes []string
	var background bool
	cmd := &cobra.Command{Use: "connect OPERATION|GROUP...", Args: cobra.MinimumNArgs(1),
		Short: "Connect Microsoft 365 with the operations that agents may be offered",
		Long: `Name operations, or a group: mail, calendar, files, chat, all. The sign-in asks for what these need, and for nothing else.
Nothing is sent to Microsoft until you sign in with ` + "`showhow connector login NAME`" + `.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			l, err := c.M365Operations(cmd.Context())
			if err != nil {
				return err
			}
			r := client.M365Registration{ClientID: clientID, TenantID: tenant, RedirectURI: redirect, RequestedScopes: scopes}
			for _, a := range args {
				if !choose(l.Operations, a, &r) {
					return fault.New(fault.Usage, "no operation or group has this name").WithDetail("name", a).
						WithHint("`showhow m365 operations` lists them; the groups are mail, calendar, files, chat and all")
				}
			}
			q := client.ConnectorCreate{Provider: "m365", DisplayName: name, Transport: "remote_http", EndpointURL: graph}
			if background {
				q.InteractionMode, r.AuthMode, r.AllowBackgroundServiceOps = "background_service", "oauth2_client_credentials", true
				r.SecretRef, r.RedirectURI = secret, ""
			}
			q.M365Registration = r
			made, err := c.RegisterConnector(cmd.Context(), q)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.sayConnector(made.Server)
				if !background {
					e.Say("Now sign in:  showhow connector login %s", made.Server.Registry.ServerID)
				}
			})
		}}
	f := cmd.Flags()
	f.StringVar(&name, "name", "m365", "what you call it; agents see its tools as NAME__OPERATION")
	f.StringVar(&clientID, "client-id", "", "the `id` of the application that you registered at Microsoft")
	f.StringVar(&tenant, "tenant", "", "your organisation's `id` or domain; otherwise any organisation's account may sign in")
	f.StringVar(&redirect, "redirect", redirectUsual, "the `address` that the browser returns to, as registered there")
	f.StringSliceVar(&scopes, "scopes", nil, "`scopes` to ask for beside those that the operations need")
	f.BoolVar(&background, "background", false, "the application signs in by itself, with --secret, and nobody else (client credentials)")
	f.StringVar(&secret, "secret", "", "the `credential` that is the application's secret; with --background")
	f.StringVar(&graph, "graph", "", "the `address` of Microsoft Graph in a national cloud; otherwise https://graph.microsoft.com/v1.0")
	_ = cmd.MarkFlagRequired("client-id")
	cmd.MarkFlagsRequiredTogether("background", "secret")
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		l, err := c.M365Operations(ctx)
		for _, o := range l.Operations {
			out = append(out, cobra.CompletionWithDesc(o.OperationFamily, "sends "+o.Sends))
		}
		return out, err
	})
	return kit.With(cmd, "showhow m365 connect mail calendar --client-id ID --tenant example.com",
		"showhow m365 connect outlook_mail_search outlook_draft_reply --client-id ID",
		"showhow m365 connect sharepoint_list_documents --client-id ID --tenant example.com --background --secret m365_secret")
}

// choose adds an operation, or those of a group, with what they need at least.
func choose(all []client.M365Operation, name string, r *client.M365Registration) (found bool) {
	for _, o := range all {
		if name != "all" && name != o.OperationFamily && o.DataClasses[0] != name {
			continue
		}
		found = true
		if !slices.Contains(r.OperationFamilies, o.OperationFamily) {
			r.OperationFamilies = append(r.OperationFamilies, o.OperationFamily)
		}
		for _, s := range o.MinimumDelegatedScopes {
			if !slices.Contains(r.RequestedScopes, s) {
				r.RequestedScopes = append(r.RequestedScopes, s)
			}
		}
	}
	return found
}

func m365Operations(e *env) *cobra.Command {
	return kit.With(e.Call("operations", "List the operations, the scopes that each needs, and what it sends",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.M365Operations(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("there are none", kit.Columns("OPERATION", "GROUP", "DOES", "NEEDS", "SENDS"), func(row func(...any)) {
					for _, o := range l.Operations {
						does := map[string]string{"read": "reads", "write": "changes", "send": "sends"}[o.ActionClass]
						row(o.OperationFamily, o.DataClasses[0], does, strings.Join(o.MinimumDelegatedScopes, " "), o.Sends)
					}
				})
				e.Say("What changes or sends something waits for your word first.")
				e.Say("Tested against a local Microsoft Graph only, never against the real one.")
			})
		}), "showhow m365 operations")
}
