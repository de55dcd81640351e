package using

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/capture/redact"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

// found is a server of an agent's configuration for display: of secrets only the names.
type found struct {
	Name    string   `json:"name"`
	Agents  []string `json:"agents"`
	Path    string   `json:"path"`
	Where   string   `json:"where"`
	Needs   []string `json:"needs"`  // names of variables and headers, whose values are secrets
	Lent    []string `json:"lent"`   // what it would be lent
	State   string   `json:"state"`  // new, connected, refused
	Reason  string   `json:"reason"` // why it is refused
	server  mcpconfig.Server
	request client.ConnectorCreate
}

// leads is the server's address or command, in the form used for connected services.
func (x found) leads() string {
	if b := x.request.LocalBridge; b != nil {
		return strings.Join(b.Command, " ")
	}
	return x.request.EndpointURL
}

// importing are the flags of `connector import`.
type importing struct {
	from                []string
	folders, read, host []string
}

// importer imports services from agents' configurations.
type importer struct{ *env }

func connectorImport(from *env) *cobra.Command {
	e := importer{from}
	var q importing
	cmd := &cobra.Command{Use: "import [NAME...]", Short: "Take over the services that your agents have set up already",
		Args: cobra.ArbitraryArgs,
		Long: `Without a name it shows what the configurations of Claude Code, Codex, OpenClaw and VS Code name, and changes nothing. With names
it connects these; you confirm each. Their keys and passwords go into the keychain and are never shown; those that only the agent knows you
type. A program may read what its command names, and change only what you name with --folder. Agents' configurations stay as they are.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			all, unread, err := e.foundServers(cmd.Context(), c, q)
			switch {
			case err != nil:
				return err
			case len(all) == 0 && len(unread) > 0:
				path, _ := unread[0].Details["path"].(string)
				return unread[0].WithHint("mend " + e.Roots.Tilde(path))
			case len(args) == 0:
				return e.showFound(all, unread)
			}
			e.sayUnread(unread)
			if len(args) > 1 && len(q.folders)+len(q.read)+len(q.host) > 0 {
				return kit.Usage("--folder, --read and --host are for one service")
			}
			return e.takeOver(cmd.Context(), c, all, args)
		}}
	f := cmd.Flags()
	f.StringArrayVar(&q.from, "from", nil, "only from this `agent`: "+strings.Join(mcpconfig.Agents, ", "))
	f.StringArrayVar(&q.folders, "folder", nil, "a `folder` that the program may read and change")
	f.StringArrayVar(&q.read, "read", nil, "a `folder` that the program may read, too")
	f.StringArrayVar(&q.host, "host", nil, "a `host` that the program may reach")
	kit.Complete(cmd, "from", mcpconfig.Agents...)
	return kit.With(cmd, "showhow connector import", "showhow connector import issues calendar",
		"showhow connector import files --from claude-code --folder ~/Notes")
}

// foundServers reads the configurations, and says for each server whether it can be imported. A configuration that cannot be
// read hides no other.
func (e importer) foundServers(ctx context.Context, c *client.Client, q importing) ([]found, []*fault.Error, error) {
	agents := mcpconfig.Agents
	if len(q.from) > 0 {
		agents = q.from
		for _, a := range agents {
			if !slices.Contains(mcpconfig.Agents, a) {
				return nil, nil, kit.Usage("no configuration of %s is known", a).WithHint("known: " + strings.Join(mcpconfig.Agents, ", "))
			}
		}
	}
	project, _ := os.Getwd()
	servers, unread := mcpconfig.Read(mcpconfig.Env{Home: e.Roots.Home, Project: project, Dirs: kit.AgentDirs(e.Env),
		Getenv: e.Getenv}, agents...)
	there, err := c.Connectors(ctx)
	if err != nil {
		return nil, nil, err
	}
	rules, err := redact.Load()
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Internal, "the rules that find secrets cannot be loaded")
	}
	defer rules.Close()
	var out []found
	for _, s := range servers {
		if mcpconfig.Ours(s) {
			continue
		}
		x, err := e.judged(s, q, rules)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(out, func(o found) bool { return o.Name == x.Name && o.Where == x.Where }); i >= 0 {
			out[i].Agents = append(out[i].Agents, s.Agent) // several agents know it
			continue
		}
		if x.State == "new" && slices.ContainsFunc(there.Servers, func(o client.Connector) bool { return asRegistered(o) == x.leads() }) {
			x.State = "connected"
		}
		out = append(out, x)
	}
	return out, unread, nil
}

// sayUnread names the configurations that could not be read.
func (e importer) sayUnread(unread []*fault.Error) {
	for _, f := range unread {
		path, _ := f.Details["path"].(string)
		e.Note("%s: mend %s", f.Message, e.Roots.Tilde(path))
	}
}

// judged is a server as it is displayed and would be registered.
func (e importer) judged(s mcpconfig.Server, q importing, rules *redact.Redactor) (found, error) {
	lend := mcpconfig.Lend{Home: e.Roots.Home, Hosts: q.host, Secret: func(text string) bool { return secretIn(rules, text) },
		Mask: rules.Text, Show: e.Roots.Tilde}
	for _, l := range []struct {
		from []string
		to   *[]string
	}{{q.folders, &lend.Folders}, {q.read, &lend.Read}} {
		for _, dir := range l.from {
			whole, err := e.Whole(dir)
			if err != nil {
				return found{}, err
			}
			*l.to = append(*l.to, whole)
		}
	}
	j := mcpconfig.Judge(s, lend)
	x := found{Name: s.Name, Agents: []string{s.Agent}, Path: s.Path, Where: j.Where, Needs: j.Needs, Lent: j.Lent, State: "new",
		Reason: j.Refused, server: s}
	if j.Refused != "" {
		x.State = "refused"
		return x, nil
	}
	x.request = client.ConnectorCreate{Provider: "custom_remote", DisplayName: s.Name, Transport: "remote_http"}
	if s.URL != "" {
		x.request.EndpointURL = s.URL
		return x, nil
	}
	x.request.Transport = "local_bridge"
	x.request.LocalBridge = &client.LocalBridge{Command: j.Command, Hosts: q.host, Folders: lend.Folders, ReadFolders: j.Read}
	return x, nil
}

// secretIn reports whether a command or an address contains a secret that belongs into a keychain. Personal data that
// is not secret does not count.
func secretIn(rules *redact.Redactor, text string) bool {
	return slices.ContainsFunc(rules.Find(redact.Clean(text)), func(s redact.Span) bool {
		return !slices.Contains([]string{"email", "phone", "name", "national_id", "iban"}, string(s.Kind))
	})
}

func (e importer) showFound(all []found, unread []*fault.Error) error {
	if e.JSON {
		broken := []any{}
		for _, f := range unread {
			broken = append(broken, f.Details)
		}
		return e.Print(map[string]any{"servers": all, "unreadable": broken})
	}
	e.sayUnread(unread)
	e.Table("no agent's configuration names a service", kit.Columns("NAME", "FROM", "WHERE", "NEEDS", "STATE"), func(row func(...any)) {
		for _, x := range all {
			needs := strings.Join(x.Needs, ", ")
			if needs == "" {
				needs = "-"
			}
			row(x.Name, strings.Join(x.Agents, ", "), e.Roots.Tilde(x.Where), needs, x.State)
		}
	})
	for _, x := range all {
		if x.Reason != "" {
			e.Say("%s: %s", x.Name, x.Reason)
		}
		for _, l := range x.Lent {
			e.Say("%s: %s", x.Name, l)
		}
	}
	if slices.ContainsFunc(all, func(x found) bool { return x.State == "new" }) {
		e.Say("Nothing was changed. To take some over:  showhow connector import NAME...")
	}
	return nil
}

// takeOver connects services one by one; each is confirmed separately.
func (e importer) takeOver(ctx context.Context, c *client.Client, all []found, names []string) error {
	var chosen []found
	for _, n := range names {
		same := slices.DeleteFunc(slices.Clone(all), func(x found) bool { return x.Name != n })
		switch {
		case len(same) == 0:
			return fault.New(fault.NotFound, "no agent's configuration names it").WithDetail("name", n).WithHint("showhow connector import")
		case len(same) > 1:
			return kit.Usage("several agents name %s, each another one", n).WithHint("say which with --from AGENT")
		case same[0].State == "refused":
			return fault.New(fault.UnsupportedInBuild, "this one cannot be taken over").WithDetail("name", n).WithHint(same[0].Reason)
		case same[0].State == "connected":
			return fault.New(fault.NameTaken, "it is connected already").WithDetail("name", n).WithHint("showhow connector list")
		}
		chosen = append(chosen, same[0])
	}
	kept, err := c.Credentials(ctx)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(chosen, func(x found) bool { return len(x.Needs) > 0 }); i >= 0 && !kept.Keychain {
		return fault.New(fault.AdapterUnavailable, "there is no keychain here, and secrets are kept nowhere else").
			WithDetail("name", chosen[i].Name).WithHint("start one in your session (gnome-keyring, KWallet), then `showhow daemon restart`")
	}
	there, err := c.Connectors(ctx)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, o := range kept.Credentials {
		taken[o.Name] = true
	}
	for _, o := range there.Servers {
		for _, name := range o.Registry.HeaderSecrets {
			taken[name] = true
		}
		if b := o.Registry.LocalBridge; b != nil {
			for _, name := range b.Credentials {
				taken[name] = true
			}
		}
	}
	for _, x := range chosen {
		if err := e.takeOne(ctx, c, x, taken); err != nil {
			return err
		}
	}
	return nil
}

// takeOne stores a service's secrets in the keychain, under names that nothing else has, and registers it; the person
// confirms each, the service with all that it is granted.
func (e importer) takeOne(ctx context.Context, c *client.Client, x found, taken map[string]bool) error {
	names, err := x.server.Credentials(func(name, _ string) (bool, error) { return taken[name], nil })
	if err != nil {
		return err
	}
	var stored []string
	for _, k := range x.Needs {
		name, value := names[k], x.server.Secrets()[k]
		if value == "" || mcpconfig.Open(value) {
			if value, err = kit.Hidden(ctx, e.Env, "Value of "+k+" for "+x.Name); err != nil {
				return unused(err, stored)
			}
		}
		if _, err := c.SetCredential(ctx, name, value); err != nil {
			return unused(err, stored)
		}
		stored, taken[name] = append(stored, name), true
	}
	if b := x.request.LocalBridge; b != nil {
		b.Credentials = names
	} else {
		x.request.HeaderSecrets = names
	}
	r, err := c.RegisterConnector(ctx, x.request)
	if err != nil {
		return unused(err, stored)
	}
	return e.Show(func() {
		e.sayConnector(r.Server)
		if t := r.Trouble; t != nil { // no error: others may follow
			e.Say("It does not work yet: %s.", kit.PlainText(t.Reason))
			sayLines(e.Say, troubleLines(t))
		}
	})
}

// unused says which secrets of a service that is not connected are in the keychain already.
func unused(err error, stored []string) error {
	if len(stored) == 0 {
		return err
	}
	f := *fault.From(err)
	f.Hint = strings.TrimPrefix(f.Hint+"; it is not connected, and nothing uses what was stored for it: showhow credential remove "+
		strings.Join(stored, ", "), "; ")
	return &f
}

func connectorSkills(e *env) *cobra.Command {
	var digest string
	cmd := e.Call("skills NAME [SKILL]", "List the skills that a connector offers; with a SKILL, bring it in like any other import",
		func(ctx context.Context, c *client.Client, args []string) error {
			l, err := c.OfferedSkills(ctx, args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return e.Show(func() { sayOffered(e, l) })
			}
			i := slices.IndexFunc(l.Skills, func(s wire.MCPOfferedSkill) bool { return s.Name == args[1] || s.URI == args[1] })
			if i < 0 {
				return fault.New(fault.NotFound, "the connector offers no such skill").WithHint("showhow connector skills " + args[0])
			}
			if digest == "" {
				digest = l.Skills[i].Digest
			}
			return pullSkill(ctx, e, c, client.SkillSource{Kind: "connector", ConnectorID: l.ServerID, Reference: l.Skills[i].URI, Digest: digest})
		})
	cmd.Args = cobra.RangeArgs(1, 2)
	cmd.Long = `A connector may offer skills beside its tools. They are brought in like any other: scanned, shown, and installed only when you
approve them; none of them is run before then. Every file must be what the connector's own list says.`
	cmd.Flags().StringVar(&digest, "digest", "", "exactly this `content`, as --json lists it")
	cmd.ValidArgsFunction = e.Offer(connectorNames)
	return kit.With(cmd, "showhow connector skills tracker", "showhow connector skills tracker triage-issues")
}

// sayOffered prints what a connector offers.
func sayOffered(e *env, l wire.MCPOfferedSkillList) {
	e.Table("it offers no skills", kit.Columns("SKILL", "FILES", "BYTES", "WHAT IT SAYS"), func(row func(...any)) {
		for _, s := range l.Skills {
			what := kit.PlainText(s.Description)
			if s.Refused != "" {
				what = "cannot be brought in: " + s.Refused
			}
			row(kit.PlainText(s.Name), s.Files, s.Bytes, what)
		}
	})
	if l.More {
		e.Say("It offers more than these.")
	}
	if len(l.Skills) > 0 {
		e.Say("To bring one in, scanned and shown first:  showhow connector skills %s SKILL", l.ServerID)
	}
}
