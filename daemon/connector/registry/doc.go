// Package registry is what is registered: connectors with their tools as a person saw them, auth profiles, policies, switches, health.
//
// Guarantees: a change, its receipt and the canonical files are one transaction; whoever asks what may be called is answered from
// memory that equals what was committed. The definitions of tools are pinned: one that changes is out of every agent's sight until a
// person has seen the difference, and one that comes later waits for that, too. An auth profile that a connector uses is not deleted,
// and a connector's removal never takes one that another uses (the five rules of DOC3 0.2D). Secrets are known by name alone.
//
// Not guaranteed: that a service is reachable, or does what its tools say.
//
// The rooms signin, desk and door stand on it. To test against it: New over a store in t.TempDir and servers over httptest.
package registry
