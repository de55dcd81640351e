package sandbox

import (
	"context"
	"net"
	"time"
)

// Home is the path of the scratch folder inside a box on Linux; HomeIn gives it on every system.
const Home = "/home/work"

// Untried marks boxes on macOS as untested.
const Untried = "never tried on macOS"

// Spec is what a box holds and allows. Zero limits mean the defaults.
type Spec struct {
	Dir       string            // the scratch folder, absolute; made if it is not there, and removed by Close; "": a new one
	ReadOnly  []string          // further paths that commands may read, at their own place
	Writable  []string          // folders that commands may read and change, at their own place
	Lent      map[string]string // folders of this machine that commands may read, by their place below HomeIn
	Hosts     []string          // that commands may reach: "host", "host:port", "*.host"; none: the network is closed
	Network   bool              // a proxy even if no host is named yet: requests are recorded, and Allow may open it
	Service   string            // a Unix socket outside to which connections to ServiceSocket inside are relayed; "" for none
	Tools     []string          // further names under which this program is in the box's PATH
	Shell     string            // bash (default), zsh, fish or sh
	Timeout   time.Duration     // for one line
	MaxOutput int64             // bytes of output and of errors, each
	MaxBytes  int64             // bytes in the scratch folder and /tmp
	MaxMemory int64             // bytes
	MaxProcs  int               // processes and threads

	// Dial is how the proxy connects; nil means over the network, and never to this machine by a foreign name.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// The default limits of a box.
const (
	DefaultTimeout   = 2 * time.Minute
	DefaultMaxOutput = 4 << 20
	DefaultMaxBytes  = 1 << 30
	DefaultMaxMemory = 2 << 30
	DefaultMaxProcs  = 256
	maxFiles         = 100_000
	maxLine          = 100 << 10
)

func (s Spec) withDefaults() Spec {
	if s.Shell == "" {
		s.Shell = "bash"
	}
	if s.Timeout <= 0 {
		s.Timeout = DefaultTimeout
	}
	if s.MaxOutput <= 0 {
		s.MaxOutput = DefaultMaxOutput
	}
	if s.MaxBytes <= 0 {
		s.MaxBytes = DefaultMaxBytes
	}
	if s.MaxMemory <= 0 {
		s.MaxMemory = DefaultMaxMemory
	}
	if s.MaxProcs <= 0 {
		s.MaxProcs = DefaultMaxProcs
	}
	return s
}

// Reasons why a line was ended.
const (
	KilledTimeout   = "timeout"
	KilledOutput    = "output"
	KilledDisk      = "disk"
	KilledMemory    = "memory"
	KilledCancelled = "cancelled"
)

// Result is the result of a line.
type Result struct {
	ExitCode int // -1 when it was killed
	Stdout   []byte
	Stderr   []byte
	Killed   string // why it was ended, "" when it ended itself
	Took     time.Duration
	Running  []string // of RunUntil: the programs that ran, when the line was over
}
