// Package routes holds the operations of the API in groups. Each group is a struct in a file of its own (abilities and
// observations have more than one), whose fields are the interfaces that it needs, declared beside it and no wider
// than what its handlers call.
//
// Guaranteed: handlers are thin (call a service, return its result); who may call an operation, what a person confirms
// and which codes it returns are declared only where it is registered. It enforces none of that itself: package engine
// does. No group calls another or knows how a request arrived; what several share is in shared.go.
//
// Only package api imports it and gives every group its dependencies. The routes of the server itself (logins, tokens,
// confirmations, the daemon's state) are in package api. To test a group, give its struct fakes of its interfaces;
// api_test.go has a server over a real socket for whole requests.
package routes
