package browser

import (
	"context"
	"net/url"
	"os"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/internal/fault"
)

// Manager starts one browser on first use and shares it. If the person closes it, it is started
// again only when somebody asks for it.
type Manager struct {
	start func(context.Context) (*Browser, error)
	probe func() error

	mu      sync.Mutex
	browser *Browser
	retired []*Browser
	closed  bool
}

// NewManager returns a manager that launches browsers with o.
func NewManager(o Options) *Manager {
	return &Manager{
		start: func(ctx context.Context) (*Browser, error) { return Launch(ctx, o) },
		probe: func() error {
			if os.Geteuid() == 0 && !o.NoSandbox {
				return asRoot()
			}
			if o.Path != "" {
				return nil
			}
			_, err := Find()
			return err
		},
	}
}

// Probe reports whether a browser could be started, without starting one. A running one, attached
// or not, is enough.
func (m *Manager) Probe() error {
	if m.Running() != nil {
		return nil
	}
	return m.probe()
}

// asRoot explains why root gets no browser: Chromium keeps its sandbox or does not start.
func asRoot() error {
	return fault.New(fault.AdapterUnavailable,
		"Chromium does not start as root").WithHint("run Showhow as the user whose work it should learn")
}

// Running returns the live browser, if any.
func (m *Manager) Running() *Browser {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.running()
}

func (m *Manager) running() *Browser {
	if m.browser == nil {
		return nil
	}
	select {
	case <-m.browser.Done():
		m.retired, m.browser = append(m.retired, m.browser), nil
		return nil
	default:
		return m.browser
	}
}

// Browser returns the running browser or starts one.
func (m *Manager) Browser(ctx context.Context) (*Browser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrGone
	}
	if b := m.running(); b != nil {
		return b, nil
	}
	m.reap()
	b, err := m.start(ctx)
	if err != nil {
		return nil, err
	}
	m.browser = b
	return b, nil
}

// Attach makes somebody else's browser the shared one until it ends. It refuses while another
// browser runs: nobody could tell which of the two is observed.
func (m *Manager) Attach(ctx context.Context, o AttachOptions) (*Browser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrGone
	}
	if b := m.running(); b != nil {
		if b.Attached() {
			return nil, refusal("two_browsers", "another browser is being watched already").WithHint(
				"`showhow browser --detach` leaves that one alone")
		}
		return nil, refusal("two_browsers", "Showhow's own browser is open as well").WithHint(
			"`showhow browser --close` ends it; then it is clear which one is watched")
	}
	m.reap()
	b, err := Attach(ctx, o)
	if err != nil {
		return nil, err
	}
	m.browser = b
	return b, nil
}

// Detach disconnects from an attached browser, so that the next request starts Showhow's own. It
// reports whether one was attached.
func (m *Manager) Detach() bool { return m.leave(true) }

// End stops Showhow's own browser, with or without a window, and reports whether it ran.
func (m *Manager) End() bool { return m.leave(false) }

func (m *Manager) leave(attached bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.running()
	if b == nil || b.Attached() != attached {
		return false
	}
	m.retired, m.browser = append(m.retired, b), nil
	m.reap()
	return true
}

// Open opens a URL in a new tab of the running or a new browser. The welcome page of a new browser
// stays in front.
func (m *Manager) Open(ctx context.Context, url string) error { return m.open(ctx, url, false) }

func (m *Manager) open(ctx context.Context, url string, front bool) error {
	b, err := m.Browser(ctx)
	if err != nil {
		return err
	}
	welcomes := b.welcomes.Swap(false)
	if welcomes && url == "about:blank" {
		return nil // the page that explains the browser is open
	}
	p := target.CreateTargetParams{URL: url}
	if welcomes && !front {
		p.Background = new(true) // what is explained once should be seen
	}
	_, err = cdp.Call(ctx, b.Root(), target.CreateTarget, p)
	return err
}

// Front brings an open page on the address's site to the front, or opens the address.
func (m *Manager) Front(ctx context.Context, address string) error {
	b, err := m.Browser(ctx)
	if err != nil {
		return err
	}
	open, err := cdp.Call(ctx, b.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return err
	}
	for _, t := range open.TargetInfos {
		if t.Type == "page" && sameHost(t.URL, address) {
			_, err := cdp.Call(ctx, b.Root(), target.ActivateTarget, target.ActivateTargetParams{TargetID: t.TargetID})
			return err
		}
	}
	return m.open(ctx, address, true)
}

func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.Host != "" && x.Host == y.Host
}

// reap waits for browsers that have died and deletes their temporary directories.
func (m *Manager) reap() {
	for _, b := range m.retired {
		_ = b.Close()
	}
	m.retired = nil
}

// Close ends the browser and waits for it.
func (m *Manager) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.running()
	m.reap()
	if m.browser == nil {
		return nil
	}
	err := m.browser.Close()
	m.browser = nil
	return err
}
