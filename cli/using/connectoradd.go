package using

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
	"showhow/internal/shellword"
)

// adding are the flags of `connector add`.
type adding struct {
	name, command, clientID, scopes string
	folders, read, hosts            []string
	header, env                     []string
	provider, key                   string
	timeout                         time.Duration
}

// adder connects services.
type adder struct{ *env }

func connectorAdd(from *env) *cobra.Command {
	e := adder{from}
	var a adding
	cmd := &cobra.Command{Use: "add [ADDRESS|SERVICE]", Args: cobra.MaximumNArgs(1),
		Short: "Connect a service: looks at it and says what it offers; none of its tools is called",
		Long:  `Name its address, a program with --command, or a well-known service by its name (` + "`showhow connector presets`" + `).`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			q, err := e.adding(cmd.Context(), c, a, args)
			if err != nil {
				return err
			}
			if a.key != "" || a.clientID != "" || a.scopes != "" {
				p := client.ConnectorAuthProfile{Provider: q.Provider, AuthMode: "oauth2_delegated", ClientID: a.clientID,
					Scopes: strings.Fields(strings.ReplaceAll(a.scopes, ",", " ")), RefreshPolicy: "auto_if_refresh_token"}
				if a.key != "" {
					p = client.ConnectorAuthProfile{Provider: q.Provider, AuthMode: "api_key", SecretRef: a.key}
				}
				made, err := c.AddAuthProfile(cmd.Context(), p)
				if err != nil {
					return err
				}
				q.AuthProfileID = made.AuthProfileID
			}
			r, err := c.RegisterConnector(cmd.Context(), q)
			if err != nil {
				return err
			}
			return sayAdded(e.env, r)
		}}
	f := cmd.Flags()
	f.StringVar(&a.name, "name", "", "what you call it; agents see its tools as NAME__TOOL")
	f.StringVar(&a.command, "command", "", "a `program` with its arguments, run in a sandbox, instead of an address")
	f.StringArrayVar(&a.folders, "folder", nil, "a `folder` that the program may read and change")
	f.StringArrayVar(&a.read, "read", nil, "a `folder` that the program may read")
	f.StringArrayVar(&a.hosts, "host", nil, "a `host` that the program may reach")
	f.StringArrayVar(&a.header, "header", nil, "a header whose value is a credential, `NAME=CREDENTIAL`")
	f.StringArrayVar(&a.env, "env", nil, "a variable of the program whose value is a credential, `NAME=CREDENTIAL`")
	f.StringVar(&a.clientID, "client-id", "", "who Showhow is to the service's authorization server, if that wants to know beforehand")
	f.StringVar(&a.scopes, "scopes", "", "what to ask for at the sign-in; otherwise what the service names")
	f.StringVar(&a.key, "key", "", "the `credential` that is the service's API key, sent as Authorization: Bearer")
	f.DurationVar(&a.timeout, "timeout", 0, "how long a call may take; otherwise a minute")
	cmd.ValidArgsFunction = e.Offer(presetNames)
	cmd.MarkFlagsMutuallyExclusive("key", "client-id")
	cmd.MarkFlagsMutuallyExclusive("key", "scopes")
	f.StringVar(&a.provider, "provider", "custom_remote", "m365, gmail_google, acrobat, custom_remote or provider_native")
	return kit.With(cmd, "showhow connector add https://tools.example.com/mcp", "showhow connector add notion",
		"showhow connector add files --folder ~/Notes", "showhow connector add github --key github_token",
		"showhow connector add --command \"npx -y @modelcontextprotocol/server-filesystem ~/Notes\" --folder ~/Notes",
		"showhow connector add --command \"uvx mcp-server-fetch\" --host example.com",
		"showhow connector add --command \"node /opt/server/index.js ~/Notes\" --read /opt/server --folder ~/Notes --name notes",
		"showhow connector add https://api.example.com/mcp --header X-Api-Key=example_key")
}

func (e adder) adding(ctx context.Context, c *client.Client, a adding, args []string) (q client.ConnectorCreate, err error) {
	if (len(args) == 1) == (a.command != "") {
		return q, kit.Usage("name an address, a well-known service, or a program with --command")
	}
	q = client.ConnectorCreate{Provider: a.provider, DisplayName: a.name, Transport: "remote_http", TimeoutMs: int(a.timeout.Milliseconds())}
	if len(args) == 1 && !strings.ContainsAny(args[0], ":/") {
		return e.known(ctx, c, a, args[0], q)
	}
	if q.HeaderSecrets, err = pairs(a.header); err != nil {
		return q, err
	}
	if len(args) == 1 {
		q.EndpointURL = args[0]
		if u, err := url.Parse(args[0]); err == nil && q.DisplayName == "" {
			q.DisplayName = u.Hostname()
		}
		return q, nil
	}
	command, err := e.words(a.command)
	if err != nil {
		return q, err
	}
	return e.program(a, command, q)
}

