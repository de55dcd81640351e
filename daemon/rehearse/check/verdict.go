package check

import (
	"showhow/daemon/workflow"
)

// Ruling is the result of a check.
type Ruling uint8

const (
	Holds Ruling = iota
	Fails
	Unknowable // it cannot be looked at here
)

// OnState reports whether a check is about a page's State, and so is worth waiting for.
func OnState(c workflow.Check) bool {
	switch c.Kind {
	case "url", "heading", "dialog", "alert", "row_count", "field_value", "detail":
		return true
	}
	return false
}

// Gone is the ruling on a check, given whether what it names is present.
func Gone(c workflow.Check, there bool) Ruling {
	if there == c.Gone {
		return Fails
	}
	return Holds
}
