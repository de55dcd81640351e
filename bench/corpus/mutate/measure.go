package mutate

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/browser/page"
)

//go:embed words.js
var wordsScript string

//go:embed mutations.js
var mutationsScript string

// None is the unmodified page.
const None = "none"

// Kinds are the mutations, each applied alone, and Together.
var Kinds = []string{"ids", "idswap", "classes", "testids", "order", "nesting", "wording", "language", "lookalikes", "sections", "tags",
	"labels", "aria", "hrefs", "rows", "columns", "headings", "marks", "shadow", Together, Gone, "twins", "usurped"}

// Options say what is measured.
type Options struct {
	Pages       []Page        // nil: Pages()
	Kinds       []string      // nil: None and Kinds
	NodeModules string        // where @puppeteer/replay, puppeteer-core and playwright-core are; "" measures Showhow alone
	Apps        bool          // pages of the corpus's applications as well
	Each        int           // every n-th mutation of a page is done, another one on the next page; 0: each
	Seed        uint64        // of Lives: which changes meet which pages, and the words that changes draw; 0: the developed one
	ReplayEach  int           // every n-th step is replayed by @puppeteer/replay, which waits before it refuses; 0: each
	Patience    time.Duration // how long @puppeteer/replay waits before it refuses; 0: long enough on a quiet machine
	Browser     browser.Options
}

// defaultPatience is enough on a quiet machine: nothing on the pages comes later.
const defaultPatience = 600 * time.Millisecond

// Measure runs the whole measurement in a browser of its own. If ctx ends early, the report covers the pages until
// then.
func Measure(ctx context.Context, o Options) (*Report, error) {
	var err error
	if o.Pages == nil {
		if o.Pages, err = Pages(); err != nil {
			return nil, err
		}
	}
	if o.Kinds == nil {
		o.Kinds = append([]string{None}, Kinds...)
	}
	m := &measurement{o: o, report: &Report{}}
	defer m.close()
	if err := m.start(ctx); err != nil {
		return nil, err
	}
	if o.Apps {
		more, err := m.appPages(ctx)
		if err != nil {
			return nil, err
		}
		o.Pages = slices.Concat(o.Pages, more)
	}
	m.report.Of = len(o.Pages)
	for n, p := range alternating(o.Pages) {
		err := m.page(ctx, n, p)
		switch {
		case ctx.Err() != nil && n > 0:
			return m.report, nil
		case err != nil:
			return nil, fmt.Errorf("page %s: %w", p.Name, err)
		}
		m.report.Pages++
	}
	return m.report, nil
}

// alternating interleaves held-out pages with the others, so that a run that is cut short covers both.
func alternating(pages []Page) (out []Page) {
	var turns [2][]Page
	for _, p := range pages {
		if p.Held {
			turns[1] = append(turns[1], p)
		} else {
			turns[0] = append(turns[0], p)
		}
	}
	for i := range max(len(turns[0]), len(turns[1])) {
		for _, t := range turns {
			if i < len(t) {
				out = append(out, t[i])
			}
		}
	}
	return out
}

// measurement is one run: a browser with a tab, the server of its pages, the judges.
type measurement struct {
	o      Options
	report *Report
	steps  int

	browser *browser.Browser
	client  *browser.Client
	tab     chan *browser.Session
	session *browser.Session
	server  *http.Server
	served  chan struct{}
	base    string
	html    atomic.Pointer[string]
	loads   int
	at      string // the address that is open
	judges  *judges
}

