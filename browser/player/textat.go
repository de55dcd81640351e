package player

import (
	"context"
	"encoding/json"

	"showhow/browser"
	"showhow/capture"
)

// textAtJS returns the text between the words before and after a place; "" if the place is missing,
// ambiguous, or has other words around it.
const textAtJS = `((at) => {
	let all;
	try { all = document.querySelectorAll(at.path); } catch { return ''; }
	if (all.length !== 1) return '';
	const el = all[0];
	const said = String('value' in el && typeof el.value === 'string' ? el.value : el.textContent).replace(/\s+/g, ' ').trim();
	const before = (at.before || '').trim(), after = (at.after || '').trim();
	const from = before ? said.indexOf(before) : 0;
	if (from < 0) return '';
	const begin = from + before.length;
	const end = after ? said.indexOf(after, begin) : said.length;
	return end < 0 || end - begin > 500 ? '' : said.slice(begin, end).trim();
})`

// readItem reads texts of the item that the element belongs to.
func (h *hand) readItem(ctx context.Context) error {
	texts := []string{}
	if err := h.on(ctx, `function (paths) { return paths.map((path) => showhow.itemText(this, path)); }`, &texts, h.a.ItemPaths); err != nil {
		return err
	}
	h.a.OnItem(ctx, texts)
	return nil
}

// TextAt is what the page in front shows where a demonstration read a value; "" if it is not there.
// Keep it in memory only.
func (p *reader) TextAt(ctx context.Context, at capture.Source) (string, error) {
	t := p.current()
	if t == nil {
		return "", browser.ErrGone
	}
	arg, err := json.Marshal(at)
	if err != nil {
		return "", err
	}
	for _, text := range p.ask(ctx, t, textAtJS+"("+string(arg)+")") {
		if text != "" {
			return text, nil
		}
	}
	return "", ctx.Err()
}
