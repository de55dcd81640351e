package player

import (
	"context"
	"time"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// Options say in which browser to play, and how.
type Options struct {
	Browser   *browser.Browser // launched by the caller with Flags, in a fresh profile or the managed one
	Context   *Context         // the context of that browser to play in; nil: the browser's own, and every other one
	Guard     Guard            // nil lets every request pass
	Downloads string           // the scratch folder that downloads go to; "" refuses them
	Evidence  func(Evidence)   // called with the evidence when an act failed; may be nil
	Pictures  bool             // evidence has a screenshot, too
	Patience  time.Duration    // how long to wait for a target or a state while nothing changes any more; 0: 3 s

	// Answered is told the HTTP status of each answer to a request of the work that may have changed something, 0 when none came. It must
	// not block, and may be nil.
	Answered func(r Request, status int)
}

// Act is one thing to do, with its inputs filled into the texts.
type Act struct {
	Verb   capture.Verb
	Target *capture.Target
	Value  string          // what to enter or choose; the whole content of a field afterwards
	Keys   string          // for a press: "Enter", "Control+S"; for a click, what was held: "Control", "Middle"
	Files  []string        // to upload: absolute paths
	Dialog string          // answers the native dialog that the act opens: "accepted" or "dismissed"; Value is what a prompt gets
	NewTab bool            // it opens a tab
	URL    string          // to go to, or with Keys "History" to go back or forward to
	Tab    string          // where: the demonstration's name for it; "" is the tab in front
	To     *capture.Target // of a drag
	Leave  bool            // of a text: the cursor leaves it afterwards, which is when a page may keep it

	Found   func(context.Context) // told once that the target was found, before it is acted upon
	Further func(context.Context) // told when the target was found further down in a list that was scrolled, before it is acted upon

	// Before the target is acted upon, OnItem gets the texts of the item that it belongs to at these paths (capture.ItemText);
	// "" where there is none. Set both or neither.
	ItemPaths []string
	OnItem    func(ctx context.Context, texts []string)

	// The first requests for which Holds is true, navigations aside, wait until Held has read the
	// page. Set both or neither. Requests that the page makes after the act stopped waiting wait
	// for Settle, and never longer than a second. Holds must not block.
	Holds func(Request) bool
	Held  func(context.Context)
}

// Outcome is the result of an act.
type Outcome struct {
	Found     *find.Found // nil for an act without a target
	Blocked   []Blocked   // requests that the guard refused meanwhile
	Downloads []File      // that the act began and that are complete
	Dialogs   []string    // native dialogs and how each was answered: `confirm "Delete it?" accepted`
	Tab       string      // the tab in front afterwards
	Took      time.Duration
}

// File is a completed download.
type File struct {
	Name string // as the page named it
	Path string // where it is
	Size int64
}

// Evidence is the state of things when an act failed.
type Evidence struct {
	Err   error
	State capture.State // no field's value, and nothing that an act entered
	PNG   []byte        // painted over wherever it could show data (decisions B3); nil when no picture could be taken
}

// Guard judges a request: it returns why the request must not be sent, or "" to allow it. It is
// called for one request at a time and must not block.
type Guard func(Request) (why string)

// Request is a request that a page is about to send.
type Request struct {
	Method       string // of a WebSocket "GET"
	URL          string
	ResourceType string // in Chromium's words: Document, XHR, Fetch, Script, Image, Ping, WebSocket, ...
	Navigation   bool   // it is for a page or a frame
	Main         bool   // it is for the page in front, not for a frame of it or another page
	Frame        bool   // it is for a frame of a page
	Body         []byte // at most 64 KiB of it, without files
	Form         bool   // it is a form's content
	Initiator    string // the address of the page that sends it, "" if unknown
	Aside        bool   // it is not from the current page: a tab aside sends it, or its origin is unknown
}

// Blocked is a request that was refused.
type Blocked struct {
	Request
	Why string
}
