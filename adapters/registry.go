package adapters

import (
	"context"
	"runtime"
	"slices"

	"showhow/capture"
	"showhow/internal/fault"
)

// Registry lists every kind of the mission: those that this build implements and, with the reason, those it does not.
type Registry struct {
	byKind   map[capture.Kind]Adapter
	evidence []Evidence
}

// NewRegistry returns a registry of this build's adapters. Kinds without one are listed as unavailable.
func NewRegistry(built ...Adapter) *Registry {
	r := &Registry{byKind: map[capture.Kind]Adapter{}}
	for _, k := range capture.Kinds {
		r.byKind[k] = absent(k)
	}
	for _, a := range built {
		if e, ok := a.(Evidence); ok {
			r.evidence = append(r.evidence, e)
		} else {
			r.byKind[a.Info().Kind] = a
		}
	}
	return r
}

// Get returns the adapter of a kind; nil for an unknown kind.
func (r *Registry) Get(k capture.Kind) Adapter { return r.byKind[k] }

// Evidence returns this build's sources of evidence.
func (r *Registry) Evidence() []Evidence { return r.evidence }

// Status is an adapter's declaration with its current health.
type Status struct {
	Info     Info   `json:"info"`
	Health   Health `json:"health"`
	Evidence bool   `json:"evidence"` // no kind of its own: it runs when the scope needs it
}

// List returns every kind with its health, in the order of the mission, then the sources of evidence.
func (r *Registry) List(ctx context.Context) []Status {
	out := make([]Status, 0, len(capture.Kinds)+len(r.evidence))
	for _, k := range capture.Kinds {
		a := r.byKind[k]
		out = append(out, Status{Info: a.Info(), Health: Probe(ctx, a)})
	}
	for _, e := range r.evidence {
		out = append(out, Status{Info: e.Info(), Health: Probe(ctx, e), Evidence: true})
	}
	return out
}

// Check fails with ADAPTER_UNAVAILABLE for the first kind that cannot observe here, naming an alternative.
func (r *Registry) Check(ctx context.Context, kinds []capture.Kind) error {
	for _, k := range kinds {
		a := r.byKind[k]
		if a == nil {
			return fault.New(fault.InvalidRequest, "no such adapter kind").WithHint("`showhow doctor` lists the kinds")
		}
		h := Probe(ctx, a)
		if h.State != Unavailable {
			continue
		}
		f := fault.Newf(fault.AdapterUnavailable, "the adapter %s is not available: %s", k, h.Reason).
			WithHint(h.Fix).WithDetail("adapter", k).WithDetail("code", h.Code)
		alternatives := []capture.Kind{}
		for _, alt := range a.Info().Alternatives {
			if b := r.byKind[alt]; b != nil && Probe(ctx, b).State != Unavailable {
				alternatives = append(alternatives, alt)
			}
		}
		return f.WithDetail("alternatives", alternatives)
	}
	return nil
}

// Probe asks an adapter for its health; one that panics or belongs to another platform is unavailable.
func Probe(ctx context.Context, a Adapter) (h Health) {
	defer func() {
		if recover() != nil { // an adapter's panic is its own health, never the daemon's end
			h = Health{State: Unavailable, Code: "probe_panicked", Reason: "its check failed unexpectedly", Fix: "see `showhow logs`"}
		}
	}()
	if p := a.Info().Platforms; len(p) > 0 && !slices.Contains(p, runtime.GOOS) {
		return Health{State: Unavailable, Code: "wrong_platform", Reason: "it does not exist on this operating system"}
	}
	return a.Probe(ctx)
}

// absentAdapter represents a kind that this build does not implement.
type absentAdapter struct{ info Info }

func (a absentAdapter) Info() Info { return a.info }

