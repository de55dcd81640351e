package using

import (
	"context"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/capture/redact"
	"showhow/cli/kit"
	"showhow/daemon/client"
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
			all, err := e.foundServers(cmd.Context(), c, q)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return e.showFound(all)
			}
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

// foundServers reads the configurations, and says for each server whether it can be imported.
func (e importer) foundServers(ctx context.Context, c *client.Client, q importing) ([]found, error) {
	agents := mcpconfig.Agents
	if len(q.from) > 0 {
		agents = q.from
		for _, a := range agents {
			if !slices.Contains(mcpconfig.Agents, a) {
				return nil, kit.Usage("no configuration of %s is known", a).WithHint("known: " + strings.Join(mcpconfig.Agents, ", "))
			}
		}
	}
	project, _ := os.Getwd()
	servers, err := mcpconfig.Read(mcpconfig.Env{Home: e.Roots.Home, Project: project, Dirs: kit.AgentDirs(e.Env),
		Getenv: e.Getenv}, agents...)
	if err != nil {
		return nil, err
	}
	there, err := c.Connectors(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := redact.Load()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the rules that find secrets cannot be loaded")
	}
	defer rules.Close()
	var out []found
	for _, s := range servers {
		if ours(s) {
			continue
		}
		x, err := e.judged(s, q, rules)
		if err != nil {
			return nil, err
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
	return out, nil
}

// ours reports whether a server is Showhow's own.
func ours(s mcpconfig.Server) bool {
	return len(s.Command) == 2 && strings.TrimSuffix(filepath.Base(s.Command[0]), ".exe") == "showhow" && s.Command[1] == "mcp"
}

func plainWhere(s mcpconfig.Server) string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

// judged is a server as it is displayed and would be registered.
func (e importer) judged(s mcpconfig.Server, q importing, rules *redact.Redactor) (found, error) {
	x := found{Name: s.Name, Agents: []string{s.Agent}, Path: s.Path, Where: plainWhere(s), Lent: []string{}, State: "new", server: s}
	if secretIn(rules, x.Where) {
		x.Where = rules.Text(x.Where)
	}
	secrets := s.Env
	if s.URL != "" {
		secrets = s.Headers
	}
	x.Needs = append([]string{}, slices.Sorted(maps.Keys(secrets))...)
	refuse := func(why string) (found, error) {
		x.State, x.Reason = "refused", why
		return x, nil
	}
	switch {
	case x.Where != plainWhere(s):
		return refuse("a secret stands in its command or address: connect it with `showhow connector add`, the secret by --env or --header")
	case mcpconfig.Open(plainWhere(s)):
		return refuse("its command or address holds something that only the agent knows")
	case s.Off:
		return refuse("it is turned off there")
	}
	x.request = client.ConnectorCreate{Provider: "custom_remote", DisplayName: s.Name, Transport: "remote_http"}
	held := map[string]string{}
	for k := range secrets {
		held[k] = credentialFor(s.Name, k)
	}
	if s.URL != "" {
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" {
			return refuse("its address cannot be read")
		}
		x.request.EndpointURL, x.request.HeaderSecrets = s.URL, held
		return x, nil
	}
	if mcpconfig.Fetches(s.Command[0]) {
		w, err := mcpconfig.PackageOf(s.Command)
		if err != nil {
			return refuse(fault.From(err).Message)
		}
		x.Lent = append(x.Lent, "installs from your "+registries[w.Kind]+": "+w.String())
	}
	b := &client.LocalBridge{Command: placed(s.Command, s.Dir), Credentials: held, Hosts: q.host}
	b.ReadFolders = e.needed(b.Command)
	for _, l := range []struct {
		from []string
		to   *[]string
	}{{q.folders, &b.Folders}, {q.read, &b.ReadFolders}} {
		for _, dir := range l.from {
			whole, err := e.Whole(dir)
			if err != nil {
				return x, err
			}
			*l.to = append(*l.to, whole)
		}
	}
	b.ReadFolders = slices.DeleteFunc(b.ReadFolders, func(p string) bool { return slices.Contains(b.Folders, p) })
	for _, p := range b.ReadFolders {
		x.Lent = append(x.Lent, "may read "+e.Roots.Tilde(p))
	}
	for _, p := range b.Folders {
		x.Lent = append(x.Lent, "may change "+e.Roots.Tilde(p))
	}
	x.request.Transport, x.request.LocalBridge = "local_bridge", b
	return x, nil
}

var registries = map[string]string{mcpconfig.NPM: "npm registry", mcpconfig.PyPI: "Python index"}

// secretIn reports whether a command or an address contains a secret that belongs into a keychain. Personal data that
// is not secret does not count.
func secretIn(rules *redact.Redactor, text string) bool {
	return slices.ContainsFunc(rules.Find(redact.Clean(text)), func(s redact.Span) bool {
		return !slices.Contains([]string{"email", "phone", "name", "national_id", "iban"}, string(s.Kind))
	})
}

// credentialFor is the name under which a server's secret is stored.
func credentialFor(server, key string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, strings.ToLower(server+"_"+key))
	if name[0] >= '0' && name[0] <= '9' {
		name = "c_" + name
	}
	return name[:min(len(name), 120)]
}

