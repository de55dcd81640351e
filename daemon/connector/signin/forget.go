package signin

import (
	"context"

	"showhow/internal/fault"
)

// Signed names the profiles with tokens in the keychain.
func (s *Service) Signed(ctx context.Context) (names []string, err error) {
	all, err := s.o.Registry().Profiles(ctx)
	for _, p := range all.AuthProfiles {
		if p.TokenRef != "" && s.o.Keychain != nil {
			names = append(names, p.TokenRef)
		}
	}
	return names, err
}

// Forget deletes every token from the keychain. left names those that could not be deleted.
func (s *Service) Forget(ctx context.Context) (left []string, err error) {
	names, err := s.Signed(ctx)
	for _, name := range names {
		if err := s.o.Keychain.Delete(ctx, name); err != nil && !fault.Is(err, fault.NotFound) {
			left = append(left, name)
		}
	}
	return left, err
}
