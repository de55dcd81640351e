package footprint

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// dropProgram tells the kernel that the pages of the program's code and constants are not needed now. They are clean
// copies of the file; a mapping with anything else (a relocated program has written to its constants) is not dropped.
func dropProgram() {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	for _, m := range mappings() {
		if m.path == exe && m.clean {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED) // it stays resident then
		}
	}
}

type mapping struct {
	from, to uintptr
	path     string
	clean    bool // readable only, and nothing of it differs from the file
}

// mappings parses /proc/self/smaps: a line with addresses, permissions and file, then lines "Name: N kB".
func mappings() (out []mapping) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) >= 6 && strings.Contains(fields[0], "-"):
			a, b, _ := strings.Cut(fields[0], "-")
			from, err1 := strconv.ParseUint(a, 16, 64)
			to, err2 := strconv.ParseUint(b, 16, 64)
			if err1 == nil && err2 == nil {
				out = append(out, mapping{uintptr(from), uintptr(to), strings.Join(fields[5:], " "), strings.HasPrefix(fields[1], "r-") &&
					strings.HasSuffix(fields[1], "p")})
			}
		case len(fields) == 5 && strings.Contains(fields[0], "-"):
			out = append(out, mapping{}) // without a file
		case len(fields) >= 2 && len(out) > 0 && (fields[0] == "Anonymous:" || fields[0] == "Swap:") && fields[1] != "0":
			out[len(out)-1].clean = false
		}
	}
	return out
}

// residentSize is what the kernel counts for this process now: the second field of statm, in pages.
func residentSize() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), " ")
	pages, _, _ := strings.Cut(rest, " ")
	n, _ := strconv.ParseInt(pages, 10, 64)
	return n * int64(os.Getpagesize())
}
