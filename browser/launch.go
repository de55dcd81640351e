package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"showhow/internal/fault"
)

// How long a browser may take to start, and to stop before it is killed.
const (
	startTime = 30 * time.Second
	closeTime = 3 * time.Second
)

// Browser is a Chromium with a connection to it.
type Browser struct {
	*Conn
	product string // "Chromium/156.0"
	family  string // "chromium", "chrome", ...
	ws      string // of the debugging port, if any

	cmd       *exec.Cmd // nil when attached
	profile   string
	downloads string      // where they go, "" for its own setting
	temp      []temporary // directories to delete
	hidden    bool        // it has no window
	welcomes  atomic.Bool // it shows the page that explains it, and nothing was opened since
	exited    chan struct{}
	closing   sync.Once
	closed    error
}

// Launch starts a browser and waits until it answers.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	path := o.Path
	if path == "" {
		var err error
		if path, err = Find(); err != nil {
			return nil, err
		}
	}
	b := &Browser{profile: o.Profile, family: family(path), hidden: o.headless(), exited: make(chan struct{})}
	if err := b.start(o, path); err != nil {
		b.removeTemp()
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := b.greet(ctx, o); err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// start makes the directories and the process.
func (b *Browser) start(o Options, path string) error {
	if b.profile == "" || o.CacheDir == "" {
		Sweep()
	}
	cache := o.CacheDir
	if b.profile == "" {
		dir, err := newTemporary(profileRoot(), tempProfile+o.Name)
		if err != nil {
			return fault.Wrap(err, fault.Internal, "the browser's profile directory cannot be created")
		}
		b.profile, b.temp = filepath.Join(dir.dir, "profile"), append(b.temp, dir)
		if cache == "" {
			cache = filepath.Join(b.profile, "cache")
		}
	}
	if err := prepareProfile(b.profile); err != nil {
		return err
	}
	if page := b.welcome(o); page != "" {
		o.StartURL = page
		b.welcomes.Store(true)
	}
	_ = os.Remove(b.portFile()) // of an earlier run
	if cache == "" {
		dir, err := newTemporary(cacheRoot(), tempCache)
		if err != nil {
			return fault.Wrap(err, fault.Internal, "the browser's cache directory cannot be created")
		}
		cache, b.temp = dir.dir, append(b.temp, dir)
	}
	b.cmd = exec.Command(path, o.args(b.profile, cache)...)
	b.cmd.Dir = b.profile
	ownGroup(b.cmd)
	r, w, err := startWithPipes(b.cmd)
	if err != nil {
		return fault.Wrap(err, fault.AdapterUnavailable, "the browser does not start").WithHint("`showhow doctor` shows what is missing")
	}
	b.Conn = NewConn(chromedp.NewPipeConn(r, w))
	go func() {
		defer close(b.exited)
		_ = b.cmd.Wait() // how it ended is of no interest: it has ended
	}()
	return nil
}

// startWithPipes starts cmd with the two debugging pipes and returns our ends.
func startWithPipes(cmd *exec.Cmd) (r, w *os.File, err error) {
	childR, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer childR.Close()
	r, childW, err := os.Pipe()
	if err != nil {
		_ = w.Close()
		return nil, nil, err
	}
	defer childW.Close()
	if err = givePipes(cmd, childR, childW, r, w); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		_ = r.Close()
		_ = w.Close()
		return nil, nil, err
	}
	return r, w, nil
}

// greet waits for the first answer and sets where downloads go.
func (b *Browser) greet(ctx context.Context, o Options) error {
	v, err := cdp.Call(ctx, b.Root(), browser.GetVersion, cdp.Empty{})
	switch {
	case errors.Is(err, ErrGone):
		return fault.Wrap(err, fault.AdapterUnavailable, "the browser ended as soon as it was started").
			WithHint(goneHint(o))
	case err != nil:
		return fault.Wrap(err, fault.AdapterUnavailable,
			"the browser did not answer in time").WithHint("try again; `showhow doctor` tests the browser")
	}
	b.product = v.Product
	if err := b.DownloadTo(ctx, o.DownloadDir); err != nil {
		return err
	}
	if !o.Port {
		return nil
	}
	return b.readPort(ctx)
}

func goneHint(o Options) string {
	if os.Geteuid() == 0 && !o.NoSandbox {
		return "Chromium does not run as root; run Showhow as an ordinary user"
	}
	if o.Profile != "" {
		return "close the browser window that already uses Showhow's profile, then try again"
	}
	return "`showhow doctor` tests the browser"
}

