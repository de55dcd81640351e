package acceptance_test

import (
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// R9 0.7 and 0C.11B: lookups resolve a project's names, availability follows a changed binding, and the canonical file
// lists the bindings. Two projects share no name.
func TestProjectBindings_0_7(t *testing.T) {
	t.Parallel()
	w := begin(t)
	h := w.listen("", 0)
	b := client.ProjectBinding{ProjectID: "henderson-2026", Aliases: []string{"Henderson", " Henderson "}, SourceOfTruth: "onedrive",
		OnedriveRefs: []string{"Clients/Henderson"}}
	if x := got(w.c.BindProject(t.Context(), b))(t); len(x.Aliases) != 1 || x.AmbiguityPolicy != "use_room_context_then_prompt" {
		t.Errorf("%+v", x)
	}
	_, err := w.c.BindProject(t.Context(), client.ProjectBinding{ProjectID: "other", Aliases: []string{"HENDERSON"}, SourceOfTruth: "mixed"})
	refused(t, err, fault.InvalidRequest)
	_, err = w.agent("scout").ProjectBindings(t.Context())
	refused(t, err, fault.Forbidden)
	canonical(w, "projects/source_bindings.json", func(l client.ProjectBindings) bool {
		return len(l.Bindings) == 1 && l.Bindings[0].ProjectID == "henderson-2026"
	})
	h.await("project.bound")
	w.until("availability was rebuilt", func() bool {
		for _, e := range h.all() {
			if e.Kind == "ability.snapshot.updated" && payload(e, "trigger") == "project_binding_changed" {
				return true
			}
		}
		return false
	})
	r := got(w.c.ResolveProject(t.Context(), client.ProjectResolve{Query: "the latest draft for Henderson"}))(t)
	if r.ResolutionState != "resolved" || r.Matches[0].ProjectID != "henderson-2026" {
		t.Errorf("%+v", r)
	}
	if x := got(w.c.UnbindProject(t.Context(), "henderson-2026"))(t); !x.Unbound {
		t.Errorf("%+v", x)
	}
	if l := got(w.c.ProjectBindings(t.Context()))(t); len(l.Bindings) != 0 {
		t.Errorf("%+v", l)
	}
}
