package find

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
	"showhow/browser/page"
	"showhow/capture"
)

//go:embed script/*.js
var scriptFiles embed.FS

// World is the name of the isolated world in which pages are read. Injecting a page.Reader with
// Script there at document start saves the finder from doing it on each look.
const World = "showhow-reader"

// Script is the finder's own part of the reader script.
func Script() fs.FS {
	own, err := fs.Sub(scriptFiles, "script")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	return own
}

var script = sync.OnceValue(func() string { return page.Reader(Script()) })

// document is one document of the tab with its operable elements.
type document struct {
	session *browser.Session
	frame   cdp.FrameID
	context runtime.ExecutionContextID

	URL        string       `json:"url"`
	Frame      string       `json:"frame"`
	Veiled     bool         `json:"veiled"` // something in it may have an inside that scripts cannot see
	Cut        bool         `json:"cut"`    // there is more than was reported
	Candidates []*candidate `json:"candidates"`
}

// asked is the part of a want that the page script needs.
type asked struct {
	Role     string            `json:"role"`
	Tag      string            `json:"tag"`
	Verb     capture.Verb      `json:"verb"`
	Key      string            `json:"key,omitempty"`    // of its row
	Core     []string          `json:"core,omitempty"`   // the words of the key without those that programs write: its boxes' and buttons'
	Called   string            `json:"called,omitempty"` // if it is a row itself
	Deep     bool              `json:"deep"`             // what has no role counts as well
	Locators []capture.Locator `json:"locators"`
}

// look lists everything in the tab that could be the target. A frame that disappears meanwhile is
// skipped.
func look(ctx context.Context, frames []*browser.Session, w Want) ([]*document, error) {
	q, err := json.Marshal(ask(w))
	if err != nil {
		return nil, err
	}
	var docs []*document
	for i, s := range frames {
		tree, err := cdp.Call(ctx, s, cdppage.GetFrameTree, cdp.Empty{})
		if err != nil {
			if i > 0 && ctx.Err() == nil {
				continue
			}
			return nil, fmt.Errorf("reading the page's frames: %w", err)
		}
		for n, id := range flatten(tree.FrameTree) {
			d := &document{session: s, frame: id}
			if err := d.scan(ctx, string(q)); err != nil {
				if (i > 0 || n > 0) && ctx.Err() == nil {
					continue
				}
				return nil, fmt.Errorf("reading the page: %w", err)
			}
			docs = append(docs, d)
		}
	}
	return docs, nil
}

func flatten(t *cdppage.FrameTree) []cdp.FrameID {
	ids := []cdp.FrameID{t.Frame.ID}
	for _, c := range t.ChildFrames {
		ids = append(ids, flatten(c)...)
	}
	return ids
}

// scan reads the document, and again if parts were inside closed shadow roots.
func (d *document) scan(ctx context.Context, q string) error {
	w, err := cdp.Call(ctx, d.session, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: d.frame, WorldName: World})
	if err != nil {
		return err
	}
	d.context = w.ExecutionContextID
	expr := "showhow.scan(" + quote(q) + ")"
	err = d.eval(ctx, "globalThis.showhow ? "+expr+" : ''", d)
	if errors.Is(err, errSilent) { // nobody has looked for anything in this document yet
		err = d.eval(ctx, script()+"\n;"+expr, d)
	}
	if err != nil {
		return err
	}
	if d.Veiled && d.unveil(ctx) > 0 {
		d.Candidates = nil
		if err := d.eval(ctx, expr, d); err != nil {
			return err
		}
	}
	for _, c := range d.Candidates {
		c.doc = d
	}
	return nil
}

// quote returns s as a script expression.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string: cannot fail
	return string(b)
}

