package client

import (
	"context"

	"showhow/daemon/wire"
)

// Mined routines.
type (
	MiningSettings       = wire.SkillMiningSettings
	MiningSettingsChange = wire.SkillMiningSettingsChange
	MiningSources        = wire.MiningSources
	MiningSourcesChange  = wire.MiningSourcesChange
	MiningAnswer         = wire.MiningAnswer
	MiningMode           = wire.MiningMode
	MinedRoutine         = wire.MinedRoutine
	LearnMinedRequest    = wire.LearnMinedRequest
)

// MiningService is the part of the API about mined routines.
type MiningService struct{ t *transport }

// MiningSettings returns how and where routines are searched for.
func (c MiningService) MiningSettings(ctx context.Context) (MiningSettings, error) {
	return get[MiningSettings](ctx, c.t, "/api/skills/mining/settings", nil)
}

// SetMiningSettings changes the settings; a person confirms a consent, and installing without a review.
func (c MiningService) SetMiningSettings(ctx context.Context, r MiningSettingsChange, calls ...Call) (MiningSettings, error) {
	return post[MiningSettings](ctx, c.t, "/api/skills/mining/settings", r, calls...)
}

// ScanForRoutines searches the sources now.
func (c MiningService) ScanForRoutines(ctx context.Context) (wire.MiningScan, error) {
	return post[wire.MiningScan](ctx, c.t, "/api/skills/mining/scan", wire.Nothing{})
}

// MinedRoutines lists what was found, those that wait first.
func (c MiningService) MinedRoutines(ctx context.Context) (wire.MinedRoutines, error) {
	return get[wire.MinedRoutines](ctx, c.t, "/api/learn/mined", nil)
}

// LearnMined learns a routine from what is still kept of it.
func (c MiningService) LearnMined(ctx context.Context, id string, r LearnMinedRequest) (wire.LearnMinedResponse, error) {
	return post[wire.LearnMinedResponse](ctx, c.t, at("/api/learn/mined/", id)+"/learn", r)
}

// LaterMined postpones a routine, by 14 days when days is 0.
func (c MiningService) LaterMined(ctx context.Context, id string, days int) (MinedRoutine, error) {
	return post[MinedRoutine](ctx, c.t, at("/api/learn/mined/", id)+"/later", wire.LaterMinedRequest{Days: days})
}

// NeverMined excludes a routine from being offered again.
func (c MiningService) NeverMined(ctx context.Context, id string) (MinedRoutine, error) {
	return post[MinedRoutine](ctx, c.t, at("/api/learn/mined/", id)+"/never", wire.Nothing{})
}
