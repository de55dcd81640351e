package person

import (
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
)

// Sight is something found by a script of the caller's: a function expression that reads the page, changes nothing
// and returns where the thing is, as look.js does. If the thing is out of sight inside something that scrolls, it
// returns where to turn the wheel (wheelX, wheelY) and by how much (wheel).
type Sight struct {
	Script string
	Words  []string
}

// spot is what is seen of it.
type spot struct {
	thing
	WheelX float64 `json:"wheelX"`
	WheelY float64 `json:"wheelY"`
	Wheel  float64 `json:"wheel"`
}

func (s Sight) String() string {
	return "sight of " + strings.Join(strings.Fields(strings.Join(s.Words, " ")), " ")
}

// glide is how long a page keeps moving after the wheel.
const glide = 120 * time.Millisecond

// looks is how often in a row a thing has to be at the same place: animations start slowly.
const looks = 4

// spotted waits until the thing stands still within reach of the mouse, scrolling with the wheel if necessary.
func (p *Person) spotted(s Sight) (spot, error) {
	var e spot
	still := 0
	err := p.Tab.Until(p.ctx, s.String(), func() bool {
		var now spot
		if p.Tab.Look(p.ctx, &now, s.Script, s.Words...) != nil || !now.Ready {
			return false
		}
		if now.Wheel != 0 {
			_ = p.Tab.Session().Call(p.ctx, input.CommandDispatchMouseEvent, map[string]any{
				"type": input.DispatchMouseEventTypeMouseWheel, "x": now.WheelX, "y": now.WheelY, "deltaX": 0, "deltaY": now.Wheel}, nil)
			e = spot{}
			select { // what was scrolled glides on for a moment
			case <-time.After(glide):
			case <-p.ctx.Done():
			}
			return false
		}
		if now.Count == 0 {
			e = spot{}
			return false
		}
		if still++; e.Count == 0 || e.X != now.X || e.Y != now.Y || e.W != now.W {
			still = 0
		}
		e = now
		return still == looks
	})
	return e, err
}

// Sees reports whether the thing is there now.
func (p *Person) Sees(s Sight) bool {
	var now spot
	return p.Err == nil && p.Tab.Look(p.ctx, &now, s.Script, s.Words...) == nil && now.Count > 0
}

// Value waits for a thing and returns what it holds or shows.
func (p *Person) Value(s Sight) (value string) {
	p.do("look at "+s.String(), func() error {
		e, err := p.spotted(s)
		value = e.Value
		return err
	})
	return value
}

// Wait waits until the thing is there.
func (p *Person) Wait(s Sight) {
	p.do("wait for "+s.String(), func() error { _, err := p.spotted(s); return err })
}

// Press clicks in its middle.
func (p *Person) Press(s Sight) {
	p.do("press "+s.String(), func() error {
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		return p.press(e.thing, e.W/2, e.H/2)
	})
}

// PressTwice is a double click.
func (p *Person) PressTwice(s Sight) {
	p.do("press twice "+s.String(), func() error {
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		if err := p.press(e.thing, e.W/2, e.H/2); err != nil {
			return err
		}
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			m := input.DispatchMouseEventParams{Type: kind, X: e.X + e.W/2, Y: e.Y + e.H/2, Button: input.MouseButtonLeft, ClickCount: 2}
			if _, err := cdp.Call(p.ctx, p.Tab.Session(), input.DispatchMouseEvent, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// PressRight clicks in its middle with the other button.
func (p *Person) PressRight(s Sight) {
	p.do("press right "+s.String(), func() error {
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			m := input.DispatchMouseEventParams{Type: kind, X: e.X + e.W/2, Y: e.Y + e.H/2, Button: input.MouseButtonRight, ClickCount: 1}
			if _, err := cdp.Call(p.ctx, p.Tab.Session(), input.DispatchMouseEvent, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// Write types text into a field, replacing its content.
func (p *Person) Write(s Sight, text string) {
	p.do("write into "+s.String(), func() error {
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		if err := p.press(e.thing, e.W/2, e.H/2); err != nil {
			return err
		}
		if err := p.Tab.SelectAll(p.ctx); err != nil {
			return err
		}
		if err := p.Tab.Keys(p.ctx, text); err != nil {
			return err
		}
		return p.Tab.Until(p.ctx, "what was written", func() bool {
			var now spot
			return p.Tab.Look(p.ctx, &now, s.Script, s.Words...) == nil && now.Count > 0 && now.Value == text
		})
	})
}

// WriteDate types a date part by part into a native field.
func (p *Person) WriteDate(s Sight, iso string) {
	p.do("date into "+s.String(), func() error {
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		if err := p.press(e.thing, 14, e.H/2); err != nil {
			return err
		}
		text, err := dateKeys(e.Date, iso)
		if err != nil {
			return err
		}
		if err := p.Tab.Keys(p.ctx, text); err != nil {
			return err
		}
		return p.Tab.Until(p.ctx, "the date", func() bool {
			var now spot
			return p.Tab.Look(p.ctx, &now, s.Script, s.Words...) == nil && now.Value == iso
		})
	})
}

// Pick sets a native select by typing: after two clicks it is closed again and has the focus.
func (p *Person) Pick(s Sight, option string) {
	p.do("pick in "+s.String(), func() error {
		for try := 0; ; try++ {
			e, err := p.spotted(s)
			if err != nil || e.Shows == option {
				return err
			}
			for range 2 {
				if err := p.press(e.thing, e.W/2, e.H/2); err != nil {
					return err
				}
			}
			if err := p.Tab.Keys(p.ctx, option); err != nil {
				return err
			}
			err = p.Tab.Until(p.ctx, "what was picked", func() bool {
				var now spot
				return p.Tab.Look(p.ctx, &now, s.Script, s.Words...) == nil && (now.Shows == option || try < 3)
			})
			if err != nil || try == 3 {
				return err
			}
		}
	})
}

// Keys types at the cursor: text, or "\r" for Enter.
func (p *Person) Keys(text string) { p.EnterAt(text) }

// ChooseFile picks a file in the chooser that a click opens.
func (p *Person) ChooseFile(s Sight, path string) {
	p.do("choose a file at "+s.String(), func() error {
		tab := p.Tab.Session()
		if err := tab.Call(p.ctx, page.CommandEnable, nil, nil); err != nil {
			return err
		}
		opened, stop := tab.Subscribe(page.FileChooserOpened.Method)
		defer stop()
		if err := tab.Call(p.ctx, page.CommandSetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true},
			nil); err != nil {
			return err
		}
		defer tab.Send(page.CommandSetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: false}, nil)
		e, err := p.spotted(s)
		if err != nil {
			return err
		}
		if err := p.press(e.thing, min(e.W/2, 40), e.H/2); err != nil {
			return err
		}
		var c page.EventFileChooserOpened
		select {
		case raw := <-opened:
			if err := browser.Decode(raw, &c); err != nil {
				return err
			}
		case <-time.After(10 * time.Second):
			return errors.New("no chooser opened")
		}
		_, err = cdp.Call(p.ctx, tab, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{path}, BackendNodeID: c.BackendNodeID})
		return err
	})
}

// DragTo drags one thing onto another with the browser's native drag and drop.
func (p *Person) DragTo(from, to Sight) {
	p.do("drag "+from.String(), func() error {
		a, err := p.spotted(from)
		if err != nil {
			return err
		}
		b, err := p.spotted(to)
		if err != nil {
			return err
		}
		return p.drag(a.X+a.W/2, a.Y+a.H/2, b.X+b.W/2, b.Y+b.H/2)
	})
}
