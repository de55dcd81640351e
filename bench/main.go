// Bench measures Showhow and prints one table for people and one JSON file for programs (bench/out/bench.json).
//
// There are two sources: Go benchmarks, which report a figure with b.ReportMetric(value, KEY) where KEY is one of the
// keys below, and the built program itself (start, memory, processor time, size). Every figure is a median over
// several runs with its count (KEY_n) and interquartile range (KEY_iqr); rivals and baselines are measured in the
// same run. A figure that could not be measured is absent, never zero.
//
// Of the packages only the benchmarks that stand in a file with one of the keys are compiled and run. -h lists the environment.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"

	"showhow/bench/figures"
	"showhow/internal/lazyre"
)

// keys are the figures, in the order of the table, with how they are measured.
var keys = []struct{ key, how string }{
	{"events_batched_per_s", "events/s into the store in batches, synchronous=NORMAL, acknowledged"},
	{"events_single_per_s", "events/s, one acknowledged append at a time"},
	{"append_p99_ms", "p99 of an acknowledged append at 1,000/s"},
	{"sqlite_ratio", "time of a batched append over plain SQLite writing the same rows at the same level"},
	{"store_events_per_s", "events/s through the whole pipeline (scope, redaction, sealing, store)"},
	{"db_bytes_per_event", "growth of the database per event"},
	{"purge_ms", "purge of a session of 1,000 events, all steps"},
	{"start_ms", "from exec to the socket answering, warm"},
	{"idle_rss_mb", "resident memory of an idle daemon"},
	{"idle_cpu_pct", "processor time of an idle daemon, percent of one core"},
	{"capture_idle_rss_mb", "resident memory of a capturing daemon while nobody does anything"},
	{"capture_idle_cpu_pct", "its processor time then, percent of one core"},
	{"busy_rss_mb", "resident memory of the daemon while every adapter observes a busy desktop"},
	{"busy_cpu_pct", "its processor time then, percent of one core"},
	{"binary_mb", "size of the stripped program"},
	{"propose_500_ms", "trace of 500 events compiled"},
	{"propose_10k_ms", "trace of 10,000 events compiled"},
	{"propose_rss_mb", "peak memory compiling 10,000 events"},
	{"shell_bash_us", "time added per command in bash while captured"},
	{"shell_zsh_us", "time added per command in zsh while captured"},
	{"shell_fish_us", "time added per command in fish while captured"},
	{"shell_captured_ratio", "commands captured / run"},
	{"hook_floor_ms", "time to start and end /bin/true, below which no hook can be"},
	{"hook_exec_ms", "time an agent waits for the hook while nobody wants receipts, p50"},
	{"hook_p50_ms", "time an agent waits for the hook while its runs are kept, p50"},
	{"hook_p99_ms", "the same, p99"},
	{"door_p50_ms", "a call through the door over the same call without it, p50"},
	{"door_p99_ms", "the same, p99"},
	{"door_list_ms", "find_tools among 100 connectors with 20 tools each"},
	{"door_rss_mb", "memory that those connectors take, connected; with their services' side of it"},
	{"skills_list_ms", "skills/list of 1,000 skills with four files each over MCP, all pages, between two observations of their folders"},
	{"lookup_api_ms", "one look-up of an agent over the API's socket, p50"},
	{"lookup_mcp_ms", "the same over MCP, through the bridge that `showhow mcp` is, p50"},
	{"lookup_mcp_more_ms", "the second over the first, same run"},
	{"registry_search_ms", "search among 10,000 skills under one prefix of a registry on loopback, 100 of them described"},
	{"registry_sync_ms", "100 of them pulled, scanned and staged for review, eight at a time"},
	{"browser_recorded_ratio", "input events recorded / performed"},
	{"browser_traps_ratio", "clicks recorded / performed under navigation traps"},
	{"browser_p50_ms", "input event to Go, p50"},
	{"browser_p99_ms", "input event to Go, p99"},
	{"page_slowdown_pct", "time added to a script-heavy page by the recorder, percent"},
	{"rrweb_slowdown_pct", "the same page with rrweb recording it instead"},
	{"snapshot_ms", "digest of a page of 6,000 nodes"},
	{"process_seen_ratio", "short-lived programs seen or counted as missed / launched"},
	{"process_cpu_pct", "processor time of watching 2,000 launches, percent of one core"},
	{"midi_seen_ratio", "MIDI messages seen / sent at 1,000/s"},
	{"redact_clean_us", "redaction of a clean 200-byte string"},
	{"redact_recall", "secrets found / planted, set not used for tuning"},
	{"redact_false_ratio", "ordinary commands changed / seen"},
	{"notes_search_p50_ms", "a search among 1,000 notes, one caller, warm, p50"},
	{"notes_commit_p50_ms", "a task made there: files, git commit, index, without a disk, p50"},
	{"lookup_25k_p50_us", "one request among 25,199 abilities, one caller, warm, p50"},
	{"lookup_25k_p99_us", "the same, p99"},
	{"lookup_25k_mb", "growth of the heap by their index, descriptions of 200 characters"},
}

