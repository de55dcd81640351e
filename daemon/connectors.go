package daemon

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/adapters/receipts"
	"showhow/adapters/receipts/report"
	"showhow/capture/redact"
	"showhow/daemon/ability"
	"showhow/daemon/api/caller"
	"showhow/daemon/capability/binding"
	"showhow/daemon/capability/health"
	"showhow/daemon/connector"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/door"
	"showhow/daemon/connector/parcel"
	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/signin"
	"showhow/daemon/connector/takeover"
	"showhow/daemon/document"
	"showhow/daemon/mcp/offered"
	"showhow/daemon/mcp/own"
	"showhow/daemon/mcp/question"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/skill/scan/source"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
	"showhow/internal/plain"
	"showhow/internal/twin"
	"showhow/store/keys"
)

// connect makes the connector services. Nothing is dialled until somebody asks for it.
func (d *Daemon) connect(ctx context.Context) error {
	st := d.store.Connectors()
	secret := func(ctx context.Context, name string) (string, error) { return d.credentials.Get(ctx, name) }
	o := signin.Options{Store: st, Registry: func() *registry.Registry { return d.connectors }, Secret: secret, Now: d.now, NewID: clock.NewID,
		Log: d.log}
	if d.o.Test.Secrets != nil {
		o.Keychain = d.o.Test.Secrets
	} else if d.keys.Kind() == "keychain" {
		o.Keychain = keys.Secrets{Service: signin.KeychainService}
	}
	d.signins = signin.New(o)
	var house *own.House
	d.connectors = registry.New(registry.Options{Store: st, Secret: secret, Token: d.signins.Token, Scan: scanTools,
		Linked: services{d}.linked, Packages: &parcel.Shelf{Dir: filepath.Join(d.o.Roots.Data, "connectors", "packages"),
			Home: d.o.Roots.Home, Data: d.o.Roots.Data},
		Reads: source.Latin, Private: d.o.Roots.Data, Client: offered.Prepare, Renew: d.signins.Renew,
		Asking: func() ([]connector.Definition, error) { return house.Asking() },
		Agents: services{d}.agents, Mask: d.redactor.Text,
		M365:  microsoft(d.now, func() *binding.Service { return d.keeping.projects }, func() *document.Service { return d.documents }),
		Now:   d.now,
		NewID: clock.NewID, Log: d.log})
	d.desk = desk.New(desk.Options{Store: st, Key: func(ctx context.Context) ([]byte, error) { return d.keys.Key(ctx, "connectors") },
		Project: func(ctx context.Context, name string) (string, error) { return d.keeping.projects.Bound(ctx, name) },
		Now:     d.now, NewID: clock.NewID, Log: d.log})
	d.questions = question.New(question.Options{Now: d.now})
	house = own.New(own.Options{Abilities: d.abilities, Imports: d.imports, Questions: d.questions, Redact: d.redactor.Text,
		Notes: d.notes, Documents: d.documents, PDF: d.pdf, Outlook: d.outlook, Record: recordIn(d.store),
		Instructs: scan.Instructs, Files: readsFiles(d.o.Config.Targets)})
	d.door = door.New(door.Options{Own: house, Registry: d.connectors, Desk: d.desk, Store: st, Now: d.now, NewID: clock.NewID, Log: d.log,
		Called: services{d}.called, Instructs: scan.Instructs,
		Live: func(ctx context.Context, reporter string) error {
			return d.remote.Live(ctx, strings.TrimPrefix(reporter, wire.Elsewhere))
		}})
	changed := func() {
		select {
		case d.fares <- struct{}{}:
		default: // the next reader looks anyway
		}
	}
	d.connectors.Watch(changed)
	d.connectors.WatchHealth(changed)
	return d.door.Recover(ctx)
}

