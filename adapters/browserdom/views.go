package browserdom

import (
	"encoding/json"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
)

// views are the sessions of one browser.
type views map[*browser.Session]*view

// view is a session: a tab, or an out-of-process frame of one.
type view struct {
	s        *browser.Session
	tab      *tab
	contexts map[string]runtimeContext // our worlds, by unique id
	script   page.ScriptIdentifier
}

type runtimeContext struct {
	id    runtime.ExecutionContextID
	frame cdp.FrameID
}

// tell evaluates an expression in each of our worlds of the view.
func (v *view) tell(expression string) {
	for unique := range v.contexts {
		v.tellIn(unique, expression)
	}
}

func (v *view) tellIn(unique, expression string) {
	v.s.Send(runtime.CommandEvaluate, runtime.EvaluateParams{Expression: expression, UniqueContextID: unique, Silent: new(true)}, nil)
}

func (v *view) created(params jsonv2.Value) {
	var e runtime.EventExecutionContextCreated
	if browser.Decode(params, &e) != nil || e.Context == nil || e.Context.Name != script.World {
		return
	}
	var aux struct {
		FrameID cdp.FrameID `json:"frameId"`
	}
	_ = json.Unmarshal(e.Context.AuxData, &aux)
	v.contexts[e.Context.UniqueID] = runtimeContext{e.Context.ID, aux.FrameID}
	v.tellIn(e.Context.UniqueID, "globalThis.showhow && globalThis.showhow.again()") // the script may have begun before the binding
}

func (v *view) frame(id runtime.ExecutionContextID) cdp.FrameID {
	for _, c := range v.contexts {
		if c.id == id {
			return c.frame
		}
	}
	return ""
}

// home is the view and execution context of a document.
func (vs views) home(d *doc) (v *view, context string) {
	for _, v := range vs {
		if v.tab != d.tab {
			continue
		}
		for unique, c := range v.contexts {
			if c.frame == d.frame {
				return v, unique
			}
		}
	}
	return nil, ""
}

// holds: the document is in a frame of this session.
func (v *view) holds(d *doc) bool {
	for _, c := range v.contexts {
		if c.frame == d.frame {
			return true
		}
	}
	return false
}

// tabOfFrame is the tab that contains a frame.
func (vs views) tabOfFrame(frame string) *tab {
	for _, v := range vs {
		for _, c := range v.contexts {
			if string(c.frame) == frame {
				return v.tab
			}
		}
	}
	return nil
}
