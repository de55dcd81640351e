package mutate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"showhow/bench/corpus/apps"
)

const (
	pagesPerApp    = 4
	targetsPerPage = 6
	restsFor       = 300 * time.Millisecond // a page that did not change for so long shows what it has to show
	restsWithin    = 5 * time.Second
)

// appPages stores pages of the corpus's applications as they look once loaded, without scripts: the first one and
// those it links to. Their targets are controls chosen evenly from all that are there; nothing was tuned to them.
func (m *measurement) appPages(ctx context.Context) ([]Page, error) {
	var out []Page
	for _, name := range apps.Names {
		app := apps.New(name, 1)
		srv := httptest.NewServer(app.Handler)
		pages, err := m.storeApp(ctx, name, srv.URL, app.Start)
		srv.Close()
		if err != nil {
			return nil, fmt.Errorf("application %s: %w", name, err)
		}
		out = append(out, pages...)
	}
	return out, nil
}

func (m *measurement) storeApp(ctx context.Context, name, base, start string) ([]Page, error) {
	var out []Page
	todo, seen := []string{start}, map[string]bool{}
	for len(todo) > 0 && len(out) < pagesPerApp {
		path := todo[0]
		todo = todo[1:]
		shape := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '#'
			}
			return r
		}, strings.SplitN(path, "?", 2)[0])
		if seen[shape] {
			continue
		}
		seen[shape] = true
		var stored struct {
			HTML    string   `json:"html"`
			Targets []string `json:"targets"`
			Links   []string `json:"links"`
		}
		if err := m.settle(ctx, base+path); err != nil {
			return nil, err
		}
		var text string
		if err := m.eval(ctx, fmt.Sprintf("(%s)(%d)", storeScript, targetsPerPage), &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(text), &stored); err != nil {
			return nil, err
		}
		todo = append(todo, stored.Links...)
		if len(stored.Targets) == 0 {
			continue
		}
		p := Page{Name: fmt.Sprintf("app-%s-%d", name, len(out)+1), HTML: stored.HTML, Held: true}
		for _, s := range stored.Targets {
			p.Targets = append(p.Targets, Target{Selector: s})
		}
		out = append(out, p)
	}
	return out, nil
}

// settle opens an address and waits until the page has settled.
func (m *measurement) settle(ctx context.Context, address string) error {
	if _, err := cdp.Call(ctx, m.session, cdppage.Navigate, cdppage.NavigateParams{URL: address}); err != nil {
		return err
	}
	last, since := "", time.Now()
	for end := time.Now().Add(restsWithin); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var now string
		if err := m.eval(ctx, "document.readyState + location.href + (document.documentElement ? document.documentElement.outerHTML.length : 0)",
			&now); err != nil {
			return err
		}
		if now != last || !strings.HasPrefix(now, "complete") {
			last, since = now, time.Now()
		} else if time.Since(since) > restsFor {
			return nil
		}
	}
	return ctx.Err()
}

const storeScript = `(most) => {
  const path = (el) => {
    const parts = [];
    for (let at = el; at && at !== document.documentElement; at = at.parentElement) {
      parts.unshift(at.tagName.toLowerCase() + ':nth-child(' + (Array.from(at.parentElement.children).filter((c) => c.tagName !== ` +
	`'SCRIPT' && c.tagName !== 'NOSCRIPT').indexOf(at) + 1) + ')');
    }
    return 'html > ' + parts.join(' > ');
  };
  const all = Array.from(document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea')).filter((el) => ` +
	`el.checkVisibility());
  const step = Math.max(1, all.length / most);
  const targets = [];
  for (let i = 0; i < all.length && targets.length < most; i += step) targets.push(path(all[Math.floor(i)]));
  const links = Array.from(document.querySelectorAll('a[href]'), (a) => new URL(a.href)).filter((u) => u.origin === ` +
	`location.origin).map((u) => u.pathname + u.search);
  const copy = document.documentElement.cloneNode(true);
  for (const el of copy.querySelectorAll('script,noscript,link,iframe')) el.tagName === 'IFRAME' ? el.removeAttribute('src') : ` +
	`el.tagName === 'LINK' ? el.removeAttribute('href') : el.remove();
  return JSON.stringify({ html: '<!doctype html>' + copy.outerHTML, targets, links });
}`
