package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
	"showhow/capture"
)

// Want is what to look for: a recorded target with the values of this run filled in. "{*}" in a
// text, and a mask, match any text.
type Want struct {
	Target capture.Target
	Verb   capture.Verb // what will be done to it: "" asks nothing of it
}

// DropOn, as a verb, asks for the place to drop something on.
const DropOn capture.Verb = "drop_on"

// Found is the one element that matches.
type Found struct {
	Session    *browser.Session
	ObjectID   runtime.RemoteObjectID // in an isolated world of its document; released with the document
	Role, Name string
	Drift      []string          // differences from the demonstration, in words; empty: none
	Moved      *capture.Landmark // where it is now, when that is another place than was shown; role "none": no named one
	Score      float64           // how certain, from 0 to 1

	scene scene
}

// NotFound says why no element was returned.
type NotFound struct {
	Reason string   // Missing or Ambiguous
	Wanted string   // button "Save" in form "Billing"
	Seen   []string // the nearest candidates, best first

	scene scene
}

// The reasons of NotFound.
const (
	Missing   = "missing"
	Ambiguous = "ambiguous"
)

func (n *NotFound) Error() string {
	what := "there is no " + n.Wanted
	if n.Reason == Ambiguous {
		what = "there are several that may be the " + n.Wanted
	}
	if len(n.Seen) == 0 {
		return what
	}
	return what + "; there is " + strings.Join(n.Seen, ", ")
}

// Find looks for w in the frames of a tab: the sessions of its page and of its out-of-process
// frames, the page first. The error is a *NotFound, or says that the page could not be read.
func Find(ctx context.Context, frames []*browser.Session, w Want) (*Found, error) {
	docs, err := look(ctx, frames, w)
	if err != nil {
		return nil, err
	}
	var all []*candidate
	for _, d := range docs {
		all = append(all, d.Candidates...)
	}
	if t := w.Target.Tag; t == "body" || t == "html" {
		return whole(ctx, docs, w.Target)
	}
	best, missed := choose(ctx, w, all)
	if missed != nil {
		missed.scene = scene{want: w, all: all}
		return nil, missed
	}
	id, err := best.doc.element(ctx, best.I)
	if err != nil {
		return nil, fmt.Errorf("taking hold of what was found: %w", err)
	}
	return &Found{Session: best.doc.session, ObjectID: id, Role: best.Role, Name: best.Name, Drift: drift(w.Target, best),
		Moved: movedTo(w.Target, best), Score: best.certainty(), scene: scene{w, all, best}}, nil
}

// choose is the only one of the candidates that is certain, or why there is none.
func choose(ctx context.Context, w Want, all []*candidate) (*candidate, *NotFound) {
	best, missed := judge(w, all)
	if missed != nil {
		return nil, missed
	}
	if best.doc.Cut && best.backing < margin { // the next best may be among the rest
		return nil, notFound(Ambiguous, w, []*candidate{best})
	}
	if len(best.twins) > 0 {
		alike := append([]*candidate{best}, best.twins...)
		if slices.ContainsFunc(alike, func(c *candidate) bool { return c.doc.listened(ctx, c.I) }) {
			return nil, notFound(Ambiguous, w, alike)
		}
	}
	return best, nil
}

// whole returns the document itself, which receives a shortcut when nothing has the focus.
func whole(ctx context.Context, docs []*document, t capture.Target) (*Found, error) {
	for _, d := range docs {
		if d.Frame != t.Frame && compare(t.Frame, d.Frame) < same {
			continue
		}
		id, err := d.hold(ctx, "document.body")
		if err != nil {
			return nil, fmt.Errorf("taking hold of the page: %w", err)
		}
		return &Found{Session: d.session, ObjectID: id, Role: t.Role, Score: 1}, nil
	}
	return nil, &NotFound{Reason: Missing, Wanted: "the frame " + t.Frame}
}
