package player

import (
	"context"
	"strings"
	"time"
	"unicode"

	"showhow/capture"
)

// field is what an element that takes a value says about itself.
type field struct {
	Kind  string   `json:"kind"` // text, rich, date, range, set, select, file, toggle, ""
	Type  string   `json:"type"`
	Value string   `json:"value"`
	Order []string `json:"order"` // of a date's parts, as this browser writes them
	On    *bool    `json:"on"`
	// HandsOn says that an editor takes what is typed out of the field and draws it itself.
	HandsOn bool `json:"handsOn"`
}

const fieldJS = `function () {
	const el = this;
	const out = { kind: '', type: '', value: '' };
	if (!el.isConnected) return out;
	const role = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
	if (el.tagName === 'SELECT') {
		out.kind = 'select';
		out.value = Array.from(el.selectedOptions, (o) => (o.label || o.text).replace(/\s+/g, ' ').trim()).join(', ');
	} else if (el.tagName === 'TEXTAREA') {
		out.kind = 'text';
		out.value = el.value;
		out.handsOn = !!(globalThis.showhow && showhow.editor && showhow.editor(el));
	} else if (el.tagName === 'INPUT' && el.readOnly && globalThis.showhow && showhow.counter && showhow.counter(el)) {
		out.kind = 'counter';
		out.value = el.value;
	} else if (el.tagName === 'INPUT') {
		out.type = el.type;
		out.value = el.value;
		out.kind = { checkbox: 'toggle', radio: 'toggle', file: 'file', range: 'range', color: 'set', date: 'date', 'datetime-local': 'date', ` +
	`month: 'date', week: 'set', time: 'date',
			button: '', submit: '', reset: '', image: '', hidden: '' }[el.type] ?? 'text';
		if (out.kind === 'toggle') out.on = el.checked;
		if (out.kind === 'date') {
			const parts = new Intl.DateTimeFormat(navigator.language, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(new ` +
	`Date(2026, 11, 24));
			out.order = parts.map((p) => p.type).filter((t) => t !== 'literal');
		}
	} else if (el.isContentEditable) {
		out.kind = 'rich';
		out.value = el.innerText;
	} else if (el.hasAttribute('aria-checked')) {
		out.kind = 'toggle';
		out.on = el.getAttribute('aria-checked') === 'true';
	} else if (el.hasAttribute('aria-pressed')) {
		out.kind = 'toggle';
		out.on = el.getAttribute('aria-pressed') === 'true';
	} else if ((role === 'slider' || role === 'spinbutton') && el.hasAttribute('aria-valuenow')) {
		out.kind = 'slider';
		out.value = el.getAttribute('aria-valuenow') || '';
	} else if (globalThis.showhow && showhow.counter) {
		const c = showhow.counter(el);
		if (c) {
			out.kind = c.handle ? 'handle' : 'counter';
			out.value = c.is;
		}
	}
	return out;
}`

func (h *hand) field(ctx context.Context) (f field, err error) {
	err = h.on(ctx, fieldJS, &f)
	return f, err
}

// enter makes a value the whole content of a field, by the keyboard where possible.
func (p *operator) enter(ctx context.Context, h *hand) error {
	f, err := h.field(ctx)
	if err != nil {
		return err
	}
	switch f.Kind {
	case "select":
		return p.pick(ctx, h)
	case "toggle":
		return p.tick(ctx, h)
	case "file":
		return p.upload(ctx, h)
	case "range", "slider":
		return p.slide(ctx, h, f)
	case "counter", "handle":
		return p.count(ctx, h, f)
	case "set":
		return h.set(ctx)
	case "date":
		return h.enterDate(ctx, f)
	case "text", "rich":
		if f.HandsOn {
			return h.typeOn(ctx)
		}
		if err := h.enterText(ctx); err != nil || !h.a.Leave || p.blockedBy(h.t) {
			return err
		}
		return h.on(ctx, `function () { this.blur(); }`, nil)
	}
	return &Unready{Reason: NoField, What: h.f.Role, passing: true}
}

