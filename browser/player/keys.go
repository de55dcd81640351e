package player

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// Key names as in a page's events, each with the character that represents it in kb.
var named = func() map[string]string {
	out := map[string]string{"Space": " ", "Spacebar": " ", "Esc": kb.Escape, "Del": kb.Delete}
	for r, k := range kb.Keys {
		if utf8.RuneCountInString(k.Key) > 1 {
			if _, ok := out[k.Key]; !ok {
				out[k.Key] = string(r)
			}
		}
	}
	out["Enter"] = kb.Enter
	return out
}()

var modifiers = map[string]struct {
	bit  int64
	code string
	vk   int64
}{
	"Alt": {1, "AltLeft", 18}, "Control": {2, "ControlLeft", 17}, "Ctrl": {2, "ControlLeft", 17}, "Meta": {4, "MetaLeft", 91}, "Shift": {
		8, "ShiftLeft", 16},
}

// chord parses "Control+Shift+S" into the modifiers and the key, "" if none.
func chord(keys string) (mods int64, key string) {
	for keys != "" {
		part, rest, more := strings.Cut(keys, "+")
		if m, ok := modifiers[part]; ok {
			mods |= m.bit
			keys = rest
			continue
		}
		if !more || part == "" {
			return mods, keys // the key may be "+" itself
		}
		return mods, keys
	}
	return mods, ""
}

// editing are the editing commands that a browser window attaches to a chord; a page's own handler
// runs first.
var editing = map[string]string{"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo", "y": "redo"}

func keysOf(a Act) string {
	if a.Keys == "" && a.Verb == capture.Submit {
		return "Enter"
	}
	return a.Keys
}

// press presses a key or a chord, wherever the focus is.
func (p *operator) press(ctx context.Context, t *tab, keys string) error {
	mods, key := chord(keys)
	if key == "" {
		return &Unready{Reason: Unknown, What: "press"}
	}
	var events []input.DispatchKeyEventParams
	text := key
	if r, ok := named[key]; ok {
		text = r
	} else if mods&^8 != 0 || mods == 0 {
		text = strings.ToLower(key)
	}
	r, _ := utf8.DecodeRuneInString(text)
	for name, m := range modifiers {
		if name != "Ctrl" && mods&m.bit != 0 {
			events = append(events, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: name, Code: m.code,
				WindowsVirtualKeyCode: m.vk, Modifiers: mods})
		}
	}
	k := kb.Keys[r]
	if k == nil {
		k = &kb.Key{Key: text, Text: text, Unmodified: text, Print: true}
	}
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.Windows,
		NativeVirtualKeyCode: k.Native, Modifiers: mods, Text: k.Text, UnmodifiedText: k.Unmodified}
	if k.Shift {
		down.Modifiers |= 8
	}
	if mods&^8 != 0 || !k.Print {
		down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeRawKeyDown, "", ""
		if c := editing[strings.ToLower(key)]; c != "" && mods == 2 {
			down.Commands = []string{c}
		}
	}
	up := down
	up.Type, up.Text, up.UnmodifiedText, up.Commands = input.DispatchKeyEventTypeKeyUp, "", "", nil
	events = append(events, down, up)
	for name, m := range modifiers {
		if name != "Ctrl" && mods&m.bit != 0 {
			events = append(events, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: name, Code: m.code,
				WindowsVirtualKeyCode: m.vk})
		}
	}
	return p.keys(ctx, t, events)
}

// keys sends key events in order and waits for the last one.
func (p *operator) keys(ctx context.Context, t *tab, events []input.DispatchKeyEventParams) error {
	for i, e := range events {
		if i < len(events)-1 {
			t.s.Send(input.CommandDispatchKeyEvent, e, func(jsonv2.Value, error) {})
			continue
		}
		if err := p.send(ctx, t, t.s, input.CommandDispatchKeyEvent, e, nil); err != nil && !errors.Is(err, errStopped) {
			return err
		}
	}
	return nil
}

