package ability

// ScanVerdict is what the scanner says of a skill, in short.
type ScanVerdict struct {
	Verdict  string `json:"verdict" enum:"pending,clean,review,blocked,unreadable"`
	Findings int    `json:"findings" doc:"of medium severity or graver"`
	Worst    string `json:"worst,omitempty" maxLength:"160" doc:"the gravest one's title"`
}

// Scanned is what the scanner says of a skill as far as trust needs it.
type Scanned struct {
	Verdict     ScanVerdict
	Permissions Permissions // what its text and scripts use
}
