package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// Repaired is the result of Repairs.
type Repaired struct {
	Cases  int    // changed pages on which a target was found under another name: a look proposes a repair
	Right  int    // of them, the repair names the target itself, which is then found without that difference
	Wrong  int    // of them, the name of something else was proposed
	Misses []Miss // what was not right
}

// repairable are the mutations that change what things are called.
var repairable = []string{"wording", "language", "labels", "headings", "sections", Together}

// Repairs changes the words of stored pages in Chromium, looks for each target as a look does, takes over what it found
// renamed as a repair does, and looks again on a fresh copy with the same change. At most so many cases are made, from
// pages that are held out first.
func Repairs(ctx context.Context, o Options, cases int) (Repaired, error) {
	var out Repaired
	m, err := begin(ctx, o)
	if err != nil {
		return out, err
	}
	defer m.close()
	for round := range repairable {
		for n, p := range m.o.Pages {
			if out.Cases >= cases {
				return out, nil
			}
			kind := repairable[(n+round)%len(repairable)] // one change of each page, another one on the next and in the next round
			if err := m.repairs(ctx, p, kind, &out, cases); err != nil {
				return out, fmt.Errorf("page %s: %w", p.Name, err)
			}
		}
	}
	return out, nil
}

// begin opens a browser for a measurement on the given pages, or on all that are stored, those that are held out first.
func begin(ctx context.Context, o Options) (*measurement, error) {
	if o.Pages == nil {
		all, err := Pages()
		if err != nil {
			return nil, err
		}
		o.Pages = heldFirst(all)
	}
	m := &measurement{o: o, report: &Report{}}
	if err := m.start(ctx); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// heldFirst sorts the pages that are held out to the front.
func heldFirst(pages []Page) []Page {
	slices.SortStableFunc(pages, func(a, b Page) int {
		switch {
		case a.Held && !b.Held:
			return -1
		case b.Held && !a.Held:
			return 1
		}
		return 0
	})
	return pages
}

// repairs makes the cases of one page under one mutation.
func (m *measurement) repairs(ctx context.Context, p Page, kind string, out *Repaired, cases int) error {
	if err := m.open(ctx, p); err != nil {
		return err
	}
	wants, err := m.describe(ctx, p)
	if err != nil {
		return err
	}
	if ok, err := m.changed(ctx, p, kind); err != nil || !ok {
		return err
	}
	var found []int
	repaired := map[int]find.Want{}
	before := map[int]Outcome{}
	for i, w := range wants {
		f, err := find.Find(ctx, []*browser.Session{m.session}, w)
		if _, refused := errors.AsType[*find.NotFound](err); refused {
			continue
		}
		if err != nil {
			return err
		}
		name := called(w.Target)
		if f.Name == "" || name == "" || f.Name == name || len(f.Drift) == 0 {
			continue
		}
		if before[i], _, err = m.find(ctx, i, w); err != nil {
			return err
		}
		found, repaired[i] = append(found, i), renamed(w, f)
	}
	// The repaired ability meets the page as it is then: loaded anew, changed alike.
	if ok, err := m.changed(ctx, p, kind); err != nil || !ok || len(found) == 0 {
		return err
	}
	for _, i := range found {
		if out.Cases >= cases {
			return nil
		}
		out.Cases++
		after, why, err := m.find(ctx, i, repaired[i])
		if err != nil {
			return err
		}
		if before[i] == Right && after == Right {
			out.Right++
			continue
		}
		if before[i] == Wrong || after == Wrong {
			out.Wrong++
		}
		out.Misses = append(out.Misses, Miss{Showhow, p.Name, kind, p.Targets[i].Selector, after, why})
	}
	return nil
}

// changed opens a fresh copy of the page and applies a mutation, the same each time.
func (m *measurement) changed(ctx context.Context, p Page, kind string) (applied bool, err error) {
	if err := m.open(ctx, p); err != nil {
		return false, err
	}
	err = m.eval(ctx, fmt.Sprintf("mutate(%q)", kind), &applied)
	return applied, err
}

func called(t capture.Target) string {
	for _, s := range []string{t.Name, t.Label, t.Placeholder, t.Text} {
		if s != "" {
			return s
		}
	}
	return ""
}

// renamed is the target as a repair leaves it (daemon/compile): its new name, in all that had the old one, its role and
// its place.
func renamed(w find.Want, f *find.Found) find.Want {
	old := called(w.Target)
	t := w.Target
	if f.Role != "" {
		t.Role = f.Role
	}
	for _, text := range []*string{&t.Name, &t.Label, &t.Placeholder, &t.Text} {
		if *text == old {
			*text = f.Name
		}
	}
	t.Name = f.Name
	t.Locators = slices.DeleteFunc(slices.Clone(t.Locators), func(l capture.Locator) bool { return l.Value == old })
	if f.Moved != nil {
		t.Landmark = f.Moved
		if f.Moved.Role == "none" {
			t.Landmark = nil
		}
	}
	w.Target = t
	return w
}
