package shelf

import (
	"context"
	"slices"

	"showhow/daemon/credential"
)

// CredentialUsers returns the installed skills whose permissions name a credential, by credential.
func (s Shelf) CredentialUsers(ctx context.Context) (map[string][]string, error) {
	all, err := s.o.Abilities.Availability(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string][]string{}
	for _, e := range all.Abilities {
		for _, name := range e.Permissions.Credentials {
			if credential.Variable(name) != "" && !slices.Contains(used[name], e.SkillSlug) {
				used[name] = append(used[name], e.SkillSlug)
			}
		}
	}
	return used, nil
}
