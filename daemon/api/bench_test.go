package api

import (
	"net/http"
	"os"
	"testing"
)

// One request with a connection of its own, as the CLI makes it: the peer's ancestry is examined each time.
func BenchmarkRequestOverTheSocket(b *testing.B) {
	r := newRig(b)
	c := r.client()
	for b.Loop() {
		send(b, c, "http://socket/api/version", "GET", "").ok(b, http.StatusOK)
	}
}

func BenchmarkExamineACaller(b *testing.B) {
	a := ancestry{procs: newProcessTable()}
	p := peer{pid: os.Getpid(), alive: func() bool { return true }}
	for b.Loop() {
		a.principal(p)
	}
}
