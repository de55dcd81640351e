package mutate

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// Sight is what a look sees of one control.
type Sight struct {
	Seen   string           `json:"seen"` // found, several or missing
	Role   string           `json:"role,omitempty"`
	Beside []health.Control `json:"beside,omitempty"`
	Now    *health.Renamed  `json:"now,omitempty"` // what it is called and where it is, if not as it was

	why string
}

// What a look sees of a control.
const (
	Found   = "found"
	Several = "several" // may be it: it is there
	Missing = "missing"
)

// Look is what a look sees on one page after one change: its controls in order, up to the first that is missing.
type Look struct {
	Page   string  `json:"page"`
	Kind   string  `json:"kind"`
	At     int     `json:"at,omitempty"`   // of Gone: which control
	Seed   uint64  `json:"seed,omitempty"` // of the words that the change draws
	Sights []Sight `json:"sights"`
}

//go:embed sights.json.gz
var recorded []byte

// Recorded are the looks that Record made.
func Recorded() (out []Look, err error) {
	r, err := gzip.NewReader(bytes.NewReader(recorded))
	if err != nil {
		return nil, err
	}
	return out, errors.Join(json.NewDecoder(r).Decode(&out), r.Close())
}

// recordedSeeds draw the words of recorded changes. Nothing was developed against them.
var recordedSeeds = []uint64{90611, 90640}

// Record looks in Chromium at the given pages as they were, with each control gone in turn, and after each change under
// which all controls stay.
func Record(ctx context.Context, o Options) ([]Look, error) {
	var out []Look
	for _, seed := range recordedSeeds {
		o.Seed = seed
		m, err := begin(ctx, o)
		if err != nil {
			return nil, err
		}
		for _, p := range m.o.Pages {
			looks, err := m.record(ctx, p, seed == recordedSeeds[0], harmless()...)
			if err != nil {
				m.close()
				return nil, fmt.Errorf("page %s: %w", p.Name, err)
			}
			out = append(out, looks...)
		}
		m.close()
	}
	return out, nil
}

// record looks at one page under changes. What draws no words is the same for each seed and looked at with the first.
func (m *measurement) record(ctx context.Context, p Page, first bool, kinds ...string) (out []Look, err error) {
	if err := m.open(ctx, p); err != nil {
		return nil, err
	}
	wants, err := m.describe(ctx, p)
	if err != nil {
		return nil, err
	}
	look := func(l Look, change string) error {
		applied, err := m.changedBy(ctx, p, change)
		if err != nil || !applied {
			return err
		}
		l.Page = p.Name
		if l.Sights, err = m.sights(ctx, wants); err != nil {
			return fmt.Errorf("%s: %w", l.Kind, err)
		}
		out = append(out, l)
		return nil
	}
	for _, kind := range kinds {
		if kind == None && !first {
			continue
		}
		if err := look(Look{Kind: kind, Seed: m.o.Seed}, changeOf(kind, 0)); err != nil {
			return nil, err
		}
	}
	for i := range p.Targets {
		if first {
			if err := look(Look{Kind: Gone, At: i}, changeOf(Gone, i)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// changeOf is the expression that changes a page so, "" for none.
func changeOf(kind string, at int) string {
	switch kind {
	case None:
		return ""
	case Gone:
		return fmt.Sprintf("mutate(%q, %d)", Gone, at)
	}
	return fmt.Sprintf("mutate(%q)", kind)
}

// changedBy opens a fresh copy of a page and changes it; false where the page cannot be changed so.
func (m *measurement) changedBy(ctx context.Context, p Page, change string) (applied bool, err error) {
	if err := m.open(ctx, p); err != nil || change == "" {
		return err == nil, err
	}
	return applied, m.eval(ctx, change, &applied)
}

// sights looks for controls on the open page in turn, up to the first that is missing.
func (m *measurement) sights(ctx context.Context, wants []find.Want) (out []Sight, err error) {
	for _, w := range wants {
		s := Sight{Seen: Found, Role: w.Target.Role}
		f, err := find.Find(ctx, []*browser.Session{m.session}, w)
		miss, refused := errors.AsType[*find.NotFound](err)
		switch {
		case refused && miss.Reason == find.Missing:
			s.Seen, s.Beside, s.why = Missing, controls(miss.Beside()), miss.Error()
			return append(out, s), nil
		case refused && miss.Reason == find.Ambiguous:
			s.Seen = Several
		case err != nil && f == nil:
			return nil, err
		default:
			s.Beside = controls(f.Beside())
			s.Now = otherwise(f)
		}
		out = append(out, s)
	}
	return out, nil
}

// otherwise is what a look says of a control that is not as it was shown, nil of one that is.
func otherwise(f *find.Found) *health.Renamed {
	if len(f.Drift) == 0 {
		return nil
	}
	r := &health.Renamed{Role: f.Role, Name: f.Name}
	if f.Moved != nil {
		r.PlaceRole, r.Place = f.Moved.Role, f.Moved.Name
	}
	return r
}

func controls(all []find.Control) (out []health.Control) {
	for _, c := range all {
		out = append(out, health.Control(c))
	}
	return out
}

// OutcomeOf is what a look that sees so counts as; the n-th control is that of step s<n>.
func OutcomeOf(sights []Sight, at clock.Time) health.Outcome {
	o := health.Outcome{Source: health.Canary, Result: health.Passed, At: at}
	for i, s := range sights {
		step := fmt.Sprint("s", i+1)
		if s.Seen != Several {
			o.Beside = append(o.Beside, health.Beside{Step: step, Role: s.Role, Controls: s.Beside})
		}
		if s.Seen == Missing {
			o.Result, o.Step, o.Code = health.Failed, step, health.MissingCode
			break
		}
		o.Covered = append(o.Covered, step)
		if s.Now != nil && s.Now.Name != "" {
			r := *s.Now
			r.Step = step
			o.Renamed = append(o.Renamed, r)
		}
	}
	return o
}

// same reports whether two looks saw the same.
func same(a, b []Sight) bool {
	return slices.EqualFunc(a, b, func(x, y Sight) bool {
		return x.Seen == y.Seen && x.Role == y.Role && slices.Equal(x.Beside, y.Beside) && reflect.DeepEqual(x.Now, y.Now)
	})
}
