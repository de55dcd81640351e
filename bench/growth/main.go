// Growth measures whether abilities stay healthy: `make bench-growth` prints a table and writes
// bench/out/bench-growth.json.
//
// It simulates a year for 200 abilities, hour by hour, with the same code that decides about health and looks
// (daemon/capability), seeded: sites break them, agents use them, report, stay silent and lie at fixed rates,
// machines are busy or metered, a person reads the inbox within three days. No browser takes part in it: fifty abilities on
// stored pages in Chromium are broken, withdrawn and healed beside it. SEED=n selects another year, SEEDS=n that many of them.
//
// Figures of mining come from Go benchmarks whose name begins with BenchmarkGrowth.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"

	"showhow/bench/figures"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-growth:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	values, err := measured(ctx)
	if err != nil {
		return err
	}
	reach := values["look_reach_ratio"]
	if len(reach) == 0 {
		return errors.New("how far looks reach was not measured")
	}
	var sum year
	first, years := number("SEED", 1), number("SEEDS", 5)
	var looks []float64
	for i := range years {
		y := simulate(uint64(first+i), reach[0])
		sum.broken += y.broken
		sum.foundEarly += y.foundEarly
		sum.confirmedEarly += y.confirmedEarly
		sum.wronglyQuarantined += y.wronglyQuarantined
		sum.abilities += y.abilities
		sum.stuck += y.stuck
		looks = append(looks, float64(y.looks)/abilities/days)
	}
	r := figures.New("bench-growth")
	r.Ratio("broken_found_ratio", sum.foundEarly, sum.broken,
		"breaks that agents are told of before the second failed use: it is degraded, withdrawn, or has failed since it was last seen to work")
	r.Ratio("broken_confirmed_ratio", sum.confirmedEarly, sum.broken, "of the same breaks, degraded or withdrawn before the second failed use")
	r.Ratio("wrongly_quarantined_ratio", sum.wronglyQuarantined, sum.abilities,
		"abilities that were withdrawn in a year while nothing was wrong / all")
	r.Ratio("stuck_ratio", sum.stuck, sum.abilities, "abilities that work and were withdrawn for a month at the end / all")
	r.Median("looks_per_ability_day", looks, "looks by itself, per ability and day")
	r.Figure("look_reach_ratio", reach[0], 1,
		"steps of the corpus's skills that a look performs or sees on the page where it ends / all; the year uses it")
	for _, k := range []struct{ key, how string }{{"mining_f1", "routines found in logs of interface work drawn by a seed, F1"},
		{"mining_10k_s", "10,000 events, seconds"}} {
		r.Median(k.key, values[k.key], k.how)
	}
	if err := inChromium(ctx, &r); err != nil {
		return err
	}
	r.Print()
	return figures.Write(r.Name, r)
}

// measured runs the Go benchmarks of mining and of looks.
func measured(ctx context.Context) (map[string][]float64, error) {
	values := map[string][]float64{}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkGrowth", "-benchtime", "1x", "-count", "3",
		"./daemon/mining/...", "./bench/corpus")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "BenchmarkGrowth") {
			continue
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				values[f[i+1]] = append(values[f[i+1]], v)
			}
		}
	}
	if err != nil {
		return values, fmt.Errorf("the benchmarks failed: %w", err)
	}
	return values, nil
}

func number(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}
