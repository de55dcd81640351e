package player

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// The expressions are evaluated in the player's own world of every frame, which no page can touch.
const (
	textJS = `(() => {
	const of = (root) => {
		let out = root.innerText === undefined ? [...root.children].map(e => e.innerText || '').join('\n') : root.innerText;
		for (const e of root.querySelectorAll('*')) if (e.shadowRoot) out += '\n' + of(e.shadowRoot);
		return out;
	};
	return document.body ? of(document.body) : '';
})()`
	statusJS = `String((performance.getEntriesByType('navigation')[0] || {}).responseStatus || 0)`
	signInJS = `[...document.querySelectorAll('input[type=password]')].some(e => e.checkVisibility()) ? 'yes' : ''`
)

// Text is what a person can read on the page in front, including frames and open shadow roots. Keep
// it in memory only: it may be anybody's data.
func (p *reader) Text(ctx context.Context) (string, error) {
	t := p.current()
	if t == nil {
		return "", browser.ErrGone
	}
	return strings.Join(p.ask(ctx, t, textJS), "\n"), ctx.Err()
}

// Frames returns the addresses of the documents in frames of the page in front.
func (p *reader) Frames(ctx context.Context) []string {
	t := p.current()
	if t == nil {
		return nil
	}
	var out []string
	for i, at := range p.ask(ctx, t, "location.href") {
		if i > 0 && strings.HasPrefix(at, "http") { // the top frame is the first
			out = append(out, at)
		}
	}
	return out
}

// Status is the HTTP status of the page in front, 0 if unknown.
func (p *reader) Status(ctx context.Context) int {
	if t := p.current(); t != nil {
		for _, s := range p.ask(ctx, t, statusJS) { // the top frame is the first
			n, _ := strconv.Atoi(s)
			return n
		}
	}
	return 0
}

// AsksPassword reports whether the page in front shows a password field.
func (p *reader) AsksPassword(ctx context.Context) bool {
	t := p.current()
	return t != nil && strings.Contains(strings.Join(p.ask(ctx, t, signInJS), ""), "yes")
}

// Has reports whether something like the target is on the page in front now. Several matches count
// as well.
func (p *reader) Has(ctx context.Context, target capture.Target) (bool, error) {
	has, _, err := p.Sight(ctx, target)
	if _, missing := errors.AsType[*find.NotFound](err); missing {
		return false, nil
	}
	return has, err
}

// Sight is Has, with what was found; nil when several could be meant. What is missing is a *find.NotFound.
func (p *reader) Sight(ctx context.Context, target capture.Target) (bool, *find.Found, error) {
	t := p.current()
	if t == nil {
		return false, nil, browser.ErrGone
	}
	f, err := find.Find(ctx, p.sessions(t), find.Want{Target: target})
	var missing *find.NotFound
	switch {
	case err == nil:
		return true, f, nil
	case errors.As(err, &missing):
		if missing.Reason == find.Ambiguous {
			return true, nil, nil
		}
	}
	return false, nil, err
}
