//go:build unix

package browserdom

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

// hardPage is a page that makes recorders lose, double or misname acts, with what a person does on it and the
// expected observations: every act once, in order, by the name that the person would use.
type hardPage struct {
	path string
	html string
	more map[string]string // further pages
	do   func(p *sheet)
	want []string
}

// brief formats an observation on one line: verb, role, name, drop target, keys, value.
func brief(o capture.Observation) string {
	s := string(o.Verb)
	if t := o.Target; t != nil {
		s += " " + t.Role + " " + strconv.Quote(called(t))
	}
	if o.Target != nil && o.Target.Marks {
		s += " marks"
	}
	if o.Drop != nil {
		s += " -> " + o.Drop.Role + " " + strconv.Quote(called(o.Drop))
	}
	if o.Keys != "" {
		s += " [" + o.Keys + "]"
	}
	if v := o.Value; v != nil && v.Kind.Secret() {
		s += " = (" + string(v.Kind) + ")"
	} else if v != nil {
		s += " = " + v.Text
	}
	if o.Dialog != nil {
		s += fmt.Sprintf(" %s %q %t", o.Dialog.Type, o.Dialog.Message, o.Dialog.Accepted)
	}
	return s
}

func called(t *capture.Target) string {
	for _, s := range []string{t.Label, t.Name, t.Text, t.Placeholder} {
		if s != "" {
			return s
		}
	}
	return ""
}

// tabTalk are the tab events that occur while a test opens and closes tabs.
var tabTalk = map[capture.Verb]bool{capture.NewTab: true, capture.CloseTab: true, capture.SwitchTab: true}

// doHard works through the pages, one tab each, on one running adapter, and compares at the end: it does not wait in
// between.
func doHard(t *testing.T, pages []hardPage) *watch {
	t.Helper()
	served := map[string]string{}
	for _, h := range pages {
		served[h.path] = h.html
		for path, html := range h.more {
			served[path] = html
		}
	}
	srv, host := site(t, served)
	w := observe(t, Options{}, host)
	tabs := map[string]string{} // the recorder's tab name by page
	for _, h := range pages {
		p := shared.hand.tab(t, srv.URL+h.path)
		w.Wait(t, h.path, patience, func(seen []adaptertest.Seen) bool {
			for _, o := range seen {
				if o.Verb == capture.NewTab && pathOf(o.Page.URL) == h.path {
					tabs[h.path] = o.Page.Tab
				}
			}
			return tabs[h.path] != ""
		})
		h.do(p)
	}
	shared.hand.tab(t, "about:blank") // the last one comes to rest as well
	await.Within(patience, func() bool {
		return !slices.ContainsFunc(pages, func(h hardPage) bool { return len(told(w.Seen(), tabs[h.path])) < len(h.want) })
	})
	w.flushed()
	for _, h := range pages {
		got := told(w.Seen(), tabs[h.path])
		if strings.Join(got, "\n") != strings.Join(h.want, "\n") {
			t.Errorf("%s:\n  %s\nwant\n  %s", h.path, strings.Join(got, "\n  "), strings.Join(h.want, "\n  "))
		}
	}
	return w
}

func told(seen []adaptertest.Seen, tab string) []string {
	slices.SortStableFunc(seen, func(a, b adaptertest.Seen) int { return a.OccurredAt.Compare(b.OccurredAt) })
	var out []string
	for _, o := range seen {
		if o.Page != nil && o.Page.Tab == tab && !tabTalk[o.Verb] {
			out = append(out, brief(o.Observation))
		}
	}
	return out
}

func pathOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	return u.Path
}