func (b *Browser) portFile() string { return filepath.Join(b.profile, "DevToolsActivePort") }

// readPort waits for the file in which the browser names its debugging port.
func (b *Browser) readPort(ctx context.Context) error {
	for {
		if text, err := os.ReadFile(b.portFile()); err == nil {
			if port, path, ok := strings.Cut(strings.TrimSpace(string(text)), "\n"); ok {
				if n, err := strconv.Atoi(port); err == nil {
					b.ws = "ws://127.0.0.1:" + strconv.Itoa(n) + path
					return nil
				}
			}
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-b.Done():
			return fault.Wrap(ErrGone, fault.AdapterUnavailable, "the browser ended while it started")
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), fault.AdapterUnavailable, "the browser did not open its debugging port")
		}
	}
}

// Product is the browser's name and version.
func (b *Browser) Product() string { return b.product }

// Headless reports whether the browser runs without a window, so that nobody can demonstrate
// anything in it.
func (b *Browser) Headless() bool { return b.hidden }

// Family is the app family as scopes name it: "chromium", "chrome", "edge" or "brave".
func (b *Browser) Family() string { return b.family }

// DebugURL is the WebSocket address of the debugging port, "" without one.
func (b *Browser) DebugURL() string { return b.ws }

// Profile is the user data directory; "" if attached.
func (b *Browser) Profile() string { return b.profile }

// Attached reports whether somebody else started the browser.
func (b *Browser) Attached() bool { return b.cmd == nil }

// PID is the browser's process id; 0 if attached.
func (b *Browser) PID() int {
	if b.cmd == nil || b.cmd.Process == nil {
		return 0
	}
	return b.cmd.Process.Pid
}

// Gone reports whether the connection to the browser has ended.
func (b *Browser) Gone() bool {
	select {
	case <-b.Done():
		return true
	default:
		return false
	}
}

// DownloadTo sends downloads to dir under their own names; "" leaves them to the browser. From then
// on the root session announces downloads (Browser.downloadWillBegin, Browser.downloadProgress):
// subscribe there.
func (b *Browser) DownloadTo(ctx context.Context, dir string) error {
	b.downloads = dir
	return b.AnnounceDownloads(ctx)
}

// AnnounceDownloads restores download announcements and the download folder: another connection to
// the browser resets both when it ends.
func (b *Browser) AnnounceDownloads(ctx context.Context) error {
	dir := b.downloads
	p := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: new(true)}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fault.Wrap(err, fault.Internal, "the download directory cannot be created")
		}
		p.Behavior, p.DownloadPath = browser.SetDownloadBehaviorBehaviorAllow, dir
	}
	if _, err := cdp.Call(ctx, b.Root(), browser.SetDownloadBehavior, p); err != nil {
		return fault.Wrap(err, fault.Internal, "the browser refused the download directory")
	}
	return nil
}

// Close ends a launched browser: it asks, waits, kills the process group and deletes temporary
// directories. An attached browser is only disconnected. A second call waits for the first.
func (b *Browser) Close() error { return b.end(true) }

// Kill is Close without asking, for a browser whose profile is thrown away. The browser gets no
// chance to write anything more.
func (b *Browser) Kill() error { return b.end(false) }

func (b *Browser) end(ask bool) error {
	b.closing.Do(func() {
		if b.cmd == nil {
			b.closed = b.Conn.Close()
			return
		}
		if b.Conn != nil && ask {
			b.Root().Send(browser.CommandClose, nil, nil)
			b.waitExit(closeTime)
		}
		endGroup(b.cmd, b.exited)
		if b.Conn != nil {
			_ = b.Conn.Close()
		}
		b.closed = b.removeTemp()
	})
	return b.closed
}

func (b *Browser) waitExit(d time.Duration) {
	select {
	case <-b.exited:
	case <-time.After(d):
	}
}

func (b *Browser) removeTemp() error {
	var errs []error
	for _, t := range b.temp {
		errs = append(errs, t.remove())
	}
	return errors.Join(errs...)
}

// family returns the app family of a program path.
func family(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for _, f := range []string{"chromium", "chrome", "edge", "brave"} {
		if strings.Contains(name, f) {
			return f
		}
	}
	return "chromium"
}