// eval evaluates an expression in the document and decodes its JSON text into into, if not nil.
func (d *document) eval(ctx context.Context, expr string, into any) error {
	p := runtime.EvaluateParams{Expression: expr, ContextID: d.context, ReturnByValue: new(true), Silent: new(true)}
	r, err := cdp.Call(ctx, d.session, runtime.Evaluate, p)
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("the page could not be read: %s", r.ExceptionDetails.Text)
	}
	if into == nil {
		return nil
	}
	var text string
	if err := json.Unmarshal(r.Result.Value, &text); err != nil {
		return err
	}
	if text == "" {
		return errSilent
	}
	return json.Unmarshal([]byte(text), into)
}

// errSilent: the expression returned nothing.
var errSilent = errors.New("the page said nothing")

// unveil passes the document's closed shadow roots to the script and returns how many there were.
func (d *document) unveil(ctx context.Context) int {
	tree, err := cdp.Call(ctx, d.session, dom.GetDocument, dom.GetDocumentParams{Depth: new(int64(-1)), Pierce: new(true)})
	if err != nil {
		return 0
	}
	n := 0
	for _, root := range closedRoots(tree.Root, d.frame) {
		o, err := cdp.Call(ctx, d.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: root, ExecutionContextID: d.context})
		if err != nil {
			continue // of another document, or gone
		}
		p := runtime.CallFunctionOnParams{FunctionDeclaration: "function () { showhow.unveil(this); }", ObjectID: o.Object.ObjectID}
		if _, err := cdp.Call(ctx, d.session, runtime.CallFunctionOn, p); err == nil {
			n++
		}
	}
	return n
}

// closedRoots returns the closed shadow roots of one frame's document.
func closedRoots(top *cdp.Node, frame cdp.FrameID) []cdp.BackendNodeID {
	var out []cdp.BackendNodeID
	var walk func(n *cdp.Node, in bool)
	walk = func(n *cdp.Node, in bool) {
		for _, r := range n.ShadowRoots {
			if in && r.ShadowRootType == cdp.ShadowRootTypeClosed {
				out = append(out, r.BackendNodeID)
			}
			walk(r, in)
		}
		for _, c := range n.Children {
			walk(c, in)
		}
		if n.ContentDocument != nil {
			walk(n.ContentDocument, n.FrameID == frame)
		}
	}
	walk(top, top.FrameID == "" || top.FrameID == frame)
	return out
}

// element resolves a candidate to a remote object.
func (d *document) element(ctx context.Context, i int) (runtime.RemoteObjectID, error) {
	return d.hold(ctx, fmt.Sprintf("showhow.element(%d)", i))
}

// listened reports whether a script may decide what a press of a candidate does: it listens on the button or on its form, or that cannot be
// known. What a page's scripts hear further out they hear of both twins.
func (d *document) listened(ctx context.Context, i int) bool {
	for _, expr := range []string{"showhow.element(%d)", "showhow.formOf(%d)"} {
		id, err := d.hold(ctx, fmt.Sprintf(expr, i))
		if err != nil {
			return true
		}
		p := domdebugger.GetEventListenersParams{ObjectID: id, Pierce: new(true)} // of the page's own world, too
		r, err := cdp.Call(ctx, d.session, domdebugger.GetEventListeners, p)
		if err != nil || slices.ContainsFunc(r.Listeners, func(l *domdebugger.EventListener) bool { return pressing[l.Type] }) {
			return true
		}
	}
	return false
}

// pressing are the events of a press and of what it sends.
var pressing = setOf("click mousedown mouseup pointerdown pointerup touchstart touchend submit formdata")

func (d *document) hold(ctx context.Context, expr string) (runtime.RemoteObjectID, error) {
	r, err := cdp.Call(ctx, d.session, runtime.Evaluate, runtime.EvaluateParams{Expression: expr, ContextID: d.context, Silent: new(true)})
	if err != nil {
		return "", err
	}
	if r.Result.ObjectID == "" {
		return "", &NotFound{Reason: Missing, Wanted: "what was there a moment ago"}
	}
	return r.Result.ObjectID, nil
}
