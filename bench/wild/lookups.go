package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"showhow/bench/wild/cases"
	"showhow/bench/wild/site"
	"showhow/browser"
	"showhow/browser/find"
	"showhow/browser/page"
	"showhow/capture"
)

// lookupTotals counts the outcomes of look-ups.
type lookupTotals struct {
	Right   int `json:"right"`
	Refused int `json:"refused"`
	Wrong   int `json:"wrong"`
}

// eyeglass is a browser that looks elements up.
type eyeglass struct {
	browser *browser.Browser
	client  *browser.Client
	tab     chan *browser.Session
	session *browser.Session
	site    *site.Site
}

// Attached delivers the first tab.
func (e *eyeglass) Attached(s *browser.Session) {
	s.Send(cdppage.CommandEnable, nil, nil)
	s.Release()
	select {
	case e.tab <- s:
	default:
	}
}
func (e *eyeglass) Detached(*browser.Session)                    {}
func (e *eyeglass) Event(*browser.Session, string, jsonv2.Value) {}

func (e *eyeglass) close() {
	if e.client != nil {
		e.client.Close()
	}
	if e.browser != nil {
		_ = e.browser.Close()
	}
	if e.site != nil {
		e.site.Close()
	}
}

// lookUp describes the controls of generated pages as the recorder does, draws the pages again as another load, and
// looks each control up there. Controls whose name changes at each load are skipped: no name says which one is meant.
func lookUp(ctx context.Context, s *settings) (map[string]*lookupTotals, error) {
	e := &eyeglass{tab: make(chan *browser.Session, 1)}
	defer e.close()
	var err error
	if e.site, err = site.New(bundles); err != nil {
		return nil, err
	}
	if e.browser, err = browser.Launch(ctx, browser.Options{Headless: new(true), NoSandbox: true}); err != nil {
		return nil, err
	}
	if e.client, err = e.browser.NewClient(ctx, e); err != nil {
		return nil, err
	}
	if err := e.client.AutoAttach(ctx); err != nil {
		return nil, err
	}
	select {
	case e.session = <-e.tab:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	out := map[string]*lookupTotals{}
	for i, n := uint64(0), 0; n < s.lookups && ctx.Err() == nil && i < uint64(4*s.lookups); i++ {
		c := cases.Draw(s.seed^0x6c6f6f6b+i, s.libs[int(i)%len(s.libs)], s.kinds)
		if c == nil || c.Spec.Shift {
			continue
		}
		k, err := e.compare(ctx, c, out)
		if err != nil {
			return out, fmt.Errorf("%s: %w", c, err)
		}
		n += k
	}
	return out, nil
}

// compare looks every control of one load up in another.
func (e *eyeglass) compare(ctx context.Context, c *cases.Case, out map[string]*lookupTotals) (n int, err error) {
	if err := e.open(ctx, c.Load(0)); err != nil {
		return 0, err
	}
	keys, wants, err := e.describe(ctx)
	if err != nil {
		return 0, err
	}
	if err := e.open(ctx, c.Load(1)); err != nil {
		return 0, err
	}
	name := "library " + c.Library
	if out[name] == nil {
		out[name] = &lookupTotals{}
	}
	for i, w := range wants {
		got, err := e.find(ctx, keys[i], w)
		if err != nil {
			return n, err
		}
		switch n++; got {
		case "right":
			out[name].Right++
		case "refused":
			out[name].Refused++
		default:
			out[name].Wrong++
		}
	}
	return n, nil
}

// open loads the site's page and waits until it is drawn.
func (e *eyeglass) open(ctx context.Context, l *cases.Load) error {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	e.site.Set(l, site.Honest)
	if err := e.eval(ctx, 0, "globalThis.__wild = null; 1", nil); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, e.session, cdppage.Navigate, cdppage.NavigateParams{URL: e.site.URL() + "/"}); err != nil {
		return err
	}
	for ready := false; !ready; {
		if err := e.eval(ctx, 0, "!!(globalThis.__wild && __wild.ready)", &ready); err != nil && ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

// truth finds the control that stands for a key: the first usable element in what the page knows by that key.
const truth = `((key) => { const e = __wild.known.get(key); if (!e || !e.isConnected) return null;
const usable = 'button, input:not([type=hidden]), select, textarea, a[href], [role=button], [role=combobox]';
if (e.matches(usable)) return e;
const all = (r) => [...r.querySelectorAll('*')].flatMap((x) => [x, ...(x.shadowRoot ? all(x.shadowRoot) : [])]);
return [...(e.shadowRoot ? all(e.shadowRoot) : []), ...all(e)].find((x) => x.matches(usable) && x.offsetWidth > 0) || null; })`

// marked finds what has a mark, in open shadow roots as well; within says whether something stands in something else, or in its shadow.
const (
	marked = `((mark) => { const at = (r) => { for (const x of r.querySelectorAll('*')) {
if (x.getAttribute('data-asked') === mark) return x;
const y = x.shadowRoot && at(x.shadowRoot); if (y) return y; } return null; }; return at(document); })`
	within = `((a, e) => { for (; e; e = e.parentElement || e.getRootNode().host) if (e === a) return true; return false; })`
)

// describe returns the recorder's description of each known control. It removes the marks that identify the controls
// to the recorder's world.
func (e *eyeglass) describe(ctx context.Context) (keys []string, wants []find.Want, err error) {
	if err := e.eval(ctx, 0, `(() => { const keys = []; for (const k of __wild.known.keys()) {
const e = `+truth+`(k);
if (!e || /^(row|list|view)/.test(k)) continue; e.setAttribute('data-asked', keys.length); keys.push(k); } return keys; })()`,
		&keys); err != nil {
		return nil, nil, err
	}
	tree, err := cdp.Call(ctx, e.session, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, nil, err
	}
	w, err := cdp.Call(ctx, e.session, cdppage.CreateIsolatedWorld,
		cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID, WorldName: "recorder"})
	if err != nil {
		return nil, nil, err
	}
	if err := e.eval(ctx, w.ExecutionContextID, page.Reader(), nil); err != nil {
		return nil, nil, err
	}
	var kept []string
	for i, k := range keys {
		var text string
		expr := fmt.Sprintf(`(() => { const e = `+marked+`('%d'); if (!e) return '';
e.removeAttribute('data-asked'); return showhow.describe(e); })()`, i)
		if err := e.eval(ctx, w.ExecutionContextID, expr, &text); err != nil {
			return nil, nil, err
		}
		if text == "" {
			continue
		}
		want := find.Want{Verb: capture.Click}
		if err := json.Unmarshal([]byte(text), &want.Target); err != nil {
			return nil, nil, err
		}
		kept, wants = append(kept, k), append(wants, want)
	}
	return kept, wants, nil
}

// find looks up one control and returns the outcome.
func (e *eyeglass) find(ctx context.Context, key string, w find.Want) (string, error) {
	f, err := find.Find(ctx, []*browser.Session{e.session}, w)
	if _, ok := errors.AsType[*find.NotFound](err); ok {
		return "refused", nil
	}
	if err != nil {
		return "", err
	}
	node, err := cdp.Call(ctx, e.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: f.ObjectID})
	if err != nil {
		return "", err
	}
	own, err := cdp.Call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID})
	if err != nil {
		return "", err
	}
	quoted, _ := json.Marshal(key) // a string: cannot fail
	fn := "function () { const e = " + truth + "(" + string(quoted) + "), within = " + within + "; return !!e && (within(e, this) || " +
		"within(this, e) && (this.matches('label, button, a') || e.getRootNode() === this.shadowRoot)); }"
	r, err := cdp.Call(ctx, e.session, runtime.CallFunctionOn,
		runtime.CallFunctionOnParams{FunctionDeclaration: fn, ObjectID: own.Object.ObjectID, ReturnByValue: new(true)})
	if err != nil {
		return "", err
	}
	if string(r.Result.Value) != "true" {
		return "wrong", nil
	}
	return "right", nil
}

