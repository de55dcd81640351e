package stage

import (
	"context"
	"showhow/daemon/rehearse/port"
)

var _ port.Photographer = (*roomBrowser)(nil)

// Picture implements port.Photographer.
func (b *roomBrowser) Picture(ctx context.Context, words []string) []byte {
	return b.player.Picture(ctx, words)
}
