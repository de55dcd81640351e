package ability

// Scanned is what the scanner says of a skill as far as trust needs it.
type Scanned struct {
	Verdict     ScanVerdict
	Permissions Permissions // what its text and scripts use
}
