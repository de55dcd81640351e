// Package signin signs a person in to a service by the MCP authorization specification: the service names its
// authorization server, the person's browser goes there, and the tokens come back to this computer.
//
// Guarantees (decisions H4, H5): PKCE S256 always, the resource named, the issuer checked; state and verifier are
// single use and expire after ten minutes; the callback listens on a loopback port that is open only during the
// sign-in, accepts only GET with the exact Host, and answers with a page without scripts. Tokens are stored only in
// the keychain, for one auth profile and one resource, and are sent to no other. An issuer at another host than the
// service's is confirmed by the person first. Discovery follows no redirect to another origin and reaches no address
// of this machine, unless the service is on it.
//
// Not guaranteed: that an authorization server honours a revocation; that the endpoints which an issuer names are at
// its own host.
//
// The API and package registry use it. To test against it: an authorization server over httptest.
package signin
