// Package person demonstrates the corpus's workflows as a person would: it looks at the page, moves the mouse,
// presses keys in a real browser and types lines into a real shell.
//
// It finds elements by what can be read on them, through frames and shadow roots; it only reads the page and never
// scripts it. It waits for what it can see, never for a time. The first error is kept in Err, and later acts are
// skipped. It does not know Showhow.
package person

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
	"showhow/demo/driver"
)

//go:embed look.js
var lookJS string

// Person has one tab and one shell.
type Person struct {
	Tab       *driver.Tab   // nil: no browser
	Shell     *driver.Shell // nil: no shell
	Base      string        // address of the application, without a slash at the end
	Downloads string        // where the browser saves
	Work      string        // folder of the files to work on
	Err       error         // what went wrong first
	Pressed   time.Time     // when the button of the mouse, or Enter, was last pressed

	ctx context.Context
}

// New returns a person who works until ctx ends.
func New(ctx context.Context) *Person { return &Person{ctx: ctx} }

// thing is what is seen of an element. Positions are CSS pixels of the viewport.
type thing struct {
	Ready   bool     `json:"ready"`
	Count   int      `json:"count"`
	X       float64  `json:"x"`
	Y       float64  `json:"y"`
	W       float64  `json:"w"`
	H       float64  `json:"h"`
	Height  float64  `json:"height"`
	Value   string   `json:"value"`
	Shows   string   `json:"shows"`
	Checked bool     `json:"checked"`
	Focused bool     `json:"focused"`
	Date    []string `json:"date"`
}

// do runs one act unless an earlier one failed.
func (p *Person) do(what string, act func() error) {
	if p.Err != nil {
		return
	}
	if err := act(); err != nil {
		p.Err = fmt.Errorf("%s: %w", what, err)
	}
}

// AnswerDialogs accepts native dialogs until the returned function is called.
func (p *Person) AnswerDialogs() (end func()) {
	s := p.Tab.Session()
	asked, stop := s.Subscribe(page.JavascriptDialogOpening.Method)
	p.do("listen for questions", func() error { return s.Call(p.ctx, page.CommandEnable, nil, nil) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range asked {
			s.Send(page.CommandHandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}, nil)
		}
	}()
	return func() { stop(); <-done }
}

// Open enters an address of the application.
func (p *Person) Open(path string) {
	p.do("open "+path, func() error { return p.Tab.GoTo(p.ctx, p.Base+path) })
}

// See waits until the page shows a text.
func (p *Person) See(text string) {
	p.do("see", func() error {
		return p.Tab.Until(p.ctx, text, func() bool {
			var t thing
			return p.Tab.Look(p.ctx, &t, lookJS, "text", text) == nil && t.Ready && t.Count > 0
		})
	})
}

// find waits until something stands still in view, scrolling to it.
func (p *Person) find(kind, name, within string) (thing, error) {
	var e thing
	err := p.Tab.Until(p.ctx, kind+" "+name, func() bool {
		var now thing
		if p.Tab.Look(p.ctx, &now, lookJS, kind, name, within) != nil || now.Count == 0 || !now.Ready {
			return false
		}
		if now.Y < 0 || now.Y+now.H > now.Height {
			_ = p.Tab.Wheel(p.ctx, now.Y+now.H/2-now.Height/2)
			e = thing{}
			return false
		}
		still := e.Count > 0 && e.X == now.X && e.Y == now.Y
		e = now
		return still
	})
	return e, err
}

// press clicks at a point inside a thing, in pixels from its corner.
func (p *Person) press(e thing, across, down float64) error {
	x, y := e.X+across, e.Y+down
	p.Pressed = time.Now()
	for _, m := range []struct {
		kind   input.DispatchMouseEventType
		dx, dy float64
		held   bool
	}{{input.DispatchMouseEventTypeMouseMoved, -9, -4, false}, {input.DispatchMouseEventTypeMouseMoved, 0, 0, false},
		{input.DispatchMouseEventTypeMousePressed, 0, 0, true}, {input.DispatchMouseEventTypeMouseReleased, 0, 0, false}} {
		if err := p.Tab.Mouse(p.ctx, m.kind, x+m.dx, y+m.dy, m.held); err != nil {
			return err
		}
	}
	return nil
}

// Click clicks a button, link, option, menuitem, switch or label by its text.
func (p *Person) Click(kind, name string) { p.ClickIn("", kind, name) }

// ClickIn clicks something in the row, card, section, dialog or form that contains the text.
func (p *Person) ClickIn(within, kind, name string) {
	p.do("click "+name, func() error {
		e, err := p.find(kind, name, within)
		if err != nil {
			return err
		}
		return p.press(e, e.W/2, e.H/2)
	})
}

// Enter types text into a field, replacing its content.
func (p *Person) Enter(label, text string) { p.EnterIn("", label, text) }

// EnterIn types text into the field of the row, dialog or form that contains the text within.
func (p *Person) EnterIn(within, label, text string) {
	p.do("enter "+label, func() error {
		e, err := p.find("field", label, within)
		if err != nil {
			return err
		}
		if err := p.press(e, e.W/2, e.H/2); err != nil {
			return err
		}
		if err := p.Tab.SelectAll(p.ctx); err != nil {
			return err
		}
		if err := p.Tab.Keys(p.ctx, text); err != nil {
			return err
		}
		return p.holds(label, within, func(e thing) bool { return e.Value == text })
	})
}

// clocksApart is how far a page's clock may be behind.
const clocksApart = 5 * time.Millisecond

