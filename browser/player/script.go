package player

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/chromedp/cdproto/cdp"

	"showhow/browser/find"
	pagejs "showhow/browser/page"
)

const world = find.World // the isolated world of the page half, which the finder uses, too

//go:embed page/*.js
var pageFiles embed.FS

// pageJS is the page script: the recorder's parts with the finder's and our own. One script in one
// world, loaded once per document, is half the work of two.
var pageJS = sync.OnceValue(func() string {
	own, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return pagejs.Reader(own, find.Script())
})

// frameOf is the frame of a session's own document: its target has the same id.
func frameOf(v *view) cdp.FrameID { return cdp.FrameID(v.s.Info().TargetID) }
