package player

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
)

// The possible answers to a native dialog.
const (
	accepted  = "accepted"
	dismissed = "dismissed"
)

// dialog is a native dialog that waits for its answer.
type dialog struct {
	kind, message, preset string
	at                    int // in the act's list
}

// maxDialogs bounds how many dialogs of one act are answered: a page may open them for ever.
const maxDialogs = 20

// dialogOpens answers a dialog as the act says. An alert has only one answer. If the act says nothing, the dialog
// stays open for the next act, which answers it or dismisses it: "no" is the answer that changes nothing.
func (p *tracker) dialogOpens(v *view, params jsonv2.Value) {
	var e page.EventJavascriptDialogOpening
	if browser.Decode(params, &e) != nil || v.tab == nil {
		return
	}
	d := &dialog{kind: string(e.Type), message: e.Message, preset: e.DefaultPrompt, at: len(p.act.dialogs)}
	v.tab.dialog = d
	p.act.dialogs = append(p.act.dialogs, fmt.Sprintf("%s %q open", d.kind, d.message))
	answer := p.act.answer
	if d.kind == string(page.DialogTypeAlert) {
		answer = accepted
	} else if answer == "" && d.kind == string(page.DialogTypeBeforeunload) {
		answer = dismissed
	}
	if answer != "" && p.act.answered < maxDialogs {
		p.answer(v.tab, answer, p.act.text)
	}
	p.changed()
}

// dialogCloses clears the pending navigation of a page that asked before unloading and was told to
// stay.
func (p *tracker) dialogCloses(v *view, params jsonv2.Value) {
	var e page.EventJavascriptDialogClosed
	if v.tab == nil {
		return
	}
	if browser.Decode(params, &e) == nil && !e.Result {
		clear(v.tab.asked)
		clear(v.tab.busy)
	}
	v.tab.dialog = nil
	p.changed()
}

// answer answers a tab's dialog. The caller holds mu.
func (p *tracker) answer(t *tab, how, text string) {
	d := t.dialog
	if d == nil {
		return
	}
	t.dialog = nil
	p.act.answered++
	line := fmt.Sprintf("%s %q %s", d.kind, d.message, how)
	if d.at < len(p.act.dialogs) {
		p.act.dialogs[d.at] = line
	} else {
		p.act.dialogs = append(p.act.dialogs, line)
	}
	a := page.HandleJavaScriptDialogParams{Accept: how == accepted}
	if a.Accept && d.kind == string(page.DialogTypePrompt) {
		if a.PromptText = text; text == "" {
			a.PromptText = d.preset
		}
	}
	t.s.Send(page.CommandHandleJavaScriptDialog, a, nil)
}

func (d *doing) acceptedAll() bool { return d.answer == accepted }

// chooser is a file chooser opened by a page; no window is shown.
type chooser struct {
	s    *browser.Session
	node cdp.BackendNodeID
}

// chooserOpens records a file chooser. The caller holds mu.
func (p *tracker) chooserOpens(v *view, params jsonv2.Value) {
	var e page.EventFileChooserOpened
	if browser.Decode(params, &e) == nil {
		p.act.chooser = &chooser{v.s, e.BackendNodeID}
		p.changed()
	}
}

// dragBegins records the data of the browser's native drag and drop. The caller holds mu.
func (p *tracker) dragBegins(params jsonv2.Value) {
	var e input.EventDragIntercepted
	if browser.Decode(params, &e) == nil {
		p.act.carried = e.Data
		p.changed()
	}
}
