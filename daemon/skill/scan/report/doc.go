// Package report has the nouns of a scan: the table of rules, findings, verdicts, and what a report comes to.
//
// It judges no text. A rule that is not in the table cannot be reported.
package report
