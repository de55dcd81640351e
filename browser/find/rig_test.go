//go:build unix

package find

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"go.uber.org/goleak"

	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/browser/page"
	"showhow/capture"
	"showhow/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a browser with one tab and the server of its pages.
type rig struct {
	t      *testing.T
	b      *browser.Browser
	client *browser.Client
	pages  map[string]string
	srv    *httptest.Server

	mu       sync.Mutex
	sessions []*browser.Session // the tab first
	changed  chan struct{}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip("no Chromium here")
	}
	headless := true
	b, err := browser.Launch(t.Context(), browser.Options{Path: browsertest.Shell(), Headless: &headless, NoSandbox: true,
		ExtraArgs: []string{"--site-per-process"}})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, b: b, pages: map[string]string{}, changed: make(chan struct{})}
	t.Cleanup(func() {
		if r.client != nil {
			r.client.Close()
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	r.srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, r.pages[q.URL.Path])
	}))
	t.Cleanup(r.srv.Close)
	if r.client, err = b.NewClient(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := r.client.AutoAttach(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) Attached(s *browser.Session) {
	s.Send(cdppage.CommandEnable, nil, nil)
	s.Release()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions = append(r.sessions, s)
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *rig) Detached(s *browser.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, o := range r.sessions {
		if o == s {
			r.sessions = append(r.sessions[:i:i], r.sessions[i+1:]...)
		}
	}
}

func (r *rig) Event(*browser.Session, string, jsonv2.Value) {}

// frames waits until the tab has n sessions and returns them.
func (r *rig) frames(n int) []*browser.Session {
	r.t.Helper()
	deadline := time.After(time.Minute)
	for {
		r.mu.Lock()
		got, changed := append([]*browser.Session(nil), r.sessions...), r.changed
		r.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-changed:
		case <-deadline:
			r.t.Fatalf("%d of %d frames", len(got), n)
		}
	}
}

func (r *rig) open(html string) {
	r.t.Helper()
	r.pages["/"] = html
	s := r.frames(1)[0]
	if _, err := cdp.Call(r.t.Context(), s, cdppage.Navigate, cdppage.NavigateParams{URL: r.srv.URL + "/"}); err != nil {
		r.t.Fatal(err)
	}
	await.Until(r.t, "the page", func() bool {
		return string(r.eval(s, "document.readyState + location.pathname").Value) == `"complete/"`
	})
}

// eval runs an expression in the page's own world.
func (r *rig) eval(s *browser.Session, expr string) *runtime.RemoteObject {
	r.t.Helper()
	v, err := cdp.Call(r.t.Context(), s, runtime.Evaluate, runtime.EvaluateParams{Expression: expr})
	if err != nil || v.ExceptionDetails != nil {
		r.t.Fatalf("%s: %v %+v", expr, err, v.ExceptionDetails)
	}
	return v.Result
}

// shown describes a selector's element as the recorder would.
func (r *rig) shown(selector string) capture.Target {
	r.t.Helper()
	s := r.frames(1)[0]
	tree, err := cdp.Call(r.t.Context(), s, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		r.t.Fatal(err)
	}
	w, err := cdp.Call(r.t.Context(), s, cdppage.CreateIsolatedWorld,
		cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID, WorldName: "recorder"})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, expr := range []string{page.Reader(), "showhow.describe(" + quote(selector) +
		".split(' >>> ').reduce((at, part) => (at.shadowRoot || at).querySelector(part), document))"} {
		p := runtime.EvaluateParams{Expression: expr, ContextID: w.ExecutionContextID, ReturnByValue: new(true)}
		v, err := cdp.Call(r.t.Context(), s, runtime.Evaluate, p)
		if err != nil || v.ExceptionDetails != nil {
			r.t.Fatalf("%s: %v %+v", selector, err, v.ExceptionDetails)
		}
		if strings.HasPrefix(expr, "showhow") {
			var text string
			var t capture.Target
			if err := json.Unmarshal(v.Result.Value, &text); err != nil {
				r.t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(text), &t); err != nil {
				r.t.Fatal(err)
			}
			return t
		}
	}
	panic("not reached")
}

// node identifies an element independently of the world it is seen from.
func (r *rig) node(s *browser.Session, id runtime.RemoteObjectID) cdp.BackendNodeID {
	r.t.Helper()
	d, err := cdp.Call(r.t.Context(), s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: id})
	if err != nil {
		r.t.Fatal(err)
	}
	return d.Node.BackendNodeID
}

// finds checks that w finds the element of an expression of the page's own world.
func (r *rig) finds(w Want, expr string) *Found {
	r.t.Helper()
	f, err := Find(r.t.Context(), r.frames(1), w)
	if err != nil {
		r.t.Errorf("%s: %v", describe(w.Target), err)
		return nil
	}
	if got, want := r.node(f.Session, f.ObjectID), r.node(f.Session, r.eval(f.Session, expr).ObjectID); got != want {
		r.t.Errorf("%s: found %s %q, not %s", describe(w.Target), f.Role, f.Name, expr)
	}
	return f
}

func (r *rig) refuses(w Want, reason string) {
	r.t.Helper()
	f, err := Find(context.Background(), r.frames(1), w)
	n, ok := err.(*NotFound)
	if !ok {
		r.t.Errorf("%s: found %+v, %v", describe(w.Target), f, err)
	} else if n.Reason != reason {
		r.t.Errorf("%s: %v, want %s", describe(w.Target), n, reason)
	}
}
