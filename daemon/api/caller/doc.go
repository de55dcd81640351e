// Package caller identifies the other end of a connection: a person or an agent, by the kernel's credentials and the
// processes above the one that connected (decisions D2), and that caller's terminal.
//
// Guaranteed: a caller that cannot be examined counts as an agent, and nothing that a caller sends gives it more
// rights than the kernel's answer. Not guaranteed: Ancestry lists what it cannot see; presence (a person's
// confirmation) stands behind it.
//
// It is a leaf: it knows no route and no capability. Only the packages of the API import it. Test it with your own
// processTable, as caller_test.go does; what only a real kernel can show is in the tests of package api.
package caller
