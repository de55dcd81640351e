package player

import (
	"context"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

// Context is a browser context made for one player: it holds no data at first, keeps what it gets in memory, and its pages
// reach the network only through its own proxy.
type Context struct {
	id    cdp.BrowserContextID
	proxy string
	root  *browser.Session
}

// NewContext makes a context in a browser. Its traffic, to this machine included, goes through the HTTP proxy at an address.
func NewContext(ctx context.Context, b *browser.Browser, proxy string) (*Context, error) {
	c := &Context{proxy: proxy, root: b.Root()}
	made, err := cdp.Call(ctx, c.root, target.CreateBrowserContext, c.params())
	if err != nil {
		return nil, err
	}
	c.id = made.BrowserContextID
	return c, nil
}

// params are those of a context with the same way to the network; c may be nil.
func (c *Context) params() target.CreateBrowserContextParams {
	p := target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
	if c != nil {
		p.ProxyServer, p.ProxyBypassList = "http://"+c.proxy, "<-loopback>"
	}
	return p
}

// of is the context's id; "" for the browser's own.
func (c *Context) of() cdp.BrowserContextID {
	if c == nil {
		return ""
	}
	return c.id
}

// excludes reports whether a target is of no concern to who plays in the context, and in a forgetful one beside it.
func (c *Context) excludes(info target.Info, beside *forgetful) bool {
	in := info.BrowserContextID
	return c != nil && known[info.Type] && in != c.id && (beside == nil || in != beside.id)
}

const disposeTime = 5 * time.Second

// Dispose closes all pages of the context without asking them, and forgets what they have stored.
func (c *Context) Dispose() error {
	ctx, cancel := context.WithTimeout(context.Background(), disposeTime)
	defer cancel()
	_, err := cdp.Call(ctx, c.root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: c.id})
	return err
}

// newTab opens an empty tab in a context.
func newTab(ctx context.Context, root *browser.Session, in cdp.BrowserContextID) (target.ID, error) {
	r, err := cdp.Call(ctx, root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: in})
	return r.TargetID, err
}

// downloadTo makes the browser's root session announce a context's downloads and put them into a folder; "" refuses them.
func downloadTo(ctx context.Context, root *browser.Session, in cdp.BrowserContextID, dir string) error {
	set := cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: in,
		EventsEnabled: new(true)}
	if dir != "" {
		set.Behavior, set.DownloadPath = cdpbrowser.SetDownloadBehaviorBehaviorAllow, dir
	}
	_, err := cdp.Call(ctx, root, cdpbrowser.SetDownloadBehavior, set)
	return err
}

// forgetful is a second browser context: it holds what the browser held at one time, and nothing that pages have put there since.
type forgetful struct {
	id    cdp.BrowserContextID
	local string // the origin and its local storage, as JSON
}

// prepare makes the documents of a session in that context begin with the local storage that its site's pages had.
func (f *forgetful) prepare(s *browser.Session) {
	if f == nil || s.Info().BrowserContextID != f.id {
		return
	}
	s.Send(page.CommandAddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{RunImmediately: new(true),
		Source: `(([origin, items]) => { try {
	if (location.origin === origin && !localStorage.length) for (const [k, v] of Object.entries(items)) localStorage.setItem(k, v);
} catch {} })(` + f.local + `)`}, nil)
}

// close ends the context with all that is open in it.
func (f *forgetful) close(root *browser.Session) {
	if f != nil {
		root.Send(target.CommandDisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: f.id}, nil)
	}
}
