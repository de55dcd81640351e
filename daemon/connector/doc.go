// Package connector defines connectors: services reached through MCP because a person registered them. Its subpackages
// are policy (what may be called), askfirst (a call that waits for a person), health (a service's health), link (the
// connection to one), registry (what is registered), signin (OAuth), desk (asking the person) and door (what agents
// see).
//
// Guarantees: badges and the actions that a connector offers are computed only here; a tool's definition hash covers
// everything that an agent is shown of it, so nothing of it changes unnoticed; the name of a tool at the door is the
// same on every computer and at most DoorNameMax long.
//
// Not guaranteed: that a tool does what its name says. Its Class decides only whether a person is asked.
//
// The subpackages and the store, which keeps its records, import it. To test against it: the tables in the tests.
package connector