func (e *eyeglass) eval(ctx context.Context, in runtime.ExecutionContextID, expr string, into any) error {
	r, err := cdp.Call(ctx, e.session, runtime.Evaluate, runtime.EvaluateParams{Expression: expr, ContextID: in, ReturnByValue: new(true)})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return errors.New("the page cannot be read: " + r.ExceptionDetails.Text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, into)
}

// lookups adds the outcomes of look-ups.
func (r *report) lookups(found map[string]*lookupTotals) {
	r.Finder = found
	var seen, unseen lookupTotals
	for name, f := range found {
		into := &seen
		for _, u := range r.Unseen {
			if name == "library "+u {
				into = &unseen
			}
		}
		into.Right, into.Refused, into.Wrong = into.Right+f.Right, into.Refused+f.Refused, into.Wrong+f.Wrong
	}
	n, m := seen.Right+seen.Refused+seen.Wrong, unseen.Right+unseen.Refused+unseen.Wrong
	r.Ratio("lookups_right", seen.Right, n,
		"controls of a generated page that were found again on another load of it, without a demonstration")
	r.Ratio("lookups_wrong", seen.Wrong, n, "another one was found")
	r.Ratio("lookups_unseen_right", unseen.Right, m, "the same of the three libraries that nobody looks into")
	r.Ratio("lookups_unseen_wrong", unseen.Wrong, m, "another one was found there")
}
