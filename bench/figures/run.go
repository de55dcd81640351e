package figures

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Flags parses the command line of a measurement. -h lists the variables of the environment that it reads too; a word that is no flag
// ends the program, instead of a measurement of minutes that ignores it.
func Flags(environment string) {
	flag.Usage = func() {
		out := flag.CommandLine.Output()
		fmt.Fprintf(out, "Usage of %s:\n", os.Args[0])
		flag.PrintDefaults()
		if environment != "" {
			fmt.Fprintf(out, "Environment:\n  %s\n", strings.ReplaceAll(environment, "\n", "\n  "))
		}
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unknown argument: %s\n", flag.Arg(0))
		flag.Usage()
		os.Exit(2)
	}
}

// GoTest runs Go benchmarks, no tests, and adds what they report to values, by unit: also what was reported before one failed. Failures are
// printed as they appear.
func GoTest(ctx context.Context, values map[string][]float64, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-run", "^$"}, args...)...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	sc := bufio.NewScanner(pipe)
	for sc.Scan() {
		if line := sc.Text(); !reported(line, values) && !passed(line) {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("some benchmarks failed: %w", err)
	}
	return sc.Err()
}

// reported adds the figures of one line: the benchmark's name, how often it ran, then pairs of value and unit.
func reported(line string, values map[string][]float64) bool {
	f := strings.Fields(line)
	if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
		return false
	}
	for i := 2; i+1 < len(f); i += 2 {
		if v, err := strconv.ParseFloat(f[i], 64); err == nil {
			values[f[i+1]] = append(values[f[i+1]], v)
		}
	}
	return true
}

// passed tells the lines in which go test describes the machine and what passed.
func passed(line string) bool {
	for _, begin := range []string{"goos:", "goarch:", "pkg:", "cpu:", "PASS", "ok ", "?", "testing: warning: no tests"} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}
