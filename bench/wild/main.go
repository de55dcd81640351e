// Wild measures how useful a skill is on applications that nobody has seen: `make bench-wild` draws small
// applications from a seed, has each demonstrated twice, learns, rehearses with values that were not demonstrated,
// and judges by what the application stored. It prints tables and writes bench/out/bench-wild.json; every case is a
// line of bench/out/wild-cases.jsonl.
//
// It uses a real daemon in throw-away directories through its API, as a person does; questions get the suggested
// answers. After a run that did the task a share of the cases is rehearsed once more on a site that lies. Three
// libraries are drawn when the measurement first runs, written into bench/wild/unseen.json and reported separately:
// nobody looks into their failures while fixing. In addition, elements of generated pages are looked up again on
// other loads of them, without any demonstration.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/bench/figures"
	"showhow/bench/office"
	"showhow/bench/wild/apps"
	"showhow/bench/wild/cases"
)

// settings are what is measured.
type settings struct {
	seed    uint64
	n       int
	budget  time.Duration
	workers int
	lies    int
	lookups int
	libs    []cases.Library
	kinds   []cases.Kind
	one     uint64
	unseen  []string
	verbose bool
	raw     bool // what was observed is printed
}

// bundles is where `make bench-wild` puts the libraries.
const bundles = "bench/wild/libs/dist"

const environment = `SEED     of the draw (printed)
N        cases (0: as many as BUDGET allows)
BUDGET   how long (10m)
WORKERS  offices at once (2)
LIBS     libraries by name, separated by commas
KINDS    kinds of cases by name, the same
LIES     one case in so many is rehearsed on a site that lies (4, 0: none)
LOOKUPS  elements looked up again (300; 5000 from 1,000 cases on)
APPS     real applications by name, or all; only these if neither N nor BUDGET is given
CHECK    1: only whether their drivers do what they are to do and nothing else
CASE     the seed of one case to look at
VERBOSE  1: step by step
RAW      1: what was observed`

func main() {
	figures.Flags(environment)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-wild:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	s, err := read()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "shw")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := office.Build(ctx, dir)
	if err != nil {
		return err
	}
	r := newReport(s)
	if names := os.Getenv("APPS"); names != "" {
		list, err := apps.Chosen(names)
		if err != nil {
			return err
		}
		r.real(measureApps(ctx, bin, list))
		if os.Getenv("N") == "" && os.Getenv("BUDGET") == "" {
			return r.print()
		}
	}
	fmt.Printf("seed %d, libraries %s; unseen: %s\n", s.seed, strings.Join(names(s.libs), " "), strings.Join(s.unseen, " "))
	start := time.Now()
	all := measureCases(ctx, bin, s)
	r.cases(all)
	if s.lookups > 0 && s.one == 0 && ctx.Err() == nil {
		found, err := lookUp(ctx, s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "elements were not looked up:", err)
		}
		r.lookups(found)
	}
	r.Figure("elapsed_s", time.Since(start).Seconds(), 1, "of the whole measurement, by the clock")
	return r.print()
}

// read reads the environment.
func read() (*settings, error) {
	s := &settings{seed: uint64(time.Now().UnixNano() % 1e9), budget: 10 * time.Minute, workers: 2, lies: 4,
		verbose: os.Getenv("VERBOSE") != "", raw: os.Getenv("RAW") != ""}
	var errs []error
	number := func(name string, into *int) {
		if v := os.Getenv(name); v != "" {
			n, err := strconv.Atoi(v)
			*into, errs = n, append(errs, err)
		}
	}
	number("N", &s.n)
	number("WORKERS", &s.workers)
	number("LIES", &s.lies)
	if s.lookups = 300; s.n >= 1000 {
		s.lookups = 5000
	}
	number("LOOKUPS", &s.lookups)
	for name, into := range map[string]*uint64{"SEED": &s.seed, "CASE": &s.one} {
		if v := os.Getenv(name); v != "" {
			n, err := strconv.ParseUint(v, 10, 64)
			*into, errs = n, append(errs, err)
		}
	}
	if v := os.Getenv("BUDGET"); v != "" {
		d, err := time.ParseDuration(v)
		s.budget, errs = d, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if v := os.Getenv("KINDS"); v != "" {
		for _, k := range strings.Split(v, ",") {
			if !slices.Contains(cases.Kinds, cases.Kind(k)) {
				return nil, fmt.Errorf("there is no kind %q; there are %v", k, cases.Kinds)
			}
			s.kinds = append(s.kinds, cases.Kind(k))
		}
	}
	return s, s.choose(os.Getenv("LIBS"))
}

// choose selects the named libraries, or all installed ones, and reads which of them are unseen.
func (s *settings) choose(wanted string) (err error) {
	for _, l := range cases.Libraries {
		if wanted != "" && !slices.Contains(strings.Split(wanted, ","), l.Name) {
			continue
		}
		if l.NPM {
			if _, err := os.Stat(filepath.Join(bundles, l.Name+".js")); err != nil {
				fmt.Fprintf(os.Stderr, "%s is not built: make bench-wild builds it from npm\n", l.Name)
				continue
			}
		}
		s.libs = append(s.libs, l)
	}
	if len(s.libs) == 0 {
		return fmt.Errorf("no library of these: %s", strings.Join(names(cases.Libraries), " "))
	}
	s.unseen, err = unseen(s.seed)
	return err
}

func names(libs []cases.Library) (out []string) {
	for _, l := range libs {
		out = append(out, l.Name)
	}
	return out
}
