package kit

import (
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
)

func (e *Env) SayPermissions(p client.Permissions) {
	or := func(s []string) string {
		if len(s) == 0 {
			return "none"
		}
		return e.Wrap(15, strings.Join(s, ", "))
	}
	e.Say("  agent tools  %s\n  domains      %s\n  credentials  %s", or(p.Tools), or(p.Domains), or(p.Credentials))
	if len(p.Agents) == 0 {
		return
	}
	here := "every agent of this computer"
	if names := p.AgentsHere(); len(names) > 0 {
		here = or(names)
	}
	e.Say("  agents       %s", here)
	if names := p.AgentsElsewhere(); len(names) > 0 {
		e.Say("  elsewhere    %s", or(names))
	}
}

// PermissionFlags are the flags for what a skill may use.
type PermissionFlags struct {
	client.Permissions
	Cmd     *cobra.Command
	AsAsked bool
}

func (p *PermissionFlags) Add(cmd *cobra.Command) {
	p.Cmd = cmd
	f := cmd.Flags()
	f.StringSliceVar(&p.Tools, "tool", nil, "`tools` that it may use, instead of those it has")
	f.StringSliceVar(&p.Domains, "domain", nil, "`hosts` that it may reach, *. for subdomains, instead of those it has")
	f.StringSliceVar(&p.Credentials, "credential", nil, "`names` of credentials that it may get, instead of those it has")
	f.StringSliceVar(&p.Agents, "agent", nil, "`names` of the agents that may use it, as "+
		"the settings name their folders; \"\" is every agent of this computer; remote/NAME opens it to a caller from elsewhere")
}

// Over applies the command line's flags to the previous permissions; changed is false if there were none.
func (p *PermissionFlags) Over(was client.Permissions) (now client.Permissions, changed bool) {
	set := func(flag string, to *[]string, from []string) {
		if p.Cmd.Flags().Changed(flag) {
			*to, changed = clean(from), true
		}
	}
	now = was
	set("tool", &now.Tools, p.Tools)
	set("domain", &now.Domains, p.Domains)
	set("credential", &now.Credentials, p.Credentials)
	set("agent", &now.Agents, p.Agents)
	return now, changed
}

// clean leaves out empty words: --domain "" means none.
func clean(in []string) []string {
	out := []string{}
	for _, s := range in {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Given is what an approval grants: what the command line says; for what it does not mention, no host and no
// credential beyond those granted before.
func (p *PermissionFlags) Given(asked client.Permissions, granted *client.Permissions) client.Permissions {
	now := asked.DefaultGrant(granted)
	if p == nil {
		return now
	}
	if p.AsAsked {
		agents := now.Agents // nobody asks for those
		now = asked
		now.Agents = agents
	}
	now, _ = p.Over(now)
	return now
}

func (p *PermissionFlags) AddAsAsked() {
	p.Cmd.Flags().BoolVar(&p.AsAsked, "as-asked", false, "let it use everything that it asks for")
}
