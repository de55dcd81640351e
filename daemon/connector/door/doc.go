// Package door is the one MCP endpoint that agents use: the tools of every connector, each under a unique name, as far
// as the agent may use them.
//
// Guarantees (decisions H6): a tool that an agent may not call is neither listed nor callable by name; one that needs
// a person's approval says so. A list is answered from memory, whatever the services do. Above ListMost tools the door
// offers find_tools and call_tool instead. A call's receipt is stored before the call is sent; a call that a person
// must allow waits, and its caller gets progress every few seconds. What Showhow itself does for a connector is made
// definite before the person is asked: it may look up, and change nothing. Each agent has sessions of its own: no agent uses
// another's. The results of calls are in no receipt, and pass unchanged except for a warning before text that gives
// the agent orders. What a service asks in return reaches the program of the agent whose call it is, and no other.
//
// Not guaranteed: that a result is harmless to read. Orders in words that the scanner does not know are not found.
//
// Package daemon serves it on the socket. To test against it: a registry with servers over httptest, and the SDK's own
// client.
package door
