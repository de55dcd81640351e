package perform

import (
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
)

// performance is one that has not begun, with these values.
func performance(s supply.Supply) *Performance {
	return New(&report.Report{}, Options{}, record.TestPolicy{}, &s)
}
