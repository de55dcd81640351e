package perform

import (
	"testing"

	"showhow/capture"
)

// The page of another thing of the kind is found among links of rows; what may be a deed at a thing is none.
func TestSameKind(t *testing.T) {
	links := []string{"http://desk/faults/new?of=3", "http://other/faults/17", "http://desk/faults/17/close", "http://desk/faults/17",
		"http://desk/faults/16"}
	for address, want := range map[string]string{
		"http://desk/faults/18":       "http://desk/faults/17",
		"http://desk/faults/18/close": "",
		"http://desk/faults":          "",
		"http://desk/parcels/18":      "",
	} {
		if got := sameKind(address, links); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// On the page of any thing its place may be called by the thing; what is itself one, or stands in its row, is on no other's.
func TestOfAnyThing(t *testing.T) {
	control := func(name string, l *capture.Landmark) *capture.Target {
		return &capture.Target{Role: "button", Name: name, Landmark: l}
	}
	for _, c := range []struct {
		name  string
		t     *capture.Target
		place string
		none  bool
	}{
		{"under its heading", control("Save", &capture.Landmark{Role: "heading", Name: "Fault {*}: {topic}"}), "Fault {*}: {*}", false},
		{"in a form", control("Save", &capture.Landmark{Role: "form", Name: "Status"}), "Status", false},
		{"the thing", control("{topic}", nil), "", true},
		{"in its row", control("Open", &capture.Landmark{Role: "row", Name: "{topic}"}), "", true},
	} {
		got := ofAnyThing(c.t)
		if (got == nil) != c.none || got != nil && got.Landmark.Name != c.place {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
