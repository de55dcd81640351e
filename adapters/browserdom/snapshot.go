package browserdom

import (
	"context"

	"showhow/adapters"
	"showhow/capture"
)

// Snapshot is the browser_snapshot adapter: what a person could see of a page before and after an act, and what
// changed without one. It shares the recorder of the browser_dom adapter that it was made from. Together with
// browser_dom, every act carries the states before and after, and what a page shows later by itself is an observation
// caused by the last act. Alone, it observes every change of a page, and what was done stays unknown.
type Snapshot struct{ dom *Adapter }

// Snapshot returns the browser_snapshot adapter that shares this recorder.
func (a *Adapter) Snapshot() *Snapshot { return &Snapshot{a} }

var _ adapters.Adapter = (*Snapshot)(nil)

// Info implements adapters.Adapter.
func (s *Snapshot) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.BrowserSnapshot,
		ID:    "browser_snapshot",
		Title: "What a page shows",
		Sees: []string{
			"a compact digest of a page before and after each step, on the sites you name: title, address, headings, open dialogs, messages, " +
				"which control has the focus",
			"the names and columns of tables and lists with how many rows they have, never their cells",
			"the labels of form fields, which of them are invalid, and what they hold; sealed unless you decide otherwise",
			"what a page says of one thing by labels (\"Status: Paid\"): the labels, and what stands beside them as sealed as what a field " +
				"holds; at most 20",
			"what a page shows by itself after a step: a message that pops up, a table that fills",
		},
		NeverSees: []string{
			"any other site",
			"private windows",
			"the text of cells, list entries and paragraphs, but for what stands beside a label; pictures",
			"what is in a password, one-time code or card number field, beside a label that names a secret, or on a login form",
			"what is not visible: hidden elements, dialogs that stand off the screen, closed shadow roots",
		},
		DataClasses:  []string{"page_structure", "page_states", "field_values", "urls"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.BrowserDOM},
	}
}

// Probe implements adapters.Adapter.
func (s *Snapshot) Probe(ctx context.Context) adapters.Health { return s.dom.Probe(ctx) }

// Run implements adapters.Adapter.
func (s *Snapshot) Run(ctx context.Context, session adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	return s.dom.observe(ctx, capture.BrowserSnapshot, session, sink, ready)
}
