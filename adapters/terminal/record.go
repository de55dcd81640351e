package terminal

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// MaxLine bounds a command line, in bytes; a longer one is withheld as too long.
const MaxLine = 4096

// maxHeader bounds everything else of a record: two paths and some numbers.
const maxHeader = 10 << 10

// record is what a shell reports. Its grammar, with US for byte 0x1f:
//
//	0x02 "run"  US shell US pid US seq US lost US start US end US exit US flags US entries US cwd-from US cwd-to LF
//	     the command line as typed (bash: as `history N` prints it) LF
//	     0x03 pid US seq LF
//	0x02 "hold" US shell US pid US seq US lost US reason US cwd LF
//	0x02 "mark" US shell US pid US cwd LF
//
// A part that the pipe refused leaves a record without its end: it is dropped here, and the shell counted it.
type record struct {
	kind    string // run, hold, mark
	shell   string
	pid     int
	seq     int64
	lost    int64 // records refused by the pipe before this one
	start   time.Time
	end     time.Time
	exit    int
	spaced  bool // bash-preexec keeps space-prefixed lines in the history: they are private all the same
	cwdFrom string
	cwdTo   string
	line    string
	tooLong bool
	reason  string
}

// parser cuts a stream of bytes into records. It holds at most one record's worth of bytes.
type parser struct {
	buf     []byte
	open    *record // a run whose line is being read
	bash    int     // number of history entries its line comes as; 0 for a plain line
	text    []byte
	skip    bool  // the rest of an overlong line
	dropped int64 // runs without an end, since the last call of take
}

// feed adds bytes and calls each for every whole record.
func (p *parser) feed(b []byte, each func(record)) {
	p.buf = append(p.buf, b...)
	for {
		i := bytes.IndexByte(p.buf, '\n')
		if i < 0 {
			break
		}
		line := p.buf[:i]
		if p.skip {
			p.skip = false
			p.long()
		} else {
			p.line(line, each)
		}
		p.buf = p.buf[i+1:]
	}
	if len(p.buf) > maxHeader {
		p.buf, p.skip = p.buf[:0], true
	}
	p.buf = append(make([]byte, 0, len(p.buf)), p.buf...) // what was read leaves memory
}

// long notes that part of the open record was longer than any line we keep.
func (p *parser) long() {
	if p.open != nil {
		p.open.tooLong, p.text = true, nil
	}
}

func (p *parser) line(line []byte, each func(record)) {
	if len(line) > 0 && line[0] == 2 {
		if p.open != nil {
			p.dropped++
			p.open, p.text = nil, nil
		}
		p.header(string(line[1:]), each)
		return
	}
	if p.open == nil {
		return // noise, or the rest of a record whose start was refused
	}
	if len(line) > 0 && line[0] == 3 && p.ends(string(line[1:])) {
		r := *p.open
		if !r.tooLong {
			r.line = commandLine(p.text, p.bash)
		}
		p.open, p.text = nil, nil
		each(r)
		return
	}
	p.text = append(append(p.text, line...), '\n')
	if len(p.text) > MaxLine+16 {
		p.long()
	}
}

func (p *parser) ends(s string) bool {
	return s == strconv.Itoa(p.open.pid)+"\x1f"+strconv.FormatInt(p.open.seq, 10)
}

func (p *parser) header(s string, each func(record)) {
	f := strings.Split(s, "\x1f")
	if len(f) < 4 || (f[1] != "bash" && f[1] != "zsh") {
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
		each(r)
	case r.kind == "hold" && len(f) == 7:
		if r.counts(f) {
			r.reason, r.cwdTo = f[5], f[6]
			each(r)
		}
	case r.kind == "run" && len(f) == 12:
		p.run(r, f)
	}
}

func (p *parser) run(r record, f []string) {
	entries, err := strconv.Atoi(f[9])
	if err != nil || entries < 0 || entries > 1000 || !r.counts(f) {
		return
	}
	if r.exit, err = strconv.Atoi(f[7]); err != nil {
		return
	}
	var ok bool
	if r.end, ok = epoch(f[6]); !ok {
		return
	}
	if r.start, ok = epoch(f[5]); !ok || r.start.After(r.end) {
		r.start = r.end // the prompt framework took our note of the start away
	}
	r.spaced, r.cwdFrom, r.cwdTo = f[8] == "s", f[10], f[11]
	p.open, p.bash, p.text = &r, entries, nil
}

// counts reads the sequence number and how many records were refused.
func (r *record) counts(f []string) bool {
	var err1, err2 error
	r.seq, err1 = strconv.ParseInt(f[3], 10, 64)
	r.lost, err2 = strconv.ParseInt(f[4], 10, 64)
	return err1 == nil && err2 == nil && r.seq > 0 && r.lost >= 0
}

// take returns how many records were dropped since it was last called.
func (p *parser) take() int64 {
	n := p.dropped
	p.dropped = 0
	return n
}

// epoch reads EPOCHREALTIME: seconds, the locale's radix character and a fraction; or plain microseconds.
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

// commandLine takes the final newline off and, for bash, the numbers that `history` prints before each entry.
func commandLine(text []byte, entries int) string {
	s := strings.TrimSuffix(string(text), "\n")
	if entries == 0 {
		return s
	}
	if entries == 1 {
		return entry(s)
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = entry(lines[i])
	}
	return strings.Join(lines, "\n")
}

// entry strips "  123* " or "  123  " (number, modified mark, space).
func entry(s string) string {
	rest := strings.TrimLeft(s, " ")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || len(rest) < digits+2 {
		return s
	}
	return rest[digits+2:]
}
