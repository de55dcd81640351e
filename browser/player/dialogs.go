package player

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
	"showhow/capture"
)

// How a native dialog is answered.
const (
	accepted  = "accepted"
	dismissed = "dismissed"
)

// dialog is a native dialog that waits for its answer.
type dialog struct {
	kind, message, preset string
	at                    int // in the act's list
}

// maxDialogs bounds how many dialogs of one act are answered: a page may ask for ever.
const maxDialogs = 20

// dialogOpens answers a dialog as the act says. An alert has one answer only. What the act does not speak of stays open for an act
// that does, and is dismissed by any other: "no" is the answer that changes nothing.
func (p *Player) dialogOpens(v *view, params jsonv2.Value) {
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

// dialogCloses: a page that asked before it is left, and was told to stay, is not on the way any more.
func (p *Player) dialogCloses(v *view, params jsonv2.Value) {
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
func (p *Player) answer(t *tab, how, text string) {
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

// settleDialog answers what the last act left open, before a new one begins.
func (p *Player) settleDialog(a Act) (answered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.tabs {
		if t.dialog == nil {
			continue
		}
		t.dialog.at = len(p.act.dialogs)
		if a.Verb == capture.Dialog && a.Dialog != "" && !answered {
			p.answer(t, a.Dialog, a.Value)
			answered = true
		} else {
			p.answer(t, dismissed, "")
		}
	}
	return answered
}