// write types text into the focused element. Characters without a key are inserted, as an input
// method does.
func (p *operator) write(ctx context.Context, t *tab, text string) error {
	var events []input.DispatchKeyEventParams
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if k := kb.Keys[r]; k == nil || !k.Print {
			if len(events) > 0 {
				if err := p.keys(ctx, t, events); err != nil {
					return err
				}
				events = nil
			}
			if err := p.send(ctx, t, t.s, input.CommandInsertText, input.InsertTextParams{Text: string(r)}, nil); err != nil &&
				!errors.Is(err, errStopped) {
				return err
			}
			continue
		}
		events = append(events, browser.Keystroke(r)...)
	}
	if len(events) == 0 {
		return nil
	}
	return p.keys(ctx, t, events)
}

// submit submits a form as the person did: by Enter in a field, by a click on a control. Not every
// control that looks like a button reacts to Enter.
func (p *operator) submit(ctx context.Context, h *hand) error {
	f, err := h.field(ctx)
	if err != nil {
		return err
	}
	if h.a.Keys == "" && f.Kind == "" && sets[h.f.Role] {
		return p.click(ctx, h)
	}
	return p.pressOn(ctx, h)
}

// sets are the roles of controls that are activated by a click.
var sets = map[string]bool{"button": true, "link": true, "menuitem": true, "option": true, "tab": true}

// pressOn presses a key on the target. Enter in a list that opens under a field selects the
// highlighted entry, so the wanted entry is highlighted first.
func (p *operator) pressOn(ctx context.Context, h *hand) error {
	keys := keysOf(h.a)
	if h.f.Role != "document" && h.f.Role != "generic" {
		if err := h.focus(ctx); err != nil {
			return err
		}
	}
	if h.a.Value != "" && keys == "Enter" {
		if err := h.mark(ctx, h.a.Value); err != nil {
			return err
		}
	}
	return p.press(ctx, h.t, keys)
}

// maxMarks bounds how far down a list the search goes.
const maxMarks = 100

// mark moves through the list under a field until the entry with this text is highlighted.
func (h *hand) mark(ctx context.Context, want string) error {
	var seen []string
	wait := h.p.patience()
	for n := 0; n < maxMarks; {
		var at struct {
			Has    bool   `json:"has"`
			Marked string `json:"marked"`
		}
		err := h.on(ctx, `function () {
			const id = this.getAttribute('aria-activedescendant');
			const o = id && this.getRootNode().getElementById(id);
			const list = this.getAttribute('aria-controls') || this.getAttribute('aria-owns');
			const l = list && this.getRootNode().getElementById(list);
			return { has: !!o || !!(l && l.querySelector('[role=option],[role=treeitem],li')), marked: o ? o.textContent.replace(/\s+/g, ' `+
			`').trim() : '' };
		}`, &at)
		if err != nil {
			return err
		}
		if at.Marked != "" && same(at.Marked, want) {
			return nil
		}
		if !at.Has { // the list is still to come
			if wait.more(ctx, h.p.reader, h.t) {
				continue
			}
			break
		}
		if at.Marked != "" {
			if len(seen) > 1 && at.Marked == seen[0] {
				break // once around
			}
			seen = append(seen, at.Marked)
		}
		n++
		if err := h.p.press(ctx, h.t, "ArrowDown"); err != nil {
			return err
		}
		if err := h.p.pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return &find.NotFound{Reason: "missing", Wanted: "option", Seen: seen}
}

// same compares texts as a person does; "{*}" matches any text.
func same(have, want string) bool {
	have, want = fold(have), fold(want)
	if !strings.Contains(want, "{*}") {
		return have == want
	}
	parts := strings.Split(want, "{*}")
	if !strings.HasPrefix(have, parts[0]) {
		return false
	}
	have = have[len(parts[0]):]
	for i, part := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(have, part)
		}
		at := strings.Index(have, part)
		if at < 0 {
			return false
		}
		have = have[at+len(part):]
	}
	return true
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// count changes a number by the controls beside it until it has the wanted value: by its plus and
// minus buttons, or by its handle's keys and, if they do nothing, by dragging the handle. It works
// in both directions and gives up if a press has no effect.
func (p *operator) count(ctx context.Context, h *hand, f field) error {
	wanted, err := number(h.a.Value)
	if err != nil {
		return &Unready{Reason: NotTaken, What: h.f.Role}
	}
	if f.Kind == "handle" {
		return p.moveHandle(ctx, h, wanted)
	}
	up := -1 // which of the two signs makes it larger; not known yet
	for range maxPresses {
		is, err := h.counted(ctx)
		if err != nil || is == wanted {
			return err
		}
		sign := 0
		if up >= 0 && (wanted > is) != (up == 0) {
			sign = 1
		}
		if err := h.pressSign(ctx, sign); err != nil {
			return err
		}
		now, err := h.counted(ctx)
		switch {
		case err != nil:
			return err
		case now > is && up < 0:
			up = sign
		case now < is && up < 0:
			up = 1 - sign
		case now == is && up >= 0 || now == is && sign == 0:
			up = 1 // pressing the first one leads nowhere: it may be at its end
			if sign == 1 {
				return &Unready{Reason: NotTaken, What: h.f.Role}
			}
		}
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}

// maxPresses bounds how often a button is pressed.
const maxPresses = 250

func number(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(text), ",", "."), 64)
}

