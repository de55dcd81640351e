// Package clock defines the wire forms of time and identity: RFC 3339 UTC with milliseconds, and UUIDv7.
//
// Services take Now and NewID as functions so that tests control them.
package clock

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Layout is the wire form of every timestamp; it sorts as text.
const Layout = "2006-01-02T15:04:05.000Z"

// Time is an instant as it appears on the wire and in the store.
type Time struct{ time.Time }

// At truncates t to milliseconds UTC.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// Now is the wall clock.
func Now() Time { return At(time.Now()) }

// NewID returns a new UUIDv7: ids sort by creation.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// FirstID sorts before every id created at t or later, and after all created before.
func FirstID(t Time) string {
	h := fmt.Sprintf("%012x", max(t.UnixMilli(), 0))
	return h[:8] + "-" + h[8:12] + "-7000-8000-000000000000"
}

// Ptr returns a pointer to a copy of t, for optional fields.
func (t Time) Ptr() *Time { return &t }

// Plus is t shifted by d.
func (t Time) Plus(d time.Duration) Time { return At(t.Add(d)) }

func (t Time) String() string { return t.UTC().Format(Layout) }

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalJSON replaces time.Time's, which has no fixed width.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalText implements encoding.TextUnmarshaler and accepts any RFC 3339 instant.
func (t *Time) UnmarshalText(b []byte) error {
	p, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return fmt.Errorf("not an RFC 3339 timestamp")
	}
	*t = At(p)
	return nil
}

// UnmarshalJSON accepts any RFC 3339 instant in quotes.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' {
		return fmt.Errorf("not an RFC 3339 timestamp")
	}
	return t.UnmarshalText(b[1 : len(b)-1])
}

// Parse parses a stored timestamp.
func Parse(s string) (Time, error) {
	var t Time
	err := t.UnmarshalText([]byte(s))
	return t, err
}

// Every calls f after each d, until ctx ends.
func Every(ctx context.Context, d time.Duration, f func()) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return
		}
		f()
	}
}
