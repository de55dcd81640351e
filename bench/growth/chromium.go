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
	livesTime     = 100 * time.Second
)

// inChromium repeats cases of the year on stored pages in a real browser: what is gone is missed, what only changed is
// found, what is called otherwise is repaired rightly, and abilities are withdrawn and come back. Without a browser it says
// so and records nothing.
func inChromium(ctx context.Context, r *figures.Report) error {
	if _, err := browser.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "bench-growth: no Chromium here, so the cases in a browser are left out")
		return nil
	}
	o := mutate.Options{Browser: browser.Options{Headless: new(true), NoSandbox: os.Getuid() == 0}, Seed: uint64(number("SEED", 0))}
	if err := livesIn(ctx, o, r); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, chromiumTime)
	defer cancel()
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

// livesIn follows abilities through breaks and changes of their pages.
func livesIn(ctx context.Context, o mutate.Options, r *figures.Report) error {
	ctx, cancel := context.WithTimeout(ctx, livesTime)
	defer cancel()
	l, err := mutate.Lives(ctx, o, chromiumCases)
	if err != nil {
		return fmt.Errorf("lives in Chromium: %w", err)
	}
	for _, m := range l.Misses {
		fmt.Fprintf(os.Stderr, "bench-growth: %s %s %s: %s\n", m.Page, m.Kind, m.Selector, m.Why)
	}
	r.Ratio("chromium_degraded_ratio", l.Degraded, l.Broken,
		"abilities whose control left a page in Chromium, degraded within a day of the first look that missed it / all")
	r.Ratio("chromium_quarantined_ratio", l.Withdrawn, l.Broken, "of the same, quarantined at last")
	r.Ratio("chromium_stuck_ratio", l.Stuck, l.Withdrawn, "of those, still quarantined two days after the page was as before")
	r.Ratio("chromium_wrongly_quarantined_ratio", l.Wronged, l.Changed,
		"abilities whose page changed in Chromium while its controls stayed, and that were quarantined / all")
	r.Ratio("chromium_wrongly_degraded_ratio", l.Alarmed, l.Changed, "of the same, degraded or quarantined")
	r.Median("chromium_degraded_min", l.DegradedAfter, "minutes of the year from the first look that missed a control to degraded")
	r.Median("chromium_quarantined_h", l.WithdrawnAfter, "hours of the year from the same look to quarantined")
	r.Median("chromium_healed_h", l.HealedAfter, "hours of the year from the first good look afterwards to healthy")
	return nil
}
