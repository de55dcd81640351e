// Package report defines the table of rules, findings, verdicts, and the summary of a scan's report.
//
// It judges no text. A rule that is not in the table cannot be reported.
package report
