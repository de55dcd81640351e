package daemon

import (
	"context"

	"showhow/daemon/rehearse"
)

var _ rehearse.Photographer = (*stageBrowser)(nil)

// Picture implements rehearse.Photographer.
func (b *stageBrowser) Picture(ctx context.Context, words []string) []byte {
	return b.player.Picture(ctx, words)
}
