package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"showhow/capture"
)

// storm starts n short-lived programs from a shell, as a person's loop would.
func storm(t testing.TB, program string, n int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf("i=0; while [ $i -lt %d ]; do %s $i; i=$((i+1)); done", n, program))
	run(t, cmd)
}

// Of programs that live shorter than a look takes, each is seen or counted.
func TestShortLived(t *testing.T) {
	w := newWorld(t, "blink")
	blink := w.program("true", "blink")
	const n = 300
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { storm(t, blink, n/2) })
	}
	wg.Wait()
	seen := len(w.settled(w.tool))
	missed := int(w.Withheld(capture.Overflow))
	if seen > n || seen+missed < n {
		t.Errorf("%d seen and %d missed of %d", seen, missed, n)
	}
	t.Logf("%d seen, %d counted as missed", seen, missed)
}

// BenchmarkShortLived reports how many of 2,000 short-lived programs are seen or counted as missed, how many are
// seen, and the cost of watching them: processor time of the adapter's own threads, as share of one core.
func BenchmarkShortLived(b *testing.B) {
	needEvents(b)
	const n = 2000
	dir := b.TempDir()
	blink, tool := program(b, dir, "true", "blink"), program(b, dir, "sleep", "tool")
	var seen, missed, launched int
	var cpu, wall time.Duration
	for b.Loop() {
		o := observe(b, nobody(), apps("blink", "tool"))
		from, begin := usage(), time.Now()
		storm(b, blink, n)
		wall += time.Since(begin)
		cpu += usage() - from
		launched += n
		seen += min(n, len(o.settled(tool)))
		missed += int(o.Withheld(capture.Overflow))
		if err := o.stop(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(min(1, float64(seen+missed)/float64(launched)), "process_seen_ratio")
	b.ReportMetric(float64(seen)/float64(launched), "process_described_ratio")
	b.ReportMetric(100*cpu.Seconds()/wall.Seconds(), "process_cpu_pct")
	var u unix.Utsname
	_ = unix.Uname(&u)
	b.Logf("%d programs in %v, Linux %s, uid %d", launched, wall, unix.ByteSliceToString(u.Release[:]), os.Geteuid())
}

// usage is the processor time of this program; during a storm only the adapter works in it.
func usage() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
