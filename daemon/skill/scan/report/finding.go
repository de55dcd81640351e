package report

// With says what is particular to one finding.
type With struct {
	Severity Severity
	Meaning  string
	Weak     bool // words alone say so: see calibrate
}

func Note(rule string, w With, file string, line int, excerpt string) Finding {
	r := ByID[rule]
	f := Finding{RuleID: r.ID, Severity: r.Severity, File: file, Line: line, Title: r.Title, Meaning: r.Meaning, Why: r.Why, Excerpt: excerpt}
	if w.Severity != "" {
		f.Severity = w.Severity
	}
	if w.Meaning != "" {
		f.Meaning = w.Meaning
	}
	return f
}

func AtMost(a, b Severity) Severity {
	if a.AtLeast(b) {
		return b
	}
	return a
}
