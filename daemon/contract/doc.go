// Package contract speaks the wire contract to agents: one request envelope, one response envelope, over what Showhow knows.
//
// Guarantees: every answer fits the response schema. A kind's tier comes from the catalogue alone, and a sensitive one
// without a purpose reaches no handler. What a caller may not have, what does not exist, and what Showhow does not hold
// are the same bytes, at the same multiple of a quantum of time. An answer that holds a secret is withheld. An agent gets
// here what it gets from the API, and nothing more. Telemetry counts; it holds no arguments and no results.
//
// Not guaranteed: that a purpose is true. It is recorded as counted, and never believed.
//
// Package daemon gives it what it reads. To test against it: New over fakes of the interfaces in deps.go.
package contract
