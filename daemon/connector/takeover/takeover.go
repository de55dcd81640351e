// Package takeover connects services that agents have set up already.
//
// Guarantees: listing contacts nothing, writes nothing and shows of secrets only their names; a service is connected
// only when a person asked for exactly this one, and its secrets then go from the agent's configuration into the
// keychain. A configuration that cannot be read is named and hides no other.
//
// Not guaranteed: secrets that only the agent knows; a person stores those.
//
// The API uses it. To test against it: configurations in a folder of your own.
package takeover

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

// Registry is the part of *registry.Registry that a takeover needs.
type Registry interface {
	List(ctx context.Context) (wire.MCPServerListResponse, error)
	Register(ctx context.Context, q wire.MCPServerCreateRequest) (wire.MCPServerMutationResponse, error)
	SmokeTest(ctx context.Context, id string, q wire.MCPSmokeTestRequest) (wire.MCPSmokeTestResponse, error)
	Item(ctx context.Context, id string) (wire.MCPServerListItem, error)
}

// Options configures a Service.
type Options struct {
	Registry Registry
	Env      mcpconfig.Env // where the configurations are
	Secret   func(text string) bool
	Mask     func(text string) string
	Keychain func() bool                                          // there is one
	Stored   func(ctx context.Context, name string) (bool, error) // a credential has a value already
	Store    func(ctx context.Context, name, value string) error
}

// Service lists and connects what agents have set up.
type Service struct{ o Options }

// New makes a Service.
func New(o Options) *Service { return &Service{o} }

// List returns what the agents' configurations name.
func (s *Service) List(ctx context.Context) (wire.MCPFoundList, error) {
	out := wire.MCPFoundList{Servers: []wire.MCPFound{}, Unreadable: []string{}, SchemaVersion: 1}
	there, err := s.o.Registry.List(ctx)
	if err != nil {
		return out, err
	}
	for _, agent := range mcpconfig.Agents {
		all, err := mcpconfig.Read(s.o.Env, agent)
		if err != nil {
			out.Unreadable = append(out.Unreadable, agent)
		}
		for _, found := range all {
			if mcpconfig.Ours(found) {
				continue
			}
			x, q := s.judge(found, nil)
			if i := slices.IndexFunc(out.Servers, func(o wire.MCPFound) bool { return o.Name == x.Name && o.Where == x.Where }); i >= 0 {
				out.Servers[i].Agents = append(out.Servers[i].Agents, agent)
				continue
			}
			if x.State == "new" && slices.ContainsFunc(there.Servers, func(o wire.MCPServerListItem) bool { return same(o.Registry, q) }) {
				x.State = "connected"
			}
			out.Servers = append(out.Servers, x)
		}
	}
	return out, nil
}

func same(e wire.MCPServerRegistryEntry, q wire.MCPServerCreateRequest) bool {
	a, b := e.LocalBridge, q.LocalBridge
	if a == nil || b == nil {
		return a == nil && b == nil && e.EndpointURL == q.EndpointURL
	}
	command := a.Command
	if a.Package != nil && len(a.Package.Command) > 0 {
		command = a.Package.Command
	}
	return slices.Equal(command, b.Command)
}

func (s *Service) judge(found mcpconfig.Server, folders []string) (wire.MCPFound, wire.MCPServerCreateRequest) {
	j := mcpconfig.Judge(found, mcpconfig.Lend{Home: s.o.Env.Home, Folders: folders, Secret: s.o.Secret, Mask: s.o.Mask,
		Show: func(p string) string { return p }})
	x := wire.MCPFound{Name: found.Name, Agents: []string{found.Agent}, Where: j.Where, Needs: j.Needs, Lent: j.Lent, State: "new",
		Reason: j.Refused, Program: found.URL == ""}
	if j.Refused != "" {
		x.State = "refused"
	}
	q := wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: found.Name, Transport: "remote_http", EndpointURL: found.URL,
		HeaderSecrets: j.Held, SchemaVersion: 1}
	if found.URL == "" {
		q.Transport, q.HeaderSecrets = "local_bridge", nil
		q.LocalBridge = &wire.MCPLocalBridge{Command: j.Command, Credentials: j.Held, Folders: folders, ReadFolders: j.Read}
	}
	return x, q
}

// Request is the registration of one server, as a person confirms it.
func (s *Service) Request(_ context.Context, t wire.MCPTakeRequest) (mcpconfig.Server, wire.MCPServerCreateRequest, error) {
	var none wire.MCPServerCreateRequest
	all, err := mcpconfig.Read(s.o.Env, t.Agent)
	if err != nil {
		return mcpconfig.Server{}, none, err
	}
	i := slices.IndexFunc(all, func(f mcpconfig.Server) bool { return f.Name == t.Name && !mcpconfig.Ours(f) })
	if i < 0 {
		return mcpconfig.Server{}, none, fault.New(fault.NotFound, "the agent's configuration does not name it").
			WithHint("`showhow connector import` shows what it names")
	}
	x, q := s.judge(all[i], t.Folders)
	switch {
	case x.Reason != "":
		return all[i], none, fault.New(fault.UnsupportedInBuild, "this one cannot be taken over").WithHint(x.Reason)
	case len(x.Needs) > 0 && !s.o.Keychain():
		return all[i], none, fault.New(fault.AdapterUnavailable, "there is no keychain here, and secrets are kept nowhere else").
			WithHint("start one in your session (gnome-keyring, KWallet), then `showhow daemon restart`")
	}
	return all[i], q, nil
}

// Take connects a server, and stores its secrets. missing are the credentials that a person has to store.
func (s *Service) Take(ctx context.Context, t wire.MCPTakeRequest) (wire.MCPTakeResponse, error) {
	out := wire.MCPTakeResponse{Missing: []string{}, SchemaVersion: 1}
	found, q, err := s.Request(ctx, t)
	if err != nil {
		return out, err
	}
	made, err := s.o.Registry.Register(ctx, q)
	if err != nil {
		return out, err
	}
	id := made.Server.Registry.ServerID
	for key, value := range found.Secrets() {
		name := mcpconfig.CredentialFor(found.Name, key)
		if had, err := s.o.Stored(ctx, name); err != nil {
			return out, err
		} else if had { // what the person stored stays
			continue
		}
		if value == "" || mcpconfig.Open(value) {
			out.Missing = append(out.Missing, name)
			continue
		}
		if err := s.o.Store(ctx, name, value); err != nil {
			return out, err
		}
	}
	slices.SortFunc(out.Missing, strings.Compare)
	if len(found.Secrets()) > 0 {
		if _, err := s.o.Registry.SmokeTest(ctx, id, wire.MCPSmokeTestRequest{ServerID: id}); err != nil {
			return out, err
		}
	}
	out.Server, err = s.o.Registry.Item(ctx, id)
	return out, err
}
