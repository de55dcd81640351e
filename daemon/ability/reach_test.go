package ability_test

import (
	"net"
	"testing"
	"time"

	"showhow/internal/clock"
)

// A site of this computer is looked at; one elsewhere is not.
func TestUsableOnlyWhileTheSiteAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	var ahead time.Duration
	h.opt.Now = func() clock.Time { return clock.At(time.Now().Add(ahead)) }
	h.restart()
	r := request("export-orders")
	r.RequiredSites = []string{l.Addr().String(), "nowhere.invalid"}
	h.install(r)
	if e := h.entry("export-orders"); !e.UsableNow {
		t.Errorf("while it answers: %+v", e)
	}
	h.ok(l.Close())
	ahead = time.Minute
	if e := h.entry("export-orders"); e.UsableNow || e.ReasonCode != "site_unreachable" {
		t.Errorf("when nothing answers: %+v", e)
	}
}
