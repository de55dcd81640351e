// Package oci carries skills through the OCI registries that a team already runs: a skill is an artifact of its own
// media type with one layer a file, so a layer's digest is the SHA-256 of the file.
//
// It is not the registry of connected services, which is daemon/connector/registry.
//
// Guarantees: what is fetched has the digests that its manifest names, and the trust hash that it claims, or it is
// refused; nothing of it touches the disk here. Sizes are checked against the limits of a skill before a byte of a file
// is asked for. It connects only to the registry that a person named, to where that redirects over https, and to its
// token server; none of these is this machine, its local link or a metadata address, unless the person named a registry
// on this machine, and then only that one. Passwords come from the docker credential store, for the host that asks, and
// are in no error, log, receipt or answer. A registry's token server that is another host is given the registry's
// password too, over https alone, as docker does. What is pushed is what a person saw: the plan has a seal over everything that
// leaves.
//
// A push is signed, as the Notary Project specifies, with a key that only the keychain holds; the signature names the
// manifest and the tag. The key that signed what a person installed must have signed what comes from the same repository
// later. Signing and checking connect to nobody but the registry.
//
// Not guaranteed: that a registry keeps what it was given, or gives everybody the same; that what comes from there is
// harmless. A pull is an import, which is scanned and decided on here.
//
// To test against it: go-containerregistry's registry over httptest, and Debian's docker-registry as a process.
package oci
