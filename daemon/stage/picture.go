package stage

import (
	"context"

	"showhow/daemon/rehearse"
)

var _ rehearse.Photographer = (*roomBrowser)(nil)

// Picture implements rehearse.Photographer.
func (b *roomBrowser) Picture(ctx context.Context, words []string) []byte {
	return b.player.Picture(ctx, words)
}
