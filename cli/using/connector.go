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
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
	"showhow/internal/shellword"
)

func connectorCommand(e *env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "connector", Short: "Services that agents reach through one guarded door",
		Long: `A connector is a service that speaks MCP: at an address, or a program on this computer, which runs in a sandbox. You connect it
once; agents reach it with ` + "`showhow mcp`" + `. Reading is allowed; what changes something, or what nobody can tell, waits for your
word.`}, "showhow connector add https://tools.example.com/mcp", "showhow connector list", "showhow connector pending")
	cmd.AddCommand(connectorAdd(e), connectorPresets(e), connectorImport(e), connectorLogin(e), connectorList(e), connectorShow(e),
		connectorTest(e), connectorTools(e), connectorPolicy(e), connectorPending(e), connectorDecide(e, true), connectorDecide(e, false),
		connectorRemove(e), connectorReceipts(e))
	return cmd
}

// adding are the flags of `connector add`.
type adding struct {
	name, command, clientID, scopes string
	folders, read, hosts            []string
	header, env                     []string
	provider, key                   string
	timeout                         time.Duration
}

func connectorAdd(e *env) *cobra.Command {
	var a adding
	cmd := &cobra.Command{Use: "add [ADDRESS|SERVICE]", Args: cobra.MaximumNArgs(1),
		Short: "Connect a service: looks at it and says what it offers; nothing of it is called",
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
			return e.Show(func() { e.sayConnector(r.Server) })
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

func (e *env) adding(ctx context.Context, c *client.Client, a adding, args []string) (q client.ConnectorCreate, err error) {
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

// program is the registration of a program.
func (e *env) program(a adding, command []string, q client.ConnectorCreate) (_ client.ConnectorCreate, err error) {
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
func (e *env) known(ctx context.Context, c *client.Client, a adding, name string, q client.ConnectorCreate) (client.ConnectorCreate,
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
func (e *env) words(command string) ([]string, error) {
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

func connectorNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Connectors(ctx)
	for _, x := range l.Servers {
		out = append(out, cobra.CompletionWithDesc(x.Registry.ServerID, x.Registry.DisplayName))
	}
	return out, err
}

func (e *env) onConnector(use, short string, f func(ctx context.Context, c *client.Client, x client.Connector) error) *cobra.Command {
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		x, err := oneConnector(ctx, c, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, x)
	})
	cmd.ValidArgsFunction = e.Offer(connectorNames)
	return cmd
}

func oneConnector(ctx context.Context, c *client.Client, id string) (client.Connector, error) {
	l, err := c.Connectors(ctx)
	if err != nil {
		return client.Connector{}, err
	}
	if i := slices.IndexFunc(l.Servers, func(x client.Connector) bool { return x.Registry.ServerID == id }); i >= 0 {
		return l.Servers[i], nil
	}
	return client.Connector{}, fault.New(fault.NotFound, "there is no connector of this name").WithHint("`showhow connector list` names them")
}

func connectorList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List connectors, how they fare and what they wait for",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Connectors(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no service is connected; connect one with: showhow connector add ADDRESS",
					kit.Columns("NAME", "STATE", "TOOLS", "WHERE"), func(row func(...any)) {
						for _, x := range l.Servers {
							row(x.Registry.ServerID, strings.Join(x.BadgeStates, ", "), len(x.Tools), where(x))
						}
					})
				for _, s := range l.Switches {
					e.Say("Turned off: %s %s %s %s", s.Scope, s.Name, s.ServerID, s.ToolName)
				}
			})
		}), "showhow connector list")
}

func where(x client.Connector) string {
	if b := x.Registry.LocalBridge; b != nil {
		if p := b.Package; p != nil {
			return strings.Join(append([]string{p.Name + "@" + p.Version}, given(b)...), " ")
		}
		return strings.Join(b.Command, " ")
	}
	return x.Registry.EndpointURL
}

// given are the arguments that a package's program was registered with.
func given(b *client.LocalBridge) []string {
	if w, err := mcpconfig.PackageOf(b.Package.Command); err == nil {
		return w.Args
	}
	return b.Command[min(2, len(b.Command)):] // registered before the command was kept: an interpreter and a script come first
}

// asRegistered is where a connector leads, as the person named it.
func asRegistered(x client.Connector) string {
	if b := x.Registry.LocalBridge; b != nil && b.Package != nil && len(b.Package.Command) > 0 {
		return strings.Join(b.Package.Command, " ")
	}
	return where(x)
}

func connectorShow(e *env) *cobra.Command {
	return kit.With(e.onConnector("show NAME", "Show a connector: what it is lent, how it fares, its tools",
		func(_ context.Context, _ *client.Client, x client.Connector) error {
			return e.Show(func() { e.sayConnector(x) })
		}), "showhow connector show notes")
}

