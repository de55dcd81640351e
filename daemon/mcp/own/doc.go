// Package own is what Showhow itself offers to agents over MCP, at the door (daemon/connector/door): tools, and the
// installed skills as SEP-2640 serves them (daemon/mcp/skills), as prompts, and as plain resources for older clients.
//
// Guarantees: a tool does what the API lets an agent do, and nothing that a person decides: none approves, installs,
// allows or changes a setting. A skill that the agent may not use is refused with the reason. A tool's arguments are
// checked against the schema that it declares. A proposal is an import like any other: scanned, and waiting for a
// person.
//
// Not guaranteed: that the person answers, or that an answer given through the client's own form is the person's.
//
// Package daemon gives it the services. To test against it: the SDK's client at a door, as own_test.go does.
package own
