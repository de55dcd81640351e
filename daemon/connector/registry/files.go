package registry

import (
	"maps"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The canonical files, in the state after a change that is about to be committed.

type registryFile struct {
	Servers       []connector.Entry   `json:"servers"`
	AuthProfiles  []connector.Profile `json:"auth_profiles"`
	UpdatedAt     clock.Time          `json:"updated_at"`
	SchemaVersion int                 `json:"schema_version"`
}

type policyFile struct {
	Policies      []connector.PolicyRow `json:"policies"`
	Switches      []wire.MCPSwitch      `json:"switches"`
	UpdatedAt     clock.Time            `json:"updated_at"`
	SchemaVersion int                   `json:"schema_version"`
}

type healthFile struct {
	Health        []connector.Health `json:"health"`
	UpdatedAt     clock.Time         `json:"updated_at"`
	SchemaVersion int                `json:"schema_version"`
}

// putRegistry writes the registry's file, read in the transaction that changes it.
func (r *shelf) putRegistry(tx connector.Tx) error {
	servers, err := connector.All[connector.Server](tx, connector.KindServer)
	if err != nil {
		return err
	}
	profiles, err := connector.All[connector.Profile](tx, connector.KindProfile)
	if err != nil {
		return err
	}
	entries := []connector.Entry{}
	for _, s := range servers {
		entries = append(entries, s.Entry)
	}
	return tx.PutFile(connector.RegistryPath, registryFile{Servers: entries, AuthProfiles: profiles, UpdatedAt: r.o.Now(), SchemaVersion: 1})
}

func (r *shelf) putPolicy(tx connector.Tx) error {
	policies, err := connector.All[connector.PolicyRow](tx, connector.KindPolicy)
	if err != nil {
		return err
	}
	switches, err := connector.All[connector.Switch](tx, connector.KindSwitch)
	if err != nil {
		return err
	}
	return tx.PutFile(connector.PolicyPath, policyFile{Policies: policies, Switches: switches, UpdatedAt: r.o.Now(), SchemaVersion: 1})
}

func (r *shelf) putHealth(tx connector.Tx) error {
	r.mu.RLock()
	all := slices.SortedFunc(maps.Values(r.health), func(a, b connector.Health) int { return strings.Compare(a.ServerID, b.ServerID) })
	r.mu.RUnlock()
	return tx.PutFile(connector.HealthPath, healthFile{Health: all, UpdatedAt: r.o.Now(), SchemaVersion: 1})
}
