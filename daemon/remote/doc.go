// Package remote lets agents on other machines in, if a person turned that on: an OAuth 2.1 authorization server and,
// behind its tokens, the wire contract and the door for agents.
//
// Guarantees: while it is off there is no listener, no goroutine and no state beyond this Service. A caller is let in
// by a person alone (Decide, AddMachine), for one address (audience) and for scopes that no refresh widens. PKCE with
// S256 is demanded of everybody. Codes work once; a code or a refresh token that comes a second time ends the caller's
// access. Tokens, codes and secrets are stored as hashes only, signing keys in the keyring only; none of them is in a
// log, a receipt, an event or an answer other than the one that hands it out. What a caller
// does ends with its access, and with the last token that it showed: its requests at once, its sessions, questions and
// approvals by Options.Evict.
// What anybody can cause without a token is bounded: registrations, waiting sign-ins, request sizes and rates.
//
// Not guaranteed: that a program is what it calls itself; the person compares the code that the browser shows. What a
// caller does with an answer is out of reach. Codes and waiting sign-ins do not survive a restart.
//
// The protocol's requests are parsed and checked by zitadel/oidc (package op); this package decides what it grants.
// The library logs by slog's default, with addresses that hold a client's state: the program that uses this package sets
// a default that discards.
//
// Only package daemon wires it. To test it: New over a store in a temporary folder, On with 127.0.0.1:0.
package remote
