package canary

import "context"

// Once is what Run does at every tick.
func (s *Service) Once(ctx context.Context) bool { return s.once(ctx) }
