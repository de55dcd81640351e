// Package source is one file of a scanned bundle: its kind, its text without control characters, the addresses in it, and the findings
// that are noted of it. It also knows which hosts everybody trusts, and where text stands that is judged (Place).
//
// It says what stands where, not what it is for. A File belongs to one goroutine.
package source
