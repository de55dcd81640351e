// Package source represents one file of a scanned bundle: its kind, its text without control characters, the addresses
// in it, and its findings. It also knows which hosts are generally trusted, and where a judged text stands (Place).
//
// It says what stands where, not what it is for. A File belongs to one goroutine.
package source
