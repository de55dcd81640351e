// Package door is the one MCP endpoint that agents use: the tools of every connector, each under a name of its own, as far as the agent
// may use them.
//
// Guarantees (decisions H6): what an agent may not call it does not see, and cannot call by name either; what a person is asked for
// says so. A list is answered from memory, whatever the services do. Above ListMost tools the door offers find_tools and call_tool
// instead. A call's receipt is kept before anything is sent; a call that a person must allow waits, and its caller is told every few
// seconds. Each agent has sessions of its own: no agent uses another's. The results of calls are in no receipt,
// and pass unchanged but for a warning before what gives the agent orders.
//
// Not guaranteed: that a result is harmless to read. Orders in other words than the scanner knows are not found.
//
// Package daemon serves it on the socket. To test against it: a registry with servers over httptest, and the SDK's own client.
package door
