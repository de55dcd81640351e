package clock

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter parses the HTTP header of that name, seconds or a date, as a time from now on; nil if it says neither.
func RetryAfter(text string, now time.Time) *time.Duration {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		d := time.Duration(n) * time.Second
		return &d
	}
	if at, err := http.ParseTime(text); err == nil {
		d := max(at.Sub(now), 0)
		return &d
	}
	return nil
}
