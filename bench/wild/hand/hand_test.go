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
	"showhow/bench/wild/site"
	"showhow/browser"
	"showhow/demo/driver"
)

// The person does what each kind of case asks for, by the ledger; more with WILD_CASES=N, of a library with WILD_LIBRARY.
func TestDo(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skip("no Chromium here")
	}
	lib := cases.Library{Name: "plain"}
	if name := os.Getenv("WILD_LIBRARY"); name != "" {
		lib.Name = name
	}
	n, _ := strconv.Atoi(os.Getenv("WILD_CASES"))
	first, _ := strconv.ParseUint(os.Getenv("WILD_SEED"), 10, 64)
	s, err := site.New(os.Getenv("WILD_BUNDLES"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b, err := browser.Launch(t.Context(), browser.Options{Headless: new(true), NoSandbox: true, Port: true, DownloadDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	hands, err := driver.Sit(t.Context(), b.DebugURL(), driver.Config{Pace: time.Millisecond, Patience: 12 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer hands.Leave()
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
		t.Run(c.String(), func(t *testing.T) { done(t, hands, s, c.Load(0)) })
	}
}

func done(t *testing.T, hands *driver.Hands, s *site.Site, l *cases.Load) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range l.Spec.Fields {
		if f.Type == "file" {
			if err := os.WriteFile(filepath.Join(dir, l.Values[f.Key]), []byte("text\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Set(l, site.Honest)
	tab, err := hands.NewTab(t.Context(), "about:blank")
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close(context.WithoutCancel(t.Context()))
	p := person.New(t.Context())
	p.Tab, p.Base = tab, s.URL()
	defer p.AnswerDialogs()()
	Do(p, l, dir)
	if p.Err == nil {
		p.Err = tab.Until(t.Context(), "the deed", func() bool { return len(s.Effects()) > 0 })
	}
	if got := s.Effects(); p.Err != nil || !ledger.Same(l.Expected(), got) {
		t.Errorf("%v; happened: %s; expected: %s; values %v; classic %v, labels %s, rows %s, buttons %s", p.Err, site.Happened(got),
			site.Happened(l.Expected()), l.Values, l.Spec.Classic, l.Spec.Style.Labels, l.Spec.Style.Rows, l.Spec.Style.Buttons)
	}
}
