package ability

// Scanned is the part of the scanner's verdict that trust needs.
type Scanned struct {
	Verdict     ScanVerdict
	Permissions Permissions // what its text and scripts use
}
