package terminal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxLine bounds a command line, in bytes; a longer one is withheld as too long.
const MaxLine = 4096

// maxHeader bounds everything else of a record: two paths and some numbers.
const maxHeader = 10 << 10

// maxTook bounds a plausible duration.
const maxTook = 10 * 365 * 24 * time.Hour

// record is what a shell reports. Its grammar, with US for byte 0x1f:
//
//	the command line                                    bash: as `history` prints it, number first; others: 0x01 seq US line LF
//	0x02 "run"  US shell US pid US seq US lost US number US entries US start US end US exit US flags US cwd-from US cwd-to LF
//	0x02 "hold" US shell US pid US seq US lost US reason US cwd LF
//	0x02 "mark" US shell US pid US cwd LF
//
// seq is empty where the daemon may count as well. fish knows no time: end is empty, start is how many milliseconds the
// command took.
// The line comes first, so that the record's own line ends it; number is that of its first history entry and entries how many
// there are (both empty or 0 for zsh and fish). Where the pipe refused the record's line, text is left over before the next one's:
// the number tells where that begins. Where it refused the text, the record is dropped and counted.
type record struct {
	kind    string // run, hold, mark
	shell   string
	pid     int
	seq     int64 // 0: not counted by the shell
	lost    int64 // records refused by the pipe before this one
	start   time.Time
	end     time.Time
	took    time.Duration // fish: instead of start and end
	exit    int
	spaced  bool // bash-preexec keeps space-prefixed lines in the history: they are private all the same
	cwdFrom string
	cwdTo   string
	line    string
	tooLong bool
	reason  string
}

// parser splits a stream of bytes into records. It holds about one record's worth of bytes.
type parser struct {
	buf     []byte
	text    []byte // lines since the last record
	long    bool   // some of them were let go: there were too many
	skip    bool   // the rest of an overlong line is let go as well
	dropped int64  // runs whose text was refused, since the last call of take
}

// maxText is how much text is kept before a record: a line and the remains of a refused record.
const maxText = 2*MaxLine + 64

// feed adds bytes and calls each for every complete record.
func (p *parser) feed(b []byte, each func(record)) {
	p.buf = append(p.buf, b...)
	for {
		i := bytes.IndexByte(p.buf, '\n')
		if i < 0 {
			break
		}
		if line := p.buf[:i]; p.skip {
			p.skip = false
		} else {
			p.line(line, each)
		}
		p.buf = p.buf[i+1:]
	}
	if len(p.buf) > maxHeader {
		p.buf, p.skip = p.buf[:0], true
		p.letGo()
	}
	p.buf = append(make([]byte, 0, len(p.buf)), p.buf...) // what was read leaves memory
}

func (p *parser) letGo() { p.text, p.long = nil, true }

func (p *parser) line(line []byte, each func(record)) {
	if len(line) > 0 && line[0] == 2 {
		text, long := p.text, p.long
		p.text, p.long = nil, false
		p.header(string(line[1:]), text, long, each)
		return
	}
	if len(p.text)+len(line) >= maxText {
		p.letGo()
		return
	}
	p.text = append(append(p.text, line...), '\n')
}

func (p *parser) header(s string, text []byte, long bool, each func(record)) {
	f := strings.Split(s, "\x1f")
	if len(f) < 4 || !slices.Contains(Shells, f[1]) {
		return
	}
	r := record{kind: f[0], shell: f[1]}
	var err error
	if r.pid, err = strconv.Atoi(f[2]); err != nil || r.pid <= 0 {
		return
	}
	switch {
	case r.kind == "mark" && len(f) == 4:
		r.cwdTo = f[3]
	case r.kind == "hold" && len(f) == 7 && r.counts(f):
		r.reason, r.cwdTo = f[5], f[6]
	case r.kind == "run" && len(f) == 13 && r.counts(f) && r.ran(f):
		if r.tooLong = long; !long {
			var ok bool
			if r.line, ok = commandLine(text, r.shell, f[3], f[5], f[6]); !ok {
				p.dropped++
				return
			}
		}
		if len(r.line) > MaxLine {
			r.line, r.tooLong = "", true
		}
	default:
		return
	}
	each(r)
}

// ran parses the fields of a run beyond its counts.
func (r *record) ran(f []string) bool {
	var err error
	if r.exit, err = strconv.Atoi(f[9]); err != nil {
		return false
	}
	r.spaced, r.cwdFrom, r.cwdTo = f[10] != "", f[11], f[12]
	if r.shell == "fish" {
		ms, err := strconv.ParseInt(f[7], 10, 64)
		r.took = time.Duration(ms) * time.Millisecond
		return err == nil && ms >= 0 && ms < int64(maxTook/time.Millisecond)
	}
	var ok bool
	if r.end, ok = epoch(f[8]); !ok {
		return false
	}
	start, _, _ := strings.Cut(f[7], "+") // bash notes more there
	if r.start, ok = epoch(start); !ok || r.start.After(r.end) {
		r.start = r.end // the prompt framework took our note of the start away
	}
	return true
}

// counts parses the sequence number and the number of refused records.
func (r *record) counts(f []string) bool {
	var err1, err2 error
	if f[3] != "" {
		r.seq, err1 = strconv.ParseInt(f[3], 10, 64)
	}
	r.lost, err2 = strconv.ParseInt(f[4], 10, 64)
	return err1 == nil && err2 == nil && (r.seq > 0 || f[3] == "") && r.lost >= 0
}

// take returns how many records were dropped since the last call.
func (p *parser) take() int64 {
	n := p.dropped
	p.dropped = 0
	return n
}

// epoch parses EPOCHREALTIME: seconds, the locale's radix character and a fraction; or plain microseconds.
func epoch(s string) (time.Time, bool) {
	whole, frac, cut := s, "", false
	if i := strings.IndexAny(s, ".,"); i >= 0 {
		whole, frac, cut = s[:i], s[i+1:], true
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}, false
	}
	if !cut {
		return time.UnixMicro(n), n > 1e14
	}
	if n > 1e11 || strings.Trim(frac, "0123456789") != "" {
		return time.Time{}, false
	}
	us, err := strconv.ParseInt((frac + "000000")[:6], 10, 64)
	return time.UnixMicro(n*1e6 + us), err == nil
}

// commandLine finds the line in the text before its record. bash prints a number before each history entry; the
// others mark the line with its sequence number.
func commandLine(text []byte, shell, seq, number, entries string) (string, bool) {
	s := string(text)
	if shell != "bash" {
		start := "\x01" + seq + "\x1f"
		i := strings.LastIndex("\n"+s, "\n"+start)
		if i < 0 {
			return "", false
		}
		return strings.TrimSuffix(s[i+len(start):], "\n"), true
	}
	n, err := strconv.Atoi(entries)
	if err != nil || n < 1 || n > 1000 {
		return "", false
	}
	if s == "" {
		return "", true // an empty history
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		if rest, ok := entry(l); ok && number == strings.TrimLeft(l[:len(l)-len(rest)-2], " ") {
			lines = lines[i:]
			break
		} else if i == len(lines)-1 {
			return "", false
		}
	}
	for i := range lines {
		if rest, ok := entry(lines[i]); ok && (i == 0 || n > 1) {
			lines[i] = rest
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), true // a here-document ends with one of its own
}

// entry strips "  123* " or "  123  " (number, modified mark, space).
func entry(s string) (string, bool) {
	rest := strings.TrimLeft(s, " ")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || len(rest) < digits+2 || rest[digits+1] != ' ' {
		return s, false
	}
	return rest[digits+2:], true
}
