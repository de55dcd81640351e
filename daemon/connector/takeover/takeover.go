// Package takeover connects services that agents have set up already.
//
// Guarantees: listing contacts nothing, writes nothing and shows of secrets only their names; a service is connected
// only when a person asked for exactly this one, and its secrets then go from the agent's configuration into the
// keychain, before the service is contacted. It is given no other secret: a credential's name that is another secret's
// already, or that somebody else waits for, is passed over. What fails leaves neither a connector nor a secret. A
// configuration that cannot be read is named and hides no other.
//
// Not guaranteed: secrets that only the agent knows; a person stores those.
//
// The API uses it. To test against it: configurations in a folder of your own.
package takeover

import (
	"context"
	"errors"
	"maps"
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

// Registry is the part of *registry.Registry that a takeover needs.
type Registry interface {
	List(ctx context.Context) (wire.MCPServerListResponse, error)
	Register(ctx context.Context, q wire.MCPServerCreateRequest) (wire.MCPServerMutationResponse, error)
	Profiles(ctx context.Context) (wire.MCPAuthProfileListResponse, error)
}

// Options configures a Service.
type Options struct {
	Registry Registry
	Env      mcpconfig.Env // where the configurations are
	Secret   func(text string) bool
	Mask     func(text string) string
	Keychain func() bool // there is one
	// Value is a credential's value; fault.NotFound when it has none.
	Value func(ctx context.Context, name string) (string, error)
	// Used returns the skills that are given each credential, by the credential's name. Nil means none.
	Used   func(ctx context.Context) (map[string][]string, error)
	Store  func(ctx context.Context, name, value string) error
	Forget func(ctx context.Context, name string) error
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
		all, unread := mcpconfig.Read(s.o.Env, agent)
		if len(unread) > 0 {
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
		SchemaVersion: 1}
	if found.URL == "" {
		q.Transport = "local_bridge"
		q.LocalBridge = &wire.MCPLocalBridge{Command: j.Command, Folders: folders, ReadFolders: j.Read}
	}
	return x, q
}

// Request is the registration of one server, as a person confirms it, and the server, for Take.
func (s *Service) Request(ctx context.Context, t wire.MCPTakeRequest) (mcpconfig.Server, wire.MCPServerCreateRequest, error) {
	var none wire.MCPServerCreateRequest
	all, unread := mcpconfig.Read(s.o.Env, t.Agent)
	i := slices.IndexFunc(all, func(f mcpconfig.Server) bool { return f.Name == t.Name && !mcpconfig.Ours(f) })
	if i < 0 && len(unread) > 0 {
		return mcpconfig.Server{}, none, unread[0]
	}
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
	names, err := s.name(ctx, all[i])
	if err != nil {
		return all[i], none, err
	}
	if q.LocalBridge != nil {
		q.LocalBridge.Credentials = names
	} else {
		q.HeaderSecrets = names
	}
	return all[i], q, nil
}

// name names the credentials of a server's secrets.
func (s *Service) name(ctx context.Context, found mcpconfig.Server) (map[string]string, error) {
	if len(found.Secrets()) == 0 {
		return map[string]string{}, nil
	}
	used, err := s.used(ctx)
	if err != nil {
		return nil, err
	}
	return found.Credentials(func(name, value string) (bool, error) {
		if used[name] {
			return true, nil
		}
		had, there, err := s.value(ctx, name)
		return there && (had != value || unknown(value)), err
	})
}

// unknown reports whether only the agent knows a secret.
func unknown(value string) bool { return value == "" || mcpconfig.Open(value) }

func (s *Service) value(ctx context.Context, name string) (value string, there bool, err error) {
	value, err = s.o.Value(ctx, name)
	if fault.Is(err, fault.NotFound) {
		return "", false, nil
	}
	return value, err == nil, err
}

// used are the credentials that a connector, a sign-in or a skill is given, whether they have a value or wait for one.
func (s *Service) used(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	there, err := s.o.Registry.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range there.Servers {
		for _, name := range o.Registry.HeaderSecrets {
			out[name] = true
		}
		if b := o.Registry.LocalBridge; b != nil {
			for _, name := range b.Credentials {
				out[name] = true
			}
		}
	}
	profiles, err := s.o.Registry.Profiles(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range profiles.AuthProfiles {
		out[p.SecretRef] = true
	}
	if s.o.Used == nil {
		return out, nil
	}
	skills, err := s.o.Used(ctx)
	for name := range skills {
		out[name] = true
	}
	return out, err
}

// Take stores a server's secrets and connects it, exactly as Request returned both. Missing are the credentials that a
// person has to store.
func (s *Service) Take(ctx context.Context, found mcpconfig.Server, q wire.MCPServerCreateRequest) (wire.MCPTakeResponse, error) {
	out := wire.MCPTakeResponse{Missing: []string{}, SchemaVersion: 1}
	names := q.HeaderSecrets
	if q.LocalBridge != nil {
		names = q.LocalBridge.Credentials
	}
	var stored []string
	failed := func(err error) (wire.MCPTakeResponse, error) {
		for _, name := range stored { // nothing uses it
			err = errors.Join(err, s.o.Forget(context.WithoutCancel(ctx), name))
		}
		return out, err
	}
	for _, key := range slices.Sorted(maps.Keys(names)) {
		name, value := names[key], found.Secrets()[key]
		had, there, err := s.value(ctx, name)
		switch {
		case err != nil:
			return failed(err)
		case there && (had != value || unknown(value)):
			return failed(fault.New(fault.ContentHashMismatch, "a credential of this name was stored meanwhile").
				WithDetail("credential", name).WithHint("take the service over again: another name is used"))
		case there:
			continue
		case unknown(value):
			out.Missing = append(out.Missing, name)
			continue
		}
		if err := s.o.Store(ctx, name, value); err != nil {
			return failed(err)
		}
		stored = append(stored, name)
	}
	made, err := s.o.Registry.Register(ctx, q)
	if err != nil {
		return failed(err)
	}
	slices.Sort(out.Missing)
	out.Server = made.Server
	return out, nil
}
