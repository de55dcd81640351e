package browser

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Manager starts one browser when it is first needed and shares it. A browser that the person closed is started again
// only when somebody asks for it.
type Manager struct {
	start func(context.Context) (*Browser, error)
	probe func() error

	mu      sync.Mutex
	browser *Browser
	retired []*Browser
	closed  bool
}

// NewManager manages browsers that are launched with o.
func NewManager(o Options) *Manager {
	return &Manager{
		start: func(ctx context.Context) (*Browser, error) { return Launch(ctx, o) },
		probe: func() error {
			if o.Path != "" {
				return nil
			}
			_, err := Find()
			return err
		},
	}
}

// NewAttached manages the browser that somebody else started on a debugging port.
func NewAttached(port int) *Manager {
	return &Manager{
		start: func(ctx context.Context) (*Browser, error) { return Attach(ctx, port) },
		probe: func() error { return nil },
	}
}

// Probe says whether a browser could be started, without starting one.
func (m *Manager) Probe() error { return m.probe() }

// Running is the browser if there is one that lives.
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

// Open opens a tab at a URL, in a running browser or a new one.
func (m *Manager) Open(ctx context.Context, url string) error {
	b, err := m.Browser(ctx)
	if err != nil {
		return err
	}
	_, err = cdp.Call(ctx, b.Root(), target.CreateTarget, target.CreateTargetParams{URL: url})
	return err
}

// reap waits for browsers that have died and deletes what they left.
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
