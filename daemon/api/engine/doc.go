// Package engine holds the API's operations and is the way of every request to its handler: permission, parameters and body against the
// schema, a remembered answer, a person's word, the handler, the answer. What an operation declares is enforced and printed in the
// OpenAPI document from one place.
//
// It knows no route and no capability. Handlers get what was checked; they return a value or a fault. Streams of events are here too.
package engine
