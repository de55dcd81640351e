package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"showhow/bench/corpus/mutate"
	"showhow/bench/figures"
	"showhow/browser"
)

const (
	chromiumCases = 50
	lookedAt      = 12 // pages, with four or five targets each
	chromiumTime  = 2 * time.Minute
)

// inChromium repeats cases of the year on stored pages in a real browser: what is gone is missed, what only changed is
// found, and what is called otherwise is repaired rightly. Without a browser it says so and records nothing.
func inChromium(ctx context.Context, r *figures.Report) error {
	if _, err := browser.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "bench-growth: no Chromium here, so the cases in a browser are left out")
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, chromiumTime)
	defer cancel()
	o := mutate.Options{Browser: browser.Options{Headless: new(true), NoSandbox: os.Getuid() == 0}}
	rep, err := mutate.Repairs(ctx, o, chromiumCases)
	if err != nil {
		return fmt.Errorf("repairs in Chromium: %w", err)
	}
	r.Ratio("repairs_right_ratio", rep.Right, rep.Cases,
		"renamed controls on changed pages in Chromium, held-out pages first: the repair names the control itself, which is then found / all")
	pages, err := mutate.Pages()
	if err != nil {
		return err
	}
	o.Pages = slices.DeleteFunc(pages, func(p mutate.Page) bool { return !p.Held })
	o.Pages, o.Kinds = o.Pages[:min(len(o.Pages), lookedAt)], []string{mutate.None, mutate.Gone}
	seen, err := mutate.Measure(ctx, o)
	if err != nil {
		return fmt.Errorf("looks in Chromium: %w", err)
	}
	of := func(kind string) mutate.Tally {
		return seen.Sum(func(c mutate.Cell) bool { return c.Finder == mutate.Showhow && c.Kind == kind })
	}
	healthy, gone := of(mutate.None), of(mutate.Gone)
	r.Ratio("chromium_gone_seen_ratio", gone.Right, gone.N(),
		"targets that are gone from a held-out page in Chromium and that a look misses / all")
	r.Ratio("chromium_false_alarm_ratio", healthy.N()-healthy.Right, healthy.N(), "targets on an unchanged page that a look misses / all")
	return nil
}