func (m *measurement) start(ctx context.Context) (err error) {
	m.o.Browser.Port = m.o.NodeModules != ""
	if m.browser, err = browser.Launch(ctx, m.o.Browser); err != nil {
		return err
	}
	m.tab = make(chan *browser.Session, 1)
	if m.client, err = m.browser.NewClient(ctx, first{m.tab}); err != nil {
		return err
	}
	if err := m.client.AutoAttach(ctx); err != nil {
		return err
	}
	select {
	case m.session = <-m.tab:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := m.serve(); err != nil {
		return err
	}
	if m.o.NodeModules != "" {
		m.judges, err = startJudges(ctx, m.o.NodeModules, m.browser.DebugURL(), cmp.Or(m.o.Patience, defaultPatience))
	}
	return err
}

func (m *measurement) serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	m.base = "http://" + l.Addr().String()
	m.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if html := m.html.Load(); html != nil {
			_, _ = w.Write([]byte(*html))
		}
	})}
	m.served = make(chan struct{})
	go func() {
		defer close(m.served)
		_ = m.server.Serve(l) // ends with close
	}()
	return nil
}

func (m *measurement) close() {
	if m.judges != nil {
		m.judges.close()
	}
	if m.client != nil {
		m.client.Close()
	}
	if m.browser != nil {
		_ = m.browser.Close()
	}
	if m.server != nil {
		_ = m.server.Close()
		<-m.served
	}
}

// first delivers the first tab.
type first struct{ tab chan *browser.Session }

func (f first) Attached(s *browser.Session) {
	s.Send(cdppage.CommandEnable, nil, nil)
	s.Release()
	select {
	case f.tab <- s:
	default:
	}
}
func (f first) Detached(*browser.Session)                    {}
func (f first) Event(*browser.Session, string, jsonv2.Value) {}

// page measures one page: unmodified, and under each mutation that changes something on it.
func (m *measurement) page(ctx context.Context, n int, p Page) error {
	if err := m.open(ctx, p); err != nil {
		return err
	}
	wants, err := m.describe(ctx, p)
	if err != nil {
		return err
	}
	if m.judges != nil {
		if err := m.judges.record(m.at, wants); err != nil {
			return err
		}
	}
	for k, kind := range m.o.Kinds {
		if m.o.Each > 1 && (k+n)%m.o.Each != 0 {
			continue
		}
		if err := m.open(ctx, p); err != nil {
			return err
		}
		if kind != None {
			var applied bool
			if err := m.eval(ctx, fmt.Sprintf("mutate(%q)", kind), &applied); err != nil {
				return fmt.Errorf("mutation %s: %w", kind, err)
			}
			if !applied {
				continue
			}
		}
		if err := m.locate(ctx, p, kind, wants); err != nil {
			return fmt.Errorf("mutation %s: %w", kind, err)
		}
	}
	return nil
}

// open loads a fresh copy of the page and marks the truth.
func (m *measurement) open(ctx context.Context, p Page) error {
	m.loads++
	m.html.Store(&p.HTML)
	address := fmt.Sprintf("%s/%s?n=%d", m.base, p.Name, m.loads)
	m.at = address
	if _, err := cdp.Call(ctx, m.session, cdppage.Navigate, cdppage.NavigateParams{URL: address}); err != nil {
		return err
	}
	for ready := ""; ready != "complete"+address; {
		if err := m.eval(ctx, "document.readyState + location.href", &ready); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(2 * time.Millisecond)
	}
	selectors := make([]string, len(p.Targets))
	for i, t := range p.Targets {
		selectors[i] = t.Selector
	}
	list, _ := json.Marshal(selectors) // strings: cannot fail
	var missing []string
	drawn := ""
	if m.o.Seed != 0 {
		drawn = fmt.Sprintf("\nseed = %d;", m.o.Seed)
	}
	expr := wordsScript + mutationsScript + drawn + "\nvar __truths = " + string(list) + ".map((s) => document.querySelector(s)); " +
		string(list) +
		".filter((s, i) => !__truths[i])"
	if err := m.eval(ctx, expr, &missing); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("no targets %q", missing)
	}
	return nil
}

// eval runs an expression in the page's own world.
func (m *measurement) eval(ctx context.Context, expr string, into any) error {
	return evaluate(ctx, m.session, 0, expr, into)
}