const environment = `COUNT  runs of each benchmark (5)
IDLE   how long to watch an idle daemon (20s; 5m for the record)
ONLY   a pattern of packages (./...)`

func main() {
	figures.Flags(environment)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	samples := map[string][]float64{}
	count := envInt("COUNT", 5)

	fmt.Fprintln(os.Stderr, "Go benchmarks ...")
	goBenchmarks(ctx, samples, count)
	fmt.Fprintln(os.Stderr, "the program itself ...")
	if err := program(ctx, samples, count); err != nil {
		fmt.Fprintln(os.Stderr, "not measured:", err)
	}

	r := figures.New("bench")
	for _, k := range keys {
		r.Median(k.key, samples[k.key], k.how)
	}
	r.Print()
	if err := figures.Write(r.Name, r); err != nil {
		fail(err)
	}
	if len(r.Metrics) == 0 {
		fail(fmt.Errorf("nothing was measured"))
	}
}

// goBenchmarks runs every benchmark that reports one of our keys.
func goBenchmarks(ctx context.Context, samples map[string][]float64, count int) {
	pattern := os.Getenv("ONLY")
	if pattern == "" {
		pattern = "./..."
	}
	packages, names, err := reporting(ctx, pattern)
	if err != nil {
		fail(err)
	}
	if len(packages) == 0 {
		return
	}
	err = figures.GoTest(ctx, samples, slices.Concat([]string{"-vet=off", "-bench", "^(" + strings.Join(names, "|") + ")$",
		"-benchtime", "300ms", "-count", strconv.Itoa(count), "-p", "1"}, packages)...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

var (
	benchmark = lazyre.New(`(?m)^func (Benchmark\w+)\(`)
	literal   = lazyre.New(`"([a-z][a-z0-9_]*)"`)
)

// reporting returns the packages that match a pattern and have benchmarks in a file with one of our keys, and the names of those
// benchmarks. A literal that ends in _ may be the first part of a key.
func reporting(ctx context.Context, pattern string) (packages, names []string, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{range .TestGoFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$.ImportPath}} {{$.Dir}}/{{.}}
{{end}}`, pattern)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", pattern, err)
	}
	for line := range strings.Lines(string(out)) {
		path, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		found := benchmark.FindAllSubmatch(text, -1)
		if found == nil || !slices.ContainsFunc(literal.FindAllSubmatch(text, -1), func(l [][]byte) bool { return begins(string(l[1])) }) {
			continue
		}
		packages = append(packages, path)
		for _, b := range found {
			names = append(names, string(b[1]))
		}
	}
	return slices.Compact(packages), names, nil
}

// begins reports whether a literal is one of our keys or the part of some that ends in _.
func begins(text string) bool {
	for _, k := range keys {
		if k.key == text || strings.HasSuffix(text, "_") && strings.HasPrefix(k.key, text) {
			return true
		}
	}
	return false
}

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return def
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}
