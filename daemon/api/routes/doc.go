// Package routes has the operations of the API in groups. Each group is a struct with a file of its own (abilities and observations have
// more than one), whose fields are the interfaces that it needs, declared beside it and no wider than what its handlers call.
//
// What it guarantees: handlers are thin (call a service, answer what it returned); who may call an operation, what a person confirms and
// which codes it answers are declared where it is registered, and nowhere else. It does not guarantee any of that by itself: package
// engine enforces what is declared here. No group calls another or
// knows how a request came in; what several of them say alike is in shared.go.
//
// Only package api imports it: it gives every group what it asks for. The routes that belong to the server itself (logins, tokens,
// confirmations, the daemon's state) are there. To test a group, give its struct fakes of its interfaces; api_test.go has a server
// over a real socket for whole requests.
package routes