// EnterAt types text at the cursor.
func (p *Person) EnterAt(text string) {
	p.do("enter", func() error {
		text, enter := strings.CutSuffix(text, "\r")
		if err := p.Tab.Keys(p.ctx, text); err != nil || !enter {
			return err
		}
		p.Pressed = time.Now().Add(-clocksApart)
		return p.Tab.Keys(p.ctx, "\r")
	})
}

// holds waits until a field shows what it should.
func (p *Person) holds(label, within string, ok func(thing) bool) error {
	return p.Tab.Until(p.ctx, "what was entered into "+label, func() bool {
		var e thing
		return p.Tab.Look(p.ctx, &e, lookJS, "field", label, within) == nil && e.Count > 0 && ok(e)
	})
}

// Choose sets a select by keyboard: its label is clicked and the option's letters are typed.
func (p *Person) Choose(label, option string) {
	p.do("choose "+label, func() error {
		for try := 0; ; try++ {
			e, err := p.find("field", label, "")
			if err != nil || e.Shows == option {
				return err
			}
			l, err := p.find("label", label, "")
			if err != nil {
				return err
			}
			if err := p.press(l, 6, min(l.H/2, 10)); err != nil {
				return err
			}
			if err := p.holds(label, "", func(e thing) bool { return e.Focused }); err != nil {
				return err
			}
			if err := p.Tab.Keys(p.ctx, option); err != nil {
				return err
			}
			if err := p.holds(label, "", func(e thing) bool { return e.Shows == option || try < 3 }); err != nil || try == 3 {
				return err
			}
		}
	})
}

// Date types a date part by part, in this browser's order.
func (p *Person) Date(label, iso string) {
	p.do("enter "+label, func() error {
		e, err := p.find("field", label, "")
		if err != nil {
			return err
		}
		if err := p.press(e, 14, e.H/2); err != nil {
			return err
		}
		text, err := dateKeys(e.Date, iso)
		if err != nil {
			return err
		}
		if err := p.Tab.Keys(p.ctx, text); err != nil {
			return err
		}
		return p.holds(label, "", func(e thing) bool { return e.Value == iso })
	})
}

// dateKeys are the keys that enter a date into a native field with its parts in this order.
func dateKeys(order []string, iso string) (string, error) {
	part := strings.Split(iso, "-")
	if len(part) != 3 {
		return "", errors.New("no date")
	}
	by, text := map[string]string{"year": part[0], "month": part[1], "day": part[2]}, ""
	for i, name := range order {
		text += by[name]
		if name == "year" && i < len(order)-1 {
			text += "\t" // a year may have more digits: the next part is not reached by itself
		}
	}
	return text, nil
}

// Drag drags a card onto a section with the browser's native drag and drop.
func (p *Person) Drag(card, section string) {
	p.do("drag "+card, func() error {
		from, err := p.find("card", card, "")
		if err != nil {
			return err
		}
		to, err := p.find("region", section, "")
		if err != nil {
			return err
		}
		return p.drag(from.X+from.W-6, from.Y+from.H/2, to.X+to.W/2, to.Y+min(to.H-20, 120))
	})
}

// drag drags from one point to another.
func (p *Person) drag(x0, y0, x1, y1 float64) error {
	s := p.Tab.Session()
	begun, stop := s.Subscribe(input.DragIntercepted.Method)
	defer stop()
	if err := s.Call(p.ctx, input.CommandSetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		return err
	}
	defer s.Send(input.CommandSetInterceptDrags, input.SetInterceptDragsParams{Enabled: false}, nil)
	if err := p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMouseMoved, x0, y0, false); err != nil {
		return err
	}
	p.Pressed = time.Now()
	if err := p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMousePressed, x0, y0, true); err != nil {
		return err
	}
	for _, d := range []float64{5, 12} { // not awaited: the browser answers when the drag has begun
		s.Send(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x0 + d,
			Y: y0 + d, Button: input.MouseButtonLeft, Buttons: 1}, nil)
	}
	var e input.EventDragIntercepted
	select {
	case raw := <-begun:
		if err := browser.Decode(raw, &e); err != nil {
			return err
		}
	case <-time.After(10 * time.Second):
		return errors.New("nothing was dragged")
	}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver,
		input.DispatchDragEventTypeDrop} {
		if err := s.Call(p.ctx, input.CommandDispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x1, Y: y1, Data: e.Data},
			nil); err != nil {
			return err
		}
	}
	return p.Tab.Mouse(p.ctx, input.DispatchMouseEventTypeMouseReleased, x1, y1, false)
}

// Upload presses a file field and picks a file in the chooser.
func (p *Person) Upload(label, path string) {
	p.do("upload", func() error {
		s := p.Tab.Session()
		if err := s.Call(p.ctx, page.CommandEnable, nil, nil); err != nil {
			return err
		}
		opened, stop := s.Subscribe(page.FileChooserOpened.Method)
		defer stop()
		if err := s.Call(p.ctx, page.CommandSetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true},
			nil); err != nil {
			return err
		}
		defer s.Send(page.CommandSetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: false}, nil)
		e, err := p.find("field", label, "")
		if err != nil {
			return err
		}
		if err := p.press(e, min(e.W/2, 40), e.H/2); err != nil {
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
		_, err = cdp.Call(p.ctx, s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{path}, BackendNodeID: c.BackendNodeID})
		return err
	})
}

// Downloaded waits until a file of this name is complete.
func (p *Person) Downloaded(name string) {
	p.do("download "+name, func() error {
		return p.Tab.Until(p.ctx, name, func() bool {
			st, err := os.Stat(filepath.Join(p.Downloads, name))
			return err == nil && st.Size() > 0
		})
	})
}

// Run types a line into the shell and waits for its end.
func (p *Person) Run(line string) {
	p.do("run "+line, func() error { return p.Shell.Run(p.ctx, line) })
}
