package api

import (
	"net/http"
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
