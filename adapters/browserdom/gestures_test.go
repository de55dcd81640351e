//go:build unix

package browserdom

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
)

// press is a pointerdown whose page may be gone before it is answered.
func (p *sheet) press(x, y float64) {
	p.s.Send(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{Type: "mousePressed", X: x, Y: y, Button: "left", ClickCount: 1},
		nil)
}

// burst clicks n times without waiting for the page.
func (p *sheet) burst(selector string, n int) {
	p.t.Helper()
	x, y := p.at(selector)
	for range n {
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			p.s.Send(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", ClickCount: 1}, nil)
		}
	}
	p.until("true")
}

// untilAfter waits for a document with a later time origin.
func (p *sheet) untilAfter(origin float64) {
	p.until(fmt.Sprintf("document.readyState === 'complete' && performance.timeOrigin > %f && performance.now() > 30", origin))
}

// drag presses, moves in steps and releases.
func (p *sheet) drag(x0, y0, x1, y1 float64) {
	p.t.Helper()
	p.mouse(input.DispatchMouseEventTypeMousePressed, x0, y0, input.MouseButtonLeft, 1)
	const steps = 6.0
	for i := 1.0; i <= steps; i++ {
		p.move(x0+(x1-x0)*i/steps, y0+(y1-y0)*i/steps, 1)
		time.Sleep(20 * time.Millisecond) // pace: a hand's
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1, input.MouseButtonLeft, 1)
}

// move moves the mouse, with these buttons held.
func (p *sheet) move(x, y float64, buttons int64) {
	p.t.Helper()
	e := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y, Buttons: buttons}
	if buttons == 1 {
		e.Button = input.MouseButtonLeft
	}
	if _, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchMouseEvent, e); err != nil {
		p.t.Logf("move: %v", err)
	}
}

// command is a shortcut that the browser itself executes: copy, paste, selectAll.
func (p *sheet) command(key, code string, vk int64, name string) {
	p.t.Helper()
	e := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Code: code, WindowsVirtualKeyCode: vk,
		Modifiers: 2, Commands: []string{name}}
	if _, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchKeyEvent, e); err != nil {
		p.t.Fatal(err)
	}
	e.Type, e.Commands = input.DispatchKeyEventTypeKeyUp, nil
	if _, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchKeyEvent, e); err != nil {
		p.t.Fatal(err)
	}
}

// insert enters text without keys.
func (p *sheet) insert(text string) {
	p.t.Helper()
	if _, err := cdp.Call(ctxOf(p.t), p.s, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
}

// files creates files of these names.
func (p *sheet) files(names []string) (paths []string) {
	dir := p.t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
			p.t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// dragAndDrop uses the browser's native drag and drop; the browser reports the dragged data instead of asking the
// desktop.
func (p *sheet) dragAndDrop(from, to string) {
	p.t.Helper()
	data, stop := p.s.Subscribe(input.DragIntercepted.Method)
	defer stop()
	if err := p.s.Call(ctxOf(p.t), input.CommandSetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		p.t.Fatal(err)
	}
	x0, y0 := p.at(from)
	x1, y1 := p.at(to)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x0, y0, input.MouseButtonLeft, 1)
	p.s.Send(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: x0 + 5, Y: y0 + 5, Button: "left",
		Buttons: 1}, nil)
	p.s.Send(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: x0 + 12, Y: y0 + 12, Button: "left",
		Buttons: 1}, nil)
	var e input.EventDragIntercepted
	select {
	case raw := <-data:
		if err := browser.Decode(raw, &e); err != nil {
			p.t.Fatal(err)
		}
	case <-time.After(patience):
		p.t.Fatal("no drag began")
	}
	p.drop(x1, y1, e.Data)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1, input.MouseButtonLeft, 1)
}

func (p *sheet) drop(x, y float64, data *input.DragData) {
	p.t.Helper()
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver,
		input.DispatchDragEventTypeDrop} {
		if err := p.s.Call(ctxOf(p.t), input.CommandDispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: data},
			nil); err != nil {
			p.t.Fatal(err)
		}
	}
}

// dropFiles drops files from outside the browser.
func (p *sheet) dropFiles(selector string, names ...string) {
	p.t.Helper()
	x, y := p.at(selector)
	p.drop(x, y, &input.DragData{Items: []*input.DragDataItem{}, Files: p.files(names), DragOperationsMask: 1})
}

// setFiles answers the file chooser of an input with files of these names.
func (p *sheet) setFiles(selector string, names ...string) {
	p.t.Helper()
	paths := p.files(names)
	doc, err := cdp.Call(ctxOf(p.t), p.s, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		p.t.Fatal(err)
	}
	node, err := cdp.Call(ctxOf(p.t), p.s, dom.QuerySelector, dom.QuerySelectorParams{NodeID: doc.Root.NodeID, Selector: selector})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := cdp.Call(ctxOf(p.t), p.s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, NodeID: node.NodeID}); err != nil {
		p.t.Fatal(err)
	}
}

// answer makes the person answer native prompts with a text for the rest of the test.
func (h *hand) answer(t testing.TB, text string) {
	set := func(f func(*browser.Session, string)) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.onDialog = f
	}
	set(func(s *browser.Session, _ string) {
		s.Send(page.CommandHandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true, PromptText: text}, nil)
	})
	t.Cleanup(func() { set(nil) })
}

// tap touches the middle of an element.
func (p *sheet) tap(selector string) {
	p.t.Helper()
	x, y := p.at(selector)
	for _, e := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchTouchEvent, e); err != nil {
			p.t.Fatal(err)
		}
	}
}
