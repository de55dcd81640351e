// Package caller says who is at the other end of a connection: a person or an agent, by the kernel's word and by the processes above
// the one that connected (decisions D2), and which terminal is theirs.
//
// A caller that cannot be examined is an agent. What ancestry cannot see is said at Ancestry; presence is what stands behind it.
// It knows no route and no capability. Test it with a table of processes of your own.
package caller