// sayAdded shows a new connector. One that does not work yet is an error, although it is registered: nobody can use it, and the
// person has to know why.
func sayAdded(e *env, r wire.MCPServerMutationResponse) error {
	if err := e.Show(func() { e.sayConnector(r.Server); sayLines(e.Say, troubleLines(r.Trouble)) }); err != nil || r.Trouble == nil {
		return err
	}
	id := r.Server.Registry.ServerID
	return fault.New(fault.ConnectorUnreachable, "it is connected, but does not work yet: "+kit.PlainText(r.Trouble.Reason)).
		WithHint("mend that, then `showhow connector test " + id + "`; or `showhow connector remove " + id + "`, and add it otherwise")
}

// program is the registration of a program.
func (e adder) program(a adding, command []string, q client.ConnectorCreate) (_ client.ConnectorCreate, err error) {
	b := &client.LocalBridge{Command: command, Hosts: a.hosts}
	if b.Credentials, err = pairs(a.env); err != nil {
		return q, err
	}
	for _, l := range []struct {
		from []string
		to   *[]string
	}{{a.folders, &b.Folders}, {a.read, &b.ReadFolders}} {
		for _, dir := range l.from {
			whole, err := e.Whole(dir)
			if err != nil {
				return q, err
			}
			*l.to = append(*l.to, whole)
		}
	}
	if q.DisplayName == "" {
		named := b.Command[len(b.Command)-1]
		if w, err := mcpconfig.PackageOf(b.Command); err == nil {
			named = w.Name
		}
		q.DisplayName = strings.TrimPrefix(filepath.Base(named), "server-")
	}
	q.Transport, q.LocalBridge = "local_bridge", b
	return q, nil
}

// known is the registration of a well-known service.
func (e adder) known(ctx context.Context, c *client.Client, a adding, name string, q client.ConnectorCreate) (client.ConnectorCreate,
	error) {
	l, err := c.ConnectorPresets(ctx)
	if err != nil {
		return q, err
	}
	i := slices.IndexFunc(l.Presets, func(p client.ConnectorPreset) bool { return p.PresetID == name })
	if i < 0 {
		return q, fault.New(fault.NotFound, "no well-known service has this name").WithDetail("name", name).
			WithHint("`showhow connector presets` lists them; any other is named by its address, which begins with https://")
	}
	p := l.Presets[i]
	if q.DisplayName == "" {
		q.DisplayName = p.PresetID
	}
	q.DataClasses = p.DataClasses
	switch {
	case p.SignIn == "key" && a.key == "" && len(a.header) == 0:
		return q, kit.Usage("%s wants a key: %s", p.Title, p.KeyHint).
			WithHint("showhow credential set NAME, then showhow connector add " + name + " --key NAME")
	case len(p.Command) == 0:
		q.EndpointURL = p.EndpointURL
		q.HeaderSecrets, err = pairs(a.header)
		return q, err
	case p.FolderArguments && len(a.folders) == 0:
		return q, kit.Usage("%s is lent folders", p.Title).WithHint("showhow connector add " + name + " --folder ~/Notes")
	}
	command := slices.Clone(p.Command)
	for _, dir := range a.folders {
		if whole, err := e.Whole(dir); p.FolderArguments && err == nil { // an error is told below
			command = append(command, whole)
		}
	}
	return e.program(a, command, q)
}

func presetNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.ConnectorPresets(ctx)
	for _, p := range l.Presets {
		out = append(out, cobra.CompletionWithDesc(p.PresetID, p.Title))
	}
	return out, err
}

func connectorPresets(e *env) *cobra.Command {
	return kit.With(e.Call("presets", "List well-known services that can be connected by name",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.ConnectorPresets(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("none is known", kit.Columns("NAME", "SIGN-IN", "WHERE", "WHAT"), func(row func(...any)) {
					for _, p := range l.Presets {
						at := p.EndpointURL
						if at == "" {
							at = strings.Join(p.Command, " ")
						}
						row(p.PresetID, p.SignIn, at, p.About)
					}
				})
				e.Say("Any other service that speaks MCP works, too:  showhow connector add ADDRESS")
			})
		}), "showhow connector presets")
}

// words splits a command as a shell would; a word that begins with ~/ is relative to the person's home.
func (e adder) words(command string) ([]string, error) {
	var ws []string
	known := true
	for w, err := range syntax.NewParser().WordsSeq(strings.NewReader(command)) {
		if err != nil {
			known = false
			break
		}
		text, ok := shellword.Text(w)
		known = known && ok
		ws = append(ws, text)
	}
	if !known || len(ws) == 0 {
		return nil, kit.Usage("the command cannot be read").WithHint("quotes must be closed; it is a program with arguments, no pipe")
	}
	for i, w := range ws {
		if rest, ok := strings.CutPrefix(w, "~/"); ok {
			ws[i] = filepath.Join(e.Roots.Home, rest)
		}
	}
	return ws, nil
}

func pairs(list []string) (map[string]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, s := range list {
		k, v, ok := strings.Cut(s, "=")
		if !ok || k == "" || v == "" {
			return nil, kit.Usage("write it as NAME=CREDENTIAL: the credential's name, never its value").
				WithHint("`showhow credential set NAME` keeps a value")
		}
		out[k] = v
	}
	return out, nil
}
