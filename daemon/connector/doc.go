// Package connector has the nouns of connectors: services that are reached through MCP because a person registered them. Its rooms
// are policy (what may be called), askfirst (a call that waits for a person), health (how a service fares), link (the connection
// to one), registry (what is registered), signin (OAuth), desk (who asks a person) and door (what agents see).
//
// Guarantees: badges and the actions that a connector offers are computed here and nowhere else; a tool's definition is its hash
// over everything an agent is shown of it, so nothing of it changes unnoticed; the name of a tool at the door is the same on
// every computer and at most DoorNameMax long.
//
// Not guaranteed: that a tool does what its name says. What it is taken for (Class) decides only whether a person is asked.
//
// The rooms import it, and so does the store, which keeps its records. To test against it: the tables in the tests.
package connector
