package scan

import "showhow/daemon/skill/scan/report"

// The nouns of a report, for those who read one.
type (
	Report               = report.Report
	Finding              = report.Finding
	Permissions          = report.Permissions
	Compatibility        = report.Compatibility
	CompatibilityFinding = report.CompatibilityFinding
	Severity             = report.Severity
	Verdict              = report.Verdict
)

// The severities and verdicts.
const (
	Low     = report.Low
	Medium  = report.Medium
	High    = report.High
	Clean   = report.Clean
	Review  = report.Review
	Blocked = report.Blocked
)

// Rules is the table of all rules.
var Rules = report.Rules
