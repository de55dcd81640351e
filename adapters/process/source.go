package process

import (
	"context"
	"time"
)

// what is the kind of change.
type what int

const (
	forked  what = iota // parent and pid
	started             // pid runs a new program; image is nil when it was gone already
	ended               // status says how
)

// change is one thing that happened to one process.
type change struct {
	what   what
	pid    int
	parent int // of forked
	at     time.Time
	image  *image // of started
	exit   int    // of ended: as a shell writes it, 128 and the signal's number when a signal ended it
	blind  bool   // of ended: how is not known
}

// image is the program that a process runs, as far as it could be read. It is kept only until a decision is made.
type image struct {
	mine       bool      // runs as this user: nothing else is read when it does not
	live       bool      // it still ran when it was read: what follows exe is known
	born       time.Time // when the process was made; zero when that is not known
	ticks      int       // the same as Linux notes it
	parent     int
	argv       []string
	cut        bool // there is more in argv than was read
	exe        string
	comm       string // the kernel's name for it: 15 bytes of the executed file's name
	cwd        string
	tty        string // controlling terminal, "" for none
	group      int    // process group
	state      byte   // as Linux notes it: 'Z' when its first thread has ended
	threads    int    // of them
	foreground bool   // its group is the one its terminal listens to
}

// life is what remains of a process whose first thread has ended.
type life int

const (
	gone   life = iota
	ending      // other threads of it still are there: they end as well, or one of them is about to execute a program
	lives       // one of them has executed a program, and is its first thread now
)

// source delivers changes in order, from one goroutine.
type source interface {
	// run calls ready once no change is missed any more, and returns when ctx ends or the source fails.
	run(ctx context.Context, ready func(), changed func(change)) error
	close()
}
