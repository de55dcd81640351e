// Package link is the connection to one service: HTTP (streamable, or the older HTTP+SSE where a server knows only
// that) to an address that a person registered, or a program on this computer in a sandbox that holds what its
// registration names.
//
// Guarantees: it connects only to the registered address; a redirect stays on its origin, and the name never resolves
// to this machine, a link-local or a metadata address, unless it was registered on this machine. Answers are bounded,
// calls time out, and one slow service does not slow the others: each link has its own session and its own bound on
// concurrent calls. What a server may ask of its client (sampling, elicitation) is offered only if the registration allows
// it, and answered by the caller of the call that it belongs to; roots never are. A call is sent once: if the server forgot
// the session, a new one is made and the call repeated only because the server said that it did not accept it.
//
// Not guaranteed: that a server does what its tools say. Without a sandbox a local program is not run at all.
//
// Packages registry and door import it. To test against it: servers over httptest, and a program in a real sandbox.
package link
