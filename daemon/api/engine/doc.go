// Package engine takes a request to its handler. It holds the operations; for each request it checks, in this order,
// permission, parameters and body against the schema, whether the answer is remembered, and a person's confirmation;
// then it calls the handler and writes the answer.
//
// Guaranteed: a handler sees only checked input; what an operation declares is both enforced and printed in the
// OpenAPI document, from one place; every failure is the envelope, without a submitted value; a POST with a
// client_request_id is done once within a day; streams keep the promises in stream.go. Not guaranteed: that the guard
// admitted the request. The guard of package api runs before and puts the caller into the context; without one every
// caller is an agent.
//
// It knows no route and no capability. Packages api and routes import it. Test it with New, your own Memory, and
// Register.
package engine
