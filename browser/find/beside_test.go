package find

import (
	"slices"
	"testing"

	"showhow/capture"
)

// What could stand for a control: of its kind, on its page and in no other row; or in its row.
func TestBeside(t *testing.T) {
	in := func(role, name, item string, near *capture.Landmark) *candidate {
		return &candidate{Role: role, Name: name, Item: item, Near: near, doc: &document{}}
	}
	form, other, row := &capture.Landmark{Role: "form", Name: "Order"}, &capture.Landmark{Role: "form", Name: "Newsletter"},
		&capture.Landmark{Role: "row", Name: "K-200"}
	save := Want{Target: capture.Target{Role: "button", Name: "Save", Landmark: form}, Verb: capture.Click}
	all := []*candidate{in("button", "Keep it", "", form), in("button", "Delete", "", form), in("button", "Sign up", "", other),
		in("textbox", "Street", "", form), in("button", "Edit", "K-200", row), in("generic", "All of it", "", form)}
	got := (&NotFound{scene: scene{want: save, all: all}}).Beside()
	want := []Control{{"button", "Keep it", true, false}, {"button", "Delete", true, true}, {"button", "Sign up", false, true}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2].There {
		t.Errorf("%+v", got)
	}
	adjust := Want{Target: capture.Target{Role: "button", Name: "Adjust", Landmark: row}, Verb: capture.Click}
	all[4].Row = 4
	got = (&NotFound{scene: scene{want: adjust, all: all}}).Beside()
	if len(got) != 1 || got[0].Name != "Edit" || !got[0].There {
		t.Errorf("%+v", got)
	}
	got = (&Found{scene: scene{want: save, all: all, best: all[0]}}).Beside()
	if len(got) == 0 || slices.ContainsFunc(got, func(c Control) bool { return c.Name == "Keep it" }) {
		t.Errorf("it stands beside itself: %+v", got)
	}
}
