package stage

import (
	"context"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
)

var (
	_ port.Photographer = (*roomBrowser)(nil)
	_ port.Teller       = (*roomBrowser)(nil)
)

// TextAt implements port.Teller.
func (b *roomBrowser) TextAt(ctx context.Context, at capture.Source) (string, error) {
	return b.player.TextAt(ctx, at)
}

// Picture implements port.Photographer.
func (b *roomBrowser) Picture(ctx context.Context, words []string) []byte {
	return b.player.Picture(ctx, words)
}
