// Package caller says who is at the other end of a connection: a person or an agent, as the kernel and the processes above the one that
// connected tell it (decisions D2), and which terminal that caller has.
//
// What it guarantees: a caller that cannot be examined counts as an agent, and nothing that a caller sends makes it more than the kernel
// says. What it does not: Ancestry lists what it cannot see; presence (a person's word) stands behind it.
//
// It is a leaf: it knows no route and no capability. The rooms of the API import it and nobody else does. Test it with a processTable of
// your own, as caller_test.go does; what only a real kernel can show is in the tests of package api.
package caller