// enterText clicks into the field, selects its content and types over it. A page that redraws a
// field at every key may lose some keys of a fast typist; then it types once more, key by key.
func (h *hand) enterText(ctx context.Context) error {
	if err := h.into(ctx); err != nil {
		return err
	}
	if h.a.Value == "" {
		if err := h.p.press(ctx, h.t, "Delete"); err != nil {
			return err
		}
	} else if err := h.p.write(ctx, h.t, h.a.Value); err != nil {
		return err
	}
	if taken, err := h.kept(ctx); taken || err != nil {
		return err
	}
	if err := h.into(ctx); err != nil {
		return err
	}
	if err := h.p.press(ctx, h.t, "Delete"); err != nil {
		return err
	}
	for _, r := range h.a.Value {
		if err := h.p.write(ctx, h.t, string(r)); err != nil {
			return err
		}
		if h.p.look(ctx, h.t).blocked {
			break
		}
		if err := h.p.pause(ctx, slowHand); err != nil {
			return err
		}
	}
	if taken, err := h.kept(ctx); taken || err != nil {
		return err
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}

// typeOn types at the cursor of an editor or a terminal, whose field holds nothing to be replaced or compared. It presses into the editor,
// unless the cursor is there already, maybe with something marked.
func (h *hand) typeOn(ctx context.Context) error {
	const here = `function () { return this.getRootNode().activeElement === this; }`
	var focused bool
	if err := h.on(ctx, here, &focused); err != nil {
		return err
	}
	if !focused {
		if err := h.pressInto(ctx); err != nil {
			return err
		}
		if err := h.on(ctx, `function () { if (this.getRootNode().activeElement !== this) this.focus(); }`, nil); err != nil {
			return err
		}
	}
	for i, line := range strings.Split(h.a.Value, "\n") {
		if i > 0 {
			if err := h.p.press(ctx, h.t, "Enter"); err != nil {
				return err
			}
		}
		if err := h.p.write(ctx, h.t, line); err != nil {
			return err
		}
	}
	return nil
}

// kept reports whether the field accepted the typed text and still has it once the page has
// settled: a page that redraws the field a while after each key may restore the old text.
func (h *hand) kept(ctx context.Context) (bool, error) {
	drawn := h.f
	taken, err := h.took(ctx)
	if !taken || err != nil || h.f == drawn || h.p.blockedBy(h.t) {
		return taken, err
	}
	for began := time.Now(); time.Since(began) < restlessTime; {
		if r := h.p.look(ctx, h.t); r.blocked || r.ready && (r.quiet >= quiet || !r.touched) {
			break
		}
		if err := h.p.pause(ctx, tick/5); err != nil {
			return false, err
		}
	}
	if f, err := h.field(ctx); err == nil && f.Kind != "" && f.Value == "" {
		return true, nil // taken to somewhere else
	}
	return h.took(ctx)
}

const slowHand = 15 * time.Millisecond

// into puts the cursor into the field, with a click if possible, and selects its content.
func (h *hand) into(ctx context.Context) error {
	if err := h.pressInto(ctx); err != nil || h.p.blockedBy(h.t) {
		return err
	}
	return h.on(ctx, `function () {
		if (!this.isConnected) return;
		const root = this.getRootNode();
		if (root.activeElement !== this && !this.contains(root.activeElement)) this.focus();
		if (this.isContentEditable) {
			const s = getSelection();
			s.selectAllChildren(this);
		} else if (this.select) this.select();
	}`, nil)
}

// pressInto clicks into the field.
func (h *hand) pressInto(ctx context.Context) error {
	at, err := h.aim(ctx, aimClick)
	if err != nil {
		return err
	}
	click := *h
	click.a = Act{Verb: capture.Click}
	return click.strike(ctx, at)
}

func (p *tracker) blockedBy(t *tab) (is bool) {
	p.locked(func() { is = t.dialog != nil || t.gone || t.dead })
	return is
}

// took reports whether the field holds what was typed. A page may reformat it (spaces, grouping,
// capitals), move it elsewhere at once, or have replaced the field.
func (h *hand) took(ctx context.Context) (bool, error) {
	if h.p.blockedBy(h.t) {
		return true, nil
	}
	for n := 0; ; n++ {
		f, err := h.field(ctx)
		if err != nil || f.Kind == "" {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if f2, ok := h.again(ctx); ok { // redrawn by the page
				h.f = f2.f
				if f, err = h.field(ctx); err != nil {
					return true, nil
				}
			} else {
				return true, nil
			}
		}
		if f.Value == h.a.Value || essence(f.Value) == essence(h.a.Value) {
			return true, nil
		}
		if n == 3 {
			return false, nil
		}
		if err := h.p.pause(ctx, slowHand); err != nil {
			return false, err
		}
	}
}

// again finds the target once more, without waiting.
func (h *hand) again(ctx context.Context) (hand, bool) {
	out := *h
	f, err := h.p.seek(ctx, h.t, h.a)
	out.f = f
	return out, err == nil
}

// essence reduces a text to what a page's formatting cannot add or change.
func essence(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// enterDate types the parts of a date in the order of the locale and checks the result. What the
// keys cannot enter (a field that takes no keys, a time whose format depends on the locale) is set
// as a whole.
func (h *hand) enterDate(ctx context.Context, f field) error {
	if f.Value == h.a.Value {
		return nil
	}
	if h.a.Value != "" && h.into(ctx) == nil {
		if keys := dateKeys(f, h.a.Value); keys != "" {
			if err := h.focusFirst(ctx); err != nil {
				return err
			}
			if err := h.p.write(ctx, h.t, keys); err != nil {
				return err
			}
		}
		if now, err := h.field(ctx); err == nil && now.Value == h.a.Value {
			return nil
		}
	}
	return h.set(ctx)
}

// focusFirst leaves the field and returns, so that its first part takes the keys.
func (h *hand) focusFirst(ctx context.Context) error {
	return h.on(ctx, `function () { this.blur(); this.focus(); }`, nil)
}

// dateKeys are the keys for a date, "" if it is not written with digits alone.
func dateKeys(f field, value string) string {
	day, clock, _ := strings.Cut(value, "T")
	if f.Type == "time" {
		day, clock = "", value
	}
	var out strings.Builder
	if day != "" {
		part := strings.Split(day, "-")
		if len(part) < 2 {
			return ""
		}
		by := map[string]string{"year": part[0], "month": part[1]}
		if len(part) > 2 {
			by["day"] = part[2]
		}
		for _, name := range f.Order {
			if name == "year" && by[name] != "" && f.Type == "datetime-local" {
				out.WriteString(by[name] + "\t")
			} else {
				out.WriteString(by[name])
			}
		}
	}
	if clock != "" {
		return "" // written with or without AM and PM: set as a whole
	}
	return out.String()
}

// set assigns a control's value as a whole where no key would: a colour, a week, a time. It sends
// the page the same events as a person's choice.
func (h *hand) set(ctx context.Context) error {
	var got string
	err := h.on(ctx, `function (value) {
		this.focus();
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(this), 'value').set.call(this, value);
		this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
		this.dispatchEvent(new Event('change', { bubbles: true }));
		return this.value;
	}`, &got, h.a.Value)
	if err != nil {
		return err
	}
	if got != h.a.Value && essence(got) != essence(h.a.Value) {
		return &Unready{Reason: NotTaken, What: h.f.Role}
	}
	return nil
}

// maxSteps bounds how many key presses move a slider.
const maxSteps = 200

// slide moves a slider by its keys. If that fails and the slider is native, its value is set as a
// whole.
func (p *operator) slide(ctx context.Context, h *hand, f field) error {
	if err := h.focus(ctx); err != nil {
		return err
	}
	var plan struct {
		Steps int  `json:"steps"`
		OK    bool `json:"ok"`
	}
	err := h.on(ctx, `function (value) {
		const native = this.tagName === 'INPUT';
		const num = (s, d) => (s === null || s === '' || isNaN(s) ? d : Number(s));
		const at = Number(native ? this.value : this.getAttribute('aria-valuenow'));
		let step = native ? num(this.step, 1) : 1;
		return { ok: !isNaN(value), steps: Math.round((Number(value) - at) / step) };
	}`, &plan, strings.TrimSpace(h.a.Value))
	if err != nil {
		return err
	}
	if plan.OK && plan.Steps >= -maxSteps && plan.Steps <= maxSteps {
		key, n := "ArrowRight", plan.Steps
		if n < 0 {
			key, n = "ArrowLeft", -n
		}
		for range n {
			if err := p.press(ctx, h.t, key); err != nil {
				return err
			}
		}
	}
	now, err := h.field(ctx)
	switch {
	case err != nil:
		return err
	case now.Value == strings.TrimSpace(h.a.Value):
		return nil
	case f.Kind == "range":
		return h.set(ctx)
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}

// pick selects options of a select element by their labels and sends the page the browser's events.
// It waits for options that are still loading.
func (p *operator) pick(ctx context.Context, h *hand) error {
	f, err := h.field(ctx)
	if err != nil {
		return err
	}
	if f.Kind != "select" { // a list of the page's own: its entry is clicked
		return p.click(ctx, h)
	}
	if _, err := h.aim(ctx, aimHover); err != nil {
		return err
	}
	var got struct {
		R    string   `json:"r"`
		Seen []string `json:"seen"`
	}
	err = h.on(ctx, pickJS, &got, h.a.Value)
	if err != nil {
		return err
	}
	switch got.R {
	case "ok":
		return nil
	case "disabled":
		return &Unready{Reason: Disabled, What: h.f.Role, passing: true}
	case "detached":
		return &Unready{Reason: Replaced, passing: true}
	}
	return &Unready{Reason: NoOption, What: h.f.Role, Seen: got.Seen, passing: true}
}

const pickJS = `function (value) {
	if (!this.isConnected) return { r: 'detached' };
	if (this.matches(':disabled')) return { r: 'disabled' };
	const flat = (s) => s.replace(/\s+/g, ' ').trim();
	const all = Array.from(this.options);
	const called = (o) => flat(o.label || o.text);
	const short = (s) => (s.length > 200 ? s.slice(0, 199) + '…' : s);
	const find = (v) => {
		v = flat(v);
		for (const same of [(o) => called(o) === v || short(called(o)) === v, (o) => called(o).toLowerCase() === v.toLowerCase(), (o) => ` +
	`o.value === v]) {
			const hits = all.filter((o) => same(o));
			if (hits.length) return hits.find((o) => !o.disabled) || hits[0];
		}
		if (v.includes('{*}')) {
			const re = new RegExp('^' + v.split('{*}').map((s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$', 'i');
			const hits = all.filter((o) => !o.disabled && re.test(called(o)));
			if (hits.length === 1) return hits[0];
		}
		return null;
	};
	let wanted = [find(value)];
	if (!wanted[0] && this.multiple) wanted = flat(value) === '' ? [] : value.split(/\s*[,\n]\s*/).map(find);
	if (wanted.some((o) => !o)) return { r: 'none', seen: all.slice(0, 50).map(called) };
	if (wanted.some((o) => o.disabled || (o.parentElement.tagName === 'OPTGROUP' && o.parentElement.disabled))) return { r: 'disabled' };
	this.focus();
	if (all.every((o) => o.selected === wanted.includes(o))) return { r: 'ok' };
	for (const o of all) if (this.multiple) o.selected = wanted.includes(o);
	if (!this.multiple) this.selectedIndex = wanted[0].index;
	this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	this.dispatchEvent(new Event('change', { bubbles: true }));
	return { r: 'ok' };
}`

// tick turns a checkbox, switch or radio button on or off by a click, unless it already is.
func (p *operator) tick(ctx context.Context, h *hand) error {
	want := h.a.Verb != capture.Uncheck
	if h.a.Verb == capture.Type || h.a.Verb == capture.Select {
		want = h.a.Value != "off" && h.a.Value != "false"
	}
	f, err := h.field(ctx)
	if err != nil {
		return err
	}
	if f.Kind != "toggle" || f.On == nil {
		return p.click(ctx, h)
	}
	if *f.On == want {
		return nil
	}
	click := *h
	click.a = Act{Verb: capture.Click}
	if err := p.click(ctx, &click); err != nil {
		return err
	}
	for n := 0; n < 5; n++ { // a switch of the page's own may take a moment
		if p.blockedBy(h.t) {
			return nil
		}
		now, err := h.field(ctx)
		if err != nil || now.On == nil { // redrawn, or another page by now
			if f, err := p.seek(ctx, h.t, h.a); err == nil {
				h.f = f
				continue
			}
			return ctx.Err()
		}
		if *now.On == want {
			return nil
		}
		p.look(ctx, h.t)
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}
