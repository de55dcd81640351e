package capturing

import (
	"errors"
	"testing"
	"time"

	"showhow/capture"
	"showhow/internal/await"
)

func TestSeenOutlivesTheSession(t *testing.T) {
	begun := time.Now().Truncate(time.Millisecond)
	breaks := func(_ int64, ready func()) error { ready(); return errors.New("gone") }
	c, s, _ := watchWith(t, &witness{fail: breaks}, []capture.Kind{capture.ProcessLaunch}, "/home/anna/reports")
	await.Until(t, "its end", func() bool { return c.Seen("witness").ErrorCode != "" })
	if err := c.Stop(t.Context(), s.LearnSessionID); err != nil {
		t.Fatal(err)
	}
	if got := c.Seen("witness"); got.ErrorCode != "broke_off" || got.At.Before(begun) {
		t.Errorf("the one that broke off: %+v", got)
	}
	if got := c.Seen("actor"); got.ErrorCode != "" || got.At.Before(begun) {
		t.Errorf("the one that observed: %+v", got)
	}
	if got := c.Seen("files"); got != (Seen{}) {
		t.Errorf("one that never observed: %+v", got)
	}
}