// counted returns the current number.
func (h *hand) counted(ctx context.Context) (float64, error) {
	f, err := h.field(ctx)
	if err != nil {
		return 0, err
	}
	n, err := number(f.Value)
	if err != nil {
		return 0, &Unready{Reason: NotTaken, What: h.f.Role}
	}
	return n, nil
}

// pressSign presses one of the two buttons beside the number.
func (h *hand) pressSign(ctx context.Context, which int) error {
	var at struct{ X, Y float64 }
	err := h.on(ctx, `function (which) {
		const c = globalThis.showhow && showhow.counter(this);
		const s = c && c.signs[which];
		if (!s) return { X: 0, Y: 0 };
		s.scrollIntoView({ block: 'nearest' });
		const r = s.getBoundingClientRect();
		return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
	}`, &at, which)
	if err != nil {
		return err
	}
	if at.X == 0 && at.Y == 0 {
		return &Unready{Reason: NoField, What: h.f.Role, passing: true}
	}
	click := *h
	if err := click.strike(ctx, point{at.X, at.Y}); err != nil {
		return err
	}
	h.p.look(ctx, h.t)
	return nil
}

// moveHandle moves a handle until its number has the wanted value.
func (p *operator) moveHandle(ctx context.Context, h *hand, wanted float64) error {
	if err := h.focus(ctx); err != nil {
		return err
	}
	for range maxPresses {
		is, err := h.counted(ctx)
		if err != nil || is == wanted {
			return err
		}
		key := "ArrowRight"
		if wanted < is {
			key = "ArrowLeft"
		}
		if err := p.press(ctx, h.t, key); err != nil {
			return err
		}
		now, err := h.counted(ctx)
		if err != nil {
			return err
		}
		if math.Abs(wanted-now) >= math.Abs(wanted-is) {
			return p.pullHandle(ctx, h, wanted)
		}
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}

// pullHandle drags a handle and watches its number until that has the wanted value.
func (p *operator) pullHandle(ctx context.Context, h *hand, wanted float64) error {
	at, err := h.aim(ctx, aimGrab)
	if err != nil {
		return err
	}
	is, err := h.counted(ctx)
	if err != nil {
		return err
	}
	to := func(kind input.DispatchMouseEventType, x float64) error {
		e := input.DispatchMouseEventParams{Type: kind, X: x, Y: at.y, Button: input.MouseButtonLeft, ClickCount: 1}
		if kind != input.DispatchMouseEventTypeMouseReleased {
			e.Buttons = 1
		}
		return h.mouse(ctx, e)
	}
	if err := h.move(ctx, at); err != nil {
		return err
	}
	if err := to(input.DispatchMouseEventTypeMousePressed, at.x); err != nil {
		return err
	}
	x, perStep := at.x, 0.0
	for range maxPulls {
		if is == wanted {
			break
		}
		move := 8.0
		if perStep != 0 {
			move = (wanted - is) / perStep
		}
		if math.Abs(move) < 1 {
			move = math.Copysign(1, move)
		}
		x += move
		if err := to(input.DispatchMouseEventTypeMouseMoved, x); err != nil {
			return err
		}
		now, err := h.counted(ctx)
		if err != nil {
			return err
		}
		if now != is {
			perStep = (now - is) / move
		}
		is = now
	}
	if err := to(input.DispatchMouseEventTypeMouseReleased, x); err != nil {
		return err
	}
	if is != wanted {
		return &Unready{Reason: NotTaken, What: h.f.Role}
	}
	return nil
}

// maxPulls bounds the movements of one drag.
const maxPulls = 60
