// Trust measures the checks between a foreign skill and its user: `make bench-trust` prints a table and writes
// bench/out/bench-trust.json.
//
// Every figure comes from a Go benchmark whose name begins with BenchmarkTrust and that reports it with
// b.ReportMetric(value, KEY), KEY being one of the keys below; packages with such benchmarks are discovered, not
// listed. A figure is a median over COUNT runs (3). One that could not be measured is absent, never zero.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"showhow/bench/figures"
)

var keys = []struct{ key, how string }{
	{"malicious_recall", "labelled malicious bundles with a finding of high severity / all of them"},
	{"harmless_blocked_ratio", "labelled harmless bundles that are blocked / all of them"},
	{"metamorphic_held", "malicious bundles whose verdict no harmless change of their text makes better / all, with all changes"},
	{"scan_1000_ms", "scan of a bundle of 1,000 files and 10 MB"},
	{"drift_ms", "from a changed byte in a projected folder to the ability being unusable"},
	{"sandbox_start_ms", "the program true in a fresh sandbox, from its making to its end, over true alone"},
	{"lookup_top1", "requests of the public English set whose ability comes first / all"},
	{"lookup_auroc", "how often a request scores above an unrelated one"},
	{"lookup_recall5", "right first and above what 5 % of the unrelated requests reach / all"},
	{"proxy_p50_ms", "a 1 KB request on this machine through the allow-list proxy, over one without it; p50"},
}

const environment = `COUNT  runs of each benchmark (3)`

func main() {
	figures.Flags(environment)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-trust:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	packages, err := measured()
	if err != nil {
		return err
	}
	count := os.Getenv("COUNT")
	if count == "" {
		count = "3"
	}
	values := map[string][]float64{}
	var failed error
	for _, p := range packages {
		failed = errors.Join(failed,
			figures.GoTest(ctx, values, "-bench", "^BenchmarkTrust", "-benchtime", "1x", "-count", count, "-timeout", "20m", p))
	}
	r := figures.New("bench-trust")
	for _, k := range keys {
		r.Median(k.key, values[k.key], k.how)
	}
	r.Print()
	if err := figures.Write(r.Name, r); err != nil {
		return err
	}
	return failed
}

// measured are the packages with a BenchmarkTrust.
func measured() ([]string, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(p string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(p, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(p)
		if err == nil && strings.Contains(string(data), "\nfunc BenchmarkTrust") {
			found["./"+filepath.ToSlash(filepath.Dir(p))] = true
		}
		return err
	})
	var out []string
	for p := range found {
		out = append(out, p)
	}
	slices.Sort(out)
	return out, err
}
