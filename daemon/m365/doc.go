// Package m365 has the fourteen operations of Microsoft 365 (DOC3 0C.18A, 0.2E): which scopes each needs, whether a
// registration may have them, what they are asked and answer, and how they are done over Microsoft Graph.
//
// Guarantees: an operation that lacks a scope, or that the connector's mode of signing in does not allow, sends nothing.
// What a writing operation sends is a function of its arguments: text goes as plain text, unchanged, and an id is escaped
// wherever it stands in an address. Pages are followed only on Graph's own origin; a file's content is fetched where
// Graph says, without credentials. Answers are bounded, and cut to what the specification's schemas allow. No token
// passes through this package: the client that it is given adds them.
//
// Not guaranteed: that Microsoft's own service accepts it all. It was run against a local Graph (package m365test),
// never against Microsoft 365.
//
// Packages registry and signin import the rules, package daemon the service. To test against it: m365test.
package m365