// readsFiles tells which agents get skills only as copies in their folders, by their names.
func readsFiles(targets []config.Target) func(names []string) bool {
	return func(names []string) bool {
		return slices.ContainsFunc(targets, func(t config.Target) bool {
			of := wire.AbilityPermissions{Agents: []string{t.Name}}
			return t.Skills == config.SkillFiles && of.Admits(names...)
		})
	}
}

// takeoverOf lists and connects what the person's agents have set up.
func takeoverOf(d *Daemon) *takeover.Service {
	dirs := map[string]string{}
	for agent, name := range map[string]string{report.ClaudeCode: "CLAUDE_CONFIG_DIR", report.Codex: "CODEX_HOME",
		report.OpenClaw: "OPENCLAW_STATE_DIR"} {
		if dir := os.Getenv(name); dir != "" {
			dirs[agent] = dir
		}
	}
	return takeover.New(takeover.Options{Registry: d.connectors, Env: mcpconfig.Env{Home: d.o.Roots.Home, Dirs: dirs, Getenv: os.Getenv},
		Secret: func(text string) bool { return d.redactor.Secret(redact.Clean(text)) }, Mask: d.redactor.Text,
		Keychain: d.credentials.Available,
		Value:    d.credentials.Get, Used: d.shelf.CredentialUsers,
		Store: func(ctx context.Context, name, value string) error {
			_, err := d.credentials.Set(ctx, name, value, nil)
			return err
		},
		Forget: func(ctx context.Context, name string) error { return d.credentials.Remove(ctx, name, nil) }})
}

// services exposes connectors to the observer, to abilities, to imports and to rehearsals.
type services struct{ d *Daemon }

// offered reads the skills that connectors offer.
func (s services) offered() *offered.Service {
	return &offered.Service{Registry: s.d.connectors, Now: s.d.now}
}

// Fetch implements imports.Remote.
func (s services) Fetch(ctx context.Context, q wire.SkillImportSourceRequest) ([]skill.File, string, wire.ImportProvenance, error) {
	return s.offered().Fetch(ctx, q)
}

// agents are the names under which calls may come.
func (s services) agents(ctx context.Context) ([]string, error) {
	out := append(caller.KnownAgents(), report.Known...)
	tokens, err := s.d.store.Agents(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range tokens {
		if a.RevokedAt == nil {
			out = append(out, a.Name)
		}
	}
	observed, err := s.d.intake.Agents(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range observed {
		out = append(out, a.Agent)
	}
	remote, err := s.d.remote.Status(ctx)
	for _, c := range remote.Callers {
		out = append(out, c.Name)
	}
	return out, err
}

// called forwards a call through the door to the session that observes (decisions H12).
func (s services) called(c door.Called) {
	if wire.FromElsewhere([]string{c.Agent}) { // what is done on another computer is no work of the person's here
		return
	}
	s.d.intake.Called(receipts.Called{Agent: c.Agent, Session: c.Session, Connector: c.Connector, Tool: c.Tool, Class: string(c.Class),
		Args: c.Args, Failed: c.Failed, Began: c.Began, Took: c.Took})
	x := ability.Called{Agent: c.Agent, Connector: c.Connector, Tool: c.Tool, Result: health.Passed}
	switch c.Code {
	case "":
	case door.ToolFailed:
		x.Result, x.Code = health.Failed, c.Code
	default: // a sign-in, throttling, no answer: the service's trouble, which its own health counts
		return
	}
	select {
	case s.d.calls <- x:
	default: // more calls than can be counted: those that follow say the same
	}
}

// follow re-evaluates the abilities that need a connector when the connector's health changes (DOC3 0C.11B), and counts
// agents' calls for the abilities that they follow.
func (s services) follow(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case c := <-s.d.calls:
			if err := s.d.abilities.NoteCalled(ctx, c); err != nil && ctx.Err() == nil {
				s.d.log.Warn("a call could not be counted for the abilities that need its connector", "code", string(fault.CodeOf(err)))
			}
		case <-s.d.fares:
			if err := s.d.abilities.ConnectorsChanged(ctx); err != nil && ctx.Err() == nil {
				s.d.log.Warn("availability could not follow the connectors", "code", string(fault.CodeOf(err)))
			}
		}
	}
}

