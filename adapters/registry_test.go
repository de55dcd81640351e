package adapters

import (
	"testing"

	"showhow/capture"
	"showhow/internal/fault"
)

func TestEveryKindIsDeclared(t *testing.T) {
	list := NewRegistry().List(t.Context())
	if len(list) != len(capture.Kinds) {
		t.Fatalf("%d of %d kinds listed", len(list), len(capture.Kinds))
	}
	for _, s := range list {
		if s.Info.Title == "" || s.Info.Phase == "" || len(s.Info.Sees) == 0 || len(s.Info.DataClasses) == 0 {
			t.Errorf("%s is not declared fully: %+v", s.Info.Kind, s.Info)
		}
		if s.Health.State != Unavailable || s.Health.Reason == "" {
			t.Errorf("%s has no implementation here and yet is %s", s.Info.Kind, s.Health.State)
		}
	}
}

func TestCheckNamesAlternatives(t *testing.T) {
	r := NewRegistry(ready{capture.BrowserDOM})
	err := r.Check(t.Context(), []capture.Kind{capture.BrowserDOM, capture.Clipboard})
	if !fault.Is(err, fault.AdapterUnavailable) {
		t.Fatalf("got %v", err)
	}
	alt := fault.From(err).Details["alternatives"].([]capture.Kind)
	if len(alt) != 1 || alt[0] != capture.BrowserDOM {
		t.Errorf("alternatives %v", alt)
	}
	if err := r.Check(t.Context(), []capture.Kind{capture.BrowserDOM}); err != nil {
		t.Error(err)
	}
}

type evidence struct{ ready }

func (evidence) Info() Info                { return Info{Kind: capture.ProcessLaunch, ID: "files"} }
func (evidence) Wanted(capture.Scope) bool { return true }

// Evidence has the kind process_launch but is not the adapter of that kind.
func TestEvidenceIsNoAdapterOfItsKind(t *testing.T) {
	r := NewRegistry(evidence{ready{capture.ProcessLaunch}})
	if h := Probe(t.Context(), r.Get(capture.ProcessLaunch)); h.Code != "not_in_build" {
		t.Errorf("process_launch is %+v", h)
	}
	list := r.List(t.Context())
	if last := list[len(list)-1]; len(list) != len(capture.Kinds)+1 || !last.Evidence || last.Info.ID != "files" || len(r.Evidence()) != 1 {
		t.Errorf("listed %d, last %+v", len(list), last)
	}
}