func evaluate(ctx context.Context, s *browser.Session, in runtime.ExecutionContextID, expr string, into any) error {
	r, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: expr, ContextID: in, ReturnByValue: new(true)})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		why := r.ExceptionDetails.Text
		if r.ExceptionDetails.Exception != nil {
			why += " " + r.ExceptionDetails.Exception.Description
		}
		return errors.New(why)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, into)
}

// describe returns the recorder's description of each target.
func (m *measurement) describe(ctx context.Context, p Page) ([]find.Want, error) {
	tree, err := cdp.Call(ctx, m.session, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	w, err := cdp.Call(ctx, m.session, cdppage.CreateIsolatedWorld,
		cdppage.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID, WorldName: "recorder"})
	if err != nil {
		return nil, err
	}
	if err := evaluate(ctx, m.session, w.ExecutionContextID, page.Reader(), nil); err != nil {
		return nil, err
	}
	var wants []find.Want
	for _, t := range p.Targets {
		q, _ := json.Marshal(t.Selector) // a string: cannot fail
		var text string
		if err := evaluate(ctx, m.session, w.ExecutionContextID, "showhow.describe(document.querySelector("+string(q)+"))", &text); err != nil {
			return nil, err
		}
		want := find.Want{Verb: t.Verb}
		if err := json.Unmarshal([]byte(text), &want.Target); err != nil {
			return nil, err
		}
		wants = append(wants, want)
	}
	return wants, nil
}

// locate asks every finder for every target.
func (m *measurement) locate(ctx context.Context, p Page, kind string, wants []find.Want) error {
	tell := func(finder string, i int, o Outcome, why string) {
		switch {
		case kind == Gone && o == Refused: // there is nothing to find
			o = Right
		case kind == Gone:
			o = Wrong
		case trap(kind) && o == Refused: // nobody could know
			o = Right
		}
		m.report.add(finder, kind, p.Held, o)
		if o != Right {
			m.report.Misses = append(m.report.Misses, Miss{finder, p.Name, kind, p.Targets[i].Selector, o, why})
		}
	}
	for i, w := range wants {
		o, why, err := m.find(ctx, i, w)
		if err != nil {
			return err
		}
		tell(Showhow, i, o, why)
	}
	if m.judges == nil {
		return nil
	}
	replayed := []int{} // none is an empty list to the other players, too
	for i := range wants {
		if m.steps++; m.o.ReplayEach <= 1 || m.steps%m.o.ReplayEach == 0 {
			replayed = append(replayed, i)
		}
	}
	got, err := m.judges.locate(m.at, len(wants), replayed)
	if err != nil {
		return err
	}
	for i, o := range got.Playwright {
		tell(Playwright, i, o, "")
	}
	for n, o := range got.Replay {
		tell(Replay, replayed[n], o, "")
	}
	return nil
}

// find is browser/find's answer.
func (m *measurement) find(ctx context.Context, i int, w find.Want) (Outcome, string, error) {
	f, err := find.Find(ctx, []*browser.Session{m.session}, w)
	if miss, ok := errors.AsType[*find.NotFound](err); ok {
		return Refused, miss.Error(), nil
	}
	if err != nil {
		return "", "", err
	}
	node, err := cdp.Call(ctx, m.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: f.ObjectID})
	if err != nil {
		return "", "", err
	}
	own, err := cdp.Call(ctx, m.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID})
	if err != nil {
		return "", "", err
	}
	fn := fmt.Sprintf("function () { return __isTruth(%d)(this); }", i)
	r, err := cdp.Call(ctx, m.session, runtime.CallFunctionOn,
		runtime.CallFunctionOnParams{FunctionDeclaration: fn, ObjectID: own.Object.ObjectID, ReturnByValue: new(true)})
	if err != nil {
		return "", "", err
	}
	if string(r.Result.Value) != "true" {
		return Wrong, fmt.Sprintf("found %s %q (%.2f) %q", f.Role, f.Name, f.Score, f.Drift), nil
	}
	return Right, "", nil
}
