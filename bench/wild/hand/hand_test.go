//go:build unix

package hand

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/bench/wild/cases"
	"showhow/bench/wild/judge"
	"showhow/bench/wild/site"
	"showhow/browser"
	"showhow/demo/driver"
)

// room is a site with a person at a browser before it.
func room(t *testing.T) (*driver.Hands, *site.Site) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip("no Chromium here")
	}
	s, err := site.New(os.Getenv("WILD_BUNDLES"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	b, err := browser.Launch(t.Context(), browser.Options{Headless: new(true), NoSandbox: true, Port: true, DownloadDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	hands, err := driver.Sit(t.Context(), b.DebugURL(), driver.Config{Pace: time.Millisecond, Patience: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hands.Leave)
	return hands, s
}

// The person does what each kind of case asks for, according to the ledger; more cases with WILD_CASES=N, of a
// library with WILD_LIBRARY.
func TestDo(t *testing.T) {
	hands, s := room(t)
	lib := cases.Library{Name: "plain"}
	if name := os.Getenv("WILD_LIBRARY"); name != "" {
		lib.Name = name
	}
	n, _ := strconv.Atoi(os.Getenv("WILD_CASES"))
	first, _ := strconv.ParseUint(os.Getenv("WILD_SEED"), 10, 64)
	var all []*cases.Case
	if n > 0 {
		for i := range n {
			all = append(all, cases.Draw(first+uint64(i), lib, nil))
		}
	} else {
		for i, kind := range cases.Kinds {
			all = append(all, cases.Draw(uint64(i), lib, []cases.Kind{kind}))
		}
	}
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			l := c.Load(0)
			if err := try(t, hands, s, l, l, site.Honest); err != nil {
				t.Error(err)
			}
			if got := s.Effects(); !ledger.Same(l.Expected(), got) {
				t.Errorf("happened: %s; expected: %s; %+v", site.Happened(got), site.Happened(l.Expected()), l.Spec.Style)
			}
		})
	}
}

// A click in another row does something else, and on a site that lies nothing or something else has happened,
// whatever the page says: the judge must notice.
func TestOtherDeeds(t *testing.T) {
	hands, s := room(t)
	var c *cases.Case
	for seed := uint64(1); c == nil || c.Spec.Shift || c.Spec.Virtual || !c.Spec.Persist; seed++ {
		c = cases.Draw(seed, cases.Library{Name: "plain"}, []cases.Kind{cases.Table})
	}
	asked, other := c.Load(0), c.Load(1)
	for _, k := range []struct {
		name string
		done *cases.Load
		lie  site.Lie
		want judge.Outcome
	}{{"what was asked", asked, site.Honest, judge.Right}, {"another row", other, site.Honest, judge.Wrong},
		{"nothing kept", asked, site.Claims, judge.Claimed}, {"kept elsewhere", asked, site.Elsewhere, judge.Wrong},
		{"another record", asked, site.Another, judge.Wrong}} {
		t.Run(k.name, func(t *testing.T) {
			if err := try(t, hands, s, asked, k.done, k.lie); err != nil {
				t.Fatal(err)
			}
			r := judge.Run{Result: judge.Passed, Expected: asked.Expected(), Happened: s.Effects(), Shows: true}
			if got := judge.Of(r); got != k.want || judge.PassedNotDone(r) != (k.want != judge.Right) {
				t.Errorf("%s: %s", got, site.Happened(s.Effects()))
			}
		})
	}
}

// try has a person do one load's task on the page of another, or the same.
func try(t *testing.T, hands *driver.Hands, s *site.Site, shown, done *cases.Load, lie site.Lie) error {
	t.Helper()
	dir := t.TempDir()
	for _, f := range done.Spec.Fields {
		if f.Type == "file" {
			if err := os.WriteFile(filepath.Join(dir, done.Values[f.Key]), []byte("text\n"), 0o600); err != nil {
				return err
			}
		}
	}
	s.Set(shown, lie)
	tab, err := hands.NewTab(t.Context(), "about:blank")
	if err != nil {
		return err
	}
	defer tab.Close(context.WithoutCancel(t.Context()))
	p := person.New(t.Context())
	p.Tab, p.Base = tab, s.URL()
	defer p.AnswerDialogs()()
	Do(p, done, dir)
	if p.Err != nil {
		return p.Err
	}
	return tab.Until(t.Context(), "the deed", func() bool { return len(s.Effects()) > 0 || s.Lied() })
}