// placed expands the paths of a command that are relative to the folder where the agent runs it.
func placed(command []string, dir string) []string {
	out := slices.Clone(command)
	for i, w := range out {
		if dir == "" || w == "" || filepath.IsAbs(w) || strings.HasPrefix(w, "-") || i == 0 && !strings.ContainsRune(w, filepath.Separator) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, w)); err == nil {
			out[i] = filepath.Join(dir, w)
		}
	}
	return out
}

// needed is what a program must be able to read: the files that its command names, and the packages that they belong
// to. Access to the whole home is never granted.
func (e importer) needed(command []string) []string {
	var out []string
	for i, w := range command {
		if !filepath.IsAbs(w) || i == 0 && !strings.HasPrefix(w, e.Roots.Home+string(filepath.Separator)) {
			continue
		}
		info, err := os.Stat(w)
		if err != nil {
			continue
		}
		p := filepath.Clean(w)
		if !info.IsDir() {
			p = packageOf(p, e.Roots.Home)
		}
		if p != e.Roots.Home && p != filepath.Dir(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// packageOf is the folder of the package that contains a file, or the file itself if there is none.
func packageOf(file, home string) string {
	for dir := filepath.Dir(file); dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, mark := range []string{"package.json", "pyproject.toml", "go.mod", "Cargo.toml"} {
			if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
				if i := strings.LastIndex(dir, string(filepath.Separator)+"node_modules"+string(filepath.Separator)); i > 0 {
					return dir[:i+len("/node_modules")] // with what it needs itself
				}
				return dir
			}
		}
	}
	return file
}

func (e importer) showFound(all []found) error {
	if e.JSON {
		return e.Print(map[string]any{"servers": all})
	}
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
	for _, x := range chosen {
		if err := e.takeOne(ctx, c, x, kept); err != nil {
			return err
		}
	}
	return nil
}

// takeOne registers a service, which the person confirms with all that it is granted; then its secrets go into the
// keychain, and the service is checked again.
func (e importer) takeOne(ctx context.Context, c *client.Client, x found, kept client.Credentials) error {
	r, err := c.RegisterConnector(ctx, x.request)
	if err != nil {
		return err
	}
	id := r.Server.Registry.ServerID
	if len(x.Needs) == 0 {
		return e.Show(func() { e.sayConnector(r.Server) })
	}
	secrets := x.server.Env
	if x.server.URL != "" {
		secrets = x.server.Headers
	}
	for _, k := range x.Needs {
		name, value := credentialFor(x.Name, k), secrets[k]
		if slices.ContainsFunc(kept.Credentials, func(o client.Credential) bool { return o.Name == name && o.State == "stored" }) {
			e.Note("%s stays as it is in the keychain; to replace it: showhow credential set %s", k, name)
			continue
		}
		if value == "" || mcpconfig.Open(value) {
			if value, err = kit.Hidden(ctx, e.Env, "Value of "+k+" for "+x.Name); err != nil {
				return unfinished(err, id, name)
			}
		}
		if _, err := c.SetCredential(ctx, name, value); err != nil {
			return unfinished(err, id, name)
		}
	}
	if _, err := c.TestConnector(ctx, client.ConnectorTest{ServerID: id}); err != nil {
		return err
	}
	now, err := oneConnector(ctx, c, id)
	if err != nil {
		return err
	}
	return e.Show(func() { e.sayConnector(now) })
}

// unfinished says how to continue with a service that is connected and lacks a secret.
func unfinished(err error, id, credential string) error {
	f := *fault.From(err)
	f.Hint = "it is connected and lacks this secret: showhow credential set " + credential + ", then showhow connector test " + id
	return &f
}