func (e *env) sayConnector(x client.Connector) {
	r := x.Registry
	e.Say("%s (%s)  %s", r.DisplayName, r.ServerID, strings.Join(x.BadgeStates, ", "))
	e.Say("  %s", where(x))
	if b := r.LocalBridge; b != nil {
		if b.Package != nil {
			e.Say("  %s, installed once; only these files run (%s)", packageKinds[b.Package.Kind], b.Package.Integrity)
		}
		for _, l := range []struct {
			what string
			all  []string
		}{{"may change", b.Folders}, {"may read", b.ReadFolders}, {"may reach", b.Hosts}} {
			for _, s := range l.all {
				e.Say("  %s %s", l.what, e.Roots.Tilde(s))
			}
		}
	}
	h := x.Health
	switch {
	case h.ThrottleState.State != "none":
		e.Say("  it asked to be left alone for a while")
	case h.HealthReasonCode != "":
		e.Say("  %s: %s", h.HealthStatus, h.HealthReasonCode)
	}
	if slices.Contains(x.BadgeStates, "auth_required") {
		e.Say("  it wants you to sign in:  showhow connector login %s", r.ServerID)
	}
	e.sayTools(x)
	if len(x.Findings) > 0 {
		e.SayFindings(x.Findings, nil)
	}
}

func (e *env) sayTools(x client.Connector) {
	e.Table("it offers no tools", kit.Columns("TOOL", "DOES", "AGENTS", "FROM", "STATE"), func(row func(...any)) {
		for _, t := range x.Tools {
			row(t.Name, t.ActionClass, modeWords[t.Mode], t.InheritedFrom, t.State)
		}
	})
	for _, t := range x.Tools {
		for _, d := range t.Difference {
			e.Say("  %s: %s", t.Name, d)
		}
	}
	if slices.ContainsFunc(x.Tools, func(t wireTool) bool { return t.State == "changed" || t.State == "new" || t.State == "gone" }) {
		e.Say("Agents do not see what changed. To take it as it is now:  showhow connector tools %s --accept", x.Registry.ServerID)
	}
}

var packageKinds = map[string]string{"": "an npm package", mcpconfig.NPM: "an npm package", mcpconfig.PyPI: "a Python package"}

var modeWords = map[string]string{"enabled": "may", "ask_first": "ask you", "disabled": "may not"}

func connectorTools(e *env) *cobra.Command {
	var accept bool
	cmd := e.onConnector("tools NAME", "List its tools: what each does, whether agents may, and what changed",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			if accept {
				r, err := c.PatchConnector(ctx, x.Registry.ServerID, client.ConnectorPatch{AcceptTools: true}, client.IfMatch(x.Revision))
				if err != nil {
					return err
				}
				x = r.Server
			}
			return e.Show(func() { e.sayTools(x) })
		})
	cmd.Flags().BoolVar(&accept, "accept", false, "take the tools as they are now; you confirm it")
	return kit.With(cmd, "showhow connector tools notes")
}

func connectorTest(e *env) *cobra.Command {
	var tool string
	cmd := e.onConnector("test NAME", "Look whether it can be reached, takes your sign-in and lists its tools",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			r, err := c.TestConnector(ctx, client.ConnectorTest{ServerID: x.Registry.ServerID, ToolName: tool})
			if err != nil {
				return err
			}
			if r.Status != "passed" && r.Status != "degraded" && !e.JSON {
				return fault.New(fault.MCPSmokeTestFailed, r.Summary).WithDetail("failure_reason_code", r.FailureReasonCode).
					WithHint("reachable: " + yes(r.TransportOK) + ", signed in: " + yes(r.AuthOK) + ", lists tools: " + yes(r.ToolDiscoveryOK))
			}
			return e.Show(func() { e.Say("%s: %s", r.Status, r.Summary) })
		})
	cmd.Flags().StringVar(&tool, "tool", "", "also call this `tool`, which must be one that reads")
	return kit.With(cmd, "showhow connector test notes", "showhow connector test notes --tool list_notes")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func connectorRemove(e *env) *cobra.Command {
	return kit.With(e.onConnector("remove NAME", "Disconnect it, and forget what was decided about it",
		func(ctx context.Context, c *client.Client, x client.Connector) error {
			r, err := c.RemoveConnector(ctx, x.Registry.ServerID)
			if err == nil && r.AuthProfileAction != "none" {
				e.Note("your sign-in stays (%s); to give it up first: showhow connector login NAME --revoke", r.AuthProfileAction)
			}
			return e.Done(err, "removed")
		}), "showhow connector remove notes")
}
