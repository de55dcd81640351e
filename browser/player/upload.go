package player

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"showhow/browser"
	"showhow/capture"
)

// chooserTime is how long a click may take to open a file chooser before the files are dropped
// instead.
const chooserTime = 1500 * time.Millisecond

// upload gives files to a file field, to the button that opens its chooser, or to a drop area.
func (p *operator) upload(ctx context.Context, h *hand) error {
	for _, f := range h.a.Files {
		if _, err := os.Stat(f); err != nil {
			return &Unready{Reason: NoField, What: "file"}
		}
	}
	if len(h.a.Files) == 0 {
		return &Unready{Reason: NoField, What: "file"}
	}
	f, err := h.field(ctx)
	if err != nil {
		return err
	}
	if f.Kind == "file" {
		return h.give(ctx, h.f.Session, dom.SetFileInputFilesParams{Files: h.a.Files, ObjectID: h.f.ObjectID})
	}
	click := *h
	click.a = Act{Verb: capture.Click}
	if err := p.click(ctx, &click); err != nil {
		return err
	}
	if p.until(ctx, chooserTime, func() bool { return p.act.chooser != nil }) == nil {
		var c chooser
		p.locked(func() { c = *p.act.chooser })
		return h.give(ctx, c.s, dom.SetFileInputFilesParams{Files: h.a.Files, BackendNodeID: c.node})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	at, err := h.aim(ctx, aimDrop)
	if err != nil {
		return err
	}
	return h.dropAt(ctx, at, &input.DragData{Items: []*input.DragDataItem{}, Files: h.a.Files, DragOperationsMask: 1})
}

func (h *hand) give(ctx context.Context, s *browser.Session, files dom.SetFileInputFilesParams) error {
	err := h.p.send(ctx, h.t, s, dom.CommandSetFileInputFiles, files, nil)
	if err == nil || errors.Is(err, errStopped) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Unready{Reason: NotTaken, What: h.f.Role}
}

// dropAt drags something over a point and drops it there.
func (h *hand) dropAt(ctx context.Context, at point, data *input.DragData) error {
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver,
		input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		err := h.p.send(ctx, h.t, h.t.s, input.CommandDispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.x, Y: at.y, Data: data},
			nil)
		if err != nil && !errors.Is(err, errStopped) {
			return err
		}
	}
	return nil
}
