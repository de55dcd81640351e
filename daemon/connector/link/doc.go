// Package link is the connection to one service: streamable HTTP to an address that a person registered, or a program on this computer
// in a box that holds what its registration names.
//
// Guarantees: nothing is connected to but the registered address; a redirect stays on its origin, and what its name resolves to is never
// this machine, a link-local or a metadata address, unless it was registered on this machine itself. Answers are bounded, calls have a
// time, and one service's slowness is its own: each link has its own session and its own bound on calls under way. What a server asks of
// us (sampling, elicitation, roots) is not offered. A call is sent once: a session that the server forgot is made anew and the call
// repeated only because the server said that it did not take it.
//
// Not guaranteed: that a server does what its tools say. Without a sandbox a local program is not run at all.
//
// The rooms registry and door import it. To test against it: servers over httptest, and a program in a real box.
package link
