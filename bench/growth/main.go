// Growth measures whether abilities stay healthy: `make bench-growth` prints a table and writes
// bench/out/bench-growth.json.
//
// It simulates a year for 200 abilities, hour by hour, with the same code that decides about health and looks
// (daemon/capability), seeded: sites break them, agents use them, report, stay silent and lie at fixed rates,
// machines are busy or metered, a person reads the inbox within three days. What looks see is recorded from stored, held-out pages
// in Chromium under the mutations of bench/corpus/mutate (MUTATE_RECORD=1), and fifty abilities are broken, withdrawn and healed in
// Chromium beside it.
//
// Figures of mining come from Go benchmarks whose name begins with BenchmarkGrowth.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"

	"showhow/bench/figures"
	"showhow/daemon/capability/canary"
)

const environment = `SEED   which year is simulated
SEEDS  how many of them, from there on`

func main() {
	figures.Flags(environment)
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
	reach, glimpse := values["look_reach_ratio"], values["look_glimpse_ratio"]
	if len(reach) == 0 || len(glimpse) == 0 {
		return errors.New("how far looks reach was not measured: it needs Chromium")
	}
	var sum year
	first, years := number("SEED", 1), number("SEEDS", 3)
	pages, err := trees()
	if err != nil {
		return err
	}
	far := sight{reach[0], glimpse[0]}
	var looks, alarms, hinted []float64
	for i := range years {
		y := simulate(uint64(first+i), far, pages)
		sum.add(y)
		looks, alarms = append(looks, float64(y.looks)/abilities/days), append(alarms, float64(y.alarms)/abilities)
		hinted = append(hinted, float64(y.hinted)/abilities/days/24)
	}
	r := figures.New("bench-growth")
	r.Ratio("broken_found_ratio", sum.told, sum.broken,
		"breaks that agents are told of at the second failed use, or that was prevented: it is degraded, withdrawn, or suspect since it broke")
	r.Ratio("broken_confirmed_ratio", sum.confirmed, sum.broken, "of the same breaks, degraded or withdrawn by then")
	for _, why := range slices.Sorted(maps.Keys(sum.missed)) {
		r.Ratio("missed_"+why+"_ratio", sum.missed[why], sum.broken, "of the same breaks, missed: "+missWords[why])
	}
	r.Ratio("wrongly_quarantined_ratio", sum.wronged, sum.abilities, "abilities that were withdrawn in a year while nothing was wrong / all")
	r.Median("false_alarms_year", alarms, "times that an ability is degraded while nothing is wrong, per ability and year")
	r.Median("told_wrongly_ratio", hinted,
		"of the hours of abilities, those in which agents are told of a failure or a doubt while nothing is wrong")
	r.Ratio("stuck_ratio", sum.stuck, sum.abilities, "abilities that work and were withdrawn for a month at the end / all")
	r.Median("looks_per_ability_day", looks, "looks by itself, per ability and day")
	r.Figure("look_reach_ratio", reach[0], 1,
		"steps on pages of the corpus's workflows that a look in Chromium performs or sees on the page where it ends / all; the year uses it")
	r.Figure("look_glimpse_ratio", glimpse[0], 1, "of the same steps, those that it sees on later pages without doing what leads there")
	r.Median("look_cpu_s", values["look_cpu_s"], "processor seconds of a look in Chromium, of the browser and of Showhow")
	r.Median("look_s", values["look_s"], "seconds that it takes")
	if cpu := values["look_cpu_s"]; len(cpu) > 0 {
		r.Figure("looks_processor_percent", 100*cpu[0]/canary.Apart.Seconds(), 1,
			"of a processor, if looks follow each other as closely as they may; at most 1")
	}
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

// measured runs the Go benchmarks of mining, and of looks in Chromium.
func measured(ctx context.Context) (map[string][]float64, error) {
	values := map[string][]float64{}
	for _, args := range [][]string{{"-count", "3", "./daemon/mining/..."}, {"./daemon/stage"}} {
		if err := figures.GoTest(ctx, values, append([]string{"-bench", "^BenchmarkGrowth", "-benchtime", "1x"}, args...)...); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func number(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}
