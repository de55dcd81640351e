//go:build !race

package pdf

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/document"
	"showhow/daemon/pdf/beside"
	"showhow/daemon/pdf/pdftest"
	"showhow/daemon/wire"
)

// shared returns the place of two values in two documents that both have, if it is one spot in the first.
func shared(a, b []beside.Place) (out wire.DocumentPlace, ok bool) {
	spots := map[int]bool{}
	for _, at := range a {
		if slices.ContainsFunc(b, func(o beside.Place) bool { return o.DocumentPlace == at.DocumentPlace }) {
			if !ok {
				out, ok = at.DocumentPlace, true
			}
			spots[at.Spot] = true
		}
	}
	return out, ok && len(spots) == 1
}

// TestValuesOfLayouts shows two documents of a layout, and reads a third by what they have in common. The documents in
// testdata/values were printed by Chromium; each .json says what stands in them.
func TestValuesOfLayouts(t *testing.T) {
	d := newDesk(t)
	sets, err := filepath.Glob("testdata/values/*.json")
	if err != nil || len(sets) == 0 {
		t.Fatal("no sets", err)
	}
	for _, set := range sets {
		var layouts map[string]map[string][]string
		b, err := os.ReadFile(set)
		if err == nil {
			err = json.Unmarshal(b, &layouts)
		}
		if err != nil {
			t.Fatal(err)
		}
		right, none, wrong := 0, []string{}, 0
		for layout, values := range layouts {
			var docs []*beside.Document
			for i := 1; i <= 3; i++ {
				file, err := os.ReadFile(fmt.Sprintf("testdata/values/%s-%d.pdf", layout, i))
				if err != nil {
					t.Fatal(err)
				}
				doc, err := d.s.WordsOf(t.Context(), file)
				if err != nil {
					t.Fatal(layout, i, err)
				}
				docs = append(docs, doc)
			}
			for name, said := range values {
				at, ok := shared(docs[0].Find(said[0]), docs[1].Find(said[1]))
				if !ok {
					none = append(none, layout+" "+name)
					continue
				}
				got, err := docs[2].Read(at)
				switch {
				case err != nil:
					none = append(none, layout+" "+name+" (third)")
				case got != said[2]:
					wrong++
					t.Errorf("%s %s at %+v: %q instead of %q", layout, name, at, got, said[2])
				default:
					right++
					t.Logf("%s %s: %+v", layout, name, at)
				}
			}
		}
		slices.Sort(none)
		if right < 5*len(none) {
			t.Errorf("%s: only %d values are found, %d are not", set, right, len(none))
		}
		t.Logf("%s: right %d, none %d, wrong %d: %s", filepath.Base(set), right, len(none), wrong, strings.Join(none, "; "))
	}
}

func TestAValueThatCouldBeSeveralIsNone(t *testing.T) {
	d := newDesk(t)
	p := (&pdftest.Page{}).Text(72, 700, "Order:").Text(200, 700, "A-1001").Text(72, 650, "Order:").Text(200, 650, "A-1002").
		Text(72, 600, "Weight:").Text(200, 600, "1,250 kg").Text(72, 550, "Empty:").Text(200, 550, "Next:").Text(300, 550, "B-77")
	doc := pdftest.New().Page(p).Bytes()
	for at, want := range map[wire.DocumentPlace]string{{Beside: "order"}: "value_ambiguous", {Beside: "Nowhere"}: "value_absent",
		{Beside: "Weight", As: wire.AsNumber}: "value_form", {Beside: "Empty"}: "value_absent", {Under: "B-77"}: "value_absent"} {
		if _, err := d.s.ValuesOf(t.Context(), doc, []wire.DocumentPlace{at}); reason(err) != want {
			t.Errorf("%+v: %v instead of %s", at, err, want)
		}
	}
	q := wire.AcrobatReadValuesRequest{AcrobatSourceRef: d.give(doc),
		Places: []wire.DocumentPlace{{Beside: "NEXT"}, {Beside: "weight", As: wire.AsFigure}}}
	got, err := d.s.ReadValues(t.Context(), ada, q)
	if err != nil || !slices.Equal(got.Values, []string{"B-77", "1,250"}) || len(d.kept) != 1 {
		t.Fatal(got, err, len(d.kept))
	}
	for _, line := range d.recorded {
		if strings.Contains(line, "B-77") || strings.Contains(line, "Next") {
			t.Error("a receipt has what the document says:", line)
		}
	}
	if _, err := d.s.ReadValues(t.Context(), document.Owner{Key: "agent/eve"}, wire.AcrobatReadValuesRequest{}); err == nil {
		t.Error("a document was read that nobody named")
	}
}
