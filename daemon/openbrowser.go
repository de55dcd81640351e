package daemon

import (
	"context"
	"net/url"

	"showhow/browser"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// openBrowser opens a page in the managed browser, starting it if necessary. A browser that the request attaches to
// replaces the managed one.
func (d *Daemon) openBrowser(ctx context.Context, r wire.BrowserOpen) (wire.BrowserOpened, error) {
	switch {
	case r.Detach && !d.browsers.Detach():
		return wire.BrowserOpened{}, fault.New(fault.NotFound, "no browser is attached").WithHint("`showhow browser --close` ends Showhow's own")
	case r.Close && !d.browsers.End():
		return wire.BrowserOpened{}, fault.New(fault.NotFound,
			"Showhow's own browser does not run").WithHint("`showhow browser --detach` leaves an attached one alone")
	case r.Detach, r.Close:
		return wire.BrowserOpened{}, nil
	case r.Attach != "":
		b, err := d.browsers.Attach(context.WithoutCancel(ctx), browser.AttachOptions{Address: r.Attach})
		if err != nil {
			return wire.BrowserOpened{}, err
		}
		if r.URL == "" {
			return wire.BrowserOpened{Product: b.Product(), Headless: b.Headless(), Attached: true, Warning: browser.AttachWarning}, nil
		}
	}
	page := r.URL
	if page == "" {
		page = "about:blank"
	} else if u, err := url.Parse(page); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return wire.BrowserOpened{}, fault.New(fault.InvalidRequest, "this is not a web address").WithHint("write it with http:// or https://")
	}
	if err := d.browsers.Probe(); err != nil {
		return wire.BrowserOpened{}, err
	}
	// The browser outlives the request that asked for it.
	b, err := d.browsers.Browser(context.WithoutCancel(ctx))
	if err != nil {
		return wire.BrowserOpened{}, fault.Wrap(err, fault.AdapterUnavailable, "the browser does not start").WithHint(browser.StartHint())
	}
	show := d.browsers.Open
	if r.Front {
		show = d.browsers.Front
	}
	if err := show(ctx, page); err != nil {
		return wire.BrowserOpened{}, fault.Wrap(err, fault.AdapterUnavailable, "the browser does not open the page")
	}
	out := wire.BrowserOpened{Product: b.Product(), Headless: b.Headless(), Attached: b.Attached()}
	if out.Attached {
		out.Warning = browser.AttachWarning
	}
	if d.o.ThrowAway {
		out.DebugURL = b.DebugURL()
	}
	return out, nil
}
