// Package routes has the operations of the API, one group a file: each group declares the few methods it needs of a capability, decodes,
// calls and answers. No group knows another, or how a request came in.
//
// Package api gives every group what it asks for. The routes that belong to the server itself (logins, confirmations, the daemon's state)
// are there. Test a group over a real socket, as api_test.go does.
package routes
