package journal

// Events of practices; payload practice_id, state, attempts.
const (
	PracticeStarted EventKind = "practice.started"
	PracticeAttempt EventKind = "practice.attempt"
	PracticeEnded   EventKind = "practice.ended"
)
