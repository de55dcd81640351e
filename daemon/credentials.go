package daemon

import (
	"context"
	"slices"

	"showhow/daemon/credential"
	"showhow/store/keys"
)

func (d *Daemon) credentialOptions() credential.Options {
	o := credential.Options{Store: d.store.Credentials(), UsedBy: d.credentialUsers, Now: d.now}
	if d.o.Test.Secrets != nil {
		o.Keychain = d.o.Test.Secrets
	} else if d.keys.Kind() == "keychain" {
		o.Keychain = keys.Secrets{Service: credential.KeychainService}
	}
	return o
}

// credentialUsers is the installed skills whose permissions name a credential.
func (d *Daemon) credentialUsers(ctx context.Context) (map[string][]string, error) {
	s, err := d.abilities.Availability(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string][]string{}
	for _, e := range s.Abilities {
		for _, name := range e.Permissions.Credentials {
			if credential.Variable(name) != "" && !slices.Contains(used[name], e.SkillSlug) {
				used[name] = append(used[name], e.SkillSlug)
			}
		}
	}
	return used, nil
}
