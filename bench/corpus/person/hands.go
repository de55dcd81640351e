package person

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
)

// Pull drags something by so many pixels to the right and down.
func (p *Person) Pull(selector string, across, down float64) {
	p.do("pull "+selector, func() error {
		e, err := p.find("drawing", selector, "")
		if err != nil {
			return err
		}
		x, y := e.X+e.W/2, e.Y+e.H/2
		if err := p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMouseMoved, x, y, false); err != nil {
			return err
		}
		if err := p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMousePressed, x, y, true); err != nil {
			return err
		}
		const steps = 8
		for i := 1.0; i <= steps; i++ {
			if err := p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMouseMoved, x+across*i/steps, y+down*i/steps, true); err != nil {
				return err
			}
		}
		return p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMouseReleased, x+across, y+down, false)
	})
}

// Key presses a non-printing key so many times.
func (p *Person) Key(name string, code int64, times int) {
	p.do("press "+name, func() error {
		for range times {
			for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
				k := input.DispatchKeyEventParams{Type: kind, Key: name, Code: name, WindowsVirtualKeyCode: code}
				if err := p.Tab.Session().Call(p.ctx, input.CommandDispatchKeyEvent, k, nil); err != nil {
					return errors.New("the keyboard does not reach the page")
				}
			}
		}
		return nil
	})
}

// ClickHolding clicks with Ctrl held.
func (p *Person) ClickHolding(kind, name string) {
	p.do("click "+name, func() error {
		e, err := p.find(kind, name, "")
		if err != nil {
			return err
		}
		for _, m := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			ev := input.DispatchMouseEventParams{Type: m, X: e.X + e.W/2, Y: e.Y + e.H/2, Button: input.MouseButtonLeft, ClickCount: 1, Modifiers: 2}
			if err := p.Tab.Session().Call(p.ctx, input.CommandDispatchMouseEvent, ev, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Segments types a date (2026-03-14) or a time (14:05) into a native field found by a selector, part by part, in this
// browser's order.
func (p *Person) Segments(selector, value string) {
	p.do("enter "+selector, func() error {
		e, err := p.find("drawing", selector, "")
		if err != nil {
			return err
		}
		for _, text := range segments(e.Date, value) {
			if err := p.press(e, 14, e.H/2); err != nil {
				return err
			}
			if err := p.Tab.Keys(p.ctx, text); err != nil {
				return err
			}
			var now thing
			if err := p.Tab.Look(p.ctx, &now, lookJS, "drawing", selector, ""); err != nil || now.Value == value {
				return err
			}
		}
		return errors.New("the field took nothing")
	})
}

// segments are the possible keys for a date or a time: a browser may count hours to 12 or to 24.
func segments(order []string, value string) []string {
	if h, m, ok := strings.Cut(value, ":"); ok {
		n, half := 0, "a"
		if _, err := fmt.Sscan(strings.TrimPrefix(h, "0"), &n); err == nil && n >= 12 {
			half = "p"
		}
		return []string{h + m, fmt.Sprintf("%02d%s%s", (n+11)%12+1, m, half)}
	}
	part := strings.Split(value, "-")
	if len(part) != 3 {
		return nil
	}
	by, text := map[string]string{"year": part[0], "month": part[1], "day": part[2]}, ""
	for i, name := range order {
		text += by[name]
		if name == "year" && i < len(order)-1 {
			text += "\t"
		}
	}
	return []string{text}
}
