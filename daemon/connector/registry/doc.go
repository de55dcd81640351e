// Package registry holds what is registered: connectors with their tools as a person saw them, auth profiles,
// policies, switches, health.
//
// Guarantees: a change, its receipt and the canonical files are one transaction; questions about what may be called
// are answered from memory that equals what was committed. Tool definitions are pinned: one that changes is hidden
// from every agent until a person has seen the difference, and a new one waits for that, too. An auth profile that a
// connector uses is not deleted, and removing a connector never removes a profile that another uses (the five rules of
// DOC3 0.2D). Secrets are known by name only.
//
// Not guaranteed: that a service is reachable, or does what its tools say.
//
// Packages signin, desk and door build on it. To test against it: New over a store in t.TempDir and servers over
// httptest.
package registry
