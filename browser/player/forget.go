package player

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

// Stored is what the browser holds for the site of a page. It may be anybody's data: keep it in memory only.
type Stored struct {
	Origin string            `json:"origin"`
	Local  map[string]string `json:"local"`
	More   bool              `json:"more"` // databases, caches or files, which are not read
	cookie []*network.Cookie
}

// storedJS tells what the browser holds for the site, as a page's script may write it.
const storedJS = `(async () => {
	const some = async (ask) => { try { return (await ask()).length > 0; } catch { return false; } };
	const files = async () => { for await (const f of (await navigator.storage.getDirectory()).values()) return [f]; return []; };
	let local = {};
	try { local = Object.fromEntries(Object.entries(localStorage)); } catch {}
	const more = await Promise.all([some(() => indexedDB.databases()), some(() => caches.keys()), some(files)]);
	return JSON.stringify({origin: location.origin, local, more: more.includes(true)});
})()`

// Stored reads what the browser holds for the site of the page in front; nil when that is no page of a site.
func (p *Player) Stored(ctx context.Context) (*Stored, error) {
	t := p.current()
	if t == nil {
		return nil, browser.ErrGone
	}
	var s Stored
	u, err := url.Parse(t.url)
	if told := p.ask(ctx, t, storedJS)[0]; err != nil || u.Host == "" || json.Unmarshal([]byte(told), &s) != nil {
		return nil, ctx.Err()
	}
	got, err := cdp.Call(ctx, p.client.Root(), storage.GetCookies, storage.GetCookiesParams{BrowserContextID: p.o.Context.of()})
	if err != nil {
		return nil, err
	}
	s.cookie = got.Cookies
	return &s, nil
}

// Forget makes the looks that Aside begins those of a browser that holds what was stored then, and the present cookies that only the site
// could set, until Return. It reports false, and does nothing, when pages have stored nothing since, unless it is to be done anyway: an
// open page may tell another what it holds. It ends a look that has begun.
func (p *Player) Forget(ctx context.Context, was *Stored, anyway bool) (bool, error) {
	p.Return()
	now, err := p.Stored(ctx)
	if err != nil || was == nil || now == nil || now.Origin != was.Origin {
		return false, err
	}
	cookies, changed := restored(was.cookie, now.cookie)
	if !anyway && !changed && !now.More && maps.Equal(was.Local, now.Local) {
		return false, nil
	}
	root := p.client.Root()
	c, err := cdp.Call(ctx, root, target.CreateBrowserContext, p.o.Context.params())
	if err != nil {
		return false, err
	}
	local, err := json.Marshal([]any{was.Origin, was.Local})
	p.locked(func() { p.forgets = &forgetful{id: c.BrowserContextID, local: string(local)} })
	if err == nil {
		err = downloadTo(ctx, root, c.BrowserContextID, "")
	}
	if err == nil && len(cookies) > 0 {
		_, err = cdp.Call(ctx, root, storage.SetCookies, storage.SetCookiesParams{Cookies: cookies, BrowserContextID: c.BrowserContextID})
	}
	if err != nil {
		p.Return()
	}
	return err == nil, err
}

// restored are the cookies of now, with those that a page's script may have written as they were; changed says that there are any.
func restored(was, now []*network.Cookie) (out []*network.CookieParam, changed bool) {
	type name struct{ name, domain, path string }
	old := map[name]*network.Cookie{}
	for _, c := range was {
		old[name{c.Name, c.Domain, c.Path}] = c
	}
	add := func(c *network.Cookie) {
		q := &network.CookieParam{Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
			Priority: c.Priority, PartitionKey: c.PartitionKey}
		if len(c.Domain) > 0 && c.Domain[0] == '.' {
			q.Domain = c.Domain
		} else {
			q.URL = map[bool]string{true: "https://", false: "http://"}[c.Secure] + c.Domain + c.Path
		}
		out = append(out, q)
	}
	for _, c := range now {
		at := name{c.Name, c.Domain, c.Path}
		o := old[at]
		delete(old, at)
		switch {
		case c.HTTPOnly || o != nil && o.Value == c.Value:
			add(c)
		case o != nil:
			add(o)
			changed = true
		default:
			changed = true
		}
	}
	for _, c := range was {
		if old[name{c.Name, c.Domain, c.Path}] != nil && !c.HTTPOnly {
			add(c)
			changed = true
		}
	}
	return out, changed
}
