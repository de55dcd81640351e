package daemon

import (
	"context"
	"net/url"
	"os"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// browserFix is what to do about a browser that does not start.
func browserFix() string {
	if os.Getuid() == 0 {
		return "Chromium does not start as root: run Showhow as the user whose work it should learn"
	}
	return "`showhow doctor` says what is missing"
}

// openBrowser opens a page in the managed browser and starts the browser when it does not run.
func (d *Daemon) openBrowser(ctx context.Context, page string) (wire.BrowserOpened, error) {
	if page == "" {
		page = "about:blank"
	} else if u, err := url.Parse(page); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return wire.BrowserOpened{}, fault.New(fault.InvalidRequest, "this is not a web address").WithHint("write it with http:// or https://")
	}
	if err := d.browsers.Probe(); err != nil {
		return wire.BrowserOpened{}, fault.Wrap(err, fault.AdapterUnavailable, "no browser was found").WithHint("install chromium, or set SHOWHOW_BROWSER")
	}
	// The browser outlives the request that asked for it.
	b, err := d.browsers.Browser(context.WithoutCancel(ctx))
	if err != nil {
		return wire.BrowserOpened{}, fault.Wrap(err, fault.AdapterUnavailable, "the browser does not start").WithHint(browserFix())
	}
	if err := d.browsers.Open(ctx, page); err != nil {
		return wire.BrowserOpened{}, fault.Wrap(err, fault.AdapterUnavailable, "the browser does not open the page")
	}
	out := wire.BrowserOpened{Product: b.Product(), Headless: b.Headless()}
	if d.o.ThrowAway {
		out.DebugURL = b.DebugURL()
	}
	return out, nil
}
