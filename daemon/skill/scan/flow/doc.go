// Package flow follows values through the code of a bundle: what is secret, fetched or decoded, and where it is sent,
// run or stored. It reads shell, Python and JavaScript, each as far as an attack needs it, and runs nothing.
//
// It reports as unread what it cannot follow; a loop or a parser that fails ends the piece, not the scan. Test it
// through package scan, whose tests have programs with their findings.
package flow
