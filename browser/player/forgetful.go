package player

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

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

// of is the context in which a tab for a look is opened; "" for the run's own.
func (f *forgetful) of() cdp.BrowserContextID {
	if f == nil {
		return ""
	}
	return f.id
}