// can returns why an ability cannot use a connector now, "" when it can.
func (s services) can(id string) (why, code string) {
	err := s.d.door.Try(context.Background(), id, "")
	if err == nil {
		return "", ""
	}
	f := fault.From(err)
	return f.Message, connectorCode(f.Code)
}

// connected returns why no connector to a service can be used now, with what mends it; "" when one can. Microsoft 365 is
// the only service that a skill which comes with Showhow needs.
func (s services) connected(provider string) (why, code string) {
	if provider != "m365" {
		return "nothing here connects " + provider, "connector_missing"
	}
	all, err := s.d.connectors.Servers(context.Background())
	if err != nil {
		return fault.From(err).Message, "connector_unavailable"
	}
	why, code = "Microsoft 365 is not connected: showhow m365 connect mail calendar files chat --client-id ID", "connector_missing"
	for _, x := range slices.Backward(all) { // the first by name says why, where none can be used
		if x.Entry.M365 == nil { // another server for it, which has other tools
			continue
		}
		err := s.d.door.Try(context.Background(), x.ID(), "")
		if err == nil {
			return "", ""
		}
		f := fault.From(err)
		why, code = strings.TrimSuffix(f.Message+": "+f.Hint, ": "), connectorCode(f.Code)
	}
	return why, code
}

// connectorCode is the reason code of an ability that cannot use a connector.
func connectorCode(c fault.Code) string {
	switch c {
	case fault.NotFound:
		return "connector_missing"
	case fault.MCPAuthChallengeRequired:
		return "connector_sign_in"
	}
	return "connector_unavailable"
}

// linked returns the abilities that use a connector, for the connector's card.
func (s services) linked(ctx context.Context) (map[string][]wire.MCPLinkedAbilityRef, error) {
	users, err := s.d.abilities.UsersOf(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]wire.MCPLinkedAbilityRef{}
	for id, all := range users {
		for _, a := range all {
			out[id] = append(out[id], wire.MCPLinkedAbilityRef{AbilityID: a.AbilityID, Label: plain.Clip(a.Title, 160), Relation: "primary"})
		}
	}
	return out, nil
}

// Try implements port.Connectors.
func (s services) Try(ctx context.Context, connector, tool string) error {
	return s.d.door.Try(ctx, connector, tool)
}

// Call implements port.Connectors.
func (s services) Call(ctx context.Context, tool string, args []byte, readsOnly bool) (port.CallResult, error) {
	a, err := s.d.door.Call(ctx, door.OwnCall{Tool: tool, Args: args, ReadsOnly: readsOnly})
	return port.CallResult(a), err
}

// scanTools runs the skill scanner over all texts of tools' definitions, because an agent reads those too. Each tool is scanned by
// itself: nothing that one says of itself changes how the next is read, and a finding names its tool.
func scanTools(ctx context.Context, server string, tools []connector.Definition) ([]wire.ScanFinding, error) {
	out := []wire.ScanFinding{}
	for _, d := range tools {
		text := "---\nname: " + server + "\ndescription: A tool of a connected service.\n---\n\n" + d.Texts()
		report, err := scan.Skill(ctx, skill.Bundle{Name: server, Files: []skill.File{{Path: "SKILL.md", Data: []byte(text)}}})
		if err != nil {
			return out, err
		}
		told := map[string]bool{} // where in its definition the tool says so is no line that anybody could look up
		for _, f := range report.Findings {
			x := twin.To[wire.ScanFinding](f)
			if x.Severity == wire.SeverityInfo || x.Severity == wire.SeverityLow || told[x.RuleID] {
				continue
			}
			told[x.RuleID] = true
			x.File, x.Line = plain.Clip("the tool "+d.Name, 240), 0
			out = append(out, x)
		}
	}
	return out, nil
}