func (a absentAdapter) Probe(context.Context) Health {
	h := Health{State: Unavailable, Code: NotInBuild, Reason: "adapter not available in this version"}
	if len(a.info.Alternatives) > 0 {
		h.Fix = "use " + string(a.info.Alternatives[0]) + " instead"
	}
	return h
}

func (a absentAdapter) Run(context.Context, Session, Sink, func(Control)) error {
	return fault.New(fault.AdapterUnavailable, "adapter not available in this version")
}

// absent declares a kind of the mission that has no implementation here. Phases: DOC3 0C.22.
func absent(k capture.Kind) Adapter {
	a := absentAdapters[k]
	a.Kind, a.ID = k, string(k)
	a.Platforms, a.Permissions, a.NeverSees = nil, []string{}, []string{"anything, in this version"}
	return absentAdapter{a}
}

var absentAdapters = map[capture.Kind]Info{
	capture.BrowserDOM: {Title: "Browser", Sees: []string{"what you do on the sites you name"}, DataClasses: []string{"page_actions"},
		Phase: "phase_1"},
	capture.TerminalCommand: {Title: "Terminal", Sees: []string{"commands in the shells you name"}, DataClasses: []string{"commands"},
		Phase: "phase_1"},
	capture.BrowserSnapshot: {Title: "What a page shows", Sees: []string{"a compact digest of a page before and after a step"},
		DataClasses: []string{"page_states"}, Phase: "phase_1", Alternatives: []capture.Kind{capture.BrowserDOM}},
	capture.ProcessLaunch: {Title: "Programs", Sees: []string{"programs that you start"}, DataClasses: []string{"processes"},
		Phase: "phase_1", Alternatives: []capture.Kind{capture.TerminalCommand}},
	capture.MCPReceipt: {Title: "Agents' tool calls", Sees: []string{"the tool calls an agent reports"},
		DataClasses: []string{"tool_calls"}, Phase: "phase_1", Alternatives: []capture.Kind{capture.TerminalCommand}},
	capture.WrapperReceipt: {Title: "Wrapped commands", Sees: []string{"a command run through `showhow wrap`"},
		DataClasses: []string{"commands"}, Phase: "phase_1", Alternatives: []capture.Kind{capture.TerminalCommand}},
	capture.KeyboardShortcut: {Title: "Keyboard shortcuts", Sees: []string{"shortcuts in the apps you name"},
		DataClasses: []string{"shortcuts"}, Phase: "phase_2", Alternatives: []capture.Kind{capture.BrowserDOM}},
	capture.FileDialog: {Title: "File dialogs", Sees: []string{"files you open and save"}, DataClasses: []string{"file_names"},
		Phase: "phase_2", Alternatives: []capture.Kind{capture.TerminalCommand, capture.BrowserDOM}},
	capture.MIDI: {Title: "MIDI controllers", Sees: []string{"what you play and turn on the devices you name"},
		DataClasses: []string{"midi_messages"}, Phase: "phase_2", Alternatives: []capture.Kind{capture.TerminalCommand}},
	capture.AccessibilityUI: {Title: "Desktop programs", Sees: []string{"what you do in the programs you name"},
		DataClasses: []string{"ui_actions"}, Phase: "phase_3", Alternatives: []capture.Kind{capture.BrowserDOM}},
	capture.MouseClick: {Title: "Mouse", Sees: []string{"clicks in the programs you name"}, DataClasses: []string{"ui_actions"},
		Phase: "phase_3", Alternatives: []capture.Kind{capture.BrowserDOM}},
	capture.Clipboard: {Title: "Clipboard", Sees: []string{"that something was copied or pasted, not what"},
		DataClasses: []string{"clipboard_events"}, Phase: "phase_3", Alternatives: []capture.Kind{capture.BrowserDOM}},
	capture.TextEntry: {Title: "Text entry", Sees: []string{"that text was entered, masked"}, DataClasses: []string{"typed_values"},
		Phase: "phase_3", Alternatives: []capture.Kind{capture.BrowserDOM}},
}
