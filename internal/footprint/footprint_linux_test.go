package footprint

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// resident is how much of a kind ("RssFile", "RssAnon") the kernel counts for this process, in KiB.
func resident(t *testing.T, kind string) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	m := regexp.MustCompile(kind + `:\s+(\d+) kB`).FindSubmatch(b)
	if err != nil || m == nil {
		t.Skipf("the kernel does not count %s: %v", kind, err)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}

// touch reads every page of the program.
func touch(t *testing.T) (sum byte) {
	t.Helper()
	for _, m := range mappings() {
		if strings.HasSuffix(m.path, ".test") && m.clean {
			sum += read(m)
		}
	}
	return sum
}

func TestShrinkGivesTheProgramBack(t *testing.T) {
	before := touch(t)
	full := resident(t, "RssFile")
	Shrink()
	if left := resident(t, "RssFile"); left > full*3/4 {
		t.Errorf("%d KiB of files are resident after %d", left, full)
	}
	if touch(t) != before {
		t.Error("the program is another one now")
	}
}

// A mapping that was written to must not be dropped: what differs from the file would be lost.
func TestWrittenMappingsStay(t *testing.T) {
	writable := false
	for _, m := range mappings() {
		if m.clean && m.path == "" {
			t.Errorf("%x-%x has no file and counts as clean", m.from, m.to)
		}
		writable = writable || !m.clean && m.path != ""
	}
	if !writable {
		t.Error("not even the program's own variables count as written")
	}
}

// Only what was taken since the last Shrink counts.
func TestGrown(t *testing.T) {
	Shrink()
	if Grown() {
		t.Error("it has just been returned")
	}
	taken := make([]byte, 2*enough)
	for i := 0; i < len(taken); i += os.Getpagesize() {
		taken[i] = 1
	}
	if !Grown() {
		t.Error("8 MB more are not noticed")
	}
	runtime.KeepAlive(taken)
}
