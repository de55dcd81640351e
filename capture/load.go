package capture

import "showhow/capture/redact"

// Redactor takes secrets out of text; see package redact.
type Redactor = redact.Redactor

// LoadRedactor compiles the rules. Load when a session arms, Close after its pipeline (decisions B10).
func LoadRedactor() (*Redactor, error) { return redact.Load() }
