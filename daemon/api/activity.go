package api

import (
	"sync/atomic"
	"time"
)

// activity is what says whether anybody still needs the daemon.
type activity struct {
	open atomic.Int64 // requests under way, open streams among them
	last atomic.Int64 // when the last one ended, Unix nanoseconds
}

func (a *activity) begin() (end func()) {
	a.open.Add(1)
	return func() {
		a.last.Store(time.Now().UnixNano())
		a.open.Add(-1)
	}
}

// LastCall is when the last request ended, the zero time before the first.
func (s *Server) LastCall() time.Time {
	if n := s.activity.last.Load(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

// Open is how many requests are under way; an open event stream is one.
func (s *Server) Open() int64 { return s.activity.open.Load() }
